"""SynchPack-1: fractions of a linear program, scheduled greedily and executed in slow motion; tasks migrate."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from shadowtime.engine.families.multitask.packing.instance import Instance
from shadowtime.engine.families.multitask.packing.interval_lp import Fractions, solve_intervals
from shadowtime.engine.families.multitask.packing.rounding import levels, running_total
from shadowtime.engine.families.multitask.policies.lists import greedy
from shadowtime.engine.families.multitask.policies.online import IDLE, Busy, Offline
from shadowtime.engine.families.multitask.policies.place_once import shift_left
from shadowtime.engine.runner.plan import Plan
from shadowtime.engine.runner.watch import Watch

MOST_TRIED = 2_000
"""Values of lambda that are tried at most; but all levels of the program are tried, since the guarantee needs them."""


def synchpack_1(values: Mapping[str, Any], rng: np.random.Generator, watch: Watch) -> Offline:
    """Return the planner of jobs that are all there."""

    def planned(part: Instance, horizon: float, busy: Busy) -> Plan:
        fractions = solve_intervals(
            part, epsilon=values["epsilon"], charge=values["charge"], migration=True, watch=watch
        )
        watch.add_intervals(fractions.ends.tolist())
        played = Greedy(part, fractions)
        made = played.slowed(chosen(played, values, rng), values["cap"])
        return shifted(part, made) if values["shift"] else made

    return planned


class Greedy:
    """The greedy schedule of an optimum, in normal speed and in slow motion."""

    def __init__(self, instance: Instance, fractions: Fractions):
        self.instance, self.fractions = instance, fractions
        fraction, start, end = greedy(instance, fractions)
        option = fractions.option[fraction]
        task = instance.owner[option]
        order = np.lexsort((start, task))
        self.fraction, self.option, self.task = fraction[order], option[order], task[order]
        self.start, self.end = start[order], end[order]
        self.time = instance.time[self.option]
        self.after = running_total(self.task, (self.end - self.start) / self.time)
        """Finished share of the task at the end of each piece."""

    def job_ends(self, lam: float) -> np.ndarray:
        """Return C_j(lambda): when the share lambda of every task of a job is done [s]."""
        k = np.arange(self.instance.tasks)
        last = np.searchsorted(self.task, k, side="right") - 1
        at = np.minimum(np.searchsorted(self.task + self.after, k + lam - 1e-12), last)
        return self.instance.last(self.end[at] - np.maximum(0.0, self.after[at] - lam) * self.time[at])

    def value(self, lam: float) -> float:
        """Return the weighted completion in slow motion."""
        return float(self.instance.weight @ self.job_ends(lam)) / lam

    def candidates(self) -> np.ndarray:
        """Return values of lambda: all levels of the program, and shares at ends of pieces up to MOST_TRIED."""
        corners = levels(self.instance, self.fractions)
        inner = np.unique(np.round(self.after[(self.after > 1e-6) & (self.after < 1.0)], 12))
        room = max(0, MOST_TRIED - len(corners))
        if len(inner) > room:
            inner = inner[np.linspace(0, len(inner) - 1, room).astype("i8")]
        return np.unique(np.concatenate([corners, inner, [1.0]]))

    def kept(self, lam: float) -> float:
        """Return a candidate, or the share at the end of a piece from which it was rounded up.

        With a lambda above that share the rest of a task, one part in 10^12 or more, is a piece of its own: the
        candidate is not taken where jobs end later by it than `value` says.
        """
        made, near = self.slowed(lam, "task"), self.after[(self.after < lam) & (self.after > lam - 1e-12)]
        ends = np.zeros(self.instance.tasks)
        np.maximum.at(ends, made.unit, made.end)
        is_late = self.instance.weight @ self.instance.last(ends) > self.value(lam) * (1.0 + 1e-9)
        return float(near.min()) if is_late and len(near) else lam

    def slowed(self, lam: float, cap: str) -> Plan:
        """Return the schedule in slow motion: a piece [s, e) becomes [s / lambda, e / lambda), until its task is done.

        cap: `task`, or the printed `machine`: a machine stops when its own share of the task is done.
        """
        share = (self.end - self.start) / self.time / lam
        if cap == "task":
            room = 1.0 - (running_total(self.task, share) - share)
        else:
            where, owner = (
                self.instance.owner[option] * self.instance.machines + self.instance.machine[option]
                for option in (self.option, self.fractions.option)
            )
            order = np.lexsort((self.start, where))
            so_far = np.empty(len(where))
            so_far[order] = running_total(where[order], share[order])
            room = np.bincount(owner, self.fractions.value)[where] - (so_far - share)
        given = np.clip(np.minimum(share, room), 0.0, None)
        rows = np.flatnonzero(given > 1e-12)
        start = self.start[rows] / lam
        machine = self.instance.machine[self.option[rows]]
        return Plan.of_tasks(self.task[rows], machine, start, start + given[rows] * self.time[rows])


def chosen(played: Greedy, values: Mapping[str, Any], rng: np.random.Generator) -> float:
    """Return lambda: the parameter, a draw of density 2 lambda, or the best of the candidates."""
    if values["lambda"] > 0.0:
        return float(values["lambda"])
    if values["choice"] == "random":
        return float(np.sqrt(1.0 - rng.random()))
    return played.kept(min(played.candidates().tolist(), key=played.value))


def shifted(instance: Instance, pieces: Plan) -> Plan:
    """Return the pieces in the same order, each as early as its machine has room and its task's last piece ended."""
    long = pieces.end - pieces.start
    size = instance.size[pieces.unit]
    start = shift_left(pieces.lanes, size, long, pieces.start, pieces.unit, instance.capacity, IDLE)
    return Plan.of_tasks(pieces.unit, pieces.lanes, start, start + long)
