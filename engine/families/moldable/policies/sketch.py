"""Result of an off-line algorithm: allotments and starts, without the choice of processors."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np

from shadowtime.engine.tables import BANDS, Table, empty


@dataclass(frozen=True, eq=False)
class Sketch:
    """A schedule of n moldable jobs that are all released at second 0."""

    start: np.ndarray
    """Start of each job [s]."""
    size: np.ndarray
    """Processors of each job, i8."""
    time: np.ndarray
    """Time of each job on its processors [s]."""
    shelf: np.ndarray
    """Place of each job: DEMT's batch from 0; or 0 small, 1 shelf 0, 2 shelf 1, 3 shelf 2; or -1."""
    bands: Table = field(default_factory=lambda: empty(BANDS))
    counters: Mapping[str, int] = field(default_factory=dict)
    """Counts of the algorithm, such as which final schedule was selected."""

    @cached_property
    def makespan(self) -> float:
        """Last end [s]."""
        return float((self.start + self.time).max())

    def minsum(self, weight: np.ndarray) -> float:
        """Return the sum of weight x end [s]."""
        return float(np.dot(weight, self.start + self.time))


def sketch(p: np.ndarray, start: np.ndarray, size: np.ndarray, shelf: np.ndarray | None = None, **others) -> Sketch:
    """Return a sketch with the times of `p`, n x m seconds."""
    n = len(p)
    time = p[np.arange(n), size - 1]
    return Sketch(start, size, time, np.full(n, -1) if shelf is None else shelf, **others)
