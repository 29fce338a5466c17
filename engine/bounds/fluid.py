"""Which bound holds for which metric of rigid, fractional and two-tier workloads.

One object per question, so that what several metrics need is computed once.
"""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from shadowtime.engine.bounds.area import area
from shadowtime.engine.bounds.backlog import backlog
from shadowtime.engine.bounds.cut import cut
from shadowtime.engine.bounds.cut_window import SMALLEST, cut_window
from shadowtime.engine.bounds.dedicated import longest_runtime, total_weighted_flow
from shadowtime.engine.bounds.longest_job import longest_job
from shadowtime.engine.bounds.squashed import mean_busy_time, shortest_remaining
from shadowtime.engine.bounds.work import Work, work_of

if TYPE_CHECKING:
    from shadowtime.engine.families.family import Family
from shadowtime.engine.metrics.jobs import floored

EXACT = 5000
"""Up to so many jobs the largest bounded stretch has its exact `cut`, above it a `cut_window`."""

Named = dict[str, float]
"""Name of a bound -> value; of equal ones the first is called the best."""


class Fluid:
    """The bounds of one set of jobs; a method per metric, named like it."""

    def __init__(self, work: Work, tau: float):
        self.work, self.tau = work, tau

    def makespan(self) -> Named:
        return {"longest_job": longest_job(self.work), "area": area(self.work)}

    def total_job_time(self) -> Named:
        return self._total_flow

    def mean_flow(self) -> Named:
        return {name: value / len(self.work) for name, value in self._total_flow.items()}

    def weighted_flow(self) -> Named:
        weight = self.work.weight
        if np.all(weight == weight[0]):
            return {name: value * float(weight[0]) for name, value in self._total_flow.items()}
        alone = weight * self.work.runtime
        return {
            "dedicated": total_weighted_flow(self.work, weight),
            "mean_busy_time": mean_busy_time(self.work, weight, alone),
        }

    def weighted_completion(self) -> Named:
        """`end = release + flow`."""
        released = float(np.sum(self.work.weight * self.work.release))
        return {name: released + value for name, value in self.weighted_flow().items()}

    def mean_bounded_stretch(self) -> Named:
        """A weighted flow with weights `1 / max(p, tau)`, and no job below 1."""
        return self._mean_stretch

    def mean_stretch(self) -> Named:
        """No stretch is below the bounded one."""
        return self._mean_stretch

    def max_flow(self) -> Named:
        """Windows would gain 0 to 4 % over the backlog here, for half the time of all bounds: exact or not at all."""
        alone, scale = longest_runtime(self.work), np.ones(len(self.work))
        if len(self.work) <= SMALLEST:
            return {"dedicated": alone} | self._largest(scale, alone)
        return {"dedicated": alone, "backlog": backlog(self.work, scale).best}

    def max_bounded_stretch(self) -> Named:
        return self._max_bounded_stretch

    def max_stretch(self) -> Named:
        """No stretch is below the bounded one: the search starts from that."""
        return self._largest(self.work.runtime, max(self._max_bounded_stretch.values()))

    @cached_property
    def _total_flow(self) -> Named:
        ones = np.ones(len(self.work))
        return {
            "dedicated": total_weighted_flow(self.work, ones),
            "mean_busy_time": mean_busy_time(self.work, ones, self.work.runtime),
            "shortest_remaining": shortest_remaining(self.work),
        }

    @cached_property
    def _mean_stretch(self) -> Named:
        n = len(self.work)
        total = mean_busy_time(self.work, 1.0 / floored(self.work.runtime, self.tau), np.ones(n))
        return {"dedicated": 1.0, "mean_busy_time": total / n}

    @cached_property
    def _max_bounded_stretch(self) -> Named:
        return self._largest(floored(self.work.runtime, self.tau), 1.0, EXACT)

    def _largest(self, scale: np.ndarray, least: float, exact: int = SMALLEST) -> Named:
        """Bounds on the largest flow over scale; exact up to so many jobs."""
        piles = backlog(self.work, scale)
        target = max(least, piles.best)
        if len(self.work) > SMALLEST:
            target = cut_window(self.work, scale, target, piles)
        if len(self.work) > exact:
            return {"cut_window": target, "backlog": piles.best}
        return {"cut": cut(self.work, scale, target), "backlog": piles.best}


def of(family: Family, workload: Any, lanes: int, tau: float, jobs: Any = None) -> Fluid | None:
    """The bounds of a workload, or of the jobs of a schedule that ended; None where there are none of them."""
    work = work_of(family, workload, lanes, jobs)
    return Fluid(work, tau) if len(work) else None
