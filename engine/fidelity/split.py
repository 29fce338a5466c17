"""Halves of a log: the first is fitted, the second is tested.

The jobs whose start is known stand in the order of submission; the first half of them fits, the second tests. A model
that is tested simulates the jobs submitted in WARM_UP before the split, too, so that neither machine nor queue is empty
when the test begins; only jobs of the second half count. The same holds in the fitted half, of which at most the last
SAMPLE jobs count.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from shadowtime.engine.errors import InvalidWorkload
from shadowtime.engine.tables import take
from shadowtime.engine.workload.job import Workload

WARM_UP = 30 * 86_400.0
"""Seconds."""
SAMPLE = 60_000
LEAST = 40
"""Jobs with a known start; fewer make no halves."""


@dataclass(frozen=True)
class Part:
    """Rows of a log that are simulated together."""

    first: int
    """Row of the first job that is simulated."""
    counted: int
    """Row of the first job that counts."""
    end: int
    """Row after the last job of both."""

    @property
    def rows(self) -> slice:
        return slice(self.first, self.end)

    @property
    def warm_up(self) -> int:
        """Jobs that are simulated and do not count."""
        return self.counted - self.first

    @property
    def jobs(self) -> int:
        """Jobs that count."""
        return self.end - self.counted


@dataclass(frozen=True)
class Split:
    """The two parts of a log, and the row at which its second half begins."""

    fit: Part
    test: Part
    row: int


def known(log: Workload, lanes: int) -> Workload:
    """Return the jobs of a log that have a recorded start and fit the machine.

    Raises
    ------
    InvalidWorkload
        If fewer than LEAST jobs are left.
    """
    start = log.jobs.get("recorded_start")
    if log.kind != "rigid" or start is None:
        raise InvalidWorkload(f"{log.name} does not say when its jobs started: there is nothing to compare with")
    kept = np.flatnonzero(np.isfinite(start) & (log.jobs["processors"] <= lanes))
    if len(kept) < LEAST:
        raise InvalidWorkload(f"{log.name} has {len(kept):,} jobs with a recorded start; {LEAST} is the least")
    jobs = take(log.jobs, kept)
    # A clock that ran behind may have a job start before its submission: its wait is 0.
    jobs["recorded_start"] = np.maximum(jobs["recorded_start"], jobs["release"])
    return log.with_(jobs=jobs)


def halves(release: np.ndarray, sample: int = SAMPLE) -> Split:
    """Return the parts of jobs submitted at `release`, ascending [s]."""
    n = len(release)
    row = n // 2
    first = max(0, row - sample)
    return Split(
        Part(_warm(release, first), first, row),
        Part(_warm(release, row), row, n),
        row,
    )


def _warm(release: np.ndarray, row: int) -> int:
    """Return the first row that is submitted at most WARM_UP before row `row`."""
    return int(np.searchsorted(release, release[row] - WARM_UP)) if row else 0
