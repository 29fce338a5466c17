"""Means of a step function over spans of time."""

from __future__ import annotations

import numpy as np


def means(time: np.ndarray, value: np.ndarray, edges: np.ndarray) -> np.ndarray:
    """Return the mean of a right-continuous step function over each span between `edges`.

    Parameters
    ----------
    time, value
        n instants in ascending order [s], and the value from each on; it is 0 before the first and from the last one
        on.
    edges
        m + 1 instants, ascending [s].

    Returns
    -------
    ndarray
        m means, in the unit of `value`.
    """
    if not len(time):
        return np.zeros(len(edges) - 1)
    integral = np.concatenate([[0.0], np.cumsum(np.diff(time) * value[:-1])])
    at = np.searchsorted(time, edges, side="right") - 1
    inside = np.clip(at, 0, len(time) - 1)
    held = np.where(at < len(time) - 1, (edges - time[inside]) * value[inside], 0.0)
    total = np.where(at < 0, 0.0, integral[inside] + held)
    return np.diff(total) / np.diff(edges)
