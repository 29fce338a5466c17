"""Pictures that explain the paper on PJS: its database, the software in the loop, planning, and preemption."""

from __future__ import annotations

import numpy as np

from shadowtime.dashboard.figures.sketch import Block, Box, BoxSketch, ScheduleSketch
from shadowtime.dashboard.papers.page import Illustration
from shadowtime.engine.families.classed.workload import classed
from shadowtime.engine.schedule import Schedule
from shadowtime.engine.simulation import simulate
from shadowtime.engine.tables import LOST
from shadowtime.engine.workload.samples import find_sample


def database() -> BoxSketch:
    """Return the parts of a site's database (Figure 1)."""
    boxes = (
        Box(0.0, 0.0, "Machines", ("class, specification", "times by job class", "clusters they belong to"), 0),
        Box(0.0, 1.0, "Clusters", ("member machines", "times by job class", "least share of members"), 2),
        Box(1.0, 0.0, "Interconnects", ("bandwidth, latency", "machines and clusters served"), 4),
        Box(1.0, 1.0, "Job classes", ("count, mean, variance", "per machine and cluster"), 1),
        Box(2.0, 0.0, "Users", ("jobs by queue", "security information"), 3),
        Box(2.0, 1.0, "Job queues", ("priority, algorithm", "preemption, users"), 5),
    )
    return BoxSketch(boxes, ((0, 1), (2, 1), (3, 1), (4, 5), (5, 3)))


def loop() -> BoxSketch:
    """Return the scheduler between simulated clients and simulated machines (Figure 2)."""
    boxes = (
        Box(0.0, 0.0, "Clients", ("submit jobs", "simulated"), 1),
        Box(1.0, 0.0, "Scheduler", ("SJS or PJS: the same", "program as in production"), 0),
        Box(2.0, 0.0, "Machines, clusters", ("simulated, or real", "processes: shadowtime loop"), 2),
        Box(1.0, 1.0, "Experience", ("count, mean, variance", "of past times"), 4),
    )
    return BoxSketch(boxes, ((0, 1), (1, 2), (2, 3), (3, 1)))


def plans() -> ScheduleSketch:
    """Return the plans of SJS and PJS for the same two jobs."""
    site = find_sample("takeover").read().site
    assert site is not None, "the sample has a site"
    site = site.with_(queues=())
    workload = classed(site, np.array([0, 1]))
    lanes, blocks = [], []
    for row, rule in enumerate(("sjs", "pjs")):
        lanes += [f"{rule.upper()} {name}" for name in site.machines]
        blocks += _blocks(simulate(workload, rule), row * len(site.machines))
    return ScheduleSketch(lanes, blocks)


def takeover() -> ScheduleSketch:
    """Return the sample in which a high job stops a low one on a cluster."""
    workload = find_sample("takeover").read()
    assert workload.site is not None, "the sample has a site"
    marks = ((0.4, "high job 2 arrives"),)
    return ScheduleSketch(workload.site.machines, _blocks(simulate(workload, "pjs"), 0), marks)


def _blocks(schedule: Schedule, lane: int) -> list[Block]:
    """Return a block for each machine and run of a schedule; lost runs are hatched."""
    found, parts = [], schedule.segments
    for at in range(len(parts["job"])):
        job = int(parts["job"][at])
        for machine in range(int(parts["first"][at]), int(parts["last"][at]) + 1):
            name = str(int(schedule.jobs["job_id"][job]))
            found.append(
                Block(lane + machine, float(parts["start"][at]), float(parts["end"][at]), name, job,
                      hatched=bool(parts["kind"][at] == LOST))
            )  # fmt: skip
    return found


ILLUSTRATIONS = (
    Illustration(
        "database", "The database of a site",
        "What the scheduler knows: a site file here takes each of these. Times are learnt per job class, on each "
        "machine "
        "and on each cluster.", database, "Figure 1",
    ),
    Illustration(
        "loop", "Software in the loop",
        "The scheduler is the program that would run in production; only clients and machines around it are simulated. "
        "Completions update the experience.", loop, "Figure 2",
    ),
    Illustration(
        "plans", "One planning call",
        "Job 1 can run on the cluster of a1 and a2, job 2 cannot. PJS starts from SJS's plan, moves the job that gains "
        "most to a cluster, plans the others around it, and keeps that as long as the sum of completions falls.",
        plans,
    ),
    Illustration(
        "takeover", "Preemption",
        "Job 1 is low and runs on the cluster. High job 2 takes the cluster over: job 1 loses its work (dashed) and "
        "starts again; medium job 3 stops nothing. Real processes run this sample with “shadowtime loop takeover -a "
        "pjs”.", takeover,
    ),
)  # fmt: skip
