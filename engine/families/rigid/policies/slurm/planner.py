"""The schedule of a site under Slurm: its controller is simulated second by second, then its decisions are the plan."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np

from shadowtime.engine.families.rigid.policies.slurm.clock import LOST_NODES, OVER, advance
from shadowtime.engine.families.rigid.policies.slurm.lanes import lanes_of
from shadowtime.engine.families.rigid.policies.slurm.site import Site, site_of
from shadowtime.engine.families.rigid.policies.slurm.state import ENDED
from shadowtime.engine.runner.plan import Plan
from shadowtime.engine.runner.watch import Watch
from shadowtime.engine.workload.job import Workload, job_table
from shadowtime.engine.workload.words import count

STEPS = 20_000
"""Instants between two looks at the watch."""
NAMED = 3
"""Unknown names that a note repeats."""


class Piece(NamedTuple):
    """A time in which a job ran before it lost its nodes."""

    job: int
    start: float
    end: float
    lost: float
    """Its last seconds, whose work is lost: all, or those after its last checkpoint."""
    nodes: np.ndarray
    units: np.ndarray


def make_plan(
    workload: Workload, parameters: Mapping[str, Any], lanes: int, rng: np.random.Generator, watch: Watch
) -> Plan:
    """Return what the controller of the site decides.

    Raises
    ------
    InvalidPlatform
        If the platform is not that of the site.
    """
    site = site_of(workload, parameters, lanes, rng)
    lost = run(site, watch)
    return plan_of(site, lost, workload)


def run(site: Site, watch: Watch) -> list[Piece]:
    """Run the controller to its end; return the pieces of jobs that lost their nodes."""
    q, lost = site.memory, []
    while (state := advance(q, STEPS)) != OVER:
        if state == LOST_NODES:
            lost += lost_pieces(q)
        watch.report(int(q.m["starts"][0]) / max(1, int(q.m["jobs"][0])))
    return lost


def lost_pieces(q: Any) -> list[Piece]:
    """Return the pieces of the jobs that just lost their nodes, and forget them there."""
    found, step = [], float(q.m["checkpoint"][0])
    for x in range(int(q.m["lost"][0])):
        j, start, end = int(q.lost_job[x]), float(q.lost_start[x]), float(q.lost_at[x])
        found.append(Piece(j, start, end, (end - start) % step if step > 0.0 else end - start, *held(q, j)))
    q.m[0].lost = 0
    return [one for one in found if one.end > one.start]


def held(q: Any, j: int) -> tuple[np.ndarray, np.ndarray]:
    """Return the nodes of job `j` and its units there."""
    row = q.job[j]
    span = slice(int(row.hold), int(row.hold) + int(row.held))
    return np.array(q.held_node[span]), np.array(q.held_units[span])


def plan_of(site: Site, lost: list[Piece], workload: Workload) -> Plan:
    """Return the plan of a run that is over."""
    q = site.memory
    row = np.flatnonzero(q.job["state"] == ENDED)
    row = row[np.argsort(q.job["start"][row], kind="stable")]
    start, hold, many = q.job["start"][row], q.job["hold"][row], q.job["held"][row]
    end, gone = start + q.job["runtime"][row], np.full(len(row), np.nan)
    where = np.arange(int(many.sum())) + np.repeat(hold - (np.cumsum(many) - many), many)
    nodes, units = np.asarray(q.held_node)[where], np.asarray(q.held_units)[where]
    if lost:
        row = np.concatenate([row, [one.job for one in lost]])
        start = np.concatenate([start, [one.start for one in lost]])
        end = np.concatenate([end, [one.end for one in lost]])
        gone = np.concatenate([gone, [one.lost for one in lost]])
        many = np.concatenate([many, [len(one.nodes) for one in lost]])
        nodes = np.concatenate([nodes, *(one.nodes for one in lost)])
        units = np.concatenate([units, *(one.units for one in lost)])
    rows, owner = site.rows, np.repeat(row, many)
    cores = np.where(rows["whole"][owner] > 0, site.cluster.cores[nodes], units * rows["unit_cores"][owner])
    size = np.zeros(len(row), "i8")
    np.add.at(size, np.repeat(np.arange(len(row)), many), cores)
    first = np.concatenate([[0], np.cumsum(size)])
    edges = np.concatenate([[0], np.cumsum(site.cluster.cores)]).astype("i8")
    order = np.argsort(start, kind="stable")
    chosen = lanes_of(order, start, end, np.cumsum(many) - many, many, nodes, cores, first, edges)
    work = workload.jobs["runtime"].copy()
    work[row] = np.where(q.job["state"][row] == ENDED, 0.0, q.job["runtime"][row])
    np.add.at(work, row, end - start - np.nan_to_num(gone))
    held_cores = workload.jobs["processors"].copy()
    held_cores[row[::-1]] = size[::-1]  # of the run that ended, which stands before those that were lost
    memo = q.m[0]
    return Plan(
        unit=row.astype("i8"),
        start=start,
        end=end,
        first=first,
        lanes=chosen,
        lost=gone,
        work=work,
        columns={"processors": held_cores},
        counters={
            name: int(memo[name])
            for name in ("main_passes", "main_starts", "backfill_passes", "backfill_starts", "requeues")
        },
        notes=tuple(notes(site, workload, {one.job for one in lost})),
    )


def notes(site: Site, workload: Workload, interrupted: set[int]) -> list[str]:
    """Return what a reader of the results should know; `interrupted`: jobs that lost a node while they ran."""
    q, found = site.memory, []
    if workload.cluster is None:
        found.append("The log comes without a slurm.conf: nodes of equal size, one partition, one share a user.")
    for what, names in site.unknown.items():
        if names:
            some = ", ".join(sorted(names)[:NAMED]) + (" ..." if len(names) > NAMED else "")
            found.append(f"{what.capitalize() if what != 'QOS' else what} that the site's files do not have: {some}.")
    left = set(np.flatnonzero(np.asarray(q.job["state"]) != ENDED).tolist())
    if left - interrupted:
        found.append(f"{count(len(left - interrupted), 'job')} fit no node of their partition: rejected.")
    if interrupted - left:
        found.append(f"{count(len(interrupted - left), 'job')} lost a node and ran again.")
    if left & interrupted:
        found.append(f"{count(len(left & interrupted), 'job')} lost a node, and found none later: rejected.")
    return found


def warm(workload: Workload, parameters: Mapping[str, Any]) -> None:
    """Compile the controller."""
    one = np.ones(1)
    tiny = Workload("rigid", "", job_table(np.zeros(1), one, one))
    make_plan(tiny, parameters, 1, np.random.default_rng(0), Watch())
