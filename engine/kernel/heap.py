"""Predicted completions and alarms: a binary heap by (time, unit) with lazy versions.

A row of the heap is never edited: a changed rate pushes a new prediction and the unit's version retires the old one.
When retired ones are the most, all are dropped at once.
"""

from __future__ import annotations

import numpy as np

from shadowtime.engine.kernel.cache import inner
from shadowtime.engine.kernel.errors import FULL, fail
from shadowtime.engine.kernel.state import NOBODY, RUNNING

SPARE = 128
"""Rows that a heap may grow by in any case."""


@inner
def before(heap, a, b):
    """Whether row a goes before row b: earlier, or at one time the lower unit (alarms are unit -1)."""
    if heap[a].time != heap[b].time:
        return heap[a].time < heap[b].time
    return heap[a].unit < heap[b].unit


@inner
def exchange(heap, a, b):
    """Swap rows a and b."""
    time, unit, version = heap[a].time, heap[a].unit, heap[a].version
    heap[a].time, heap[a].unit, heap[a].version = heap[b].time, heap[b].unit, heap[b].version
    heap[b].time, heap[b].unit, heap[b].version = time, unit, version


@inner
def sink(heap, rows, at):
    """Let row `at` sink to its place among the first `rows`."""
    while True:
        child = 2 * at + 1
        if child >= rows:
            return
        if child + 1 < rows and before(heap, child + 1, child):
            child += 1
        if not before(heap, child, at):
            return
        exchange(heap, at, child)
        at = child


@inner
def is_current(s, row):
    """Whether a prediction still holds: alarms always, a unit's while it runs and was not touched since."""
    unit = s.heap[row].unit
    if unit == NOBODY:
        return True
    return s.u[unit].state == RUNNING and s.u[unit].version == s.heap[row].version


@inner
def compact(s):
    """Drop retired predictions in place and restore the order."""
    heap, k = s.heap, s.k[0]
    kept = 0
    for row in range(k.heap_rows):
        if is_current(s, row):
            if row != kept:
                heap[kept].time, heap[kept].unit = heap[row].time, heap[row].unit
                heap[kept].version = heap[row].version
            kept += 1
    k.heap_rows = kept
    for at in range(kept // 2 - 1, -1, -1):
        sink(heap, kept, at)


@inner
def tidy(s):
    """Compact a heap that is twice what the last time left: passing over retired predictions one by one costs more."""
    k = s.k[0]
    if k.heap_rows > 2 * k.heap_kept + SPARE:
        compact(s)
        k.heap_kept = k.heap_rows


@inner
def push(s, time, unit, version):
    """Add a prediction; a full heap is compacted, which frees at least as many rows as units can run."""
    k = s.k[0]
    if k.heap_rows == s.heap.shape[0]:
        compact(s)
        if k.heap_rows == s.heap.shape[0]:
            fail(s, FULL, unit, NOBODY, float(k.heap_rows))
            return
    heap = s.heap
    at = k.heap_rows
    k.heap_rows = at + 1
    k.largest_heap = max(k.largest_heap, k.heap_rows)
    heap[at].time, heap[at].unit, heap[at].version = time, unit, version
    while at > 0:
        parent = (at - 1) // 2
        if not before(heap, at, parent):
            return
        exchange(heap, at, parent)
        at = parent


@inner
def pop(s):
    """Remove the first row."""
    k, heap = s.k[0], s.heap
    last = k.heap_rows - 1
    k.heap_rows = last
    if last > 0:
        heap[0].time, heap[0].unit, heap[0].version = heap[last].time, heap[last].unit, heap[last].version
        sink(heap, last, np.int64(0))


@inner
def next_prediction(s):
    """Time of the first prediction that still holds; infinity when there is none."""
    while s.k[0].heap_rows > 0:
        if is_current(s, np.int64(0)):
            return s.heap[0].time
        pop(s)
    return np.inf
