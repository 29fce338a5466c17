"""Solve LP1 (tasks migrate) and LP2 (they do not): which fraction of a task runs on which machine in which interval.

The program has cumulative variables, so that the number of entries grows with the number of intervals and not with its
square: Y of a task (fraction done by interval l), U of a machine (volume done by then), R of a task in LP1 (its running
time by then), X of a job (fraction that has ended by then). The objective is summed by parts.

In LP2 a task has no fraction in an interval that ends before its time on that machine, so its times need no rows.

`charge` is the cost of an end in interval l: `d0` its left end, and u in the first interval, which is a lower bound on
any end and needed by the proofs; `zero`: 0 there, as printed; `plus`: the larger of `d0` and the job's longest task.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from shadowtime.engine.families.multitask.packing.instance import Instance
from shadowtime.engine.families.multitask.packing.intervals import needed_ends
from shadowtime.engine.families.multitask.packing.solver import Program, Solver
from shadowtime.engine.runner.watch import Watch

CLEAN = 1e-9
"""Smaller fractions are rounding errors."""


@dataclass(frozen=True, eq=False)
class Fractions:
    """An optimum: fraction `value[f]` of a task runs at `option[f]` (a row of the options) in `interval[f]`."""

    bound: float
    """Value of the program."""
    ends: np.ndarray
    """d_0 .. of the intervals of the program [s]."""
    option: np.ndarray
    interval: np.ndarray
    value: np.ndarray


def charges(instance: Instance, ends: np.ndarray, charge: str, earliest: np.ndarray | None = None) -> np.ndarray:
    """Return the cost of each job (row) that ends in each interval [s]; `earliest` end of each job, for `plus`."""
    earliest = instance.longest if earliest is None else earliest
    first = 0.0 if charge == "zero" else ends[0]
    left = np.tile(np.concatenate([[first], ends[:-1]]), (instance.jobs, 1))
    return np.maximum(left, earliest[:, None]) if charge == "plus" else left


def interval_program(
    instance: Instance, ends: np.ndarray, charge: str, migration: bool, earliest: np.ndarray | None = None
) -> tuple[Program, np.ndarray]:
    """Return the program, and its fractions: option and interval of the first columns."""
    intervals, tasks, machines = len(ends), instance.tasks, instance.machines
    fits = instance.time[:, None] <= ends[None, :] * (1.0 + 1e-12)
    option, level = np.nonzero(np.ones_like(fits) if migration else fits)
    task, machine = instance.owner[option], instance.machine[option]
    cost_of = charges(instance, ends, charge, earliest)
    gain = instance.weight[:, None] * np.diff(cost_of, axis=1)
    present = np.bincount(instance.job, minlength=instance.jobs) > 0
    gain[~present] = 0.0
    at = {"z": 0, "Y": len(option)}
    at["U"] = at["Y"] + tasks * intervals
    at["R"] = at["U"] + machines * intervals
    # For intervals that end after a task's largest time, (c) follows: its fractions add up to 1 at most.
    timed = (ends[None, :] < instance.slowest[:, None]) & migration
    at["X"] = at["R"] + int(timed.sum())
    x_of = np.full((instance.jobs, intervals), -1)
    paid = np.flatnonzero(gain.ravel() > 0.0)
    x_job, x_level = np.divmod(paid, max(1, intervals - 1))
    x_of[x_job, x_level] = at["X"] + np.arange(len(paid))
    columns = at["X"] + len(paid)

    cost, low, high = np.zeros(columns), np.zeros(columns), np.ones(columns)
    cost[at["X"] :] = -gain.ravel()[paid]
    high[at["U"] : at["R"]] = (instance.capacity[:, None] * ends[None, :]).ravel()
    high[at["R"] : at["X"]] = np.broadcast_to(ends, timed.shape)[timed]
    last = at["Y"] + np.arange(tasks) * intervals + intervals - 1
    low[last] = 1.0

    parts = [_cumulative(at["Y"], np.ones((tasks, intervals), bool), task, level, np.ones(len(option)))]
    parts.append(_cumulative(at["U"], np.ones((machines, intervals), bool), machine, level, instance.volume[option]))
    parts.append(_cumulative(at["R"], timed, task, level, instance.time[option]))
    k, level_of = np.nonzero(x_of[instance.job] >= 0)  # (f): X_jl <= Y_kl
    rows = np.arange(len(k))
    parts.append(
        (
            np.tile(rows, 2),
            np.concatenate([at["Y"] + k * intervals + level_of, x_of[instance.job[k], level_of]]),
            np.concatenate([np.ones(len(k)), -np.ones(len(k))]),
            len(k),
            np.inf,
        )
    )
    begin = np.cumsum([0, *(part[3] for part in parts)])
    program = Program(
        cost, low, high, np.zeros(begin[-1]), np.concatenate([np.full(part[3], part[4]) for part in parts]),
        np.concatenate([part[0] + b for part, b in zip(parts, begin, strict=False)]),
        np.concatenate([part[1] for part in parts]), np.concatenate([part[2] for part in parts]),
        float(instance.weight[present] @ cost_of[present, -1]),
    )  # fmt: skip
    return program, np.stack([option, level])


def _cumulative(at: int, used: np.ndarray, thing: np.ndarray, level: np.ndarray, value: np.ndarray):
    """Return the rows `V_l - V_(l-1) - sum of value z_l = 0` of the cumulative variables from column `at` on.

    used: which variables exist, things x intervals; those of a thing are its first ones.
    """
    place = np.where(used.ravel(), np.cumsum(used.ravel()) - 1, -1)
    row = np.arange(int(used.sum()))
    later = row[np.nonzero(used)[1] > 0]
    z = np.flatnonzero(used[thing, level])
    entries = (
        np.concatenate([row, later, place[thing[z] * used.shape[1] + level[z]]]),
        np.concatenate([at + row, at + later - 1, z]),
        np.concatenate([np.ones(len(row)), -np.ones(len(later)), -value[z]]),
    )
    return *entries, len(row), 0.0


def solve_intervals(
    instance: Instance,
    *,
    epsilon: float = 1.0,
    charge: str = "d0",
    migration: bool = False,
    earliest: np.ndarray | None = None,
    watch: Watch | None = None,
) -> Fractions:
    """Return an optimum of LP1 (`migration`) or LP2, without tiny fractions; those of each task add up to 1.

    LP2 is defined for epsilon 1; jobs without tasks cost nothing. `earliest`: see `charges`.
    """
    key = ("intervals", epsilon, charge, migration, None if earliest is None else earliest.tobytes())
    if key not in instance.solved:
        instance.solved[key] = _solved(instance, epsilon, charge, migration, earliest, watch)
    return instance.solved[key]


def _solved(
    instance: Instance,
    epsilon: float,
    charge: str,
    migration: bool,
    earliest: np.ndarray | None,
    watch: Watch | None,
) -> Fractions:
    ends = needed_ends(instance, epsilon)
    program, place = interval_program(instance, ends, charge, migration, earliest)
    bound, x = Solver(program, watch).solve()
    z = x[: place.shape[1]]
    keep = np.flatnonzero(z >= CLEAN)
    option, interval, value = place[0, keep], place[1, keep], z[keep]
    task = instance.owner[option]
    value = value / np.bincount(task, value, instance.tasks)[task]
    return Fractions(bound, ends, option, interval, value)
