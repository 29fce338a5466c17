"""The intervals of LP1 and LP2, which grow by the factor 1 + epsilon.

`d_l = u (1 + epsilon)^l`, u the least time of any task on any machine; interval l is (d_(l-1), d_l], the first (0, u].
They extend to the sum of all tasks' largest times. Most of the last ones are never needed:

Lemma. Let y place each task on one machine, with loads and times at most B, and let `epsilon d_l >= B` and `d_l >= B`.
Then some optimum of LP1 (of LP2) ends all tasks by interval l + 1. Proof: keep an optimum up to l; move all its work of
intervals l + 1 and later to interval l + 1, on the machines of y. No fraction becomes later, so no job costs more; on
machine i the volume up to l + 1 is at most `m_i d_l + m_i B <= m_i d_(l+1)`, a task's time at most `d_l + B`, and the
machine of y takes at most `B <= d_(l+1)` for it. So the programs have the intervals up to l + 1.
"""

from __future__ import annotations

import numpy as np

from shadowtime.engine.families.multitask.packing.instance import Instance


def interval_ends(instance: Instance, epsilon: float) -> np.ndarray:
    """Return d_0 .. d_L [s], L the smallest with `d_L >= T`, the sum of all tasks' largest times."""
    unit, total = float(instance.time.min()), float(instance.slowest.sum())
    count = max(0, int(np.ceil(np.log(total / unit) / np.log1p(epsilon) - 1e-9)))
    return unit * (1.0 + epsilon) ** np.arange(count + 1)


def needed_ends(instance: Instance, epsilon: float) -> np.ndarray:
    """Return those of `interval_ends` that suffice for an optimum, by the lemma."""
    ends = interval_ends(instance, epsilon)
    enough = np.flatnonzero(min(1.0, epsilon) * ends >= balanced_load(instance))
    return ends[: enough[0] + 2] if len(enough) else ends


def balanced_load(instance: Instance) -> float:
    """Return the largest load or time [s] when each task, largest volumes first, goes where the load stays least."""
    load = np.zeros(instance.machines)
    longest = 0.0
    share = instance.volume / instance.capacity[instance.machine]
    order = np.argsort(-np.minimum.reduceat(share, instance.options[:-1]), kind="stable")
    for k in order.tolist():
        mine = slice(instance.options[k], instance.options[k + 1])
        after = np.maximum(load[instance.machine[mine]] + share[mine], instance.time[mine])
        best = int(np.argmin(after))
        load[instance.machine[mine][best]] += share[mine][best]
        longest = max(longest, float(instance.time[mine][best]))
    return max(float(load.max()), longest)
