"""Make multitask jobs from rigid jobs, or from a trace that has tasks already.

A rigid job of n processors becomes n tasks that take its runtime. A trace of tasks is filtered by the paper's rules
(the production class, jobs that ended without interruption, not too many tasks) and its machines are mapped at random
to a smaller set. The paper's values are unknown: all are parameters.

M. Shafiee, J. Ghaderi, Scheduling parallel-task jobs subject to packing and placement constraints, Operations Research
70(6), 2022.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from shadowtime.engine.errors import InvalidParameter
from shadowtime.engine.families.multitask import placement
from shadowtime.engine.families.multitask.workload import PLACES, assemble, is_single
from shadowtime.engine.parameters import Choice, Flag, Whole
from shadowtime.engine.workload.conversions.conversion import Conversion
from shadowtime.engine.workload.job import Parameters, Workload, select
from shadowtime.engine.workload.words import count

PRODUCTION = 9
"""Least priority of production jobs in the trace; priority 11 is monitoring."""


def apply(workload: Workload, values: Parameters, rng: np.random.Generator) -> Workload:
    """Return the jobs that pass the filters, with tasks, sizes, machines and weights."""
    chosen = _filtered(workload, values)
    left = workload.with_(**dict(zip(("jobs", "parts"), select(workload.jobs, workload.parts, chosen), strict=True)))
    n, tasks = len(left), left.jobs["processors"]
    if tasks.sum() * (values["local"] + values["remote"]) > PLACES:
        raise InvalidParameter(f"multitask: {tasks.sum():,} tasks have more than {PLACES:,} places in all")
    home = None
    if workload.kind == "multitask":
        if is_single(left):  # tasks of one original machine stay together on one of the fewer machines
            home = rng.integers(0, values["machines"], len(left.parts["capacity"]))[left.parts["machine"]]
        size = left.parts["size"] / left.parts["capacity"].max()
        time = np.minimum.reduceat(left.parts["time"], left.parts["options"][:-1])
    else:
        size, time = placement.drawn_sizes(tasks, rng), np.repeat(left.jobs["runtime"], tasks)
    places = placement.random_places(time, values, rng, home)
    weight = placement.weights_of(values["weights"], n, rng, left.jobs.get("priority"))
    begin = float(left.jobs["release"][0])
    release = np.zeros(n) if values["at_once"] else left.jobs["release"] - begin
    made = assemble(
        release, weight, tasks, size, *places, np.ones(values["machines"]), placement.regime_of(values),
        report=(*workload.report, *_sentences(workload, values, n)), job_id=left.jobs["job_id"],
        user=left.jobs["user"], **{name: left.jobs[name] for name in ("priority",) if name in left.jobs},
    )  # fmt: skip
    clock = workload.clock and replace(workload.clock, unix_start=workload.clock.unix_start + begin)
    kept = {name: getattr(workload, name) for name in ("name", "source", "conversions")}
    return made.with_(clock=clock, texts={"user": workload.texts["user"]} if "user" in workload.texts else {}, **kept)


def _filtered(workload: Workload, values: Parameters) -> np.ndarray:
    jobs = workload.jobs
    good = (jobs["processors"] >= values.get("min_tasks", 1)) & (jobs["processors"] <= values["max_tasks"])
    if "priority" in jobs:
        if values["production"]:
            good &= (jobs["priority"] >= PRODUCTION) & (jobs["priority"] < 11)
        if values["finished"] != "all":
            good &= jobs["finished"] == 1.0
        if values["finished"] == "uninterrupted":
            good &= jobs["interruptions"] == 0.0
    rows = np.flatnonzero(good)
    rows = rows[: values["first"]] if values["first"] else rows
    if not len(rows):
        raise InvalidParameter(f"multitask: none of the {count(len(workload), 'job')} of {workload.name} is left")
    return rows


def _sentences(workload: Workload, values: Parameters, kept: int) -> tuple[str, ...]:
    few, most = values.get("min_tasks", 1), count(values["max_tasks"], "task")
    text = f"{kept:,} of {count(len(workload), 'job')} kept, with {f'{few:,} to' if few > 1 else 'at most'} {most}"
    if "priority" in workload.jobs:
        which = {"all": "however they ended", "finished": "all tasks finished", "uninterrupted": "without interruption"}
        text += (", of the production class" if values["production"] else "") + ", " + which[values["finished"]]
    drawn = "Sizes are drawn: the log has none." if workload.kind == "rigid" else ""
    machines = f"Machines are drawn: {values['local']} local and {values['remote']} remote of {values['machines']}."
    return (f"{text}.", " ".join(part for part in (drawn, machines) if part))


TASKS = Conversion(
    slug="multitask",
    title="Tasks packed onto machines",
    summary="Makes tasks from the jobs of a log, or filters those of a trace, and draws their machines and weights.",
    takes=("rigid", "multitask"),
    makes="multitask",
    parameters=(
        placement.MACHINES,
        *placement.PLACEMENT,
        Whole("min_tasks", 1, "Jobs with fewer tasks are left out; 2 keeps the paper's multi-task jobs.", low=1,
              high=1_000_000, is_later=True),
        Whole("max_tasks", 200, "Jobs with more tasks are left out.", low=1, high=1_000_000),
        Whole("first", 0, "Number of jobs to keep, in order of submission; 0 keeps all.", low=0, high=10_000_000),
        Flag("production", True, "Keep only jobs of the production class, where the trace has priorities."),
        Choice("finished", "uninterrupted", "Which jobs are kept, where the trace records how tasks ended.",
               {"uninterrupted": "Finished, each task submitted once", "finished": "All tasks finished", "all": "All"}),
        Flag("at_once", True, "Submit all jobs at second 0; otherwise at the times of the trace."),
        placement.MIGRATION,
    ),
    apply=apply,
)  # fmt: skip
