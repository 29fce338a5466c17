"""A step function as a few means, for a picture of a line's height."""

from __future__ import annotations

import numpy as np

POINTS = 58


def means(time: np.ndarray, value: np.ndarray, points: int = POINTS) -> list[float]:
    """Mean of a right-continuous step function over `points` equal spans of its range; the last value ends it."""
    if len(time) < 2 or not time[-1] > time[0]:
        return [0.0] * points
    edges = np.linspace(float(time[0]), float(time[-1]), points + 1)
    integral = np.concatenate([[0.0], np.cumsum(np.diff(time) * value[:-1])])
    index = np.clip(np.searchsorted(time, edges, side="right") - 1, 0, len(time) - 2)
    at_edges = integral[index] + (edges - time[index]) * value[index]
    return (np.diff(at_edges) / np.diff(edges)).tolist()
