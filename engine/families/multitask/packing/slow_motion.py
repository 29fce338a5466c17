"""Slow motion: what an optimum does by time t is done by t / lambda, and a task stops as soon as all of it is done.

The printed rule stops each machine when its own share of the task is done. With several machines that delays the task
beyond its lambda point: shares 0.5 on A early, 0.1 and then 0.4 on B, lambda = 0.6: at the point A has given 0.5 and B
0.167. Capped on the task's total, as here, it is exactly 1 there. The printed cap is kept as `machine`.
"""

from __future__ import annotations

import numpy as np

from shadowtime.engine.families.multitask.packing.instance import Instance
from shadowtime.engine.families.multitask.packing.interval_lp import CLEAN, Fractions, charges


def stretched(
    task: np.ndarray, machine: np.ndarray, interval: np.ndarray, value: np.ndarray, lam: float, cap: str = "task"
) -> np.ndarray:
    """Fractions after slow motion, row by row; those of a task add up to 1 again.

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
    """What the optimum says of each job's end [s]; 0 for a job without tasks."""
    many = len(fractions.ends)
    done = np.zeros((instance.tasks, many))
    np.add.at(done, (instance.owner[fractions.option], fractions.interval), fractions.value)
    least = np.ones((instance.jobs, many))
    np.minimum.at(least, instance.job, np.minimum(1.0, np.cumsum(done, axis=1)))
    cost = charges(instance, fractions.ends, charge)
    ends = cost[:, -1] - np.sum(np.diff(cost, axis=1) * least[:, :-1], axis=1)
    return np.where(np.bincount(instance.job, minlength=instance.jobs) > 0, ends, 0.0)


def levels(instance: Instance, fractions: Fractions) -> np.ndarray:
    """All cumulative fractions of tasks at the ends of intervals, and 1: where the analysis has its corners."""
    done = np.zeros((instance.tasks, len(fractions.ends)))
    np.add.at(done, (instance.owner[fractions.option], fractions.interval), fractions.value)
    reached = np.cumsum(done, axis=1).ravel()
    return np.unique(np.append(np.round(reached[(reached > 1e-6) & (reached < 1.0)], 12), 1.0))
