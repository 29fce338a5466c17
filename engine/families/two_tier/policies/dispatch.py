"""Choose the processors of a job: least used partners first, for processes in order of decreasing usage."""

from __future__ import annotations

from shadowtime.engine.kernel.cache import inner


@inner
def sort_choice(t, count):
    """Sort `choice[:count]` by increasing usage, ties by highest processor first: insertion sort."""
    choice = t.choice
    for y in range(1, count):
        usage, lane = choice[y].usage, choice[y].lane
        at = y
        while at > 0 and (
            choice[at - 1].usage > usage or (choice[at - 1].usage == usage and choice[at - 1].lane < lane)
        ):
            choice[at].usage, choice[at].lane = choice[at - 1].usage, choice[at - 1].lane
            at -= 1
        choice[at].usage, choice[at].lane = usage, lane


@inner
def pick_front(s, t, i):
    """Write into `pick` processors with an empty foreground slot for unit `i`, by increasing usage of their background
    process (0 if none), ties highest first. A background slot that `i` itself leaves counts as empty."""
    count, lanes, pick, seats, choice = s.u[i].procs, s.lane, s.pick, t.seat, t.choice
    y = 0
    others = 0
    for lane in range(s.k[0].lanes - 1, -1, -1):
        row = lanes[lane]
        if row.count0 == 0:
            if row.count1 == 0 or (row.count1 == 1 and row.owner1 == i + 1):
                pick[y] = lane
                y += 1
                if y == count:
                    return
            else:
                choice[others].usage, choice[others].lane = seats[lane].back_seen, lane
                others += 1
    sort_choice(t, others)
    for row in range(count - y):
        pick[y + row] = choice[row].lane


@inner
def pick_behind(s, t, i):
    """Write into `pick` processors that may take a background process of unit `i`, by increasing usage of their
    foreground process (0 if none), ties highest first."""
    count, lanes, pick, seats, choice = s.u[i].procs, s.lane, s.pick, t.seat, t.choice
    y = 0
    others = 0
    for lane in range(s.k[0].lanes - 1, -1, -1):
        if seats[lane].may_take:
            if lanes[lane].count0 == 0:
                pick[y] = lane
                y += 1
                if y == count:
                    return
            else:
                choice[others].usage, choice[others].lane = seats[lane].front_seen, lane
                others += 1
    sort_choice(t, others)
    for row in range(count - y):
        pick[y + row] = choice[row].lane


@inner
def refresh(s, t, lane):
    """Update whether `lane` may take a background process: its background slot is empty, and the foreground slot is
    empty or used below the threshold."""
    row, seat, m = s.lane[lane], t.seat[lane], t.m[0]
    may = 1 if row.count1 == 0 and (row.count0 == 0 or seat.front_seen < m.threshold) else 0
    m.idle_behind += may - seat.may_take
    seat.may_take = may


@inner
def sit_in_front(s, t, i):
    """Store the usages of unit `i`, just placed in the foreground."""
    u, hold, seats, first = s.u[i], s.hold, t.seat, t.j[i].first
    for y in range(u.procs):
        lane = hold[u.first + y]
        seats[lane].front = t.usage[first + y]
        seats[lane].front_seen = t.seen[first + y]
        refresh(s, t, lane)


@inner
def sit_behind(s, t, i):
    """Store the usages of unit `i`, just placed in the background."""
    u, hold, seats, first = s.u[i], s.hold, t.seat, t.j[i].first
    for y in range(u.procs):
        lane = hold[u.first + y]
        seats[lane].back = t.usage[first + y]
        seats[lane].back_seen = t.seen[first + y]
        seats[lane].phi = t.phi[first + y]
        refresh(s, t, lane)


@inner
def refresh_dirty(s, t):
    """Update all processors that changed so far at this instant."""
    for y in range(s.k[0].dirty):
        refresh(s, t, s.dirty[y])
