"""Collect the cells of a study: weeks as paired blocks, sequences, and whole logs."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np

from shadowtime.engine.metrics.nature import MEAN, RATIO, SHARE
from shadowtime.engine.statistics.blocks import neighbours
from shadowtime.engine.statistics.comparison import Comparison, as_family, compare
from shadowtime.engine.statistics.intervals import Interval, interval
from shadowtime.engine.statistics.ranking import Ranking, rank
from shadowtime.workers.papers.batch.cells import Outcome, Ran, Sequence, Week, Whole
from shadowtime.workers.papers.batch.growth import Cost, Growth
from shadowtime.workers.papers.batch.policies import POLICIES, Setting

NATURE = {"slowdown": RATIO, "wait": MEAN, "utilization": SHARE}
BASE = "EASY"


@dataclass(frozen=True)
class Answers:
    """All cells with what they gave."""

    weeks: Mapping[Week, Ran]
    sequences: Mapping[Sequence, Mapping[str, float]]
    whole: Mapping[Whole, Outcome]
    growth: Mapping[Growth, Cost] = field(default_factory=dict)

    @property
    def workloads(self) -> list[str]:
        """Those that were run, in their order."""
        return list(dict.fromkeys(cell.workload for cell in self.weeks))

    def blocks(self, workload: str) -> int:
        """Return the number of weeks or seeds."""
        return sum(cell.workload == workload for cell in self.weeks)

    def values(self, workload: str, policy: str, what: str) -> np.ndarray:
        """Return a figure of a policy in each week."""
        return np.array(
            [getattr(ran.outcomes[policy], what) for cell, ran in self.weeks.items() if cell.workload == workload]
        )

    def bound(self, workload: str, what: str) -> float:
        """Return the mean over weeks of a bound."""
        return float(np.mean([getattr(ran, what) for cell, ran in self.weeks.items() if cell.workload == workload]))

    def interval(self, workload: str, policy: str, what: str) -> Interval:
        """Return the mean over weeks with its 95 % interval."""
        return interval(self.values(workload, policy, what), NATURE[what])

    def ratios(self, workload: str, policy: str, what: str = "slowdown") -> np.ndarray:
        """Return a figure of a policy over that of EASY, by week."""
        return self.values(workload, policy, what) / self.values(workload, BASE, what)

    def against(self, workload: str, policy: str, other: str = BASE, what: str = "slowdown") -> Comparison:
        """Compare two policies week by week."""
        return compare(self.values(workload, policy, what), self.values(workload, other, what))

    def family(self, workload: str) -> dict[str, Comparison]:
        """Return the comparisons of all other policies with EASY, p-values after Holm."""
        names = [name for name in POLICIES if name != BASE]
        return dict(zip(names, as_family([self.against(workload, name) for name in names]), strict=True))

    def ranking(self, workload: str) -> Ranking:
        """Rank all policies by mean bounded slowdown over weeks."""
        return rank(np.column_stack([self.values(workload, name, "slowdown") for name in POLICIES]))

    def neighbours(self, workload: str, policy: str) -> str:
        """Return a warning if the log ratios of neighbouring weeks resemble each other, else nothing."""
        return neighbours(np.log(self.ratios(workload, policy))) or ""

    def sequence_values(self, workload: str, order: str, setting: Setting) -> np.ndarray:
        """Return the mean bounded slowdown of an order in each sequence."""
        key = f"{order}, {setting.title}"
        return np.array([found[key] for cell, found in self.sequences.items() if cell.workload == workload])

    def median(self, workload: str, order: str, setting: Setting) -> float:
        """Return the median over sequences."""
        return float(np.median(self.sequence_values(workload, order, setting)))

    def has_whole(self, log: str) -> bool:
        """Return whether it was run as a whole."""
        return any(cell.log == log and not cell.of_2007 for cell in self.whole)

    def of_whole(self, log: str, policy: str) -> Outcome:
        """Return the outcome of a policy on a whole log."""
        return self.whole[Whole(log, policy)]
