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
            return convert(_log(), "week", {"k": self.number})
        jobs = generate("fractional", {"jobs": 1000}, self.number)
        return convert(jobs, "load", {"rho": self.load}) if self.load else jobs


@lru_cache(maxsize=1)
def _log() -> Workload:
    """The log as tasks; read once, and shared with forked children."""
    with (Path(os.environ["SHADOWTIME_TRACES"]) / HPC2N).open("rb") as stream:
        return convert(read(stream, "HPC2N"), "fractional")


def has_log() -> bool:
    """Whether SHADOWTIME_TRACES names a folder with the log; without it the real weeks are left out."""
    folder = os.environ.get("SHADOWTIME_TRACES")
    return folder is not None and (Path(folder) / HPC2N).is_file()


def real(scale: str) -> list[Instance]:
    """All weeks, or one in sixteen; none without the log."""
    step = 1 if scale == "full" else 16
    if not has_log():
        return []
    _log()
    return [Instance(REAL, week) for week in range(3 if step > 1 else 0, WEEKS, step)]


def unscaled(scale: str) -> list[Instance]:
    """100 workloads, or 8."""
    return [Instance(UNSCALED, seed) for seed in range(1, 101 if scale == "full" else 9)]


def scaled(scale: str, least: float = 0.0) -> list[Instance]:
    """The same at nine loads, or 4 of them at three, from a load of `least` on."""
    loads = LOADS if scale == "full" else (0.3, 0.7, 0.9)
    seeds = range(1, 101 if scale == "full" else 5)
    return [Instance(SCALED, seed, load) for load in loads if load >= least for seed in seeds]
