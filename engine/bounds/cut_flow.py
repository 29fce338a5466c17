"""Maximum flow from jobs into the intervals of their windows, compiled.

Source -> job (its work) -> interval of its window (width x length) -> sink (lanes x length). A job sees a
contiguous run of intervals, so only arcs *with flow* are stored, a few dozen per interval, in a linked list of the
interval. A search from the jobs that still lack work skips visited intervals by union-find: its cost is the number
of intervals and arcs reached, not jobs x intervals.

`pour` places work greedily, least laxity first; the augmenting paths of `cut_paths` place the rest.
"""

from __future__ import annotations

import numpy as np

from shadowtime.engine.kernel.cache import PLAIN, allocating, inner

JOB = np.dtype([
    ("first", "i8"), ("last", "i8"),  # the window: intervals first .. last - 1
    ("due", "f8"), ("width", "f8"), ("work", "f8"),
    ("lack", "f8"),  # work not placed yet
    ("level", "i8"), ("at", "i8"),  # used by the search
])  # fmt: skip
SLOT = np.dtype([
    ("start", "f8"), ("length", "f8"),
    ("room", "f8"),  # capacity not used yet
    ("least", "f8"),  # capacities below this are rounding
    ("arcs", "i8"),  # head of the list of arcs
    ("since", "i8"), ("until", "i8"),  # arcs made by `pour`: contiguous, the tail of the list
    ("level", "i8"), ("at", "i8"),  # used by the search
])  # fmt: skip
ARC = np.dtype([("job", "i8"), ("flow", "f8"), ("next", "i8")])
ACTIVE = np.dtype([
    ("job", "i8"), ("last", "i8"), ("due", "f8"), ("width", "f8"), ("lack", "f8"),
    ("latest", "f8"),  # latest time from which the job must be served without a break
])  # fmt: skip
"""Copy of the fields of a job that `pour` reads, in the order of `latest`, so that they are contiguous."""

NONE = np.int64(-1)
LACK = 1e-9
"""A job lacks work if more than this share of its work is not placed."""
SLIVER = 1e-13
"""Capacities below this share of an interval's are rounding."""


def rows(n: int, dtype: np.dtype) -> np.ndarray:
    """Return `n` uninitialized rows whose fields are attributes, compiled or plain."""
    made = np.empty(n, dtype)
    return made.view(np.recarray) if PLAIN else made


@inner
def link(slot, arc, e, j, flow):
    """Make `e` an arc from job `j` to an interval."""
    a = arc[e]
    a.job, a.flow = j, flow
    a.next, slot.arcs = slot.arcs, e


@inner
def serve(job, amount):
    """Place `amount` of a job's work; a rest caused by rounding alone becomes 0."""
    job.lack -= amount
    if job.lack <= SLIVER * job.work:
        job.lack = 0.0


@allocating
def lay_out(jobs, slots, release, due, by_due, width, work, lanes):
    """Cut time at all releases and deadlines, clear all lists of arcs, and return the number of intervals.

    `release` does not decrease; `by_due` is the order of the jobs by `due`; `slots` has two rows per job.
    """
    n, m, r, d = len(jobs), NONE, np.int64(0), np.int64(0)
    while d < n:
        is_release = r < n and release[r] <= due[by_due[d]]
        time = release[r] if is_release else due[by_due[d]]
        if m < 0 or time != slots[m].start:
            m += 1
            slots[m].start = time
        if is_release:
            jobs[r].first = m
            r += 1
        else:
            jobs[by_due[d]].last = m
            d += 1
    for t in range(m):
        s = slots[t]
        s.length = slots[t + 1].start - s.start
        s.least = SLIVER * lanes * s.length
        s.room, s.arcs = lanes * s.length, NONE
    for j in range(n):
        job = jobs[j]
        job.due, job.width, job.work, job.lack = due[j], width[j], work[j], work[j]
    return m


@inner
def needed(a, length, end):
    """Return the least work in an interval after which an active job can still end by its deadline."""
    return min(a.width * min(end - a.latest, length), a.lack)


@inner
def put_in_order(active, at, stop, a):
    """Write row `a` at place `at`, or further on, before the rows up to `stop`, which are in order by `latest`."""
    while at + 1 < stop and active[at + 1].latest < a.latest:
        active[at] = active[at + 1]
        at += 1
    active[at] = a


@allocating
def pour(jobs, slots, arc, active):
    """Serve the active jobs of each interval by least laxity, and return the number of arcs with flow.

    Each gets what it needs in the interval, and the rest of the room goes by least laxity. Jobs are in order of
    release. No greedy rule is exact on more than one lane; this one leaves little unplaced. (1,000 Lublin jobs: work is
    left by 69 % of the flows, by 90 % if all room goes by laxity.)
    If `arc` is full, further arcs are counted but not stored; `lack` is right in either case.

    Rows `first..stop` of `active` are the active jobs by the latest time from which each must be served without a
    break, which is the order of their laxities. Only those of the served jobs change. Its last row is scratch space.
    """
    n, arcs, released, first, stop = len(jobs), np.int64(0), np.int64(0), np.int64(0), np.int64(0)
    for t in range(len(slots)):
        s = slots[t]
        length, room = s.length, s.room
        while released < n and jobs[released].first == t:
            job = jobs[released]
            if job.lack > 0.0 and job.last > t:
                latest, at = job.due - job.lack / job.width, stop
                while at > first and active[at - 1].latest > latest:
                    active[at] = active[at - 1]
                    at -= 1
                a = active[at]
                a.job, a.last, a.due, a.width, a.lack = released, job.last, job.due, job.width, job.lack
                a.latest = latest
                stop += 1
            released += 1
        s.since, begin, served, end = arcs, first, first, s.start + length
        free = room  # beyond what jobs need in this interval to end by their deadlines
        for i in range(first, stop):
            a = active[i]
            if a.latest >= end or free <= 0.0:
                break
            if a.last > t:
                free -= needed(a, length, end)
        while served < stop and room > 0.0:
            a = active[served]
            if a.last > t:
                given = min(a.width * length, a.lack, room)
                if a.latest < end:
                    least = needed(a, length, end)
                    given = min(given, least + max(free, 0.0))
                    free -= given - least
                else:
                    given = min(given, free)
                    free -= given
                    if given <= 0.0:
                        break
                if arcs < len(arc):
                    link(s, arc, arcs, a.job, given)
                arcs += 1
                room -= given
                serve(jobs[a.job], given)
                a.lack = jobs[a.job].lack
                a.latest = a.due - a.lack / a.width
            served += 1
        first = served
        for i in range(served - 1, begin - 1, -1):
            a = active[i]
            if a.lack == 0.0 or a.last <= t + 1:
                continue
            first -= 1
            if first == i and (i + 1 == stop or active[i + 1].latest >= a.latest):
                continue
            active[n] = a
            put_in_order(active, first, stop, active[n])
        s.room, s.until = room, arcs
    return arcs
