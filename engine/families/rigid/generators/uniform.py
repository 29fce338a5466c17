"""Simple workloads: sizes and runtimes drawn uniformly, arrivals by a Poisson process."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from shadowtime.engine.parameters import Real, Whole
from shadowtime.engine.workload.generators.generator import JOBS, LOAD, Generator, check_order, processors
from shadowtime.engine.workload.job import Parameters, Workload, job_table
from shadowtime.engine.workload.offered import gaps_for
from shadowtime.engine.workload.words import count


def make(values: Parameters, rng: np.random.Generator) -> Workload:
    """Draw the jobs; sizes are at most the machine, times are whole seconds."""
    n, machine = int(values["jobs"]), values["processors"]
    widest = values["max_processors"] or machine
    middle = ["max_processors"] if values["max_processors"] else []
    check_order("uniform", values, "min_processors", *middle, "processors")
    check_order("uniform", values, "min_runtime", "max_runtime")
    size = rng.integers(values["min_processors"], widest, n, endpoint=True)
    runtime = np.ceil(rng.uniform(values["min_runtime"], values["max_runtime"], n))
    release = np.cumsum(rng.exponential(1.0, n))
    requested = np.ceil(runtime * rng.uniform(1.0, values["max_estimate"], n))
    jobs = job_table(release, runtime, size, requested=requested, user=rng.integers(1, 9, n))
    factor = gaps_for(jobs, machine, values["load"]) if n > 1 else 1.0
    jobs["release"] = np.floor((release - release[0]) * factor)
    return Workload(
        kind="rigid",
        name="",
        jobs=jobs,
        machine={"processors": machine},
        report=(f"{count(n, 'job')} drawn.",),
        has_estimates=True,
    )


UNIFORM = Generator(
    slug="uniform",
    title="Uniform",
    summary="Sizes and runtimes drawn uniformly, arrivals at random: small examples and tests.",
    kind="rigid",
    parameters=(
        JOBS,
        processors(64),
        Whole("min_processors", 1, "Smallest size.", low=1, high=1_000_000),
        Whole("max_processors", 0, "Largest size; 0 is the whole machine.", low=0, high=1_000_000),
        Real("min_runtime", 60.0, "Shortest runtime.", low=1.0, high=1e9, unit="s"),
        Real("max_runtime", 7200.0, "Longest runtime.", low=1.0, high=1e9, unit="s"),
        replace(LOAD, default=0.7, text="Offered load, reached by scaling all gaps.", above=True),
        Real("max_estimate", 2.0, "Requested time: the runtime times a factor drawn from 1 to this.",
             low=1.0, high=1000.0),
    ),
    source="none: drawn for examples, not after any log",
    make=make,
)  # fmt: skip
