"""Slow motion of an optimum, and rounding to one machine and one interval a task by a perfect matching.

Work that an optimum does by time t is done by t / lambda, and a task stops when all its work is done. The printed rule
stops each machine when its own share of the task is done. With several machines that delays the task beyond its lambda
point: with shares 0.5 on A early, then 0.1 and 0.4 on B, and lambda = 0.6, A has done 0.5 and B 0.167 at that point.
With the cap on the task's total, as here, exactly 1 is done there. The printed rule is `cap="machine"`.

For the matching each machine has, for each interval, as many copies as the fractions there add up to, rounded up. The
tasks fill them in order of falling volume: a copy is full at weight 1, and the excess goes to the next. So each task
has weight 1 in all and each copy at most 1: a fractional perfect matching, so there is an integral one. Since copies
take tasks of falling volume, the volume of a machine-interval grows by no more than the largest of one task.

D. Shmoys, E. Tardos, An approximation algorithm for the generalized assignment problem, Mathematical Programming 62,
1993.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from shadowtime.engine.errors import SimulationError
from shadowtime.engine.families.multitask.packing.instance import Instance
from shadowtime.engine.families.multitask.packing.interval_lp import CLEAN, Fractions, charges
from shadowtime.engine.tables import is_new


@dataclass(frozen=True, eq=False)
class Matched:
    """One machine and interval for each task."""

    option: np.ndarray
    """Row of the instance's options, for each task."""
    interval: np.ndarray
    stretched: np.ndarray
    """The fractions after slow motion, in the rows of the optimum's."""


def running_total(group: np.ndarray, value: np.ndarray) -> np.ndarray:
    """Return the sum of `value` up to each row within its group; the rows of a group are adjacent."""
    total = np.cumsum(value)
    return total - np.maximum.accumulate(np.where(is_new(group), total - value, 0.0))


def stretched(
    task: np.ndarray, machine: np.ndarray, interval: np.ndarray, value: np.ndarray, lam: float, cap: str = "task"
) -> np.ndarray:
    """Return the fractions after slow motion, row by row; those of a task add up to 1 again.

    Parameters
    ----------
    task, machine, interval, value
        One fraction a row, those of a task adding up to 1, in any order.
    lam
        lambda, in (0, 1].
    cap
        `task`, or the printed `machine`.
    """
    whose = task if cap == "task" else task * (int(machine.max(initial=0)) + 1) + machine
    full = np.bincount(whose, value)
    order = np.lexsort((interval, whose))
    whose, grown = whose[order], value[order] / lam
    fresh = is_new(whose, interval[order])
    group, owner = np.cumsum(fresh) - 1, whose[fresh]
    add = np.bincount(group, grown, len(owner))
    done = np.cumsum(add) - add  # up to the group, over all owners
    done -= np.maximum.accumulate(np.where(is_new(owner), done, 0.0))
    factor = np.minimum(1.0, np.clip(full[owner] - done, 0.0, None) / add)
    made = np.empty(len(value))
    made[order] = grown * factor[group]
    return np.where(made < CLEAN, 0.0, made)


def _done(instance: Instance, fractions: Fractions) -> np.ndarray:
    """Return the fraction of each task (row) that is done by the end of each interval."""
    done = np.zeros((instance.tasks, len(fractions.ends)))
    np.add.at(done, (instance.owner[fractions.option], fractions.interval), fractions.value)
    return np.cumsum(done, axis=1)


def job_completion(instance: Instance, fractions: Fractions, charge: str = "d0") -> np.ndarray:
    """Return the end of each job in the optimum of the program [s]; 0 for a job without tasks."""
    least = np.ones((instance.jobs, len(fractions.ends)))
    np.minimum.at(least, instance.job, np.minimum(1.0, _done(instance, fractions)))
    cost = charges(instance, fractions.ends, charge)
    ends = cost[:, -1] - np.sum(np.diff(cost, axis=1) * least[:, :-1], axis=1)
    return np.where(instance.present, ends, 0.0)


def levels(instance: Instance, fractions: Fractions) -> np.ndarray:
    """Return all cumulative fractions of tasks by intervals, and 1: the breakpoints of the analysis in lambda."""
    reached = _done(instance, fractions).ravel()
    return np.unique(np.append(np.round(reached[(reached > 1e-6) & (reached < 1.0)], 12), 1.0))


def copies(group: np.ndarray, fractions: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return the edges of all machine-intervals (groups) as task (row), copy, weight.

    The fractions are ordered by group; copies are numbered from 0 in each group. A fraction is at most 1,
    so it lies in at most two copies.
    """
    end = running_total(group, fractions)
    near = np.round(end)
    end = np.where(np.abs(end - near) < CLEAN, near, end)
    start = np.where(is_new(group), 0.0, np.append(0.0, end[:-1]))
    first = np.floor(start)
    split = np.minimum(end, first + 1.0)
    rest = end - split
    both = np.flatnonzero(rest > 0.0)
    rows, copy = np.append(np.arange(len(group)), both), np.append(first, first[both] + 1.0)
    return rows, copy.astype("i8"), np.append(split - start, rest[both])


def match(instance: Instance, fractions: Fractions, lam: float, *, cap: str = "task", matching: str = "any") -> Matched:
    """Return a machine and an interval for each task, by slow motion with `lam`.

    matching: `any` perfect matching, or the one whose intervals end `earliest` in sum.

    Raises
    ------
    SimulationError
        If there is no perfect matching: an error in this module or in the optimum.
    """
    from scipy.sparse import csr_array
    from scipy.sparse.csgraph import maximum_bipartite_matching, min_weight_full_bipartite_matching

    task, machine = instance.owner[fractions.option], instance.machine[fractions.option]
    slowed = stretched(task, machine, fractions.interval, fractions.value, lam, cap)
    rows = np.flatnonzero(slowed > 0.0)
    place = machine * len(fractions.ends) + fractions.interval
    rows = rows[np.lexsort((task[rows], -instance.volume[fractions.option[rows]], place[rows]))]
    entry, copy, weight = copies(place[rows], slowed[rows])
    good = weight > CLEAN
    entry, copy = rows[entry[good]], copy[good]
    names, column = np.unique(place[entry] * (instance.tasks + 1) + copy, return_inverse=True)
    cost = np.ones(len(entry), np.int8) if matching == "any" else fractions.ends[fractions.interval[entry]]
    graph = csr_array((cost, (task[entry], column)), shape=(instance.tasks, len(names)))
    if matching == "any":
        chosen = maximum_bipartite_matching(graph, perm_type="column")
    else:
        try:
            _, chosen = min_weight_full_bipartite_matching(graph)
        except ValueError:  # no full matching exists
            chosen = np.full(instance.tasks, -1)
    if len(chosen) < instance.tasks or (chosen < 0).any():
        raise SimulationError(f"no matching covers all {instance.tasks:,} tasks: report it as a fault")
    edge = {(int(k), int(c)): int(e) for k, c, e in zip(task[entry], column, entry, strict=True)}
    won = np.array([edge[k, int(c)] for k, c in enumerate(chosen)])
    return Matched(fractions.option[won], fractions.interval[won], slowed)
