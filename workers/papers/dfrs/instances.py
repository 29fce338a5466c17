"""Build the three workloads of the study: weeks of HPC2N, synthetic jobs as drawn, and the same scaled to nine
loads."""

from __future__ import annotations

import os
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from shadowtime.engine.workload.conversions.convert import convert
from shadowtime.engine.workload.generators.generate import generate
from shadowtime.engine.workload.job import Workload
from shadowtime.engine.workload.reading import read

HPC2N = "HPC2N-2002-2.2-cln.swf.gz"
WEEKS = 182
LOADS = (0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9)

REAL, UNSCALED, SCALED = "HPC2N, by week", "Synthetic, as drawn", "Synthetic, scaled"
"""Names of the three in reports."""


@dataclass(frozen=True)
class Instance:
    """One workload of the study."""

    group: str
    number: int
    """The week, or the seed of the draws."""
    load: float = 0.0

    @property
    def key(self) -> str:
        """A name that is valid in a file name."""
        kind = "week" if self.group == REAL else "seed"
        return f"{kind}-{self.number}" + (f"-load-{self.load:g}" if self.load else "")

    def workload(self) -> Workload:
        """Its jobs; the same for every algorithm."""
        if self.group == REAL:
            return convert(whole_log(), "week", {"k": self.number})
        jobs = generate("fractional", {"jobs": 1000}, self.number)
        return convert(jobs, "load", {"rho": self.load}) if self.load else jobs


@lru_cache(maxsize=1)
def whole_log() -> Workload:
    """The log as tasks; read once, and shared with forked children."""
    with (Path(os.environ["SHADOWTIME_TRACES"]) / HPC2N).open("rb") as stream:
        return convert(read(stream, "HPC2N"), "fractional")


def has_log() -> bool:
    """Whether SHADOWTIME_TRACES names a folder with the log; without it the real weeks are left out."""
    folder = os.environ.get("SHADOWTIME_TRACES")
    return folder is not None and (Path(folder) / HPC2N).is_file()


@dataclass(frozen=True)
class Size:
    """How much of the paper's data a scale takes."""

    weeks: range
    """Of the 182 weeks ..."""
    variant_weeks: range
    """... and those for all 116 variants."""
    unscaled: int
    """Seeds of workloads as drawn."""
    scaled: int
    """The first so many seeds at all loads."""
    loads: tuple[float, ...]
    timed: int
    """Seeds on which calls of MCB8 are timed."""
    has_whole_log: bool


SIZES = {
    "full": Size(range(WEEKS), range(WEEKS), 100, 50, LOADS, 20, has_whole_log=True),
    "quick": Size(range(3, WEEKS, 16), range(3, 100, 32), 8, 6, (0.1, 0.3, 0.5, 0.7, 0.9), 3, has_whole_log=False),
}
"""Full ends within 30 minutes on two cores, with 50 of the paper's 100 seeds at nine loads."""


def real(scale: str, variants: bool = False) -> list[Instance]:
    """Return weeks of the log, or those for all variants; none without the log."""
    size = SIZES[scale]
    if not has_log():
        return []
    whole_log()
    return [Instance(REAL, week) for week in (size.variant_weeks if variants else size.weeks)]


def unscaled(scale: str) -> list[Instance]:
    """Return workloads as drawn."""
    return [Instance(UNSCALED, seed) for seed in range(1, SIZES[scale].unscaled + 1)]


def scaled(scale: str, least: float = 0.0) -> list[Instance]:
    """Return these at several loads, from a load of `least` on."""
    size = SIZES[scale]
    seeds = range(1, size.scaled + 1)
    return [Instance(SCALED, seed, load) for load in size.loads if load >= least for seed in seeds]
