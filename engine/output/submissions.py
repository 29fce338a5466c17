"""Merge submissions from the jobs table into the events of a run; the kernel does not write them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from shadowtime.engine import tables
from shadowtime.engine.tables import EVENTS, REJECTED, Table


@dataclass(frozen=True, eq=False)
class Unfit:
    """The reason why some jobs of a run never fit its machine."""

    reason: int
    """One of `tables.REJECTIONS`, the same for all jobs of the run."""
    amount: np.ndarray
    """Number of processors, nodes or tasks in the sentence of each job, n values; NaN without one."""


def merge_submissions(runs: Sequence[Table], jobs: Table, unfit: Unfit) -> Iterator[Table]:
    """Yield the kernel's events with a submission (or rejection) per job: after the ends of its instant, before the
    decisions. The kernel does not write them, since 200,000 jobs may arrive in one instant.

    runs: consecutive tables of events; each gets the submissions before its last event, the last table all others.
    unfit: the reason for jobs that never fit; rejections by the policy are among the kernel's events.
    """
    submitted, release, begin = _submitted(runs, jobs, unfit), jobs["release"], 0
    for i, events in enumerate(runs):
        is_end = events["kind"] == tables.END
        after_ends = np.where(is_end, events["time"], np.nextafter(events["time"], np.inf))
        is_last = i == len(runs) - 1
        stop = len(release) if is_last else max(begin, int(np.searchsorted(release, after_ends[-1], side="left")))
        n = stop - begin
        place = np.searchsorted(after_ends, release[begin:stop], side="right") + np.arange(n)
        is_old = np.ones(n + len(is_end), bool)
        is_old[place] = False
        merged = tables.empty(EVENTS, n + len(is_end))
        for name, column in merged.items():
            column[is_old], column[place] = events[name], submitted[name][begin:stop]
        begin = stop
        yield merged


def _submitted(runs: Sequence[Table], jobs: Table, unfit: Unfit) -> Table:
    """Return the submission of each job, or its rejection if the kernel has no event of it."""
    n = len(jobs["job_id"])
    table = tables.empty(EVENTS, n)
    table["time"] = jobs["release"]
    table["job"] = np.arange(n)
    table["other"][:] = -1
    table["value"][:] = np.nan
    rejected = (jobs["state"] == REJECTED) & np.isnan(jobs["start"])
    for events in runs:
        rejected[events["job"][events["kind"] == tables.REJECT]] = False
    table["kind"] = np.where(rejected, tables.REJECT, tables.SUBMIT)
    table["other"][rejected], table["value"][rejected] = unfit.reason, unfit.amount[rejected]
    return table
