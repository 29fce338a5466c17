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

from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import replace
from functools import partial
from itertools import pairwise
from typing import Any

import numpy as np

from shadowtime.engine.bounds.elementary import area
from shadowtime.engine.bounds.linear_program import NoOptimum
from shadowtime.engine.bounds.squashed import mean_busy_time
from shadowtime.engine.bounds.work import Work
from shadowtime.engine.families.multitask.packing.instance import Instance, instance_of
from shadowtime.engine.families.multitask.packing.interval_lp import needed_ends, solve_intervals
from shadowtime.engine.families.multitask.packing.loads import loads_of, primal_dual, squashed_loads
from shadowtime.engine.families.multitask.packing.order import full_order, solve_cuts
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
        self.instance, _ = instance_of(workload, None if jobs is None else np.isfinite(jobs["end"]))
        counted = self.instance.longest > 0.0
        release = workload.jobs["release"]
        self._release, self._is_alone, self._single = release, is_alone, is_single(workload)
        self._rows = np.flatnonzero(counted)
        """Jobs that count."""
        self._earliest = np.where(counted, release + self.instance.longest, 0.0)
        """Earliest end of each job [s]."""
        self._epsilon = float(workload.machine.get("epsilon", EPSILON))
        self._regime = regime(workload)
        if migrates is not None:
            self._regime = SINGLE if self._single else MIGRATORY if migrates else NONPREEMPTIVE
        rows = self._rows[np.argsort(release[self._rows], kind="stable")]
        length = self.instance.least_volume[rows] / self.instance.capacity.sum()
        self._work = Work(release[rows], length, np.ones(len(rows)), self.instance.weight[rows], 1.0)
        """Work of the merged machine: jobs by release, lengths in seconds of that machine."""
        self._shortest = self.instance.longest[rows]

    def __len__(self) -> int:
        return len(self._rows)

    def weighted_completion(self) -> Named:
        """Return bounds on the sum of weight times end [s].

        Those of the regime come first: of equal values the first is shown.
        """
        values: Named = {}
        if self._regime != SINGLE:
            values |= self._intervals()
        if self._single:
            values |= self._orders()
        if not self._is_alone or not values or np.ptp(self._release[self._rows]) > 0:
            work = self._work
            values["squashed"] = primal_dual(replace(squashed_loads(self.instance), longest=self._earliest))[1]
            values["mean_busy_time"] = float(work.weight @ work.release) + mean_busy_time(
                work, work.weight, work.weight * self._shortest
            )
        return values

    def weighted_flow(self) -> Named:
        """Return bounds on the sum of weight times flow [s]: `flow = end - release`, job by job."""
        released = float(self.instance.weight[self._rows] @ self._release[self._rows])
        return {name: value - released for name, value in self.weighted_completion().items()}

    def makespan(self) -> Named:
        """Return bounds on the makespan [s], from the first release on."""
        first = float(self._release[self._rows].min())
        values = {"longest_job": float(self._earliest[self._rows].max() - first), "area": area(self._work)}
        if self._single:
            values["machine_load"] = self._machine_load(first)
        return values

    def _machine_load(self, first: float) -> float:
        """Return the bound `area` of the machine where it is largest."""
        loads, best = loads_of(self.instance), 0.0
        for begin, stop in pairwise(loads.begin):
            release = self._release[loads.job[begin:stop]]
            order = np.argsort(release, kind="stable")
            later = np.cumsum(loads.load[begin:stop][order][::-1])[::-1]
            best = max(best, float((release[order] + later).max(initial=0.0)) - first)
        return best

    def _orders(self) -> Named:
        loads = replace(loads_of(self.instance), longest=self._earliest)
        programs: dict[str, Callable[[], float]] = {}
        if len(self) <= FULL[self._is_alone]:
            programs["lp3"] = lambda: full_order(loads)[0]
        if len(self) <= CUTS[self._is_alone]:
            programs["lp3_cuts"] = lambda: solve_cuts(self.instance, loads)[0]
        return optima(programs) | {"primal_dual": primal_dual(loads)[1]}

    def _intervals(self) -> Named:
        migration = self._regime == MIGRATORY
        name, epsilon = ("lp1", self._epsilon) if migration else ("lp2", 1.0)
        charges = {name: "d0", f"{name}_literal": "zero", f"{name}_plus": "plus"}
        if fractions(self.instance, epsilon, migration) > PLACES[self._is_alone]:
            is_known = ("intervals", epsilon, "d0", migration, None) in self.instance.solved
            charges = {name: "d0"} if is_known else {}
        elif not self._is_alone:
            charges = {f"{name}_plus": "plus"}

        def value(charge: str) -> float:
            earliest = self._earliest if charge == "plus" else None
            return solve_intervals(
                self.instance, epsilon=epsilon, charge=charge, migration=migration, earliest=earliest
            ).bound

        return optima({name: partial(value, charge) for name, charge in charges.items()})


def optima(programs: Mapping[str, Callable[[], float]]) -> Named:
    """Return the value of each linear program by name, without those for which HiGHS finds no optimum."""
    found: Named = {}
    for name, solve in programs.items():
        with suppress(NoOptimum):
            found[name] = solve()
    return found


def fractions(instance: Instance, epsilon: float, migration: bool) -> int:
    """Return how many fractions LP1 or LP2 has."""
    ends = needed_ends(instance, epsilon)
    if migration:
        return len(ends) * len(instance.time)
    return int((len(ends) - np.searchsorted(ends * (1.0 + 1e-12), instance.time)).sum())
