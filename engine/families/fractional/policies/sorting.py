"""Orders: rows of (priority, unit) by decreasing priority, of equals the unit submitted earlier first; and ranks.

Some hundred jobs are put in order at every packing, so that each order is made in the way that is quickest for it.
"""

from __future__ import annotations

import numpy as np

from shadowtime.engine.kernel.cache import inner

RUN = 8
"""Rows that are put in order one by one before they are merged."""
DIGITS = 256
"""A rank is ordered by its digits to this base."""


@inner
def is_after(rows, y, priority, unit):
    """Whether row `y` is less important than a unit of some priority; of equals the one submitted later."""
    if rows[y].priority != priority:
        return rows[y].priority < priority
    return rows[y].unit > unit


@inner
def insert(rows, first, last):
    """Order rows `first` to `last`, which are few."""
    for y in range(first + 1, last):
        priority, unit = rows[y].priority, rows[y].unit
        at = y
        while at > first and is_after(rows, at - 1, priority, unit):
            rows[at].priority, rows[at].unit = rows[at - 1].priority, rows[at - 1].unit
            at -= 1
        rows[at].priority, rows[at].unit = priority, unit


@inner
def merge(rows, spare, first, middle, last):
    """Order rows `first` to `last`, whose two parts are in order."""
    for y in range(first, middle):
        spare[y].priority, spare[y].unit = rows[y].priority, rows[y].unit
    at, left, right = first, first, middle
    while left < middle and right < last:
        if is_after(spare, left, rows[right].priority, rows[right].unit):
            rows[at].priority, rows[at].unit = rows[right].priority, rows[right].unit
            right += 1
        else:
            rows[at].priority, rows[at].unit = spare[left].priority, spare[left].unit
            left += 1
        at += 1
    for y in range(left, middle):
        rows[at].priority, rows[at].unit = spare[y].priority, spare[y].unit
        at += 1


@inner
def sort(rows, spare, count):
    """Order the first `count` rows: a merge sort."""
    for first in range(0, count, RUN):
        insert(rows, first, min(first + RUN, count))
    width = RUN
    while width < count:
        for first in range(0, count - width, 2 * width):
            merge(rows, spare, first, first + width, min(first + 2 * width, count))
        width *= 2


@inner
def sort_ranks(ranks, spare, tally, count, largest):
    """Order whole numbers from 0 to `largest`, ascending: digit by digit, the lowest first."""
    shift = 0
    while largest >> shift > 0:
        for digit in range(DIGITS):
            tally[digit] = 0
        for y in range(count):
            tally[(ranks[y] >> shift) % DIGITS] += 1
        before = np.int64(0)
        for digit in range(DIGITS):
            here = tally[digit]
            tally[digit] = before
            before += here
        for y in range(count):
            digit = (ranks[y] >> shift) % DIGITS
            spare[tally[digit]] = ranks[y]
            tally[digit] += 1
        for y in range(count):
            ranks[y] = spare[y]
        shift += 8


@inner
def sift(rows, at, count, priority, unit):
    """Let a unit sink from `at` on in a heap of (priority, unit) whose root is the least important."""
    while True:
        child = 2 * at + 1
        if child >= count:
            break
        if child + 1 < count and is_after(rows, child + 1, rows[child].priority, rows[child].unit):
            child += 1
        if not is_after(rows, child, priority, unit):
            break
        rows[at].priority, rows[at].unit = rows[child].priority, rows[child].unit
        at = child
    rows[at].priority, rows[at].unit = priority, unit


@inner
def heap_up(rows, count):
    """Make the first `count` rows such a heap."""
    for at in range(count // 2 - 1, -1, -1):
        sift(rows, at, count, rows[at].priority, rows[at].unit)


@inner
def take_least(rows, last):
    """Put the least important of a heap of `last + 1` rows into row `last`, out of the heap."""
    priority, unit = rows[last].priority, rows[last].unit
    rows[last].priority, rows[last].unit = rows[0].priority, rows[0].unit
    sift(rows, np.int64(0), last, priority, unit)


@inner
def keep_best(rows, count, most, unit, priority):
    """Keep the `most` most important units in `rows[:count]`, with `unit` or without the least important of them.

    Their number is given back. Until there are `most` they stand as they came, then as a heap.
    """
    if count == most:
        if is_after(rows, np.int64(0), priority, unit):
            sift(rows, np.int64(0), count, priority, unit)
        return count
    rows[count].priority, rows[count].unit = priority, unit
    if count + 1 == most:
        heap_up(rows, most)
    return count + 1
