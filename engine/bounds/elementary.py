"""Bounds from single jobs and from the sum of areas.

`dedicated`: each job alone on the machine. The rate never exceeds 1, so the flow of job j is at least `p_j`; sums,
means and maxima follow, and all stretches are at least 1.

`longest_job`: the makespan is at least the earliest possible end of any job, counted from the first release: job j ends
at `r_j + p_j` or later.

`area`: the jobs released from some instant on need their total area after it. Take any release r. The jobs released at
r or later need their areas, all of it after r, and the lanes give at most `lanes` lane-seconds per second: the last of
them ends at `r + area / lanes` or later. The bound is the best over all r. (With r = min r it is the whole area over
the lanes.)
"""

from __future__ import annotations

import numpy as np

from shadowtime.engine.bounds.work import Work


def total_weighted_flow(work: Work, weight: np.ndarray) -> float:
    """Return `sum weight x p`, a bound on the weighted flow [s]."""
    return float(np.sum(weight * work.runtime))


def longest_job(work: Work) -> float:
    """Return `max (r + p) - min r` [s]."""
    return float((work.release + work.runtime).max() - work.release.min())


def area(work: Work) -> float:
    """Return `max over r of (r + area released at r or later / lanes) - min r` [s]."""
    later = np.cumsum(work.area[::-1])[::-1]  # among equal releases, the first row counts them all
    return float((work.release + later / work.lanes).max() - work.release.min())
