"""Slow motion: work that an optimum does by time t is done by t / lambda, and a task stops when all its work is done.

The printed rule stops each machine when its own share of the task is done. With several machines that delays the task
beyond its lambda point: with shares 0.5 on A early, then 0.1 and 0.4 on B, and lambda = 0.6, A has done 0.5 and B 0.167
at that point. With the cap on the task's total, as here, exactly 1 is done there. The printed rule is `cap="machine"`.
"""

from __future__ import annotations

import numpy as np

from shadowtime.engine.families.multitask.packing.instance import Instance
from shadowtime.engine.families.multitask.packing.interval_lp import CLEAN, Fractions, charges


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
    whose, interval, grown = whose[order], interval[order], value[order] / lam
    fresh = np.ones(len(order), bool)
    fresh[1:] = (whose[1:] != whose[:-1]) | (interval[1:] != interval[:-1])
    group = np.cumsum(fresh) - 1
    add = np.bincount(group, grown, fresh.sum())
    owner = whose[fresh]
    done = np.cumsum(add) - add  # up to the group, over all owners
    opens = np.ones(len(owner), bool)
    opens[1:] = owner[1:] != owner[:-1]
    done -= np.maximum.accumulate(np.where(opens, done, 0.0))
    room = np.clip(full[owner] - done, 0.0, None)
    factor = np.minimum(1.0, room / add)
    made = np.empty(len(value))
    made[order] = grown * factor[group]
    return np.where(made < CLEAN, 0.0, made)


def job_completion(instance: Instance, fractions: Fractions, charge: str = "d0") -> np.ndarray:
    """Return the end of each job in the optimum of the program [s]; 0 for a job without tasks."""
    many = len(fractions.ends)
    done = np.zeros((instance.tasks, many))
    np.add.at(done, (instance.owner[fractions.option], fractions.interval), fractions.value)
    least = np.ones((instance.jobs, many))
    np.minimum.at(least, instance.job, np.minimum(1.0, np.cumsum(done, axis=1)))
    cost = charges(instance, fractions.ends, charge)
    ends = cost[:, -1] - np.sum(np.diff(cost, axis=1) * least[:, :-1], axis=1)
    return np.where(np.bincount(instance.job, minlength=instance.jobs) > 0, ends, 0.0)


def levels(instance: Instance, fractions: Fractions) -> np.ndarray:
    """Return all cumulative fractions of tasks by intervals, and 1: the breakpoints of the analysis in lambda."""
    done = np.zeros((instance.tasks, len(fractions.ends)))
    np.add.at(done, (instance.owner[fractions.option], fractions.interval), fractions.value)
    reached = np.cumsum(done, axis=1).ravel()
    return np.unique(np.append(np.round(reached[(reached > 1e-6) & (reached < 1.0)], 12), 1.0))
