"""Submissions among the events of a run: merged in from the jobs table, since the kernel does not write them."""

from __future__ import annotations

import numpy as np

from shadowtime.engine import tables
from shadowtime.engine.output.rejections import Unfit
from shadowtime.engine.tables import EVENTS, REJECTED, Table


def with_submissions(events: Table, jobs: Table, unfit: Unfit) -> Table:
    """Merge a submission (or rejection) per job into the kernel's events: after the ends of its instant,
    before the decisions. The kernel does not write them: 200,000 jobs may arrive in one instant.

    unfit: why the jobs that never fit were rejected; the policy's own rejections are among the kernel's events.
    """
    n = len(jobs["job_id"])
    submitted = tables.empty(EVENTS, n)
    submitted["time"] = jobs["release"]
    submitted["job"] = np.arange(n)
    submitted["other"][:] = -1
    submitted["value"][:] = np.nan
    rejected = (jobs["state"] == REJECTED) & np.isnan(jobs["start"])
    rejected[events["job"][events["kind"] == tables.REJECT]] = False
    submitted["kind"] = np.where(rejected, tables.REJECT, tables.SUBMIT)
    submitted["other"][rejected], submitted["value"][rejected] = unfit.reason, unfit.amount[rejected]
    is_end = events["kind"] == tables.END
    after_ends = np.where(is_end, events["time"], np.nextafter(events["time"], np.inf))
    place = np.searchsorted(after_ends, submitted["time"], side="right") + np.arange(n)
    is_old = np.ones(n + len(is_end), bool)
    is_old[place] = False
    merged = tables.empty(EVENTS, n + len(is_end))
    for name, column in merged.items():
        column[is_old], column[place] = events[name], submitted[name]
    return merged
