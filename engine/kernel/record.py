"""Output of the kernel: rectangles when they close, events, and changes of rates."""

from __future__ import annotations

import numpy as np

from shadowtime.engine import tables
from shadowtime.engine.kernel.arrays import insert_sorted
from shadowtime.engine.kernel.cache import inner
from shadowtime.engine.kernel.errors import FULL, fail
from shadowtime.engine.kernel.state import NO_ROW

START, END, PAUSE, RESUME = (np.int64(x) for x in (tables.START, tables.END, tables.PAUSE, tables.RESUME))
MIGRATE, SWAP, KILL = (np.int64(x) for x in (tables.MIGRATE, tables.SWAP, tables.KILL))
RESERVE, BACKFILL, REJECT = (np.int64(x) for x in (tables.RESERVE, tables.BACKFILL, tables.REJECT))
UNRESERVE, CORRECT = np.int64(tables.UNRESERVE), np.int64(tables.CORRECT)
PROMISE, PLAN = np.int64(tables.PROMISE), np.int64(tables.PLAN)
RUN, STALL, LOST = (np.int64(x) for x in (tables.RUN, tables.STALL, tables.LOST))


@inner
def has_row(s, i, row, rows):
    """Return whether `row` is one of the `rows` of a buffer; otherwise record the error for unit `i`."""
    if row < rows:
        return True
    fail(s, FULL, i, NO_ROW, float(row))
    return False


@inner
def note(s, kind, i, tier, other, value):
    """Write an event of unit `i`; the meaning of `other` and `value` depends on `kind` (see `engine.tables`)."""
    k = s.k[0]
    row = k.events
    if not has_row(s, i, row, s.ev.shape[0]):
        return
    event = s.ev[row]
    event.time, event.kind, event.job = k.now, kind, i
    event.tier, event.other, event.value = tier, other, value
    k.events = row + 1


@inner
def note_rate(s, i):
    """Write the rate that unit `i` has from now on."""
    k = s.k[0]
    row = k.rates
    if not has_row(s, i, row, s.rate.shape[0]):
        return
    change = s.rate[row]
    change.time, change.job, change.tier, change.rate = k.now, i, s.u[i].tier, s.u[i].rate
    k.rates = row + 1


@inner
def rectangle(s, i, first, last, tier, start, end, share, kind):
    """Write one row of segments: lanes first..last of unit `i` over [start, end)."""
    k = s.k[0]
    row = k.segments
    if not has_row(s, i, row, s.seg.shape[0]):
        return
    segment = s.seg[row]
    segment.job, segment.first, segment.last, segment.tier = i, first, last, tier
    segment.start, segment.end, segment.share, segment.kind = start, end, share, kind
    k.segments = row + 1


@inner
def in_order(s, i):
    """Return where the lanes of unit `i` stand in ascending order: (1, first row) for `hold`, (0, 0) for `spare`.

    A sorted copy is made in `spare` only when the rows of `hold` do not ascend.
    """
    u, hold = s.u[i], s.hold
    first, count = u.first, u.procs
    for y in range(first + 1, first + count):
        if hold[y] < hold[y - 1]:
            break
    else:
        return 1, first
    if count * count > 4 * s.k[0].lanes:  # an insertion moves count / 4 rows
        count_lanes(s, first, count)
    else:
        for y in range(count):
            insert_sorted(s.spare, y, hold[first + y])
    return 0, np.int64(0)


@inner
def count_lanes(s, first, count):
    """Write `count` lanes of `hold` into `spare` in ascending order, by counting on the lanes."""
    hold, lanes, spare = s.hold, s.lane, s.spare
    low, high, at = hold[first], hold[first], 0
    for y in range(first, first + count):
        lane = hold[y]
        lanes[lane].mark += 1
        low, high = min(low, lane), max(high, lane)
    for lane in range(low, high + 1):
        while lanes[lane].mark > 0:
            spare[at] = lane
            at += 1
            lanes[lane].mark -= 1


@inner
def rectangles(s, i, start, end, kind):
    """Write the lanes of unit `i` over [start, end) in as few rectangles as possible.

    Shares of several processes on one lane are added.
    """
    u = s.u[i]
    which, first = in_order(s, i)
    lanes = s.hold if which else s.spare
    y = first
    stop = first + u.procs
    while y < stop:
        lo = lanes[y]
        times = 1
        y += 1
        while y < stop and lanes[y] == lo:
            times += 1
            y += 1
        hi = lo
        while y < stop and lanes[y] == hi + 1:
            again = 1
            while y + again < stop and lanes[y + again] == hi + 1:
                again += 1
            if again != times:
                break
            hi += 1
            y += again
        rectangle(s, i, lo, hi, u.tier, start, end, u.share * times, kind)


@inner
def close(s, i, kind):
    """Close the open segment of unit `i` now: write its stall, if any, and the rest as `kind`; none has length zero."""
    u, now = s.u[i], s.k[0].now
    stalled = min(max(u.stall, u.opened), now)
    if stalled > u.opened:
        rectangles(s, i, u.opened, stalled, STALL)
    if now > stalled:
        rectangles(s, i, stalled, now, kind)
    u.opened = now
