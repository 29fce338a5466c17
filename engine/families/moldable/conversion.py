"""Make rigid jobs moldable: size and runtime of a job are one point of a speed-up curve chosen by parameters.

The curve is Downey's (`speedup`) with average parallelism A and coefficient sigma. A job of size s and
runtime p takes `p S(s) / S(k)` on k processors, hence its logged runtime on s processors, also where the machine has
fewer. Below a minimum number of processors, a share of its size, it cannot run: a machine of fewer rejects it. The law
`rigid` is the special case of a job that runs on its size only (more processors would idle).
"""

from __future__ import annotations

import numpy as np

from shadowtime.engine.errors import InvalidParameter, InvalidWorkload
from shadowtime.engine.families.moldable.speedup import downey, flat_from
from shadowtime.engine.families.moldable.workload import moldable
from shadowtime.engine.parameters import Choice, Real, Whole
from shadowtime.engine.workload.conversions.conversion import Conversion
from shadowtime.engine.workload.job import Parameters, Workload, stated_lanes
from shadowtime.engine.workload.limits import PROCESSES
from shadowtime.engine.workload.words import count

MOST_SIGMA = 20.0


def apply(workload: Workload, values: Parameters, rng: np.random.Generator) -> Workload:
    """Return the same jobs with a time for each number of processors; no requested times, since times are known."""
    m = int(values["processors"] or stated_lanes(workload))
    if not m:
        raise InvalidParameter(f"moldable: {workload.name} does not state how large its machine is; add processors=N")
    size = workload.jobs["processors"]
    is_rigid = values["law"] == "rigid"
    parallelism, sigma = (size, np.zeros(len(size))) if is_rigid else _parallelism(size, values, rng)
    fewest = size if is_rigid else np.maximum(1, np.ceil(values.get("minimum", 0.0) * size - 1e-9).astype("i8"))
    if values["processors"] and fewest.max(initial=0) > m:
        few = int((fewest > m).sum())
        raise InvalidParameter(f"moldable: processors = {m:,}, but {count(few, 'job')} cannot run on so few")
    flat = np.clip(np.ceil(flat_from(parallelism, sigma)), np.minimum(size, m), m).astype("i8")
    width = np.maximum(fewest, 1 if is_rigid else flat)
    if width.sum() > PROCESSES:
        raise InvalidWorkload(
            f"{workload.name} would have {width.sum():,} times of jobs by processors; {PROCESSES:,} is the most."
        )
    first = np.concatenate([[0], np.cumsum(width)])
    k = np.arange(first[-1]) - np.repeat(first[:-1], width) + 1
    a, s = np.repeat(parallelism, width), np.repeat(sigma, width)
    own = downey(size, parallelism, sigma) * workload.jobs["runtime"]
    kept = {name: workload.jobs[name] for name in ("job_id", "weight", "user")}
    time = np.where(k < np.repeat(fewest, width), np.inf, np.repeat(own, width) / downey(k, a, s))
    made = moldable(workload.jobs["release"], first, time, m, _report(len(workload), values), **kept)
    return workload.with_(
        kind="moldable",
        jobs=made.jobs,
        parts=made.parts,
        machine={**workload.machine, "processors": workload.machine.get("processors", m)},
        report=(*workload.report, *made.report),
        has_estimates=False,
    )


def _report(n: int, values: Parameters) -> str:
    made = f"{count(n, 'job')} made moldable: "
    if values["law"] == "rigid":
        return f"{made}each runs on its size only."
    curve = (
        f"A drawn about the size, sigma normal ({values['mean_sigma']:g}, {values['deviation_sigma']:g})"
        if values["law"] == "drawn"
        else f"A = {values['parallelism']:g} x size, sigma = {values['sigma']:g}"
    )
    least = f"; none runs below {values['minimum']:g} x size" if "minimum" in values else ""
    return f"{made}size and runtime are a point of Downey's speed-up, {curve}{least}."


def _parallelism(size: np.ndarray, values: Parameters, rng: np.random.Generator) -> tuple[np.ndarray, np.ndarray]:
    """Return average parallelism A >= 1 and sigma of each job."""
    n = len(size)
    if values["law"] == "given":
        return np.maximum(1.0, values["parallelism"] * size), np.full(n, values["sigma"])
    factor = values["parallelism"] * 2.0 ** rng.uniform(-1.0, 1.0, n)
    sigma = values["mean_sigma"] + values["deviation_sigma"] * rng.standard_normal(n)
    while (outside := (sigma < 0.0) | (sigma > MOST_SIGMA)).any():
        sigma[outside] = values["mean_sigma"] + values["deviation_sigma"] * rng.standard_normal(int(outside.sum()))
    return np.maximum(1.0, factor * size), sigma


TO_MOLDABLE = Conversion.from_rigid(
    "moldable",
    title="Moldable jobs",
    summary="Gives each job a time for every number of processors: its size and runtime are a point of the curve.",
    parameters=(
        Real("parallelism", 1.0, "Average parallelism of a job over its size in the log.", low=0.01, high=1e6),
        Real("sigma", 1.0, "How much its parallelism varies; 0 is perfect speed-up up to the average.",
             low=0.0, high=MOST_SIGMA),
        Choice("law", "given", "Whether all jobs have these values, each draws its own, or jobs stay rigid.",
               {"given": "These for all jobs", "drawn": "Parallelism within a factor of 2, sigma from a normal law",
                "rigid": "None: a job runs on its size only"}),
        Real("minimum", 0.0, "Fewest processors of a job over its size in the log; 0 is one processor.",
             low=0.0, high=1.0, is_later=True),
        Real("mean_sigma", 1.209, "Mean of a drawn sigma, values outside 0 to 20 redrawn; remembered.",
             low=0.0, high=10.0),
        Real("deviation_sigma", 1.132, "Its deviation; remembered.", low=0.0, high=10.0),
        Whole("processors", 0, "Processors that a job may get at most; 0 is the workload's machine.",
              low=0, high=1_000_000),
    ),
    apply=apply,
)  # fmt: skip
