"""Collect the points of a study beside the paper's tables, as input of figures and claims."""

from __future__ import annotations

import csv
from dataclasses import dataclass
from importlib.resources import files

import numpy as np

from shadowtime.workers.papers.dfrs.instances import Instance
from shadowtime.workers.papers.dfrs.points import Point, Points, Question

BEST = "GreedyPM*/per/opt=min/minvt=600"
"""The algorithm that the paper recommends."""


@dataclass(frozen=True)
class Answers:
    """The points of a study, by algorithm and group."""

    points: Points
    instances: dict[str, list[Instance]]
    table: str

    @property
    def groups(self) -> list[str]:
        """Those that have instances here."""
        return [group for group, chosen in self.instances.items() if chosen]

    def of(self, algorithm: str, group: str, period: float = 0.0) -> list[Point]:
        """The points of a question about all instances of a group."""
        key = Question(name_of(algorithm), period).key
        return [self.points[instance, key] for instance in self.instances[group]]

    def values(self, what: str, algorithm: str, group: str, period: float = 0.0) -> np.ndarray:
        """One figure of these points."""
        return np.array([getattr(point, what) for point in self.of(algorithm, group, period)])

    def mean(self, what: str, algorithm: str, group: str, period: float = 0.0) -> float:
        """Its mean over instances."""
        return float(np.mean(self.values(what, algorithm, group, period)))

    def theirs(self, algorithm: str, column: str) -> float:
        """Return the value in the paper's table; NaN where it has none."""
        for row in theirs(self.table):
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
