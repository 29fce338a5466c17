"""The outline of a finished run: its utilization over time as a few means, which lists of runs draw.

It is recorded with the results, since a list would have to read a table of every run that it shows.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from shadowtime.engine.output.steps import means

POINTS = 58
"""Number of means: the picture in a row of the list is some 130 pixels wide."""


def outline(series: Mapping[str, np.ndarray]) -> list[float]:
    """Return the utilization of a run [lanes] as `POINTS` means over equal spans of it; `series` is that table."""
    time = series["time"]
    if len(time) < 2 or not time[-1] > time[0]:
        return [0.0] * POINTS
    edges = np.linspace(float(time[0]), float(time[-1]), POINTS + 1)
    return [round(mean, 3) for mean in means(time, series["utilization"], edges).tolist()]
