"""LP1 and LP2 as printed: one row for each sum over the intervals so far. Slow twin of `packing.interval_lp`."""

from __future__ import annotations

import numpy as np
from scipy.optimize import linprog

from shadowtime.engine.families.multitask.packing.instance import Instance
from shadowtime.engine.families.multitask.packing.interval_lp import charges, interval_ends


def dense_value(instance: Instance, epsilon: float, charge: str, migration: bool) -> float:
    """The value of the program over all its intervals."""
    ends = interval_ends(instance, epsilon)
    many = len(ends)
    z = {}
    for o in range(len(instance.owner)):
        for level in range(many):
            if migration or instance.time[o] <= ends[level] * (1 + 1e-12):
                z[o, level] = len(z)
    x = {(j, level): len(z) + j * many + level for j in range(instance.jobs) for level in range(many)}
    columns = len(z) + len(x)
    cost = np.zeros(columns)
    for (j, level), at in x.items():
        cost[at] = instance.weight[j] * charges(instance, ends, charge)[j, level]
    above, limits, equal, right = [], [], [], []

    def row(entries):
        made = np.zeros(columns)
        for at, value in entries:
            made[at] += value
        return made

    for k in range(instance.tasks):
        mine = [(o, level) for o, level in z if instance.owner[o] == k]
        equal.append(row([(z[key], 1.0) for key in mine]))
        right.append(1.0)
        for level in range(many):
            until = [key for key in mine if key[1] <= level]
            above.append(row([(z[key], instance.time[key[0]]) for key in until]))
            limits.append(ends[level])
            j = instance.job[k]
            above.append(row([(x[j, m], 1.0) for m in range(level + 1)] + [(z[key], -1.0) for key in until]))
            limits.append(0.0)
    for i in range(instance.machines):
        for level in range(many):
            there = [key for key in z if instance.machine[key[0]] == i and key[1] <= level]
            above.append(row([(z[key], instance.volume[key[0]]) for key in there]))
            limits.append(instance.capacity[i] * ends[level])
    for j in range(instance.jobs):
        equal.append(row([(x[j, level], 1.0) for level in range(many)]))
        right.append(1.0)
    answer = linprog(cost, np.array(above), limits, np.array(equal), right, method="highs")
    assert answer.status == 0, answer.message
    return float(answer.fun)
