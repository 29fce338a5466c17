"""The range and the kind of a metric, by which its confidence intervals are chosen."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np

ROUNDING = 1e-6
"""Excess over the range of a metric, over the largest of 1, the ends of the range and the values, that is rounding."""

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

    def beyond(self, values: np.ndarray) -> tuple[bool, bool]:
        """Return whether some value lies below the range, and some above it, by more than rounding."""
        ends = np.abs(np.append(values, (self.low, self.high)))
        slack = ROUNDING * max(1.0, float(ends[np.isfinite(ends)].max(initial=0.0)))
        return bool((values < self.low - slack).any()), bool((values > self.high + slack).any())

    def around(self, values: np.ndarray) -> Nature:
        """Return the nature without the ends that values exceed: two tiers may progress faster than the machine has
        processors, and a log may overcommit its machine."""
        below, above = self.beyond(values)
        return replace(self, low=-math.inf if below else self.low, high=math.inf if above else self.high)


ANY = Nature()
MEAN = Nature(0.0)
TOTAL = Nature(0.0, kind="total")
LARGEST = Nature(0.0, kind="maximum")
SHARE = Nature(0.0, 1.0)
RATIO = Nature(1.0)
"""A mean that is at least 1, such as one over a lower bound."""
LARGEST_RATIO = Nature(1.0, kind="maximum")
