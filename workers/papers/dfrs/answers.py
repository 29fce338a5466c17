"""Collect the points of a study beside the paper's tables, as input of figures and claims."""

from __future__ import annotations

import csv
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from importlib.resources import files

import numpy as np

from shadowtime.engine.metrics.nature import MEAN, RATIO
from shadowtime.engine.statistics.blocks import block_means, neighbours, number_blocks
from shadowtime.engine.statistics.comparison import Comparison, compare
from shadowtime.engine.statistics.intervals import Interval, interval
from shadowtime.workers.papers.dfrs.instances import REAL, SCALED, UNSCALED, Instance
from shadowtime.workers.papers.dfrs.points import Point, Points, Question

BEST = "GreedyPM*/per/opt=min/minvt=600"
"""The algorithm that the paper recommends."""
TWIN = "GreedyP*/per/opt=min/minvt=600"
DEFAULT = 600.0
"""The paper's period [s], and that of the algorithms here."""
PERIODS = (DEFAULT, 900.0, 1800.0, 3600.0, 6000.0, 12_000.0)
HOUR = 3600.0
COLUMN = {REAL: "real", UNSCALED: "unscaled", SCALED: "scaled"}
"""Names of the groups in the paper's tables."""


@dataclass(frozen=True)
class Answers:
    """The points of a study, by algorithm and group."""

    points: Points
    instances: dict[str, list[Instance]]
    table: str
    whole_log: Mapping[str, float] = field(default_factory=dict)
    """Underutilization of one run of all weeks, by algorithm; empty where it was not run."""

    @property
    def groups(self) -> list[str]:
        """Those that have instances here."""
        return [group for group, chosen in self.instances.items() if chosen]

    def of(self, algorithm: str, group: str, period: float = DEFAULT) -> list[Point]:
        """Return the points of a question about all instances of a group."""
        key = question_of(algorithm, period).key
        return [self.points[instance, key] for instance in self.instances[group]]

    def values(self, what: str, algorithm: str, group: str, period: float = DEFAULT) -> np.ndarray:
        """Return one figure of these points."""
        return np.array([getattr(point, what) for point in self.of(algorithm, group, period)])

    def mean(self, what: str, algorithm: str, group: str, period: float = DEFAULT) -> float:
        """Return its mean over instances."""
        return float(np.mean(self.values(what, algorithm, group, period)))

    def interval(self, what: str, algorithm: str, group: str, period: float = DEFAULT) -> Interval:
        """Return its mean over blocks with the 95 % interval: weeks, or seeds, whose loads are averaged first."""
        blocks = number_blocks([one.number for one in self.instances[group]])
        values = block_means(self.values(what, algorithm, group, period), blocks)
        found = interval(values, RATIO if what == "degradation" else MEAN)
        warning = neighbours(values) if group == REAL else None
        return replace(found, warnings=(*found.warnings, warning)) if warning else found

    def against(self, names: Sequence[str], other: str, group: str) -> list[Comparison]:
        """Return the comparisons of the degradation of some algorithms with that of another, over blocks."""
        blocks = number_blocks([one.number for one in self.instances[group]])
        others = self.values("degradation", other, group)
        return [compare(self.values("degradation", name, group), others, blocks) for name in names]

    def blocks(self, group: str) -> int:
        """Return the number of weeks or seeds of a group."""
        return len({one.number for one in self.instances[group]})

    def at(self, load: float) -> Answers:
        """Return the answers at one load of the scaled workloads."""
        return self.where(lambda one: one.load == load)

    def where(self, keep: Callable[[Instance], bool]) -> Answers:
        """Return the answers about the scaled instances that are kept."""
        return replace(self, instances={SCALED: [one for one in self.instances[SCALED] if keep(one)]})

    @property
    def loads(self) -> list[float]:
        """Loads of the scaled workloads, ascending."""
        return sorted({one.load for one in self.instances[SCALED]})

    def theirs(self, algorithm: str, column: str) -> float:
        """Return the value in the paper's table; NaN where it has none."""
        return theirs_of(self.table, algorithm, column)


def question_of(algorithm: str, period: float = DEFAULT) -> Question:
    """Return the question about an algorithm; the default period is no parameter of it."""
    return Question(name_of(algorithm), 0.0 if period == DEFAULT else period)


def theirs_of(table: str, algorithm: str, column: str) -> float:
    """Return the value in a table of the paper; NaN where it has none."""
    for row in theirs(table):
        if name_of(row["algorithm"]) == name_of(algorithm):
            return float(row.get(column) or "nan")
    return float("nan")


def name_of(algorithm: str) -> str:
    """Return a paper's name in the form of the registry; its table 3 omits the slash of `stretch-per`."""
    return f"/{algorithm}" if algorithm.startswith("stretch-per") else algorithm


def theirs(table: str) -> list[dict[str, str]]:
    """The rows of one of the paper's tables."""
    text = files("shadowtime.workers.papers.dfrs.theirs").joinpath(f"{table}.csv").read_text(encoding="utf-8")
    return list(csv.DictReader(text.splitlines()))


def algorithms_of(table: str) -> tuple[str, ...]:
    """The algorithms of one of the paper's tables, in its order."""
    return tuple(row["algorithm"] for row in theirs(table))
