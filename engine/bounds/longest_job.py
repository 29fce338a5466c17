"""`longest_job`: the makespan is at least the earliest possible end of any job, counted from the first release.

Proof. The rate never exceeds 1, so job j ends at `r_j + p_j` or later, and the last end is no earlier.
"""

from __future__ import annotations

from shadowtime.engine.bounds.work import Work


def longest_job(work: Work) -> float:
    """Return `max (r + p) - min r` [s]."""
    return float((work.release + work.runtime).max() - work.release.min())
