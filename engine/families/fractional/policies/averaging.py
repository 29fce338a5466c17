"""`opt=avg`: the largest mean yield above what all can have; for predicted stretches, the smallest mean (section 4.6).

Every job keeps at least what the first full node leaves to all alike. The mean yield is a linear program. The mean
predicted stretch `(flow + T) / (virtual time + y T)` is convex in the yields: Frank-Wolfe steps, each the linear
program of its gradient, then the best point on the way there.
"""

from __future__ import annotations

from shadowtime.engine.families.fractional.policies.filling import at_level
from shadowtime.engine.families.fractional.policies.simplex import maximise
from shadowtime.engine.kernel.cache import compiled, inner

ROUNDS = 40
"""Frank-Wolfe steps."""
HALVINGS = 40
"""Of the way to the corner that the gradient points to."""
ENOUGH = 1e-9
"""A step that promises less of the mean stretch, relatively, is the last."""


@inner
def set_floors(f):
    """Jobs on crowded nodes begin with what all can have alike: the level at which the first node was full."""
    for r in range(f.m[0].rows):
        row = f.row[r]
        if row.shared:
            row.floor = at_level(row, f.m[0].level)
            row.yield_ = row.floor
        row.extra = 0.0


@inner
def set_weights(f, by_stretch):
    """What more yield is worth to each job: 1, or the gradient of the sum of predicted stretches, which is returned.

    A job that has not lived and gets nothing would have an infinite stretch: the least is 1e-6 periods.
    """
    total, steepest = 0.0, 1e-300
    for r in range(f.m[0].rows):
        row = f.row[r]
        row.weight = 1.0
        if row.shared and by_stretch:
            lived = max(1e-6, row.base + row.yield_)
            total += row.grow / lived
            row.weight = row.grow / (lived * lived)
            steepest = max(steepest, row.weight)
    if by_stretch:
        for r in range(f.m[0].rows):
            f.row[r].weight /= steepest
    return total


@inner
def slope_at(f, step):
    """Derivative of the sum of predicted stretches at a part of the way to the corner."""
    total = 0.0
    for r in range(f.m[0].rows):
        row = f.row[r]
        if row.shared:
            way = row.floor + row.extra - row.yield_
            lived = max(1e-6, row.base + row.yield_ + step * way)
            total -= row.grow * way / (lived * lived)
    return total


@inner
def best_step(f):
    """How far to go towards the corner: to it, or where the sum is smallest on the way."""
    low, high = 0.0, 1.0
    if slope_at(f, high) <= 0.0:
        return high
    for _ in range(HALVINGS):
        middle = 0.5 * (low + high)
        if slope_at(f, middle) < 0.0:
            low = middle
        else:
            high = middle
    return high


@compiled
def average(f, by_stretch):
    """Turn the yields that `fill` has set into those of the best mean; False when a linear program found none."""
    set_floors(f)
    for _ in range(ROUNDS if by_stretch else 1):
        total = set_weights(f, by_stretch)
        if not maximise(f):
            return False
        step = 1.0
        if by_stretch:
            if not -slope_at(f, 0.0) > ENOUGH * total:
                return True
            step = best_step(f)
        for r in range(f.m[0].rows):
            row = f.row[r]
            if row.shared:
                row.yield_ = min(1.0, row.yield_ + step * (row.floor + row.extra - row.yield_))
    return True
