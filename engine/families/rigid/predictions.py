"""Predictions of run times from those of ended jobs: methods, and the groups of jobs that share a past."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from shadowtime.engine.workload.job import Workload

METHODS = ("requested", "actual", "user2", "mean", "percentile", "user-size")
REQUESTED, ACTUAL, USER2, MEAN, PERCENTILE, USER_SIZE = (np.int64(code) for code in range(6))
LEAST = 5
"""Ended jobs from which a percentile is taken; with fewer the request is used."""


class Groups(NamedTuple):
    """The groups of one run, as arrays of the compiled policy."""

    method: int
    argument: float
    """k of `mean`, the percentage of percentiles."""
    keep: int
    """Run times that are kept of each group; 0: all."""
    group: np.ndarray
    """int64, one value a unit and one more: its group, -1 for a job without a known user."""
    number: int
    offset: np.ndarray
    """int64, one value a group: first row of its run times."""
    room: int
    """Rows of all groups."""


def split(prediction: str) -> tuple[str, float]:
    """Return method and argument of a prediction: `mean:5` gives mean and 5."""
    method, _, argument = prediction.partition(":")
    return method, float(argument or 0.0)


def grouping(workload: Workload, prediction: str) -> Groups:
    """Return the groups by user, or by user and power-of-two class of processors."""
    method, argument = split(prediction)
    code, n = METHODS.index(method), len(workload)
    group = np.full(n + 1, -1)
    if code < USER2:
        return Groups(code, argument, 0, group, 0, np.zeros(1, np.int64), 0)
    user = workload.jobs["user"]
    known = user >= 0
    size = np.ceil(np.log2(np.maximum(workload.jobs["processors"], 1))).astype("i8") if code == USER_SIZE else 0 * user
    alike = np.stack([user, size])[:, known]
    found, group[:-1][known] = np.unique(alike, axis=1, return_inverse=True)
    count = found.shape[1]
    keep = 0
    if code in (USER2, MEAN):
        keep = 2 if code == USER2 else int(argument)
        rows = np.full(count, keep)
    else:
        rows = np.bincount(group[:-1][known], minlength=count)
    offset = np.append(0, np.cumsum(rows)).astype("i8")
    return Groups(code, argument, keep, group, count, offset, int(offset[-1]))
