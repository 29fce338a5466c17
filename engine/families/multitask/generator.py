"""Generate multitask jobs of about ten tasks each, as a substitute for the Google trace of 2011.

The distributions and their parameters are our choice, close to published facts about the trace; the paper's own filters
and sizes are unknown.

M. Shafiee, J. Ghaderi, Scheduling parallel-task jobs subject to packing and placement constraints, Operations Research
70(6), 2022.
"""

from __future__ import annotations

import numpy as np

from shadowtime.engine.families.multitask import placement
from shadowtime.engine.families.multitask.workload import assemble
from shadowtime.engine.parameters import Real, Whole
from shadowtime.engine.workload.generators.generator import JOBS, Generator
from shadowtime.engine.workload.job import Parameters, Workload
from shadowtime.engine.workload.offered import gaps_for
from shadowtime.engine.workload.words import count

SHORTEST, LONGEST = 10.0, 20_000.0
"""Limits of the time of a task [s]."""


def make(values: Parameters, rng: np.random.Generator) -> Workload:
    """Draw the jobs. Times are whole seconds; machines have size 1."""
    n, machines = values["jobs"], values["machines"]
    tasks = np.minimum(rng.geometric(1.0 / values["mean_tasks"], n), values["max_tasks"])
    base = values["median_time"] * rng.lognormal(0.0, 1.0, n)
    spread = rng.lognormal(0.0, 0.5, int(tasks.sum()))
    time = np.clip(np.ceil(np.repeat(base, tasks) * spread), SHORTEST, LONGEST)
    size = placement.drawn_sizes(tasks, rng)
    places = placement.random_places(time, values, rng)
    weight = placement.weights_of(values["weights"], n, rng)
    release = np.cumsum(rng.exponential(1.0, n))
    report = (f"{count(n, 'job')} drawn.",)
    drawn = assemble(
        release, weight, tasks, size, *places, np.ones(machines), placement.regime_of(values), report=report
    )
    if values["load"] == 0.0 or n == 1:
        return drawn.with_(jobs={**drawn.jobs, "release": np.zeros(n)})
    factor = gaps_for(drawn.jobs, machines, values["load"])
    return drawn.with_(jobs={**drawn.jobs, "release": np.floor((release - release[0]) * factor)})


MULTITASK = Generator(
    slug="multitask",
    title="Jobs of packed tasks",
    summary="Jobs of many tasks with sizes, machines and weights: a substitute for the Google trace.",
    kind="multitask",
    tasks=lambda values: values["jobs"] * min(values["mean_tasks"], values["max_tasks"]),
    parameters=(
        JOBS,
        placement.MACHINES,
        Real("mean_tasks", 10.0, "Tasks of a job: geometric distribution with this mean.", low=1.0, high=10_000.0),
        Whole("max_tasks", 200, "Most tasks of a job; larger draws are reduced to it.", low=1, high=100_000),
        Real("median_time", 200.0, "Median over jobs of the time of a task.", low=1.0, high=10_000.0, unit="s"),
        *placement.PLACEMENT,
        Real("load", 0.0, "Offered load, reached by scaling all gaps; 0 submits all jobs at once.",
             low=0.0, high=100.0),
        placement.MIGRATION,
    ),
    source="modelled on the description of the trace in Shafiee and Ghaderi, Operations Research 70(6), 2022",
    make=make,
)  # fmt: skip
