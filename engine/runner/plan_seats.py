"""Assign concrete lanes to jobs whose number of lanes, start and time are known."""

from __future__ import annotations

import numpy as np

from shadowtime.engine.errors import PolicyError
from shadowtime.engine.kernel.cache import allocating

ROUNDING = 1e-9
"""A job may wait for its lanes by this share of its start: sums of times are rounded."""


@allocating
def seat(order, start, time, size, free_at, first, chosen, rounding, most):
    """Assign lanes to jobs in `order`; return -1, or the first job for which too few lanes are free.

    A job may wait for its lanes by the share `rounding` of its start, and for `most` seconds at most.

    Changed in place: `start`, moved to when the lanes are free; `free_at`, when each lane is free [s]; `chosen`, in
    which the lanes of job j stand at `first[j]:first[j + 1]`.
    """
    lanes = len(free_at)
    for job in order:
        needed, latest = size[job], start[job] + min(rounding * abs(start[job]), most)
        run, gap, free = 0, -1, 0
        for lane in range(lanes):
            if free_at[lane] <= latest:
                free += 1
                run += 1
                if run == needed:
                    gap = lane - needed + 1
                    break
            else:
                run = 0
        if gap < 0 and free < needed:
            return job
        place, lane = first[job], max(gap, 0)
        begin = start[job]
        while place < first[job + 1]:
            if free_at[lane] <= latest:
                chosen[place] = lane
                begin = max(begin, free_at[lane])
                place += 1
            lane += 1
        start[job] = begin
        for y in range(first[job], first[job + 1]):
            free_at[chosen[y]] = begin + time[job]
    return np.int64(-1)


def seat_all(
    order: np.ndarray, start: np.ndarray, time: np.ndarray, size: np.ndarray, lanes: int, patience: float
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return starts, first places of each job's lanes, and the lanes; see `Plan.of_jobs`.

    patience: seconds for which a job may wait for its lanes at most, beside the limit by ROUNDING.
    """
    start = start.copy()
    first = np.concatenate([[0], np.cumsum(size)]).astype(np.int64)
    chosen = np.empty(first[-1], np.int64)
    free_at = np.full(lanes, -np.inf)
    failed = seat(order.astype(np.int64), start, time, size, free_at, first, chosen, ROUNDING, patience)
    if failed >= 0:
        raise PolicyError(f"t={start[failed]:g}: the plan needs more than {lanes:,} lanes")
    return start, first, chosen
