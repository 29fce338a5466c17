"""Which bound holds for which metric of moldable workloads, whatever allotments a scheduler chooses.

Makespan: `dual`, the largest guess that the dual approximation rejects with all jobs there at once (`policies.
dual` has the proof); `longest_job`; `area`, the least areas of what is released late. Weighted completion:
the interval program on grids (`interval_lp`), and two that squash the jobs onto one fast machine.

`squashed_area`: with `B_i` the least area of job i over m, the l-th job to end does so at the sum of l of the B's or
later, whatever the releases; Smith's order makes the weighted sum least.

`mean_busy_time` and the flows: on k processors a job progresses at the rate (shortest time / its time on k) <= 1 and
uses no less than (least area / shortest time) x rate processors: every schedule is one of the fluid problem of
`engine.bounds.work` with the shortest time as runtime.
"""

from __future__ import annotations

from functools import cached_property
from typing import Any

import numpy as np

from shadowtime.engine.bounds.area import area
from shadowtime.engine.bounds.dedicated import total_weighted_flow
from shadowtime.engine.bounds.fluid import Named
from shadowtime.engine.bounds.longest_job import longest_job
from shadowtime.engine.bounds.squashed import mean_busy_time, shortest_remaining
from shadowtime.engine.bounds.work import Work

EXACT = 1e-9
"""Accuracy of the makespan bound."""
FINER = 1.25
"""Ratio of the finer grid."""
MOST_TIMES = 20_000_000
"""Jobs x processors up to which the dual and the programs are asked: their matrix of times takes 8 bytes each."""


class Moldable:
    """The bounds of the jobs `rows` of a workload; a method per metric, named like it."""

    def __init__(self, workload: Any, lanes: int, rows: np.ndarray):
        from shadowtime.engine.families.moldable.policies.canonical import NO_AREA, is_monotonic, least_areas
        from shadowtime.engine.families.moldable.workload import times

        jobs = workload.jobs
        self.release, self.weight = jobs["release"][rows], jobs["weight"][rows]
        shortest, self.least_area = jobs["runtime"][rows], jobs["work"][rows]  # on however many processors
        self.has_times = len(rows) * lanes <= MOST_TIMES
        if self.has_times:
            self.p = times(workload, lanes, rows)
            self.areas = NO_AREA if is_monotonic(self.p) else least_areas(self.p)
            self.least_area = np.ascontiguousarray(self.p[:, 0] if not len(self.areas) else self.areas[:, 0])
            shortest = np.ascontiguousarray(self.p[:, -1])
        self.work = Work(self.release, shortest, self.least_area / shortest, self.weight, float(lanes))

    def makespan(self) -> Named:
        others = {"longest_job": longest_job(self.work), "area": area(self.work)}
        return {"dual": self._dual[0], **others} if self.has_times else others

    def weighted_completion(self) -> Named:
        released = float(np.sum(self.weight * self.release))
        squashed = {
            "squashed_area": self._squashed_area(),
            "mean_busy_time": released + self.weighted_flow()["mean_busy_time"],
        }
        return {**self._programs(), **squashed} if self.has_times else squashed

    def weighted_flow(self) -> Named:
        return {
            "dedicated": total_weighted_flow(self.work, self.weight),
            "mean_busy_time": mean_busy_time(self.work, self.weight, self.weight * self.work.runtime),
        }

    def total_job_time(self) -> Named:
        return self._total_flow

    def mean_flow(self) -> Named:
        return {name: value / len(self.work) for name, value in self._total_flow.items()}

    @cached_property
    def _dual(self) -> tuple[float, float]:
        """The bound, and the smallest accepted guess, from which the grid is made as DEMT makes its batches."""
        from shadowtime.engine.families.moldable.policies.dual import search

        return search(self.p, self.areas, EXACT)

    @cached_property
    def _total_flow(self) -> Named:
        ones = np.ones(len(self.work))
        return {
            "dedicated": total_weighted_flow(self.work, ones),
            "mean_busy_time": mean_busy_time(self.work, ones, self.work.runtime),
            "shortest_remaining": shortest_remaining(self.work),
        }

    def _programs(self) -> Named:
        """The interval program: plain and tight on DEMT's grid, tight on a finer one from the shortest time."""
        from shadowtime.engine.families.moldable.interval_lp import interval_lp

        doubling = self.doubling()
        return {
            "lp_plain": interval_lp(doubling, False),
            "lp_tight": interval_lp(doubling, True),
            "lp_tight_fine": interval_lp(self.finer(), True),
        }

    def doubling(self) -> Any:
        """The interval program on DEMT's own grid: its first batch, then twice as far each time."""
        from shadowtime.engine.families.moldable.policies.batches import grid

        return self._program(grid(self._dual[1], float(self.p.min()))[1], 2.0)

    def finer(self) -> Any:
        """The program on a finer grid from the shortest time."""
        return self._program(float(self.p.min()), FINER)

    def _program(self, first: float, ratio: float) -> Any:
        from shadowtime.engine.families.moldable.interval_lp import FAR, geometric, program

        horizon = FAR * max(self._dual[1], float(self.p.max())) + float(self.release.max())
        return program(self.p, self.areas, self.release, self.weight, geometric(first, ratio, horizon))

    def _squashed_area(self) -> float:
        length = self.least_area / self.work.lanes
        order = np.argsort(-self.weight / length, kind="stable")
        return float(np.dot(self.weight[order], np.cumsum(length[order])))


"""The metrics that have a bound."""
