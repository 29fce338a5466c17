"""Round fractions to one machine and one interval a task, by copies of machine-intervals and a perfect matching.

Each machine has, for each interval, as many copies as the fractions there add up to, rounded up. The tasks fill them in
order of falling volume: a copy is full at weight 1, and the excess goes to the next. So each task has weight 1
in all and each copy at most 1: a fractional perfect matching, so there is an integral one. Since copies take tasks of
falling volume, the volume of a machine-interval grows by no more than the largest of one task.

D. Shmoys, E. Tardos, An approximation algorithm for the generalized assignment problem, Mathematical Programming 62,
1993.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from shadowtime.engine.errors import SimulationError
from shadowtime.engine.families.multitask.packing.instance import Instance
from shadowtime.engine.families.multitask.packing.interval_lp import CLEAN, Fractions
from shadowtime.engine.families.multitask.packing.slow_motion import stretched


@dataclass(frozen=True, eq=False)
class Matched:
    """One machine and interval for each task."""

    option: np.ndarray
    """Row of the instance's options, for each task."""
    interval: np.ndarray
    stretched: np.ndarray
    """The fractions after slow motion, in the rows of the optimum's."""


def copies(group: np.ndarray, fractions: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return the edges of all machine-intervals (groups) as task (row), copy, weight.

    The fractions are ordered by group; copies are numbered from 0 in each group. A fraction is at most 1,
    so it lies in at most two copies.
    """
    total = np.cumsum(fractions)
    opens = np.ones(len(group), bool)
    opens[1:] = group[1:] != group[:-1]
    before = np.maximum.accumulate(np.where(opens, total - fractions, 0.0))
    end = _whole(total - before)
    start = np.where(opens, 0.0, np.append(0.0, end[:-1]))
    first = np.floor(start)
    split = np.minimum(end, first + 1.0)
    weight, rest = split - start, end - split
    row = np.arange(len(group))
    both = np.flatnonzero(rest > 0.0)
    rows = np.concatenate([row, both])
    return rows, np.concatenate([first, first[both] + 1.0]).astype("i8"), np.concatenate([weight, rest[both]])


def _whole(values: np.ndarray) -> np.ndarray:
    """Return the values, those within CLEAN of a whole number rounded to it."""
    near = np.round(values)
    return np.where(np.abs(values - near) < CLEAN, near, values)


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
    shape = (instance.tasks, len(names))
    if matching == "any" or len(names) < instance.tasks:
        graph = csr_array((np.ones(len(entry), np.int8), (task[entry], column)), shape=shape)
        chosen = maximum_bipartite_matching(graph, perm_type="column")
    else:
        graph = csr_array((fractions.ends[fractions.interval[entry]], (task[entry], column)), shape=shape)
        chosen = _earliest(graph, min_weight_full_bipartite_matching)
    if (chosen < 0).any():
        raise SimulationError(f"no matching covers all {instance.tasks:,} tasks at lambda = {lam:g}; please report it")
    edge = {(int(k), int(c)): int(e) for k, c, e in zip(task[entry], column, entry, strict=True)}
    won = np.array([edge[k, int(c)] for k, c in enumerate(chosen)])
    return Matched(fractions.option[won], fractions.interval[won], slowed)


def _earliest(graph, solve) -> np.ndarray:
    """Return the column of each row in the cheapest matching, -1 where there is none."""
    try:
        rows, columns = solve(graph)
    except ValueError:  # no full matching exists
        return np.full(graph.shape[0], -1)
    chosen = np.full(graph.shape[0], -1)
    chosen[rows] = columns
    return chosen
