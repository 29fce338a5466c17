"""`opt=avg`: the largest mean yield above the common minimum, or the smallest mean predicted stretch (section 4.6).

Every job gets at least the common level at which the first node is full. The mean yield is a linear program. The mean
predicted stretch `(flow + T) / (virtual time + y T)` is convex in the yields: Frank-Wolfe steps solve the linear
program of the gradient, then move to the best point on the segment to its solution.
"""

from __future__ import annotations

from shadowtime.engine.families.fractional.policies.filling import at_level
from shadowtime.engine.families.fractional.policies.program import split
from shadowtime.engine.families.fractional.policies.simplex import maximise
from shadowtime.engine.kernel.cache import compiled, inner

ROUNDS = 40
"""Largest number of Frank-Wolfe steps."""
HALVINGS = 40
"""Bisection steps of the line search."""
ENOUGH = 1e-9
"""The iteration ends when the predicted relative gain of a step is below this."""


@inner
def set_floors(f):
    """Set the floors of jobs on crowded nodes: their yields at the level at which the first node is full."""
    for r in range(f.m[0].rows):
        row = f.row[r]
        if row.shared:
            row.floor = at_level(row, f.m[0].level)
            row.yield_ = row.floor


@inner
def set_weights(f, by_stretch):
    """Set the weight of each job's yield: 1, or the gradient of the sum of predicted stretches; return that sum.

    A job with virtual time 0 and yield 0 would have an infinite stretch, so the denominator is at least 1e-6 periods.
    """
    total, steepest = 0.0, 1e-300
    for r in range(f.m[0].rows):
        row = f.row[r]
        row.weight = 1.0
        if row.shared and by_stretch:
            progress = max(1e-6, row.base + row.yield_)
            total += row.grow / progress
            row.weight = row.grow / (progress * progress)
            steepest = max(steepest, row.weight)
    if by_stretch:
        for r in range(f.m[0].rows):
            f.row[r].weight /= steepest
    return total


@inner
def list_moving(f):
    """List the rows whose yield the corner changes, which alone count for a step; return how many."""
    count = 0
    for r in range(f.m[0].rows):
        row = f.row[r]
        if row.shared:
            way = row.floor + row.extra - row.yield_
            if way != 0.0:
                one = f.moving[count]
                one.grow, one.now, one.way = row.grow, row.base + row.yield_, way
                count += 1
    return count


@inner
def slope_at(f, count, step):
    """Return the derivative of the sum of predicted stretches at `step`, a share of the way to the corner."""
    total = 0.0
    for y in range(count):
        one = f.moving[y]
        progress = max(1e-6, one.now + step * one.way)
        total -= one.grow * one.way / (progress * progress)
    return total


@inner
def best_step(f, count):
    """Return the step in [0, 1] towards the corner at which the sum is smallest."""
    low, high = 0.0, 1.0
    if slope_at(f, count, high) <= 0.0:
        return high
    for _ in range(HALVINGS):
        middle = 0.5 * (low + high)
        if slope_at(f, count, middle) < 0.0:
            low = middle
        else:
            high = middle
    return high


@compiled
def average(f, by_stretch):
    """Change the yields set by `fill` to those of the best mean; return False if a linear program failed."""
    set_floors(f)
    parts = split(f)
    if parts < 0:
        return False
    for _ in range(ROUNDS if by_stretch else 1):
        total = set_weights(f, by_stretch)
        if not maximise(f, parts):
            return False
        moving = list_moving(f)
        if by_stretch and not -slope_at(f, moving, 0.0) > ENOUGH * total:
            return True
        step = best_step(f, moving) if by_stretch else 1.0
        for r in range(f.m[0].rows):
            row = f.row[r]
            if row.shared:
                row.yield_ = min(1.0, row.yield_ + step * (row.floor + row.extra - row.yield_))
    return True
