"""The range and the kind of a metric, by which its confidence intervals are chosen."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Literal

Kind = Literal["mean", "total", "maximum", "quantile"]


@dataclass(frozen=True)
class Nature:
    """Where the values of a metric can lie, and what a run computes from its jobs."""

    low: float = -math.inf
    """Smallest possible value."""
    high: float = math.inf
    """Largest possible value."""
    kind: Kind = "mean"
    """"mean" of many jobs, "total" (a sum, a count or a length), "maximum" or tail "quantile" of one run."""

    @property
    def is_extreme(self) -> bool:
        """Whether a few jobs decide the value, so that no law of large numbers holds within a run."""
        return self.kind in ("maximum", "quantile")


ANY = Nature()
MEAN = Nature(0.0)
TOTAL = Nature(0.0, kind="total")
LARGEST = Nature(0.0, kind="maximum")
SHARE = Nature(0.0, 1.0)
RATIO = Nature(1.0)
"""A mean that is at least 1, such as one over a lower bound."""
LARGEST_RATIO = Nature(1.0, kind="maximum")
