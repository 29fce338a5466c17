"""The four families of moldable jobs on which DEMT was studied, and releases for the on-line case.

Sequential times are uniform from 1 to 10 s (weak, high, cirne), or, `mixed`, small ones normal (1, 0.5) with
probability 0.7 and large ones normal (10, 5), redrawn below 0.01. The degree of parallelism X of the recurrence
(`speedup`) is normal (0.1, 0.2) for weak, (0.9, 0.2) for high, redrawn outside [0, 1]; small jobs of
`mixed` are weak, its large ones high. `cirne` has Downey's speed-up. Weights are uniform from 1 to 10.

The bounds of the uniform law and the parameters of Downey's function are missing in the paper's public text: the
defaults here are assumptions, and all of them are parameters.

The paper mentions jobs that need a minimum number of processors (section 2.1) but draws none: `minimum` is ours.

P.-F. Dutot, L. Eyraud, G. Mounié, D. Trystram, Bi-criteria algorithm for scheduling jobs on cluster platforms,
SPAA 2004.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from shadowtime.engine.errors import InvalidParameter
from shadowtime.engine.families.moldable.speedup import downey, recurrence
from shadowtime.engine.families.moldable.workload import moldable
from shadowtime.engine.parameters import Choice, Real
from shadowtime.engine.workload.generators.generator import JOBS, Generator, check_order, processors
from shadowtime.engine.workload.job import Parameters, Workload
from shadowtime.engine.workload.limits import PROCESSES
from shadowtime.engine.workload.offered import gaps_for
from shadowtime.engine.workload.words import count

FAMILIES = {
    "weak": "Weakly parallel",
    "high": "Highly parallel",
    "mixed": "Small weak and large high ones",
    "cirne": "Downey's speed-up, after Cirne and Berman",
}
SMALL_SHARE = 0.7
LEAST = 0.01
"""Normal times below this are redrawn: very short ones would only add batches."""


def make(values: Parameters, rng: np.random.Generator) -> Workload:
    """Draw times, degrees, weights, minimums and releases, in this order."""
    n, m, family = int(values["jobs"]), values["processors"], values["family"]
    if n * m > PROCESSES:
        raise InvalidParameter(
            f"moldable: {n:,} jobs on {m:,} processors have {n * m:,} times; {PROCESSES:,} is the most"
        )
    check_order("moldable", values, "min_time", "max_time")
    times = (_cirne if family == "cirne" else _recurrent)(values, rng)
    weight = rng.uniform(1.0, 10.0, n)
    if share := values.get("minimum", 0.0):
        times = _with_minimum(times, share, rng)
    first = np.arange(n + 1) * m
    drawn = moldable(np.zeros(n), first, times.ravel(), m, f"{count(n, 'job')} drawn.", weight=weight)
    if values["load"] > 0.0 and n > 1:
        release = np.cumsum(rng.exponential(1.0, n))
        jobs = {**drawn.jobs, "release": release - release[0]}
        jobs["release"] = jobs["release"] * gaps_for(jobs, m, values["load"])
        drawn = drawn.with_(jobs=jobs)
    return drawn


def _with_minimum(times: np.ndarray, share: float, rng: np.random.Generator) -> np.ndarray:
    """Return the times, infinite below the minimums of some jobs: log-uniform from 2 to all processors."""
    n, m = times.shape
    fewest = np.floor(2.0 * (0.5 * (m + 1)) ** rng.random(n)).astype("i8")
    fewest[rng.random(n) >= share] = 1
    return np.where(np.arange(1, m + 1) < np.clip(fewest, 1, m)[:, None], np.inf, times)


def _recurrent(values: Parameters, rng: np.random.Generator) -> np.ndarray:
    """Return n x m times by the recurrence, for weak, high and mixed jobs."""
    n, m = int(values["jobs"]), values["processors"]
    if values["family"] == "mixed":
        small = rng.random(n) < SMALL_SHARE
        sequential = np.where(small, _normal(1.0, 0.5, n, rng, LEAST), _normal(10.0, 5.0, n, rng, LEAST))
    else:
        small = np.full(n, values["family"] == "weak")
        sequential = rng.uniform(values["min_time"], values["max_time"], n)
    steps = (n, m - 1) if values["degree"] == "per-step" else (n,)
    mean = np.where(small, 0.1, 0.9)
    if len(steps) == 2:
        mean = np.repeat(mean[:, None], m - 1, axis=1)
    return recurrence(sequential, _normal(mean, 0.2, steps, rng, 0.0, 1.0), m)


RARE = 3.0
"""Deviations from the mean beyond which a value is drawn once in 740 times."""


def _cirne(values: Parameters, rng: np.random.Generator) -> np.ndarray:
    """Return n x m times by Downey's speed-up."""
    n, m = int(values["jobs"]), values["processors"]
    sequential = rng.uniform(values["min_time"], values["max_time"], n)
    parallelism = 2.0 ** rng.uniform(0.0, np.log2(m), n)
    mean, deviation = values["mean_sigma"], values["deviation_sigma"]
    if mean + RARE * deviation < 0.0:
        rule = f"sigma must not be negative, so mean_sigma + {RARE:g} x deviation_sigma must be at least 0"
        raise InvalidParameter(f"moldable: mean_sigma = {mean:g}, deviation_sigma = {deviation:g}, but {rule}")
    sigma = _normal(mean, deviation, n, rng, 0.0)
    return sequential[:, None] / downey(np.arange(1, m + 1)[None, :], parallelism[:, None], sigma[:, None])


def _normal(
    mean: Any, deviation: float, shape: Any, rng: np.random.Generator, low: float, high: float = np.inf
) -> np.ndarray:
    """Return normal values; those outside [low, high] are redrawn."""
    draw: Callable[[Any], np.ndarray] = rng.standard_normal
    mean = np.broadcast_to(np.asarray(mean, float), shape)
    values = mean + deviation * draw(shape)
    while (outside := (values < low) | (values > high)).any():
        values[outside] = mean[outside] + deviation * draw(int(outside.sum()))
    return values


MOLDABLE = Generator(
    slug="moldable",
    title="Moldable families",
    summary="Jobs whose processors the scheduler chooses: weakly, highly parallel, mixed, or after Cirne and Berman.",
    kind="moldable",
    parameters=(
        JOBS,
        processors(200),
        Choice("family", "mixed", "How parallel the jobs are.", FAMILIES),
        Real("load", 0.0, "Offered load of jobs that arrive over time; 0 submits all at once.", low=0.0, high=100.0),
        Choice("degree", "once", "Whether a job's degree of parallelism is drawn once or per number of processors.",
               {"once": "Once per job", "per-step": "For each number of processors"}),
        Real("min_time", 1.0, "Shortest sequential time, mixed excepted.", low=0.001, high=1e9, unit="s"),
        Real("max_time", 10.0, "Longest sequential time, mixed excepted.", low=0.001, high=1e9, unit="s"),
        Real("minimum", 0.0, "Share of the jobs that cannot run below a minimum number of processors, which is drawn "
             "log-uniformly from 2 to all.", low=0.0, high=1.0, is_later=True),
        Real("mean_sigma", 1.209, "Mean of Downey's sigma, negative ones redrawn; remembered.", low=-10.0, high=10.0),
        Real("deviation_sigma", 1.132, "Its deviation; remembered.", low=0.0, high=10.0),
    ),
    source="Dutot, Eyraud, Mounié and Trystram, SPAA 2004",
    make=make,
)  # fmt: skip
