"""Use an off-line planner for jobs that arrive over time: time is divided into intervals, and at the end of each one
the planner plans the remaining work of all jobs that have arrived.

Intervals are short at first and tend to `interval`: the i-th lasts `interval / (1 + growth exp(-decay i))`. The paper's
values are unknown; 5 mean gaps between arrivals, 50 and 3 are from memory, not verified. A boundary without new
arrivals since the last one is skipped: the plan stays in force.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping
from itertools import pairwise
from typing import Any

import numpy as np

from shadowtime.engine.families.multitask.packing.instance import Instance
from shadowtime.engine.families.multitask.policies.busy import Busy
from shadowtime.engine.parameters import Real
from shadowtime.engine.runner.plan import Plan
from shadowtime.engine.runner.watch import Watch

INTERVAL = Real("interval", 0.0, "Final length of the planning intervals when jobs arrive over time; 0: five mean gaps "
                "between arrivals.", low=0.0, high=1e9, unit="s")  # fmt: skip
GROWTH = Real("growth", 50.0, "How many times shorter the first interval is, minus one; from memory, not verified.",
              low=0.0, high=1e6)  # fmt: skip
DECAY = Real("decay", 3.0, "How fast intervals reach their final length; from memory, not verified.", low=0.0, high=1e3)
INTERVALS = (INTERVAL, GROWTH, DECAY)

DONE = 1e-9
"""A task with at most this share left is done."""

Offline = Callable[[Instance, float], Plan]
"""Remaining work, and how long the plan will be followed [s] -> plan from 0 on."""


def boundaries(release: np.ndarray, parameters: Mapping[str, Any]) -> Iterator[float]:
    """Yield the times at which a plan is made: 0, then the first boundary at or after each further arrival [s]."""
    arrivals = np.unique(release)
    gap = float(arrivals[-1] - arrivals[0]) / max(1, len(release) - 1)
    length = parameters["interval"] or 5.0 * gap
    at, i, seen = 0.0, 0, 0
    while seen < len(arrivals):
        if arrivals[seen] <= at:
            yield at
            seen = int(np.searchsorted(arrivals, at, side="right"))
            continue
        arrival = float(arrivals[seen])
        while at < arrival:
            step = length / (1.0 + parameters["growth"] * math.exp(-parameters["decay"] * i))
            if i > 200 and arrival - at > step:  # intervals have reached their final length: jump
                jump = math.floor((arrival - at) / step)
                at, i = at + jump * step, i + jump
                if at >= arrival:
                    break
            at, i = at + step, i + 1


def preemptive(
    instance: Instance,
    release: np.ndarray,
    parameters: Mapping[str, Any],
    watch: Watch,
    plan: Offline,
    *,
    at_arrivals: bool = False,
) -> Plan:
    """Return the plan of all tasks: at each boundary, or arrival, all tasks stop and the remaining work is planned."""
    if not np.ptp(release):
        return plan(instance, np.inf)
    left = np.ones(instance.tasks)
    instants = [*(np.unique(release).tolist() if at_arrivals else boundaries(release, parameters)), np.inf]
    parts = []
    for at, until in pairwise(instants):
        watch.report(at / instants[-2] if instants[-2] else 1.0)
        rows = np.flatnonzero((release[instance.job] <= at) & (left > 0.0))
        if len(rows):
            part, known = instance.part(rows, left[rows]), len(watch.bands)
            made = clipped(plan(part, until - at), until - at)
            if not at_arrivals:
                watch.add_period(known, at, min(until, at + float(made.end.max(initial=0.0))))
            left[rows] = remaining(part, made) * left[rows]
            left[left < DONE] = 0.0
            parts.append(made.moved(rows, at))
    return Plan.joined(parts)


def clipped(pieces: Plan, until: float) -> Plan:
    """Return the part of a plan before `until`."""
    kept = pieces.take(np.flatnonzero(pieces.start < until))
    return Plan.of_tasks(kept.unit, kept.lanes, kept.start, np.minimum(kept.end, until))


def remaining(instance: Instance, pieces: Plan) -> np.ndarray:
    """Return what is left of each task after these pieces, as a share of its work in the instance."""
    share = (pieces.end - pieces.start) / instance.time_on(pieces.unit, pieces.lanes)
    return np.maximum(0.0, 1.0 - np.bincount(pieces.unit, share, instance.tasks))


def nonpreemptive(
    instance: Instance,
    release: np.ndarray,
    parameters: Mapping[str, Any],
    watch: Watch,
    plan: Callable[[Instance, Busy], Plan],
) -> Plan:
    """Return the plan of all tasks without preemption: each boundary plans the tasks that have not started.

    Running tasks keep their room until they end.
    """
    if not np.ptp(release):
        return plan(instance, Busy())
    started = np.zeros(instance.tasks, bool)
    instants = [*boundaries(release, parameters), np.inf]
    parts: list[Plan] = []
    for at, until in pairwise(instants):
        watch.report(at / instants[-2] if instants[-2] else 1.0)
        rows = np.flatnonzero((release[instance.job] <= at) & ~started)
        if len(rows):
            so_far = Plan.joined(parts)
            runs = np.flatnonzero(so_far.end > at)
            busy = Busy(so_far.lanes[runs], instance.size[so_far.unit[runs]], so_far.end[runs] - at)
            known = len(watch.bands)
            made = plan(instance.part(rows), busy)
            watch.add_period(known, at, min(until, at + float(made.end.max(initial=0.0))))
            made = made.take(np.flatnonzero(made.start < until - at))
            started[rows[made.unit]] = True
            parts.append(made.moved(rows, at))
    return Plan.joined(parts)
