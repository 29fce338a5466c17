"""What a figure of a sweep draws, as data: lines with their intervals on one axis."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np


@dataclass(frozen=True)
class Series:
    """One line of a panel: a statistic at each place of the axis."""

    name: str
    mean: np.ndarray
    low: np.ndarray
    high: np.ndarray
    n: np.ndarray
    """Number of independent blocks."""
    points: Sequence[int]
    """Number of the point behind each value; -1 where there is none."""
    style: int


@dataclass(frozen=True)
class Panel:
    """Lines on one axis."""

    title: str
    ticks: Sequence[str]
    series: Sequence[Series]
