"""A model of rigid jobs after Jann et al. 1997: ten ranges of sizes, each with its own gaps and runtimes.

The method is that of the paper, as described in a paper that uses the model: the ranges are independent streams, and in
each both the gap and the runtime follow a hyper-Erlang law of common order, fitted to three moments. The table printed
in 1997 and the distribution of sizes inside a range were not found. They are replaced by our own fit to the CTC SP2 log
of the Parallel Workloads Archive (first 78 days, jobs of up to 322 processors, 1.5 % more jobs than the paper counts)
and the sizes counted there. The range from 257 processors on has only 50 jobs. There is no daily cycle and no limit on
runtimes. The machine is that of the log: on a smaller machine larger sizes are cut, on a larger one the other
processors stay idle.

J. Jann et al., Modeling of workload in MPPs, JSSPP 1997.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

import numpy as np

from shadowtime.engine.families.rigid.generators.stated import Stated, merged, workload_of
from shadowtime.engine.parameters import Real
from shadowtime.engine.workload.generators.generator import JOBS, LOAD, Generator, processors
from shadowtime.engine.workload.job import Parameters, Workload

MEASY = Stated(jobs=100_000, mean_size=10.5, mean_runtime=11_267.0, serial="about 40.8 %")


@dataclass(frozen=True)
class HyperErlang:
    """The sum of `order` exponential stages, all at `rate1` with probability `p`, else all at `rate2` [1/s]."""

    order: int
    p: float
    rate1: float
    rate2: float

    @property
    def mean(self) -> float:
        """Mean [s]."""
        return self.order * (self.p / self.rate1 + (1.0 - self.p) / self.rate2)

    def draw(self, n: int, rng: np.random.Generator) -> np.ndarray:
        """Return n drawn values [s]."""
        rate = np.where(rng.random(n) < self.p, self.rate1, self.rate2)
        return rng.standard_gamma(self.order, n) / rate


@dataclass(frozen=True)
class Range:
    """A stream of jobs of similar size."""

    gap: HyperErlang
    runtime: HyperErlang
    sizes: Mapping[int, int]
    """Number of jobs of each size in the log."""


RANGES = (
    Range(HyperErlang(1, 0.930746, 0.00231173, 0.000148268), HyperErlang(4, 0.610439, 0.00681611, 0.000118594),
          {1: 7374}),
    Range(HyperErlang(1, 0.903757, 0.000871688, 3.61811e-05), HyperErlang(8, 0.689717, 0.0401569, 0.000175829),
          {2: 1716}),
    Range(HyperErlang(1, 0.869457, 0.00132988, 6.22846e-05), HyperErlang(5, 0.790751, 0.0319657, 0.000142801),
          {3: 373, 4: 1963}),
    Range(HyperErlang(1, 0.781209, 0.00163358, 7.18082e-05), HyperErlang(2, 0.776391, 0.00303995, 9.56015e-05),
          {5: 456, 6: 229, 7: 20, 8: 1106}),
    Range(HyperErlang(1, 0.892447, 0.000712804, 6.7161e-05), HyperErlang(3, 0.682147, 0.025523, 0.000112577),
          {9: 134, 10: 397, 11: 37, 12: 191, 14: 10, 15: 65, 16: 1420}),
    Range(HyperErlang(1, 0.874498, 0.000377455, 3.37866e-05), HyperErlang(3, 0.681337, 0.0214318, 0.000104521),
          {17: 63, 18: 105, 19: 3, 20: 112, 21: 32, 22: 1, 24: 66, 25: 37, 26: 48, 27: 3, 30: 6, 31: 1, 32: 617}),
    Range(HyperErlang(1, 0.554828, 0.00158918, 5.55015e-05), HyperErlang(3, 0.584562, 0.00931621, 0.000100951),
          {33: 146, 34: 56, 36: 5, 37: 14, 40: 15, 41: 18, 42: 1, 48: 19, 49: 1, 50: 23, 51: 2, 54: 3, 60: 5, 63: 1,
           64: 460}),
    Range(HyperErlang(2, 0.496631, 0.00047864, 3.34093e-05), HyperErlang(6, 0.698194, 0.015377, 0.000138658),
          {65: 15, 66: 4, 67: 3, 69: 1, 70: 2, 71: 3, 78: 2, 81: 3, 94: 1, 96: 13, 97: 2, 100: 4, 101: 2, 114: 6,
           120: 5, 127: 6, 128: 127}),
    Range(HyperErlang(2, 0.830864, 0.000278655, 5.78521e-06), HyperErlang(1, 0.650082, 0.00763869, 0.000293075),
          {129: 52, 130: 2, 150: 3, 161: 1, 175: 1, 180: 1, 184: 2, 192: 7, 200: 9, 250: 1, 256: 20}),
    Range(HyperErlang(1, 0.852079, 1.76374e-05, 1.6706e-06), HyperErlang(6, 0.793885, 0.0315677, 0.000143892),
          {257: 1, 258: 1, 264: 1, 290: 1, 300: 8, 306: 27, 308: 1, 320: 9, 322: 1}),
)  # fmt: skip


def make(values: Parameters, rng: np.random.Generator) -> Workload:
    """Draw the streams and merge them; the first `jobs` submissions are the workload."""
    n = values["jobs"]
    release, owner = merged(streams(n, values["serial"], rng), n)
    size, runtime = np.empty(n), np.empty(n)
    for i, stream in enumerate(RANGES):
        members = owner == i
        size[members] = sizes(stream, int(members.sum()), rng)
        runtime[members] = stream.runtime.draw(int(members.sum()), rng)
    scale = values["mean_runtime"] / mean_runtime(values["serial"]) if values["mean_runtime"] else 1.0
    runtime = np.maximum(np.floor(runtime * scale + 0.5), 1.0)
    drawn = workload_of(release, runtime, size, values, MEASY)
    sentence = "Our own fit to the CTC SP2 log: not the table of 1997, which was not found."
    return drawn.with_(report=(*drawn.report, sentence))


def streams(n: int, serial: float, rng: np.random.Generator) -> list[np.ndarray]:
    """Return the ascending submissions [s] of each range up to one horizon, at least n in total."""
    horizon = (1.1 * n + 100.0) / rates(serial).sum()
    while True:
        factors = [1.0 / serial, *[1.0] * (len(RANGES) - 1)]
        drawn = [submissions(one.gap, horizon, factor, rng) for one, factor in zip(RANGES, factors, strict=True)]
        if sum(map(len, drawn)) >= n:
            return drawn
        horizon *= 1.5


def submissions(gap: HyperErlang, horizon: float, factor: float, rng: np.random.Generator) -> np.ndarray:
    """Return ascending times [s] before `horizon`; each gap, the first included, is `factor` times a drawn value."""
    times = np.zeros(1)
    while times[-1] < horizon:
        more = int(1.1 * (horizon - times[-1]) / (factor * gap.mean)) + 10
        times = np.concatenate([times, times[-1] + np.cumsum(factor * gap.draw(more, rng))])
    return times[1 : np.searchsorted(times, horizon)]


def sizes(stream: Range, n: int, rng: np.random.Generator) -> np.ndarray:
    """Return n sizes drawn with the frequencies of the log."""
    reached = np.cumsum(list(stream.sizes.values()))
    return np.array(list(stream.sizes))[np.searchsorted(reached, rng.integers(reached[-1], size=n), side="right")]


def rates(serial: float) -> np.ndarray:
    """Return the number of jobs per second of each range."""
    return np.array([1.0 / one.gap.mean for one in RANGES]) * [serial, *[1.0] * (len(RANGES) - 1)]


def mean_runtime(serial: float) -> float:
    """Return the mean runtime of all jobs [s], as fitted."""
    return float(rates(serial) @ [one.runtime.mean for one in RANGES] / rates(serial).sum())


JANN = Generator(
    slug="jann",
    title="After Jann et al. 1997",
    summary="Rigid jobs in ten ranges of sizes, each with its own laws; the method of the paper, fitted by us to the "
    "CTC SP2 log, since its own table was not found.",
    kind="rigid",
    parameters=(
        replace(JOBS, default=5000),
        processors(320, "Processors of the machine; sizes above are cut to it."),
        LOAD,
        Real("mean_runtime", 11_267.0, "Mean runtime, reached by scaling all; 0 leaves them as fitted (10,910 s).",
             low=0.0, high=1e6, unit="s"),
        Real("serial", 1.0, "Factor on the rate of jobs of one processor.", low=0.01, high=100.0),
    ),
    source="after Jann et al., JSSPP 1997, fitted again to CTC SP2",
    make=make,
)  # fmt: skip
