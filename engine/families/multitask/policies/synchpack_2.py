"""SynchPack-2: fractions of a linear program in slow motion; a matching rounds them to one machine and interval a task,
which are packed interval by interval and shifted left."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from shadowtime.engine.families.multitask.packing.instance import Instance
from shadowtime.engine.families.multitask.packing.interval_lp import Fractions, solve_intervals
from shadowtime.engine.families.multitask.packing.rounding import Matched, job_completion, levels, match
from shadowtime.engine.families.multitask.policies.online import Busy, Offline
from shadowtime.engine.families.multitask.policies.place_once import list_once, shift_left
from shadowtime.engine.runner.plan import Plan
from shadowtime.engine.runner.watch import Watch

TRIED = (0.4, 0.6, 0.8, 1.0)
"""Values of lambda that are always tried, in addition to `draws` random ones."""


def synchpack_2(values: Mapping[str, Any], rng: np.random.Generator, watch: Watch) -> Offline:
    """Return the planner of jobs that are all there: the plan of the lambda with the least weighted completion.

    Ties: the first tried.
    """

    def planned(part: Instance, horizon: float, busy: Busy) -> Plan:
        fractions = solve_intervals(part, charge=values["charge"], watch=watch)
        watch.add_intervals(fractions.ends.tolist())
        ends = job_completion(part, fractions, values["charge"])
        best, least = None, np.inf
        tried = candidates(part, fractions, values, rng)
        for at, lam in enumerate(tried):
            watch.look()
            watch.share = at / len(tried)
            matched = match(part, fractions, lam, cap=values["cap"], matching=values["matching"])
            made = packed(part, matched, ends, values["shift"], busy)
            value = float(part.weight @ part.last(made.completion(part.tasks)))
            if value < least * (1.0 - 1e-12):
                best, least = made, value
        assert best is not None, "at least one lambda is tried"
        return best

    return planned


def candidates(
    instance: Instance, fractions: Fractions, values: Mapping[str, Any], rng: np.random.Generator
) -> list[float]:
    """Return the values of lambda to try. Random ones have the density 2 lambda of the proof."""
    if values["lambda"] > 0.0:
        return [values["lambda"]]
    if values["choice"] == "random":
        return [float(np.sqrt(1.0 - rng.random()))]
    drawn = np.sqrt(1.0 - rng.random(values["draws"])).tolist()
    return levels(instance, fractions).tolist() if values["choice"] == "levels" else [*TRIED, *drawn]


def packed(instance: Instance, matched: Matched, ends: np.ndarray, shift: str, busy: Busy) -> Plan:
    """Return the schedule of a matching.

    Tasks of an interval are ordered by end of the job in the program, weight over volume, row.

    shift: `barrier`: an interval starts when all tasks of the one before have ended; `left`: then each task is shifted
    to the earliest time at which it fits; `list`: one list without barriers, which the proof does not cover.
    """
    volume = instance.least_volume
    worth = np.divide(instance.weight, volume, out=np.zeros(instance.jobs), where=volume > 0.0)
    place = np.empty(instance.jobs, "i8")
    place[np.lexsort((-worth, np.round(ends, 9)))] = np.arange(instance.jobs)
    machine, time = instance.machine[matched.option], instance.time[matched.option]
    level, rank = matched.interval, place[instance.job]
    if shift == "list":
        level, rank = np.zeros(instance.tasks, "i8"), level * (instance.jobs + 1) + rank
    start = list_once(machine, instance.size, time, level, rank, instance.capacity, busy)
    rows = np.arange(instance.tasks)
    if shift == "left":
        start = shift_left(machine, instance.size, time, start, rows, instance.capacity, busy)
    return Plan.of_tasks(rows, machine, start, start + time)
