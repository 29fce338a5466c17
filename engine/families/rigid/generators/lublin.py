"""The Lublin-Feitelson model of rigid jobs: sizes, runtimes that grow with them, and a daily cycle.

Two streams, batch and interactive, are drawn apart and merged by arrival (`classes=two`), or one stream for all
(`typeless`). Constants are those of the authors' program for 128 processors; on other machines the two upper ends of
the log2 sizes move with log2 P, which is the paper's rule for the typeless class. Where a size comes out above the
machine (only where P is no power of two) it is cut to P. Arrivals stay real numbers until the end and are then
floored to whole seconds; the authors' program floors its clock after each job and so drifts against its own day.

U. Lublin and D. Feitelson, The workload on parallel supercomputers: modeling the characteristics of rigid jobs,
JPDC 63(11), 2003.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np

from shadowtime.engine.parameters import Choice, Real, Whole
from shadowtime.engine.workload.generators.generator import JOBS, Generator
from shadowtime.engine.workload.job import Workload, job_table
from shadowtime.engine.workload.offered import gaps_for
from shadowtime.engine.workload.words import count, were

HALF_HOUR = 1800.0
BUCKETS = 48
LOG_RUNTIME_LIMIT = 12.0
LOG_GAP_LIMIT = 13.0


@dataclass(frozen=True)
class Stream:
    """Constants of one class of jobs, with the letters of the paper."""

    serial: float
    """Share of jobs of one processor."""
    power_of_two: float
    """Share of all jobs, beside the serial ones, whose size is a power of two."""
    ulow: float
    umed: float
    uhi: float
    """Ends of the two-stage uniform law of log2 of the size; umed and uhi for 128 processors."""
    uprob: float
    a1: float
    b1: float
    a2: float
    b2: float
    pa: float
    pb: float
    """ln of the runtime is Gamma(a1, b1) with probability pa * size + pb, else Gamma(a2, b2)."""
    aarr: float
    barr: float
    anum: float
    bnum: float
    """ln of the gap is Gamma(aarr * arar, barr); the day's weights follow Gamma(anum, bnum)."""
    arar: float


TYPELESS = Stream(0.244, 0.576, 0.8, 4.5, 7.0, 0.86, 4.2, 0.94, 312.0, 0.03, -0.0054, 0.78,
                  10.2303, 0.4871, 8.1737, 3.9631, 1.0225)  # fmt: skip
BATCH = Stream(0.2927, 0.6686, 1.2, 5.0, 7.0, 0.875, 6.57, 0.823, 639.1, 0.0156, -0.003, 0.6986,
               6.0415, 0.8531, 6.1271, 5.2740, 1.0519)  # fmt: skip
INTERACTIVE = Stream(0.1541, 0.625, 1.0, 3.0, 5.5, 0.705, 3.8351, 0.6605, 7.073, 0.6856, -0.0118, 0.9156,
                     6.5510, 0.6621, 8.9186, 3.6680, 0.9797)  # fmt: skip

CLASSES = {"two": (BATCH, INTERACTIVE), "typeless": (TYPELESS,)}


def make(values: Mapping[str, Any], rng: np.random.Generator) -> Workload:
    """Draw the jobs; a machine of `processors` is theirs."""
    n, processors = values["jobs"], values["processors"]
    streams = CLASSES[values["classes"]]
    arrivals = [arrival_times(stream, n, rng) for stream in streams]
    order = np.argsort(np.concatenate(arrivals), kind="stable")[:n]
    release = np.concatenate(arrivals)[order]
    owner = np.repeat(np.arange(len(streams)), n)[order]

    size, runtime = np.empty(n), np.empty(n)
    for i, stream in enumerate(streams):
        mine = owner == i
        size[mine] = sizes(stream, int(mine.sum()), processors, rng)
        runtime[mine] = runtimes(stream, np.minimum(size[mine], processors), rng)
    cut = int((size > processors).sum())
    jobs = job_table(release, runtime, np.minimum(size, processors))
    factor = gaps_for(jobs, processors, values["load"]) if values["load"] else 1.0
    jobs["release"] = np.floor(release * factor)
    report = [f"{count(n, 'job')} drawn."]
    if cut:
        report.append(f"{count(cut, 'size')} above {processors:,} processors {were(cut)} cut to {processors:,}.")
    return Workload(kind="rigid", name="", jobs=jobs, machine={"processors": processors}, report=tuple(report))


def sizes(stream: Stream, n: int, processors: int, rng: np.random.Generator) -> np.ndarray:
    """n sizes from 1 on; where `processors` is no power of two, some may be larger than it."""
    shift = math.log2(processors) - 7.0
    umed = max(stream.umed + shift, stream.ulow)
    uhi = max(stream.uhi + shift, umed)
    u = rng.random(n)
    low = rng.random(n) < stream.uprob
    x = np.where(low, rng.uniform(stream.ulow, umed, n), rng.uniform(umed, uhi, n))
    # the same u decides: serial below ps, a power of two below ps + p2
    x = np.where(u <= stream.serial + stream.power_of_two, np.floor(x + 0.5), x)
    return np.where(u <= stream.serial, 1.0, np.floor(2.0**x + 0.5))


def runtimes(stream: Stream, size: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """A runtime [s] for each size, whole, 1 to 162,754; a draw beyond that is drawn anew, its branch too."""
    log = np.empty(len(size))
    left = np.arange(len(size))
    while len(left):
        p = np.clip(stream.pa * size[left] + stream.pb, 0.0, 1.0)
        short = rng.random(len(left)) < p
        log[left] = rng.gamma(np.where(short, stream.a1, stream.a2), np.where(short, stream.b1, stream.b2))
        left = left[log[left] > LOG_RUNTIME_LIMIT]
    return np.floor(np.exp(log))


def arrival_times(stream: Stream, n: int, rng: np.random.Generator) -> np.ndarray:
    """n increasing arrivals [s] from midnight of the first day, the first one after a gap too."""
    log = np.empty(n)
    left = np.arange(n)
    while len(left):
        log[left] = rng.gamma(stream.aarr * stream.arar, stream.barr, len(left))
        left = left[log[left] > LOG_GAP_LIMIT]
    work = np.cumsum(np.exp(log) / HALF_HOUR)
    # the clock at which the day's weights have added up to so much work
    days, rest = np.divmod(work, BUCKETS)
    reached = np.concatenate([[0.0], np.cumsum(day_weights(stream))])
    return (days * BUCKETS + np.interp(rest, reached, np.arange(BUCKETS + 1))) * HALF_HOUR


@cache
def day_weights(stream: Stream) -> np.ndarray:
    """48 weights of the half hours from midnight, 1 on average.

    The paper's counting variable runs over the half hours 11 to 58, which cuts the day at 05:00.
    """
    points, factors = np.polynomial.legendre.leggauss(16)
    hour = np.arange(11, 59)
    x = hour[:, None] + points / 2  # each half hour i covers i - 1/2 to i + 1/2
    # the gamma density without its constant, which the division by the mean takes out
    mass = (x ** (stream.anum - 1) * np.exp(-x / stream.bnum)) @ factors
    weights = np.empty(BUCKETS)
    weights[(hour - 1) % BUCKETS] = mass
    weights /= weights.mean()
    weights.flags.writeable = False  # kept for all who ask
    return weights


LUBLIN = Generator(
    slug="lublin",
    title="Lublin-Feitelson",
    summary="Rigid jobs fitted to real logs: sizes, runtimes that grow with them, a daily cycle.",
    kind="rigid",
    parameters=(
        JOBS,
        Whole("processors", 128, "Processors of the machine; sizes scale with it.", low=1, high=1_000_000),
        Choice("classes", "two", "Batch and interactive jobs apart, or one law for all.", ("two", "typeless"),
               {"two": "Batch and interactive", "typeless": "One class"}),
        Real("load", 0.0, "Offered load, reached by scaling all gaps; 0 leaves them as the model draws them.",
             low=0.0, high=100.0),
    ),
    source="Lublin and Feitelson, JPDC 63(11), 2003",
    make=make,
)  # fmt: skip
