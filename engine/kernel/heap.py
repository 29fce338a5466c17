"""Predicted completions and alarms: a binary heap by (time, unit), alarms being unit -1, with lazy versions.

A row of the heap is never edited: a changed rate pushes a new prediction and the unit's version retires the old one.
When retired ones are the most, all are dropped at once.
"""

from __future__ import annotations

import numpy as np

from shadowtime.engine.kernel import binary_heap
from shadowtime.engine.kernel.cache import inner
from shadowtime.engine.kernel.errors import FULL, fail
from shadowtime.engine.kernel.state import NOBODY, RUNNING

SPARE = 128
"""Rows that a heap may grow by in any case."""


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
                binary_heap.write(heap, kept, heap[row].key, heap[row].unit, heap[row].version)
            kept += 1
    k.heap_rows = kept
    binary_heap.heapify(heap, kept)


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
    binary_heap.push(s.heap, k.heap_rows, time, unit, version)
    k.heap_rows += 1
    k.largest_heap = max(k.largest_heap, k.heap_rows)


@inner
def pop(s):
    """Remove the first row."""
    s.k[0].heap_rows = binary_heap.pop(s.heap, s.k[0].heap_rows)


@inner
def next_prediction(s):
    """Time of the first prediction that still holds; infinity when there is none."""
    while s.k[0].heap_rows > 0:
        if is_current(s, np.int64(0)):
            return s.heap[0].key
        pop(s)
    return np.inf
