"""Sorting and searching of millions of rows; compiled code if there are many."""

from __future__ import annotations

import numpy as np

from shadowtime.engine.tables import PART, Table, is_new, rows, take

MANY = 100_000
"""Number of rows from which compiled code saves more than the import of numba costs (0.4 s)."""
SHORT = 512
"""Largest number of rows of one instant that is sorted in place; numpy sorts more."""


def by_start_and_lane(start: np.ndarray, first: np.ndarray, many: int = MANY) -> np.ndarray:
    """Return the order of rows by `start`, then `first`; equal rows keep their order.

    The rectangles of a job are written together when they close, so rows of equal start are neighbours: only groups,
    a tenth of the rows, are sorted by start, and few rows share an instant. (np.lexsort: 0.39 s for 2.3 million.)
    """
    n = len(start)
    if n < many:
        return np.lexsort((first, start))
    from shadowtime.engine.kernel.ordering import lay

    begins = np.flatnonzero(is_new(start))
    groups = np.argsort(start[begins], kind="stable")
    order, long = np.empty(n, np.int64), np.empty((n // SHORT + 1, 2), np.int64)
    count = lay(np.append(begins, n), groups, start, first, order, long, SHORT)
    for begin, end in long[:count]:
        rows = order[begin:end]
        order[begin:end] = rows[np.argsort(first[rows], kind="stable")]
    return order


def by_group(group: np.ndarray, groups: int, many: int = MANY) -> np.ndarray:
    """Return the order of rows by `group`, a whole number below `groups`; rows of one group keep their order."""
    if len(group) < many:
        return np.argsort(group, kind="stable")
    from shadowtime.engine.kernel.ordering import gather

    order, place = np.empty(len(group), np.int64), np.zeros(groups + 1, np.int64)
    np.cumsum(np.bincount(group, minlength=groups), out=place[1:])
    gather(group, place, order)
    return order


def ordered(segments: Table) -> Table:
    """Return rectangles by start, then first lane; no copy of a table in order, which may be larger than memory."""
    for begin in range(0, rows(segments), PART):
        start, first = (segments[name][begin : begin + PART + 1] for name in ("start", "first"))
        if ((start[1:] < start[:-1]) | ((start[1:] == start[:-1]) & (first[1:] < first[:-1]))).any():
            return take(segments, by_start_and_lane(segments["start"], segments["first"]))
    return segments


def places(times: np.ndarray, values: np.ndarray, many: int = MANY) -> np.ndarray:
    """Return the place of each of `values` in the sorted `times`, which contain them all.

    Neighbouring values are equal or close, so each search starts at the place of the previous one.
    """
    if len(values) < many:
        return np.searchsorted(times, values)
    from shadowtime.engine.kernel.ordering import find

    found = np.empty(len(values), np.int64)
    find(times, np.ascontiguousarray(values, dtype="f8"), found)
    return found
