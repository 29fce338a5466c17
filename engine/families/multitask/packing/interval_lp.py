"""Solve LP1 (tasks migrate) and LP2 (they do not): which fraction of a task runs on which machine in which interval.

Intervals grow by the factor 1 + epsilon: `d_l = u (1 + epsilon)^l`, u the least time of any task on any machine;
interval l is (d_(l-1), d_l], the first (0, u]. They extend to the sum of all tasks' largest times. Most of the last
ones are never needed:

Lemma. Let y place each task on one machine, with loads and times at most B, and let `epsilon d_l >= B` and `d_l >= B`.
Then some optimum of LP1 (of LP2) ends all tasks by interval l + 1. Proof: keep an optimum up to l; move all its work of
intervals l + 1 and later to interval l + 1, on the machines of y. No fraction becomes later, so no job costs more; on
machine i the volume up to l + 1 is at most `m_i d_l + m_i B <= m_i d_(l+1)`, a task's time at most `d_l + B`, and the
machine of y takes at most `B <= d_(l+1)` for it. So the programs have the intervals up to l + 1.

The program has cumulative variables, so that the number of entries grows with the number of intervals and not with its
square: Y of a task (fraction done by interval l), U of a machine (volume done by then), R of a task in LP1 (its running
time by then), X of a job (fraction that has ended by then). The objective is summed by parts. In LP2 a task has no
fraction in an interval that ends before its time on that machine, so its times need no rows.

`charge` is the cost of an end in interval l: `d0` its left end, and u in the first interval, which is a lower bound on
any end and needed by the proofs; `zero`: 0 there, as printed; `plus`: the larger of `d0` and the job's longest task.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from shadowtime.engine.bounds.linear_program import Program, Solver
from shadowtime.engine.families.multitask.packing.instance import Instance
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


def interval_ends(instance: Instance, epsilon: float) -> np.ndarray:
    """Return d_0 .. d_L [s], L the smallest with `d_L >= T`, the sum of all tasks' largest times."""
    unit, total = float(instance.time.min()), float(instance.slowest.sum())
    count = max(0, int(np.ceil(np.log(total / unit) / np.log1p(epsilon) - 1e-9)))
    return unit * (1.0 + epsilon) ** np.arange(count + 1)


def needed_ends(instance: Instance, epsilon: float) -> np.ndarray:
    """Return those of `interval_ends` that suffice for an optimum, by the lemma."""
    ends = interval_ends(instance, epsilon)
    enough = np.flatnonzero(min(1.0, epsilon) * ends >= _balanced_load(instance))
    return ends[: enough[0] + 2] if len(enough) else ends


def _balanced_load(instance: Instance) -> float:
    """Return the largest load or time [s] when each task, largest volumes first, goes where the load stays least."""
    load, longest = np.zeros(instance.machines), 0.0
    share = instance.volume / instance.capacity[instance.machine]
    order = np.argsort(-np.minimum.reduceat(share, instance.options[:-1]), kind="stable")
    for k in order.tolist():
        mine = slice(instance.options[k], instance.options[k + 1])
        best = int(np.argmin(np.maximum(load[instance.machine[mine]] + share[mine], instance.time[mine])))
        load[instance.machine[mine][best]] += share[mine][best]
        longest = max(longest, float(instance.time[mine][best]))
    return max(float(load.max()), longest)


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
    option, level = np.nonzero(fits | migration)
    task, machine = instance.owner[option], instance.machine[option]
    cost_of = charges(instance, ends, charge, earliest)
    gain = instance.weight[:, None] * np.diff(cost_of, axis=1)
    gain[~instance.present] = 0.0
    # For intervals that end after a task's largest time, (c) follows: its fractions add up to 1 at most.
    timed = (ends[None, :] < instance.slowest[:, None]) & migration
    x_job, x_level = np.nonzero(gain > 0.0)
    sizes = len(option), tasks * intervals, machines * intervals, int(timed.sum()), len(x_job)
    of_y, of_u, of_r, of_x, columns = np.cumsum(sizes).tolist()  # first columns of Y, U, R and X
    x_of = np.full((instance.jobs, intervals), -1)
    x_of[x_job, x_level] = of_x + np.arange(len(x_job))

    cost, low, high = np.zeros(columns), np.zeros(columns), np.ones(columns)
    cost[of_x:] = -gain[x_job, x_level]
    high[of_u:of_r] = (instance.capacity[:, None] * ends[None, :]).ravel()
    high[of_r:of_x] = np.broadcast_to(ends, timed.shape)[timed]
    low[of_y + np.arange(tasks) * intervals + intervals - 1] = 1.0

    k, level_of = np.nonzero(x_of[instance.job] >= 0)  # (f): X_jl <= Y_kl
    parts = [
        _cumulative(of_y, np.ones((tasks, intervals), bool), task, level, np.ones(len(option))),
        _cumulative(of_u, np.ones((machines, intervals), bool), machine, level, instance.volume[option]),
        _cumulative(of_r, timed, task, level, instance.time[option]),
        (
            np.tile(np.arange(len(k)), 2),
            np.concatenate([of_y + k * intervals + level_of, x_of[instance.job[k], level_of]]),
            np.repeat([1.0, -1.0], len(k)),
            np.full(len(k), np.inf),
        ),
    ]
    row, column, value, row_high = zip(*parts, strict=True)
    begin = np.cumsum([0, *(len(high) for high in row_high)])
    rows = np.concatenate([part + first for part, first in zip(row, begin, strict=False)])
    offset = float(instance.weight[instance.present] @ cost_of[instance.present, -1])
    program = Program(
        cost, low, high, np.zeros(begin[-1]), np.concatenate(row_high), rows, np.concatenate(column),
        np.concatenate(value), offset,
    )  # fmt: skip
    return program, np.stack([option, level])


def _cumulative(at: int, used: np.ndarray, thing: np.ndarray, level: np.ndarray, value: np.ndarray):
    """Return the rows `V_l - V_(l-1) - sum of value z_l = 0` of the cumulative variables from column `at` on.

    used: which variables exist, things x intervals; those of a thing are its first ones.
    """
    place = (np.cumsum(used.ravel()) - 1).reshape(used.shape)
    row = np.arange(int(used.sum()))
    later = row[np.nonzero(used)[1] > 0]
    z = np.flatnonzero(used[thing, level])
    return (
        np.concatenate([row, later, place[thing[z], level[z]]]),
        np.concatenate([at + row, at + later - 1, z]),
        np.concatenate([np.ones(len(row)), -np.ones(len(later)), -value[z]]),
        np.zeros(len(row)),
    )


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
        ends = needed_ends(instance, epsilon)
        program, (option, interval) = interval_program(instance, ends, charge, migration, earliest)
        bound, x = Solver(program, watch).solve()
        keep = np.flatnonzero(x[: len(option)] >= CLEAN)
        task, value = instance.owner[option[keep]], x[keep]
        value = value / np.bincount(task, value, instance.tasks)[task]
        instance.solved[key] = Fractions(bound, ends, option[keep], interval[keep], value)
    return instance.solved[key]
