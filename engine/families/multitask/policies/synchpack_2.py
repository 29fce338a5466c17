"""SynchPack-2: fractions of a linear program in slow motion; a matching rounds them to one machine and interval a task,
which are packed interval by interval and shifted left."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from shadowtime.engine.families.multitask.packing.instance import Instance
from shadowtime.engine.families.multitask.packing.interval_lp import Fractions, solve_intervals
from shadowtime.engine.families.multitask.packing.matching import Matched, match
from shadowtime.engine.families.multitask.packing.slow_motion import job_completion, levels
from shadowtime.engine.families.multitask.policies.busy import Busy
from shadowtime.engine.families.multitask.policies.online import nonpreemptive
from shadowtime.engine.families.multitask.policies.place_once import list_once, shift_left
from shadowtime.engine.runner.plan import Plan
from shadowtime.engine.runner.watch import Watch

TRIED = (0.4, 0.6, 0.8, 1.0)
"""Values of lambda that are always tried, in addition to `draws` random ones."""


def plan(
    instance: Instance, release: np.ndarray, parameters: Mapping[str, Any], rng: np.random.Generator, watch: Watch
) -> Plan:
    """Return the plan of all tasks; `release` of each job [s], the first at 0."""

    def planned(part: Instance, busy: Busy) -> Plan:
        fractions = solve_intervals(part, charge=parameters["charge"], watch=watch)
        watch.add_intervals(fractions.ends.tolist())
        return best_of(part, fractions, parameters, rng, watch, busy)

    return nonpreemptive(instance, release, parameters, watch, planned)


def best_of(
    instance: Instance,
    fractions: Fractions,
    parameters: Mapping[str, Any],
    rng: np.random.Generator,
    watch: Watch,
    busy: Busy,
) -> Plan:
    """Return the plan of the lambda with the least weighted completion; ties: the first tried."""
    ends = job_completion(instance, fractions, parameters["charge"])
    best, least = None, np.inf
    tried = candidates(instance, fractions, parameters, rng)
    for at, lam in enumerate(tried):
        watch.look()
        watch.share = at / len(tried)
        matched = match(instance, fractions, lam, cap=parameters["cap"], matching=parameters["matching"])
        made = packed(instance, matched, ends, parameters["shift"], busy)
        done = np.zeros(instance.jobs)
        np.maximum.at(done, instance.job, made.completion(instance.tasks))
        value = float(instance.weight @ done)
        if value < least * (1.0 - 1e-12):
            best, least = made, value
    assert best is not None, "at least one lambda is tried"
    return best


def candidates(
    instance: Instance, fractions: Fractions, parameters: Mapping[str, Any], rng: np.random.Generator
) -> list[float]:
    """Return the values of lambda to try. Random ones have the density 2 lambda of the proof."""
    if parameters["lambda"] > 0.0:
        return [parameters["lambda"]]
    if parameters["choice"] == "random":
        return [float(np.sqrt(1.0 - rng.random()))]
    drawn = np.sqrt(1.0 - rng.random(parameters["draws"])).tolist()
    if parameters["choice"] == "levels":
        return levels(instance, fractions).tolist()
    return [*TRIED, *drawn]


def ranks(instance: Instance, ends: np.ndarray) -> np.ndarray:
    """Return the rank of each task within an interval: by end of its job in the program, weight over volume, row."""
    volume = instance.least_volume
    with np.errstate(divide="ignore", invalid="ignore"):
        worth = np.where(volume > 0.0, instance.weight / volume, 0.0)
    order = np.lexsort((np.arange(instance.jobs), -worth, np.round(ends, 9)))
    place = np.empty(instance.jobs, "i8")
    place[order] = np.arange(instance.jobs)
    return place[instance.job]


def packed(instance: Instance, matched: Matched, ends: np.ndarray, shift: str, busy: Busy) -> Plan:
    """Return the schedule of a matching.

    shift: `barrier`: an interval starts when all tasks of the one before have ended; `left`: then each task is shifted
    to the earliest time at which it fits; `list`: one list without barriers, which the proof does not cover.
    """
    machine, time = instance.machine[matched.option], instance.time[matched.option]
    level = np.zeros(instance.tasks, "i8") if shift == "list" else matched.interval
    rank = ranks(instance, ends)
    if shift == "list":
        rank = matched.interval * (instance.jobs + 1) + rank
    start = list_once(machine, instance.size, time, level, rank, instance.capacity, busy)
    if shift == "left":
        rows = np.arange(instance.tasks)
        start = shift_left(machine, instance.size, time, start, np.zeros(instance.tasks), rows, instance.capacity, busy)
    return Plan.of_tasks(np.arange(instance.tasks), machine, start, start + time)
