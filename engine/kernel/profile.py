"""The availability profile: free amounts of several resources over future time, as a step function.

A sorted array of steps. Step y holds from `at[y]` to `at[y + 1]`, the last one without end; no two neighbours are
equal. Below: k steps, r resources; a shift moves up to k rows of 8 (1 + r) bytes by one. Measured: an index of
least and greatest amounts over blocks of 64 steps doubles the time at 30, 300, 3,000 and 10,000 steps alike.

Amounts are whole numbers, int64 or float64 below 2^53: those sums are exact, so what is inserted and removed again
leaves no trace. With other reals the function is right up to rounding, but a step may stay where sums should be equal.

Every amount is one value for each resource, as a tuple or an array; a tuple's length is known when compiled.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from shadowtime.engine.kernel.cache import inner


class Profile(NamedTuple):
    """The arrays of a profile. Compiled code may also pass any struct of arrays with these three names."""

    span: np.ndarray
    """int64, two values: the first row in use, and the row after the last."""
    at: np.ndarray
    """float64 [s]: begin of each step, ascending."""
    free: np.ndarray
    """int64 or float64: free amounts, r values a step."""


def profile(capacity: np.ndarray, most: int, now: float = 0.0) -> Profile:
    """Return an empty profile from `now` [s] on, with room for `most` reservations at once.

    Parameters
    ----------
    capacity
        Amount of each resource, r values; their type is that of all amounts.
    most
        Most reservations that are in the profile at one time. Each has two edges and every step but the first begins
        at an edge, so `2 most + 1` rows suffice whatever the order of inserts, removals and advances.
    """
    capacity = np.atleast_1d(capacity)
    rows = 2 * most + 1
    made = Profile(np.array([0, 1]), np.empty(rows), np.empty(rows * len(capacity), capacity.dtype))
    made.at[0] = now
    made.free[: len(capacity)] = capacity
    return made


@inner
def row_at(p, time):
    """Return the row of the step that holds at `time`; the first row for an earlier time. O(log k)."""
    at, low, high = p.at, p.span[0] + 1, p.span[1]
    while low < high:
        middle = (low + high) >> 1
        if at[middle] <= time:
            low = middle + 1
        else:
            high = middle
    return low - 1


@inner
def lacks(p, row, amount):
    """Return whether less than `amount` of some resource is free in a step. O(r)."""
    base = row * len(amount)
    for x in range(len(amount)):  # noqa: SIM110 (numba compiles no generators in any())
        if p.free[base + x] < amount[x]:
            return True
    return False


@inner
def least(p, start, end, resource, resources):
    """Return the least free amount of one of the `resources` over [start, end); at `start` alone when it is empty.

    O(log k + steps inside).
    """
    at, free, stop = p.at, p.free, p.span[1]
    y = row_at(p, start)
    found = free[y * resources + resource]
    y += 1
    while y < stop and at[y] < end:
        found = min(found, free[y * resources + resource])
        y += 1
    return found


@inner
def earliest(p, time, amount, length, until):
    """Return the first instant at or after `time` from which `amount` is free for `length` seconds.

    O(log k + r steps visited).

    time: an earlier one than the first step's begin counts as that begin.
    length: may be infinite.
    until: from this instant on everything counts as free, so the answer is at most `until`, or `time` if that is later.
    Infinite for the whole profile; the answer is then infinite where `amount` never becomes free. To look for an
    earlier start of a job that has a reservation, pass its start: the reservation need not be taken away.
    """
    at, stop = p.at, p.span[1]
    y = row_at(p, time)
    begin = max(time, at[y])
    if until <= begin:
        return begin
    if until < np.inf:
        stop = row_at(p, until)
        stop += np.int64(at[stop] < until)
    while True:
        while lacks(p, y, amount):
            y += 1
            if y == stop:
                return until
            begin = at[y]
        end = begin + length
        while True:
            y += 1
            if y == stop or at[y] >= end:
                return begin
            if lacks(p, y, amount):
                break


@inner
def insert(p, start, end, amount):
    """Lower the free amounts over [start, end); return False, and change nothing, when the arrays are full.

    `end` may be infinite. The part before the first step is in the past and ignored. Amounts may become negative:
    call `earliest` first.
    O(log k + r steps inside), and two shifts at most.
    """
    return _change(p, start, end, amount, -1)


@inner
def remove(p, start, end, amount):
    """Raise the free amounts over [start, end): the inverse of `insert`, also for a part of it. Same costs."""
    return _change(p, start, end, amount, 1)


@inner
def advance(p, now):
    """Remove the steps that are over at `now` [s]; the first remaining one begins there. O(log k)."""
    row = row_at(p, now)
    p.span[0] = row
    p.at[row] = max(p.at[row], now)


@inner
def _change(p, start, end, amount, sign):
    """Add `sign * amount` over [start, end); return False, and change nothing, when the arrays are full.

    Steps that open or close at the edges, and steps that merge there, move what lies behind them once.
    """
    at, free, span, r = p.at, p.free, p.span, len(amount)
    start = max(start, at[span[0]])
    if end <= start or _is_nothing(amount):
        return True
    a, b = row_at(p, start), row_at(p, end)
    opens, closes = np.int64(at[a] != start), np.int64(end < np.inf and at[b] != end)
    if span[1] + opens + closes > len(at):
        moved = _to_front(p, r)
        a, b = a - moved, b - moved
        if span[1] + opens + closes > len(at):
            return False
    if end == np.inf:
        b = span[1]
    last = b - 1 + closes
    joins = np.int64(opens == 0 and a > span[0] and _differ_by(free, a - 1, a, amount, sign, r))
    rejoins = np.int64(closes == 0 and b < span[1] and _differ_by(free, b, b - 1, amount, sign, r))
    inside, behind = opens - joins, opens - joins + closes - rejoins
    tail = last + 1 + rejoins
    if behind > 0:
        _move(at, free, tail, span[1], behind, r)
    _raise(at, free, a + joins, last + 1, inside, amount, sign, r)
    if opens:
        at[a + 1] = start
    if closes:
        row = last + inside + 1
        at[row] = end
        for x in range(r):
            free[row * r + x] = free[row * r - r + x] - sign * amount[x]
    if behind < 0:
        _move(at, free, tail, span[1], behind, r)
    span[1] += behind
    return True


@inner
def _is_nothing(amount):
    """Return whether the amount of every resource is 0."""
    for x in range(len(amount)):  # noqa: SIM110 (numba compiles no generators in any())
        if amount[x] != 0:
            return False
    return True


@inner
def _differ_by(free, one, other, amount, sign, r):
    """Return whether row `one` has the amounts of row `other` after `sign * amount` is added to that."""
    for x in range(r):  # noqa: SIM110 (numba compiles no generators in any())
        if free[one * r + x] != free[other * r + x] + sign * amount[x]:
            return False
    return True


@inner
def _raise(at, free, first, stop, by, amount, sign, r):
    """Add `sign * amount` to the rows from `first` to before `stop`, and move them by `by` rows."""
    if by > 0:
        for y in range(stop - 1, first - 1, -1):
            at[y + 1] = at[y]
            for x in range(r):
                free[(y + 1) * r + x] = free[y * r + x] + sign * amount[x]
        return
    for y in range(first, stop):
        at[y + by] = at[y]
        for x in range(r):
            free[(y + by) * r + x] = free[y * r + x] + sign * amount[x]


@inner
def _move(at, free, first, stop, by, r):
    """Move the rows from `first` to before `stop` by `by` rows."""
    if by > 0:
        for y in range(stop - 1, first - 1, -1):
            at[y + by] = at[y]
        for y in range(stop * r - 1, first * r - 1, -1):
            free[y + by * r] = free[y]
        return
    for y in range(first, stop):
        at[y + by] = at[y]
    for y in range(first * r, stop * r):
        free[y + by * r] = free[y]


@inner
def _to_front(p, r):
    """Move the rows in use to the front of the arrays; return by how many rows."""
    at, free, span, moved = p.at, p.free, p.span, p.span[0]
    if moved > 0:
        for y in range(span[0], span[1]):
            at[y - moved] = at[y]
        for y in range(span[0] * r, span[1] * r):
            free[y - moved * r] = free[y]
        span[0], span[1] = 0, span[1] - moved
    return moved
