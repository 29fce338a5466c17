"""`dedicated`: each job alone on the machine.

Proof. The rate never exceeds 1, so the flow of job j is at least `p_j`; sums, means and maxima follow, and
all stretches are at least 1.
"""

from __future__ import annotations

import numpy as np

from shadowtime.engine.bounds.work import Work


def total_weighted_flow(work: Work, weight: np.ndarray) -> float:
    """Return `sum weight x p`, a bound on the weighted flow [s]."""
    return float(np.sum(weight * work.runtime))


def longest_runtime(work: Work) -> float:
    """Return `max p`, a bound on the longest flow [s]."""
    return float(work.runtime.max())
