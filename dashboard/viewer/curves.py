"""The time of a moldable job by its number of processors, as a viewer draws it."""

from __future__ import annotations

from typing import Any

import numpy as np

from shadowtime.engine.families.moldable.workload import times
from shadowtime.engine.workload.job import Workload

MOST_POINTS = 300
"""Of a curve; on wider machines the allotments are spread evenly over their logarithm."""


def curve(workload: Workload, lanes: int, row: int) -> dict[str, Any]:
    """Return {"processors": [minimum, ..., lanes], "times": seconds on each} of the job in `row`.

    At most some 300 points; none if the job needs more than `lanes` processors.
    """
    time = times(workload, lanes, np.array([row]))[0]
    known = np.arange(1, lanes + 1)
    if lanes > MOST_POINTS:
        known = np.unique(np.geomspace(1, lanes, MOST_POINTS).round().astype(int))
    known = known[np.isfinite(time[known - 1])]
    return {"processors": known.tolist(), "times": time[known - 1].tolist()}
