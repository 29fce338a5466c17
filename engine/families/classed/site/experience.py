"""The experiential database: count, mean and variance of past runtimes per job class and resource.

Updated run by run: B. P. Welford, Note on a method for calculating corrected sums of squares and
products, Technometrics 4(3), 1962. A resource that never ran a class has no mean: it is not allowed for it.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np


@dataclass(frozen=True, eq=False)
class Experience:
    """Arrays of (job classes, resources): machines first, then clusters."""

    count: np.ndarray
    """Number of measured runs."""
    mean: np.ndarray
    """Mean time [s]; NaN without a run."""
    squares: np.ndarray
    """Sum of squared differences from the mean [s^2]."""

    @classmethod
    def of(cls, mean: np.ndarray, sd: np.ndarray | None = None, count: np.ndarray | None = None) -> Experience:
        """Return the experience of means [s] (NaN: not allowed), sample deviations [s] and counts.

        A known mean counts as at least one run, one with a deviation as at least two.
        """
        mean = np.array(mean, dtype="f8")
        deviation = np.zeros(mean.shape) if sd is None else np.nan_to_num(np.array(sd, dtype="f8"))
        seen = np.ones(mean.shape, "i8") if count is None else np.array(count, dtype="i8")
        seen = np.where(np.isnan(mean), 0, np.maximum(seen, np.where(deviation > 0.0, 2, 1)))
        return cls(seen, mean, deviation**2 * np.maximum(seen - 1, 0))

    def learn(self, job_class: int, resource: int, seconds: float) -> None:
        """Add one measured runtime: Welford's step."""
        at = job_class, resource
        self.count[at] += 1
        before = self.mean[at] if self.count[at] > 1 else 0.0
        self.mean[at] = before + (seconds - before) / self.count[at]
        self.squares[at] = (
            self.squares[at] + (seconds - before) * (seconds - self.mean[at]) if self.count[at] > 1 else 0.0
        )

    @property
    def sd(self) -> np.ndarray:
        """Sample deviation [s]; 0 for fewer than two runs."""
        return np.sqrt(self.squares / np.maximum(self.count - 1, 1))

    @property
    def expected(self) -> np.ndarray:
        """Means [s], infinite if not allowed."""
        return np.where(np.isnan(self.mean), np.inf, self.mean)

    def of_classes(self, job_class: np.ndarray) -> Experience:
        """Return the rows of some job classes, in that order."""
        return Experience(self.count[job_class], self.mean[job_class], self.squares[job_class])

    def copy(self) -> Experience:
        """Return an independent copy."""
        return Experience(self.count.copy(), self.mean.copy(), self.squares.copy())
