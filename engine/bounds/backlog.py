"""`backlog`: if work is released faster than the lanes can do it, some job waits.

For each job a `scale` f_j is given, and the target S is the largest flow over scale: f = max(p, tau) for the
bounded stretch, f = p for the stretch, f = 1 for the flow itself.

Proof. Take a limit theta, two releases r_i <= r_k, and let W be the area of the jobs with `f <= theta` released
in between. Within target S the last of them ends by `r_k + S theta`, and none starts before r_i; the lanes do
at most `lanes` lane-seconds per second. So `W <= lanes (r_k + S theta - r_i)`, that is

    S >= (W / lanes - (r_k - r_i)) / theta.

The bound is the best over all i, k and over limits a quarter of an octave apart. For one k, the best i is the start
of the busy period of a queue that drains at the speed of the lanes: one pass finds it (10 ms for 200,000 jobs).
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from shadowtime.engine.bounds.work import Work
from shadowtime.engine.kernel.cache import allocating

PER_OCTAVE, MOST_LIMITS = 4, 96
"""Scales below 2^-24 of the largest share one limit."""


class Backlog(NamedTuple):
    """The bound of each limit, and the jobs that give it."""

    bounds: np.ndarray
    since: np.ndarray
    """First job of the largest backlog, a row of the work."""
    until: np.ndarray
    """Last job of the largest backlog."""

    @property
    def best(self) -> float:
        """The largest bound."""
        return float(self.bounds.max())


def backlog(work: Work, scale: np.ndarray) -> Backlog:
    """Return lower bounds on `max flow / scale`, one per limit on the scale.

    `scale`: n values > 0 [s], in the order of the jobs.
    """
    octave = np.ceil(PER_OCTAVE * np.log2(scale / scale.max()) - 1e-9).astype(np.int64)
    limit_of = np.maximum(octave + MOST_LIMITS, 0)
    limit_of -= limit_of.min()
    limits = np.zeros(int(limit_of.max()) + 1)
    np.maximum.at(limits, limit_of, scale)
    limits = np.maximum.accumulate(limits)
    piles, since, until = _piles(work.release, work.area / work.lanes, limit_of, len(limits))
    return Backlog(piles / limits, since, until)


@allocating
def _piles(release, length, limit_of, limits):
    """Return the largest backlog of each limit [s of the whole machine], and its first and last job."""
    pile, best = np.zeros(limits), np.zeros(limits)
    first, since, until = np.zeros(limits, np.int64), np.zeros(limits, np.int64), np.zeros(limits, np.int64)
    now = release[0]
    for j in range(len(release)):
        passed = release[j] - now
        now = release[j]
        for k in range(limits):
            pile[k] = max(pile[k] - passed, 0.0)
            if pile[k] == 0.0:
                first[k] = j
        for k in range(limit_of[j], limits):
            pile[k] += length[j]
            if pile[k] > best[k]:
                best[k], since[k], until[k] = pile[k], first[k], j
    return best, since, until
