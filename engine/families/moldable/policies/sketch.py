"""What an off-line algorithm gives: allotments and starts, before anybody chose processors."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np

from shadowtime.engine.tables import BANDS, Table, empty


@dataclass(frozen=True, eq=False)
class Sketch:
    """A schedule of n moldable jobs that are all there at second 0."""

    start: np.ndarray
    """[s]"""
    size: np.ndarray
    """Processors of each job, i8."""
    time: np.ndarray
    """Its time on them [s]."""
    shelf: np.ndarray
    """Where the algorithm put it: DEMT's batch from 0; or 0 small, 1 own processors, 2 and 3 the shelves; or -1."""
    bands: Table = field(default_factory=lambda: empty(BANDS))
    counters: Mapping[str, int] = field(default_factory=dict)
    """What it counted: which of its schedules won, say."""

    @cached_property
    def makespan(self) -> float:
        """Last end [s]."""
        return float((self.start + self.time).max())

    def minsum(self, weight: np.ndarray) -> float:
        """Sum of weight x end."""
        return float(np.dot(weight, self.start + self.time))


def sketch(p: np.ndarray, start: np.ndarray, size: np.ndarray, shelf: np.ndarray | None = None, **others) -> Sketch:
    """A sketch whose times are those of `p`, n x m seconds."""
    n = len(p)
    time = p[np.arange(n), size - 1]
    return Sketch(start, size, time, np.full(n, -1) if shelf is None else shelf, **others)
