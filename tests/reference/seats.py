"""Processors of a slow twin: first fit, and the rectangles of a schedule."""

from __future__ import annotations

from itertools import pairwise


def first_fit(free, count):
    """Return the lowest `count` neighbours among free processors; the lowest free ones if there are none."""
    free = sorted(free)
    for at in range(len(free) - count + 1):
        if free[at + count - 1] - free[at] == count - 1:
            return free[at : at + count]
    return free[:count]


def rectangles(job, lanes, start, end):
    """Return (job, first, last, start, end) for each range of neighbours."""
    if end <= start:
        return []
    lanes = sorted(lanes)
    cuts = [0, *(at + 1 for at, (a, b) in enumerate(pairwise(lanes)) if b > a + 1), len(lanes)]
    return [(job, lanes[a], lanes[b - 1], start, end) for a, b in pairwise(cuts)]


def rectangles_of(schedule):
    """Return the rectangles of an engine's schedule, sorted."""
    names = ("job", "first", "last", "start", "end")
    return sorted(zip(*(schedule.segments[name].tolist() for name in names), strict=True))


class Seated:
    """A twin with jobs on processors of their own; `found` are the rectangles so far."""

    def leave(self, job):
        self.running.remove(job)
        self.found += rectangles(job.row, job.lanes, job.since, self.now)
        job.ran += self.now - job.since
        job.since = None


def preemptions_of(twin, schedule, question):
    """Return the number of preemptions of an engine's schedule, after a look whether the twin has the same one."""
    assert rectangles_of(schedule) == twin.run(), question
    assert schedule.counters["preemptions"] == twin.preemptions
    return twin.preemptions
