"""The bounds of each metric of moldable workloads, valid for all allotments that a scheduler may choose.

A job with a minimum number of processors has infinite times below it; least areas leave these out.

Makespan: `dual`, the largest guess that the dual approximation rejects if all jobs are released at once (the proof is
in `policies.dual`); `longest_job`; `area`, from the least areas of the jobs. Weighted completion: the interval program
on grids (`interval_lp`), and two bounds that run all jobs on one fast machine.

`squashed_area`: let `B_i` be the least area of job i over m. The l-th job to end does so no earlier than the sum of l
of the B's, whatever the releases; Smith's order gives the least weighted sum.

`mean_busy_time` and the flows: on k processors a job progresses at the rate (shortest time / its time on k) <= 1 and
uses at least (least area / shortest time) x rate processors. So every schedule solves the fluid problem of
`engine.bounds.work` with the shortest time as runtime.
"""

from __future__ import annotations

from functools import cached_property
from typing import Any

import numpy as np

from shadowtime.engine.bounds.elementary import area, longest_job, total_weighted_flow
from shadowtime.engine.bounds.fluid import FlowBounds, Named
from shadowtime.engine.bounds.squashed import mean_busy_time
from shadowtime.engine.bounds.work import Work
from shadowtime.engine.families.moldable.interval_lp import FAR, Program, geometric, interval_lp, program
from shadowtime.engine.families.moldable.policies.demt import grid
from shadowtime.engine.families.moldable.policies.dual import areas_of, is_monotonic, least_areas, search
from shadowtime.engine.families.moldable.workload import times

EXACT = 1e-9
"""Accuracy of the makespan bound."""
FINER = 1.25
"""Ratio of the finer grid."""
MOST_TIMES = 20_000_000
"""Jobs x processors up to which the dual and the programs run: their matrix of times takes 8 bytes per entry."""


class Moldable(FlowBounds):
    """The bounds of the jobs `rows` of a workload; a method per metric, named like the metric."""

    def __init__(self, workload: Any, lanes: int, rows: np.ndarray):
        jobs = workload.jobs
        self.release, self.weight = jobs["release"][rows], jobs["weight"][rows]
        shortest, self.least_area = jobs["runtime"][rows], jobs["work"][rows]  # over all numbers of processors
        self.has_times = len(rows) * lanes <= MOST_TIMES
        if self.has_times:
            self.p = times(workload, lanes, rows)
            self.areas = areas_of(self.p) if is_monotonic(self.p) else least_areas(self.p)
            self.least_area = np.ascontiguousarray(self.p[:, 0] if not len(self.areas) else self.areas[:, 0])
            shortest = np.ascontiguousarray(self.p[:, -1])
        self.work = Work(self.release, shortest, self.least_area / shortest, self.weight, float(lanes))

    def makespan(self) -> Named:
        """Bounds of the makespan [s]."""
        others = {"longest_job": longest_job(self.work), "area": area(self.work)}
        return {"dual": self._dual[0], **others} if self.has_times else others

    def weighted_completion(self) -> Named:
        """Bounds of the sum of weight x end [s]."""
        released = float(np.sum(self.weight * self.release))
        busy = released + self.weighted_flow()["mean_busy_time"]
        return {
            **(self._programs() if self.has_times else {}),
            "squashed_area": self._squashed_area(),
            "mean_busy_time": busy,
        }

    def weighted_flow(self) -> Named:
        """Bounds of the sum of weight x flow [s]."""
        return {
            "dedicated": total_weighted_flow(self.work, self.weight),
            "mean_busy_time": mean_busy_time(self.work, self.weight, self.weight * self.work.runtime),
        }

    @cached_property
    def _dual(self) -> tuple[float, float]:
        """The bound, and the smallest accepted guess; the grid derives from the guess, as the batches of DEMT do."""
        return search(self.p, self.areas, EXACT)

    def _programs(self) -> Named:
        """Return the values of the interval program: plain and tight on DEMT's grid, tight on the finer one."""
        doubling, finer = self.doubling(), self.finer()
        programs = {"lp_plain": (doubling, False), "lp_tight": (doubling, True), "lp_tight_fine": (finer, True)}
        return {name: interval_lp(*question) for name, question in programs.items()}

    def doubling(self) -> Program:
        """Return the interval program on DEMT's grid: its first batch, then doubling."""
        return self._program(grid(self._dual[1], float(self.p.min()))[1], 2.0)

    def finer(self) -> Program:
        """Return the interval program on the finer grid, which starts at the shortest time."""
        return self._program(float(self.p.min()), FINER)

    def _program(self, first: float, ratio: float) -> Program:
        longest = float(self.p.max(where=np.isfinite(self.p), initial=0.0))
        horizon = FAR * max(self._dual[1], longest) + float(self.release.max())
        return program(self.p, self.areas, self.release, self.weight, geometric(first, ratio, horizon))

    def _squashed_area(self) -> float:
        length = self.least_area / self.work.lanes
        order = np.argsort(-self.weight / length, kind="stable")
        return float(np.sum(self.weight[order] * np.cumsum(length[order])))
