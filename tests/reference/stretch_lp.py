"""Slow twin of the cut-based bound: bisection over the linear program of Casanova, Stillwell and Vivien."""

from __future__ import annotations

import numpy as np
from scipy.optimize import linprog
from scipy.sparse import coo_matrix

from shadowtime.engine.bounds.work import Work

UNSERVED = 1e-9


def can_meet(work: Work, scale: np.ndarray, target: float) -> bool:
    """Whether all jobs can end by `release + target x scale`: shares of jobs per interval, unserved share least."""
    release, due = work.release, work.release + target * scale
    times = np.unique(np.concatenate((release, due)))
    job, slot = np.nonzero((times[:-1] >= release[:, None]) & (times[1:] <= due[:, None]))
    length = np.diff(times)
    n, m, k = len(work), len(length), len(job)
    columns = np.arange(k)
    each_job = coo_matrix((np.ones(k), (job, columns)), shape=(n, k))
    each_slot = coo_matrix((work.area[job] / (work.lanes * length[slot]), (slot, columns)), shape=(m, k))
    matrix = coo_matrix(
        (
            np.concatenate((each_job.data, each_slot.data)),
            (np.concatenate((each_job.row, each_slot.row + n)), np.concatenate((each_job.col, each_slot.col))),
        ),
        shape=(n + m, k),
    )
    most = np.minimum(1.0, length[slot] / work.runtime[job])
    answer = linprog(
        -np.ones(k),
        A_ub=matrix.tocsr(),
        b_ub=np.ones(n + m),
        bounds=np.column_stack((np.zeros(k), most)),
        method="highs",
    )
    assert answer.status == 0, answer.message
    return n + answer.fun <= UNSERVED * n


def smallest_target(work: Work, scale: np.ndarray, *, precision: float = 1e-8) -> float:
    """The smallest target that can be met, by bisection."""
    low, high = 0.0, 1.0
    while not can_meet(work, scale, high):
        low, high = high, 2.0 * high
    low = max(low, float((work.runtime / scale).max()))
    while high - low > precision * high:
        middle = 0.5 * (low + high)
        low, high = (low, middle) if can_meet(work, scale, middle) else (middle, high)
    return high
