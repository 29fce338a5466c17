"""The largest flow from jobs into the intervals of their windows, compiled.

Source -> job (its work) -> interval of its window (width x length) -> sink (lanes x length). A job sees a
contiguous run of intervals, so these arcs are not stored; only those *with flow* are, a few dozen per
interval, each in the list of its job and in that of its interval. A search from the jobs that still lack
work passes over intervals already seen (union-find): it costs the intervals and arcs that it reaches, not
jobs x intervals.

Least laxity pours first (`pour`); the search for paths in `cut_paths` repairs what that could not place.
"""

from __future__ import annotations

import numpy as np

from engine.bounds.compiled import PLAIN, compiled, inner

JOB = np.dtype([
    ("first", "i8"), ("last", "i8"),  # its window: intervals first .. last - 1
    ("due", "f8"), ("width", "f8"), ("work", "f8"),
    ("lack", "f8"),  # work without a place yet
    ("arcs", "i8"),  # head of its list of arcs
    ("level", "i8"), ("at", "i8"),  # of the search
])  # fmt: skip
SLOT = np.dtype([
    ("start", "f8"), ("length", "f8"),
    ("room", "f8"),  # capacity not used yet
    ("least", "f8"),  # capacities below this are rounding
    ("arcs", "i8"),
    ("stamp", "i8"), ("at", "i8"),  # of the search
])  # fmt: skip
ARC = np.dtype([("job", "i8"), ("slot", "i8"), ("flow", "f8"), ("next_of_job", "i8"), ("next_of_slot", "i8")])

NONE = np.int64(-1)
LACK = 1e-9
"""A job lacks work when more than this share of its work has no place."""
SLIVER = 1e-13
"""Capacities below this share of an interval's are rounding."""


def rows(n: int, dtype: np.dtype) -> np.ndarray:
    """`n` rows whose fields are attributes, compiled or plain; not cleared."""
    made = np.empty(n, dtype)
    return made.view(np.recarray) if PLAIN else made


@inner
def link(jobs, slots, arc, e, j, t):
    """Make arc `e` an empty one from job `j` to interval `t`."""
    a = arc[e]
    a.job, a.slot, a.flow = j, t, 0.0
    a.next_of_job, jobs[j].arcs = jobs[j].arcs, e
    a.next_of_slot, slots[t].arcs = slots[t].arcs, e


@inner
def serve(job, amount):
    """Give a job work; what is left by rounding alone counts as nothing."""
    job.lack -= amount
    if job.lack <= SLIVER * job.work:
        job.lack = 0.0


@compiled
def pour(jobs, slots, arc):
    """Serve the active jobs of each interval by least laxity; gives the number of arcs with flow.

    Jobs are in order of release. No rule of this kind is exact on more than one lane; this one misses little.
    With no room for arcs it only counts them, and says by `lack` whether all jobs can be served this way.
    """
    dry = len(arc) == 0
    n, arcs = len(jobs), np.int64(0)
    active, laxity = np.empty(n, np.int64), np.empty(n)
    count, released = np.int64(0), np.int64(0)
    for t in range(len(slots)):
        s = slots[t]
        while released < n and jobs[released].first == t:
            active[count] = released
            count += 1
            released += 1
        kept, wanted = np.int64(0), 0.0
        for i in range(count):
            job = jobs[active[i]]
            if job.lack > 0.0 and job.last > t:
                active[kept] = active[i]
                kept += 1
                wanted += min(job.width * s.length, job.lack)
        count = kept
        if wanted > s.room:
            for i in range(count):  # nearly sorted: served jobs keep their laxity
                j = active[i]
                key = jobs[j].due - s.start - jobs[j].lack / jobs[j].width
                at = i
                while at > 0 and laxity[at - 1] > key:
                    laxity[at], active[at] = laxity[at - 1], active[at - 1]
                    at -= 1
                laxity[at], active[at] = key, j
        for i in range(count):
            job = jobs[active[i]]
            given = min(job.width * s.length, job.lack, s.room)
            if given <= 0.0:
                break
            if not dry:
                link(jobs, slots, arc, arcs, active[i], t)
                arc[arcs].flow = given
            arcs += 1
            s.room -= given
            serve(job, given)
    return arcs
