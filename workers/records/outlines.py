"""The outline of a finished run: its utilization over time as a few means, which lists of runs draw.

It is recorded with the results, since a list would have to read a table of every run that it shows.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

POINTS = 58
"""Number of means: half as many as the picture in a row of the list has pixels."""


def outline(series: Mapping[str, np.ndarray]) -> list[float]:
    """Return the utilization of a run [lanes] as `POINTS` means over equal spans of it; `series` is that table."""
    return [round(mean, 3) for mean in means(series["time"], series["utilization"])]


def means(time: np.ndarray, value: np.ndarray, points: int = POINTS) -> list[float]:
    """Return the means of a right-continuous step function over `points` equal spans of its range.

    Parameters
    ----------
    time, value
        Instants in ascending order, and the value from each on; the last one ends the range.
    """
    if len(time) < 2 or not time[-1] > time[0]:
        return [0.0] * points
    edges = np.linspace(float(time[0]), float(time[-1]), points + 1)
    integral = np.concatenate([[0.0], np.cumsum(np.diff(time) * value[:-1])])
    index = np.clip(np.searchsorted(time, edges, side="right") - 1, 0, len(time) - 2)
    at_edges = integral[index] + (edges - time[index]) * value[index]
    found: list[float] = (np.diff(at_edges) / np.diff(edges)).tolist()
    return found
