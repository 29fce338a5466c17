"""Choose the processors of a job: first fit, contiguous if possible; the highest ones on a two-tier workload."""

from __future__ import annotations

from shadowtime.engine.kernel.arrays import shift
from shadowtime.engine.kernel.cache import inner


@inner
def drop_ranges(q, at, count):
    """Remove `count` free ranges from `at` on."""
    m = q.m[0]
    shift(q.ranges, at + count, m.free_ranges, count)
    m.free_ranges -= count


@inner
def add_range(q, at, lo, hi):
    """Add the free range lo..hi before that at `at`."""
    m, free = q.m[0], q.ranges
    for y in range(m.free_ranges, at, -1):
        free[y] = free[y - 1]
    free[at].lo, free[at].hi = lo, hi
    m.free_ranges += 1


@inner
def range_from(q, lo):
    """Return the first free range that begins at processor `lo` or above. O(log free ranges)."""
    low, high = 0, q.m[0].free_ranges
    while low < high:
        middle = (low + high) // 2
        if q.ranges[middle].lo < lo:
            low = middle + 1
        else:
            high = middle
    return low


@inner
def after_neighbours(processors, y, stop):
    """Return the place before `stop` up to which `processors` are neighbours from place `y` on."""
    y += 1
    while y < stop and processors[y] == processors[y - 1] + 1:
        y += 1
    return y


@inner
def put_back(q, lo, hi):
    """Return processors lo..hi to the free ranges and merge adjacent ranges."""
    free, n, at = q.ranges, q.m[0].free_ranges, range_from(q, lo)
    joins_left = at > 0 and free[at - 1].hi + 1 == lo
    joins_right = at < n and hi + 1 == free[at].lo
    if joins_left and joins_right:
        free[at - 1].hi = free[at].hi
        drop_ranges(q, at, 1)
    elif joins_left:
        free[at - 1].hi = hi
    elif joins_right:
        free[at].lo = lo
    else:
        add_range(q, at, lo, hi)


@inner
def put_back_all(s, q, i):
    """Free the processors of unit `i`, which has ended; `hold` lists them in ascending order."""
    u, hold = s.u[i], s.hold
    y, stop = u.first, u.first + u.procs
    while y < stop:
        after = after_neighbours(hold, y, stop)
        put_back(q, hold[y], hold[after - 1])
        y = after


@inner
def pick_first_fit(s, q, count):
    """Take `count` free processors and write them, ascending, into `pick`: from the lowest free range that is
    long enough, else the lowest free processors."""
    m, free, pick = q.m[0], q.ranges, s.pick
    for at in range(m.free_ranges):
        lo = free[at].lo
        if free[at].hi - lo + 1 >= count:
            for y in range(count):
                pick[y] = lo + y
            free[at].lo = lo + count
            if free[at].lo > free[at].hi:
                drop_ranges(q, at, 1)
            return
    y = 0
    emptied = 0
    while y < count:
        lo, hi = free[emptied].lo, free[emptied].hi
        while lo <= hi and y < count:
            pick[y] = lo
            lo += 1
            y += 1
        free[emptied].lo = lo
        if lo > hi:
            emptied += 1
    if emptied:
        drop_ranges(q, 0, emptied)


@inner
def pick_highest(s, q, count):
    """Take the `count` highest free processors and write them, ascending, into `pick`.

    `Dispatch` of the two-tier papers does the same if no job runs in the background: charts of one-tier baselines can
    then be compared with it lane by lane.
    """
    m, free, pick = q.m[0], q.ranges, s.pick
    y = count
    while y > 0:
        last = free[m.free_ranges - 1]
        while last.hi >= last.lo and y > 0:
            y -= 1
            pick[y] = last.hi
            last.hi -= 1
        if last.hi < last.lo:
            m.free_ranges -= 1
