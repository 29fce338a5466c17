"""The Lublin-Feitelson model of rigid jobs: sizes, runtimes that grow with them, and a daily cycle.

Two streams, batch and interactive, are drawn separately and merged by arrival (`classes=two`), or one stream for all
(`typeless`). Constants are those of the authors' program for 128 processors; on other machines the two upper ends of
the log2 sizes shift with log2 P, which is the paper's rule for the typeless class. A size above the machine (possible
only if P is no power of two) is cut to P. Arrivals stay real numbers until the end and are then floored to whole
seconds; the authors' program floors its clock after each job and so drifts against its own day.

U. Lublin and D. Feitelson, The workload on parallel supercomputers: modeling the characteristics of rigid jobs,
JPDC 63(11), 2003.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cache

import numpy as np

from shadowtime.engine.families.rigid.generators.stated import merged, workload_of
from shadowtime.engine.parameters import Choice
from shadowtime.engine.workload.generators.generator import JOBS, LOAD, Generator, processors
from shadowtime.engine.workload.job import Parameters, Workload

HALF_HOUR = 1800.0
BUCKETS = 48
LOG_RUNTIME_LIMIT = 12.0
LOG_GAP_LIMIT = 13.0


@dataclass(frozen=True)
class Stream:
    """Constants of one class of jobs, named as in the paper."""

    serial: float
    """Share of jobs of one processor."""
    power_of_two: float
    """Share of jobs whose size is a power of two above 1."""
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
STREAMS = Choice(
    "classes",
    "two",
    "Batch and interactive jobs with separate laws, or one law for all jobs.",
    {"two": "Batch and interactive", "typeless": "One class"},
)


def make(values: Parameters, rng: np.random.Generator) -> Workload:
    """Draw the jobs of a machine of `processors`."""
    n, machine = values["jobs"], values["processors"]
    streams = CLASSES[values["classes"]]
    release, owner = merged([arrival_times(stream, n, rng) for stream in streams], n)
    size, runtime = np.empty(n), np.empty(n)
    for i, stream in enumerate(streams):
        members = owner == i
        size[members] = sizes(stream, int(members.sum()), machine, rng)
        runtime[members] = runtimes(stream, np.minimum(size[members], machine), rng)
    return workload_of(release, runtime, size, values)


def sizes(stream: Stream, n: int, processors: int, rng: np.random.Generator) -> np.ndarray:
    """Return n sizes >= 1; if `processors` is no power of two, some may be larger than it."""
    shift = math.log2(processors) - 7.0
    umed = max(stream.umed + shift, stream.ulow)
    uhi = max(stream.uhi + shift, umed)
    u = rng.random(n)
    low = rng.random(n) < stream.uprob
    x = np.where(low, rng.uniform(stream.ulow, umed, n), rng.uniform(umed, uhi, n))
    # One uniform value u decides both: serial below p_s, a power of two below p_s + p_2.
    x = np.where(u <= stream.serial + stream.power_of_two, np.floor(x + 0.5), x)
    return np.where(u <= stream.serial, 1.0, np.floor(2.0**x + 0.5))


def runtimes(stream: Stream, size: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """Return a runtime [s] for each size, whole, 1 to 162,754; values beyond are redrawn, with their branch."""
    log = np.empty(len(size))
    left = np.arange(len(size))
    while len(left):
        p = np.clip(stream.pa * size[left] + stream.pb, 0.0, 1.0)
        short = rng.random(len(left)) < p
        log[left] = rng.gamma(np.where(short, stream.a1, stream.a2), np.where(short, stream.b1, stream.b2))
        left = left[log[left] > LOG_RUNTIME_LIMIT]
    return np.floor(np.exp(log))


def arrival_times(stream: Stream, n: int, rng: np.random.Generator) -> np.ndarray:
    """Return n ascending arrivals [s] from midnight of the first day; the first arrives after a gap too."""
    log = np.empty(n)
    left = np.arange(n)
    while len(left):
        log[left] = rng.gamma(stream.aarr * stream.arar, stream.barr, len(left))
        left = left[log[left] > LOG_GAP_LIMIT]
    work = np.cumsum(np.exp(log) / HALF_HOUR)
    # The time of day at which the cumulated weights of the day reach this amount of work.
    days, rest = np.divmod(work, BUCKETS)
    reached = np.concatenate([[0.0], np.cumsum(day_weights(stream))])
    return (days * BUCKETS + np.interp(rest, reached, np.arange(BUCKETS + 1))) * HALF_HOUR


@cache
def day_weights(stream: Stream) -> np.ndarray:
    """Return 48 weights of the half hours from midnight, 1 on average.

    The paper's counting variable runs over the half hours 11 to 58, which cuts the day at 05:00.
    """
    points, factors = np.polynomial.legendre.leggauss(16)
    hour = np.arange(11, 59)
    x = hour[:, None] + points / 2  # half hour i covers i - 1/2 to i + 1/2
    # The gamma density without its constant, which cancels in the division by the mean.
    mass = (x ** (stream.anum - 1) * np.exp(-x / stream.bnum)) @ factors
    weights = np.empty(BUCKETS)
    weights[(hour - 1) % BUCKETS] = mass
    weights /= weights.mean()
    weights.flags.writeable = False  # cached: all callers share it
    return weights


LUBLIN = Generator(
    slug="lublin",
    title="Lublin-Feitelson",
    summary="Rigid jobs fitted to real logs: sizes, runtimes that grow with them, a daily cycle.",
    kind="rigid",
    parameters=(JOBS, processors(128, "Processors of the machine; sizes scale with it."), STREAMS, LOAD),
    source="Lublin and Feitelson, JPDC 63(11), 2003",
    make=make,
)
