"""Use an off-line planner for jobs that arrive over time: time is divided into intervals, and at the end of each one
the planner plans the remaining work of all jobs that have arrived.

Intervals are short at first and tend to `interval`: the i-th lasts `interval / (1 + growth exp(-decay i))`. The paper's
values are unknown; 5 mean gaps between arrivals, 50 and 3 are from memory, not verified. The paper plans at all
boundaries while there is work (`replan=intervals`); `arrivals` skips those without new arrivals since the last one: the
plan stays in force.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from itertools import chain, count, pairwise
from typing import Any

import numpy as np

from shadowtime.engine.errors import InvalidParameter
from shadowtime.engine.families.multitask.packing.instance import Instance
from shadowtime.engine.parameters import Choice, Real
from shadowtime.engine.runner.plan import Plan
from shadowtime.engine.runner.watch import Watch

INTERVALS = (
    Real("interval", 0.0, "Final length of the planning intervals when jobs arrive over time; 0: five mean gaps "
         "between arrivals.", low=0.0, high=1e9, unit="s"),
    Real("growth", 50.0, "How many times shorter the first interval is, minus one; from memory, not verified.",
         low=0.0, high=1e6),
    Real("decay", 3.0, "How fast intervals reach their final length; from memory, not verified.", low=0.0, high=1e3),
    Choice("replan", "arrivals", "At which boundaries between intervals the remaining work is planned again.",
           {"arrivals": "Those with new arrivals since the last", "intervals": "All, as in the paper"}, is_later=True),
)  # fmt: skip

SETTLED, NEAR = 200, 1e-12
"""Number of intervals after which all have their final length, but for a part of NEAR: with a slow decay it is more."""
LEAST = 0.001
"""Least decay, and least length of an interval [s], where not 0: with less a run takes practically for ever."""
DONE = 1e-9
"""A task with at most this share left is done."""


@dataclass(frozen=True, eq=False)
class Busy:
    """Machine, size and end [s from now] of each task that runs at the time of planning and is not preempted."""

    machine: np.ndarray
    size: np.ndarray
    until: np.ndarray


IDLE = Busy(np.zeros(0, "i8"), np.zeros(0), np.zeros(0))

Offline = Callable[[Instance, float, Busy], Plan]
"""Remaining work, how long the plan will be followed [s], and tasks that keep their room -> plan from 0 on."""


def lengths(release: np.ndarray, parameters: Mapping[str, Any]) -> Callable[[int], float]:
    """Return the function that gives the length of interval i [s]."""
    gap = float(np.ptp(release)) / max(1, len(release) - 1)
    for name in ("interval", "decay"):
        if 0.0 < parameters[name] < LEAST:
            raise InvalidParameter(f"{name} = {parameters[name]:g}, but it must be 0 or at least {LEAST:g}")
    final = parameters["interval"] or 5.0 * gap
    return lambda i: final / (1.0 + parameters["growth"] * math.exp(-parameters["decay"] * i))


def _settled(growth: float, decay: float) -> int:
    """Return the number of intervals after which all have their final length."""
    return max(SETTLED, math.ceil(math.log(growth / NEAR) / decay)) if growth and decay else SETTLED


def after_arrivals(release: np.ndarray, parameters: Mapping[str, Any]) -> Iterator[float]:
    """Yield the times at which a plan is made: 0, then the first boundary at or after each further arrival [s]."""
    arrivals, length = np.unique(release), lengths(release, parameters)
    at, i, seen, settled = 0.0, 0, 0, _settled(parameters["growth"], parameters["decay"])
    while seen < len(arrivals):
        if arrivals[seen] <= at:
            yield at
            seen = int(np.searchsorted(arrivals, at, side="right"))
            continue
        arrival = float(arrivals[seen])
        while at < arrival:
            step = length(i)
            if i > settled and arrival - at > step:  # intervals have reached their final length: jump
                jump = math.floor((arrival - at) / step)
                at, i = at + jump * step, i + jump
                if at >= arrival:
                    break
            at, i = at + step, i + 1


def at_every_interval(release: np.ndarray, parameters: Mapping[str, Any]) -> Iterator[float]:
    """Yield all boundaries [s], without end."""
    length, at = lengths(release, parameters), 0.0
    for i in count():
        yield at
        at = max(at + length(i), math.nextafter(at, math.inf))


def over_time(
    instance: Instance, release: np.ndarray, parameters: Mapping[str, Any], watch: Watch, plan: Offline, preempts: bool
) -> Plan:
    """Return the plan of all tasks: each boundary plans the remaining work of the jobs that have arrived.

    preempts: all tasks stop at a boundary; otherwise those that run keep their room until they end.
    """
    if not np.ptp(release):
        return plan(instance, np.inf, IDLE)
    left = np.ones(instance.tasks)
    parts: list[Plan] = []
    last = float(release.max())
    always = parameters.get("replan") == "intervals"
    instants = (
        at_every_interval(release, parameters) if always else chain(after_arrivals(release, parameters), [np.inf])
    )
    for at, until in pairwise(instants):
        watch.report(min(1.0, at / last))
        rows = np.flatnonzero((release[instance.job] <= at) & (left > 0.0))
        if not len(rows):
            if at >= last:
                break
            continue
        part, long, known = instance.part(rows, left[rows]), until - at, len(watch.bands)
        made = plan(part, long, IDLE if preempts else _running(instance, parts, at))
        kept = made.take(np.flatnonzero(made.start < long))
        if preempts:
            made = kept = Plan.of_tasks(kept.unit, kept.lanes, kept.start, np.minimum(kept.end, long))
            share = (kept.end - kept.start) / part.time_on(kept.unit, kept.lanes)
            left[rows] = np.maximum(0.0, 1.0 - np.bincount(kept.unit, share, part.tasks)) * left[rows]
            left[left < DONE] = 0.0
        else:
            left[rows[kept.unit]] = 0.0
        watch.add_period(known, at, min(until, at + float(made.end.max(initial=0.0))))
        parts.append(kept.moved(rows, at))
    return Plan.joined(parts)


def _running(instance: Instance, parts: list[Plan], at: float) -> Busy:
    """Return the tasks of the plans so far that run after `at` [s]."""
    so_far = Plan.joined(parts)
    runs = np.flatnonzero(so_far.end > at)
    return Busy(so_far.lanes[runs], instance.size[so_far.unit[runs]], so_far.end[runs] - at)
