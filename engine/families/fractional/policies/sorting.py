"""Sort rows of (priority, unit) by decreasing priority, ties by submission; sort ranks; keep the best in a heap.

Every packing sorts some hundred jobs, so each order has the fastest method measured for it.
"""

from __future__ import annotations

import numpy as np

from shadowtime.engine.kernel.cache import inner

RUN = 8
"""Length of the runs that are sorted by insertion before they are merged."""
DIGITS = 256
"""Base of the digits in the radix sort of ranks."""


@inner
def is_after(rows, y, priority, unit):
    """Return whether row `y` comes after a unit of some priority: lower priority, or equal and submitted later."""
    if rows[y].priority != priority:
        return rows[y].priority < priority
    return rows[y].unit > unit


@inner
def insert(rows, first, last):
    """Sort the few rows from `first` to before `last` by insertion."""
    for y in range(first + 1, last):
        priority, unit = rows[y].priority, rows[y].unit
        at = y
        while at > first and is_after(rows, at - 1, priority, unit):
            rows[at].priority, rows[at].unit = rows[at - 1].priority, rows[at - 1].unit
            at -= 1
        rows[at].priority, rows[at].unit = priority, unit


@inner
def merge(rows, spare, first, middle, last):
    """Merge the two sorted parts of the rows from `first` to before `last`."""
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
    """Sort the first `count` rows: a merge sort."""
    for first in range(0, count, RUN):
        insert(rows, first, min(first + RUN, count))
    width = RUN
    while width < count:
        for first in range(0, count - width, 2 * width):
            merge(rows, spare, first, first + width, min(first + 2 * width, count))
        width *= 2


@inner
def sort_ranks(ranks, spare, tally, count, largest):
    """Sort whole numbers from 0 to `largest`, ascending: a radix sort, lowest digit first."""
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
    """Sift a unit down from `at` in a heap of (priority, unit) whose root is the least important."""
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
    """Build such a heap from the first `count` rows."""
    for at in range(count // 2 - 1, -1, -1):
        sift(rows, at, count, rows[at].priority, rows[at].unit)


@inner
def take_least(rows, last):
    """Move the least important row of a heap of `last + 1` rows to row `last`, out of the heap."""
    priority, unit = rows[last].priority, rows[last].unit
    rows[last].priority, rows[last].unit = rows[0].priority, rows[0].unit
    sift(rows, np.int64(0), last, priority, unit)


@inner
def keep_best(rows, count, most, unit, priority):
    """Add `unit` to `rows[:count]`, which keep the `most` most important units; return the new count.

    Below `most` rows are in order of arrival, from then on they form a heap.
    """
    if count == most:
        if is_after(rows, np.int64(0), priority, unit):
            sift(rows, np.int64(0), count, priority, unit)
        return count
    rows[count].priority, rows[count].unit = priority, unit
    if count + 1 == most:
        heap_up(rows, most)
    return count + 1
