"""Points of the MEASY study by block: means, intervals and improvements of one workload model."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from shadowtime.engine.metrics.nature import ANY, MEAN, RATIO, TOTAL, Nature
from shadowtime.engine.statistics.comparison import Comparison, compare
from shadowtime.engine.statistics.intervals import Interval, interval
from shadowtime.workers.papers.measy_cells import BLIND, FULL, JOBS, LOADS, NAMES, SEEDS, Cell, Parameters, Point

NATURES = {"flow": MEAN, "stretch": RATIO, "migrations": TOTAL, "kills": TOTAL}
"""Range of each field of a point."""
METRICS = {"flow": "response", "stretch": "bounded slowdown"}


@dataclass(frozen=True)
class Setting:
    """What one pair of the paper's figures varies."""

    name: str
    parameters: Parameters = ()
    """Of KEASY and MEASY."""
    drawn: Parameters = ()
    figures: str = ""


DRAWN = Setting("usages known", figures="Figures 6 and 7")
UNKNOWN = Setting("no usage information", BLIND, figures="Figures 9 and 10")
AT_FULL = Setting("all usages at 100 %", (), FULL, figures="Figures 11 and 12")
SETTINGS = (DRAWN, UNKNOWN, AT_FULL)
BOTH = "both together"
"""Column of claims about both workloads."""


class Answers:
    """The points of one workload model: a row per seed, which is a block, and a column per load."""

    def __init__(self, model: str, scale: str, points: Mapping[Cell, Point], seeds: Sequence[int] = SEEDS):
        self.name, self.model = NAMES[model], model
        self.jobs, self.seeds = JOBS[scale][model], tuple(seeds)
        self._points = points

    @property
    def blocks(self) -> int:
        """Number of independent draws."""
        return len(self.seeds)

    def values(
        self,
        what: str,
        algorithm: str,
        parameters: Parameters = (),
        drawn: Parameters = (),
        loads: tuple[float, ...] = LOADS,
    ) -> np.ndarray:
        """Return a field of the points, seeds by loads; EASY, with one tier, depends on no usage."""
        if algorithm == "easy":
            drawn = tuple(pair for pair in drawn if pair[0] == "estimates")
        return np.array(
            [
                [
                    getattr(self._points[Cell(self.model, self.jobs, load, seed, algorithm, parameters, drawn)], what)
                    for load in loads
                ]
                for seed in self.seeds
            ],
            float,
        )

    def of(self, what: str, algorithm: str, setting: Setting = DRAWN) -> np.ndarray:
        """Return a field of the points of a setting, seeds by loads."""
        parameters = setting.parameters if algorithm != "easy" else ()
        return self.values(what, algorithm, parameters, setting.drawn)

    def costly(self, what: str, cost: float) -> np.ndarray:
        """Return a field of MEASY's points where a migration costs `cost` seconds, seeds by loads."""
        return self.values(what, "measy", () if cost == 20.0 else (("migration_cost", cost),))

    def gains(self, what: str, algorithm: str, setting: Setting = DRAWN) -> np.ndarray:
        """Return the improvement over EASY on the same jobs, seeds by loads."""
        return 1.0 - self.of(what, algorithm, setting) / self.of(what, "easy", setting)

    def per_job(self) -> np.ndarray:
        """Return MEASY's migrations for each job, seeds by loads."""
        return self.of("migrations", "measy") / self.jobs


def ends(values: np.ndarray, nature: Nature = ANY) -> list[Interval]:
    """Return the mean over blocks with its 95 % interval for each column of seeds by points."""
    return [interval(column, nature) for column in values.T]


def pair(answers: Answers, what: str, one: str, other: str) -> Comparison:
    """Compare two algorithms over the blocks of a model, with the loads as factors."""
    return compare(answers.of(what, one), answers.of(what, other))


def below(values: np.ndarray, others: np.ndarray) -> np.ndarray:
    """Return, for each column, whether the mean over blocks is below the other's."""
    return values.mean(axis=0) < others.mean(axis=0)


def ratio(values: np.ndarray, others: np.ndarray) -> float:
    """Return the geometric mean of the ratio over blocks and loads."""
    return float(np.exp(np.log(values / others).mean()))


Both = Mapping[str, Answers]
"""The answers by model."""


def per_workload(answers: Both, of: Callable[[Answers], str]) -> dict[str, str]:
    """Return a sentence for each workload, and nothing for both together."""
    return {**{one.name: of(one) for one in answers.values()}, BOTH: ""}


def blocks_of(answers: Both) -> int:
    """Return the number of independent draws of each workload."""
    return next(iter(answers.values())).blocks


def percent(share: float) -> str:
    """Return a share in percent, to a tenth."""
    return f"{100 * share:.1f} %"


def percents(shares: Iterable[float]) -> str:
    """Return several shares in percent."""
    return ", ".join(map(percent, shares))
