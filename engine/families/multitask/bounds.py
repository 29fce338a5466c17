"""Lower bounds for multitask jobs: the linear programs of SynchPack, and all machines merged into one.

`lp1` holds for every schedule, `lp2` where tasks do not migrate, `lp3` and its variants where each task has one
machine. All ignore releases except for `C_j >= r_j + P_j`: a schedule that respects releases is also one for jobs that
are all there at 0.

- `lp1`, `lp2`: an end costs the left end of its interval, u in the first; `_literal`: 0 there, as printed; `_plus`: at
  least `r_j + P_j`.
- `lp3` in full, `lp3_cuts` by cutting planes, `primal_dual` a feasible dual solution: each is at most the one before.
- `squashed`: the primal-dual on one machine as large as all together, each task with its least volume: every schedule
  of any regime is a schedule of that machine. `mean_busy_time`: the preemptive service of that machine by weight over
  volume, with releases; `C_j >= M_j + q_j / 2`, since at speed 1 the mean service time M_j of a job of length q_j that
  ends at C_j is at most `C_j - q_j / 2`.
- makespan: `longest_job` (`r_j + P_j`), `area` (volumes over all capacities), `machine_load` (one machine a task).
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from shadowtime.engine.bounds.area import area
from shadowtime.engine.bounds.squashed import mean_busy_time
from shadowtime.engine.bounds.work import Work
from shadowtime.engine.families.multitask.packing.cuts import solve_cuts
from shadowtime.engine.families.multitask.packing.full_order import full_order
from shadowtime.engine.families.multitask.packing.instance import Instance, instance_of
from shadowtime.engine.families.multitask.packing.interval_lp import solve_intervals
from shadowtime.engine.families.multitask.packing.intervals import needed_ends
from shadowtime.engine.families.multitask.packing.loads import Loads, loads_of, squashed_loads
from shadowtime.engine.families.multitask.packing.primal_dual import primal_dual
from shadowtime.engine.families.multitask.workload import MIGRATORY, NONPREEMPTIVE, SINGLE, is_single, regime

Named = dict[str, float]

EPSILON = 0.5
"""Epsilon of LP1 where the workload has none."""

FULL, CUTS, PLACES = {True: 100, False: 50}, {True: 2_000, False: 500}, {True: 2_000_000, False: 60_000}
"""Sizes up to which a program is solved: on request (True: tens of seconds to minutes), or together with a run (False:
about a second). Jobs of LP3 in full, jobs of its cutting planes, fractions of LP1 and LP2."""


class Packing:
    """The bounds of a workload: alone (`is_alone`), or of a run whose algorithm migrates tasks or not (`migrates`).

    jobs: the jobs table of the run; jobs that did not end are left out. None: all jobs that can run.
    """

    def __init__(self, workload: Any, jobs: Any = None, *, is_alone: bool = False, migrates: bool | None = None):
        ended = None if jobs is None else np.isfinite(jobs["end"])
        self.instance, _ = instance_of(workload, ended)
        self._counted = self.instance.longest > 0.0
        self._release = workload.jobs["release"]
        self._is_alone = is_alone
        self._epsilon = float(workload.machine.get("epsilon", EPSILON))
        self._single = is_single(workload)
        self._regime = regime(workload)
        if migrates is not None:
            self._regime = SINGLE if self._single else MIGRATORY if migrates else NONPREEMPTIVE

    def __len__(self) -> int:
        return int(self._counted.sum())

    def weighted_completion(self) -> Named:
        """Return bounds on the sum of weight times end [s].

        Those of the regime come first: of equal values the first is shown.
        """
        values: Named = {}
        if self._regime != SINGLE:
            values |= self._intervals()
        if self._single:
            values |= self._orders()
        if not self._is_alone or not values or np.ptp(self._release[self._counted]) > 0:
            rows, work = self._rows(), self._work()
            alone = work.weight * self.instance.longest[rows]
            released = float(work.weight @ work.release)
            loads = self._with_releases(squashed_loads(self.instance))
            values["squashed"] = primal_dual(loads)[1]
            values["mean_busy_time"] = released + mean_busy_time(work, work.weight, alone)
        return values

    def weighted_flow(self) -> Named:
        """Return bounds on the sum of weight times flow [s]: `flow = end - release`, job by job."""
        rows = np.flatnonzero(self._counted)
        released = float(self.instance.weight[rows] @ self._release[rows])
        return {name: value - released for name, value in self.weighted_completion().items()}

    def makespan(self) -> Named:
        """Return bounds on the makespan [s], from the first release on."""
        rows = np.flatnonzero(self._counted)
        ends = self._release[rows] + self.instance.longest[rows]
        values = {"longest_job": float(ends.max() - self._release[rows].min()), "area": area(self._work())}
        if self._single:
            values["machine_load"] = self._machine_load()
        return values

    def _rows(self) -> np.ndarray:
        """Return the rows of the jobs that count, by release."""
        rows = np.flatnonzero(self._counted)
        return rows[np.argsort(self._release[rows], kind="stable")]

    def _earliest(self) -> np.ndarray:
        return np.where(self._counted, self._release + self.instance.longest, 0.0)

    def _with_releases(self, loads: Loads) -> Loads:
        return replace(loads, longest=self._earliest())

    def _work(self) -> Work:
        """Return the work of the merged machine: jobs by release, lengths in seconds of that machine."""
        rows = self._rows()
        length = self.instance.least_volume[rows] / self.instance.capacity.sum()
        return Work(self._release[rows], length, np.ones(len(rows)), self.instance.weight[rows], 1.0)

    def _machine_load(self) -> float:
        """Return the bound `area` of the machine where it is largest."""
        loads, first = loads_of(self.instance), float(self._release[self._counted].min())
        best = 0.0
        for begin, stop in zip(loads.begin[:-1], loads.begin[1:], strict=True):
            release = self._release[loads.job[begin:stop]]
            order = np.argsort(release, kind="stable")
            later = np.cumsum(loads.load[begin:stop][order][::-1])[::-1]
            best = max(best, float((release[order] + later).max(initial=0.0)) - first)
        return best

    def _orders(self) -> Named:
        loads, n = self._with_releases(loads_of(self.instance)), len(self)
        values: Named = {}
        if n <= FULL[self._is_alone]:
            values["lp3"] = full_order(loads)[0]
        if n <= CUTS[self._is_alone]:
            values["lp3_cuts"] = solve_cuts(self.instance, loads)[0]
        return values | {"primal_dual": primal_dual(loads)[1]}

    def _intervals(self) -> Named:
        migration = self._regime == MIGRATORY
        name, epsilon = ("lp1", self._epsilon) if migration else ("lp2", 1.0)
        if fractions(self.instance, epsilon, migration) > PLACES[self._is_alone]:
            known = ("intervals", epsilon, "d0", migration, None) in self.instance.solved
            return {name: self._value(epsilon, "d0", migration)} if known else {}
        if not self._is_alone:
            return {f"{name}_plus": self._value(epsilon, "plus", migration)}
        names = {name: "d0", f"{name}_literal": "zero", f"{name}_plus": "plus"}
        return {named: self._value(epsilon, charge, migration) for named, charge in names.items()}

    def _value(self, epsilon: float, charge: str, migration: bool) -> float:
        earliest = self._earliest() if charge == "plus" else None
        found = solve_intervals(self.instance, epsilon=epsilon, charge=charge, migration=migration, earliest=earliest)
        return found.bound


def fractions(instance: Instance, epsilon: float, migration: bool) -> int:
    """Return how many fractions LP1 or LP2 has."""
    ends = needed_ends(instance, epsilon)
    if migration:
        return len(ends) * len(instance.time)
    return int((len(ends) - np.searchsorted(ends * (1.0 + 1e-12), instance.time)).sum())
