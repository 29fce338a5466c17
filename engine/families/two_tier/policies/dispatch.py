"""Which processors a job gets: the idlest partners first, the hungriest process with the idlest partner."""

from __future__ import annotations

from shadowtime.engine.kernel.cache import inner


@inner
def sort_choice(t, count):
    """Order `choice[:count]` by increasing usage, ties by highest processor first: insertion sort."""
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
    """Processors with an empty foreground slot for unit `i`, by increasing usage of the process behind (0 when
    there is none), ties highest first, into `pick`. A slot behind that `i` itself leaves counts as empty."""
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
    """Processors that may take a background process for unit `i`, by increasing usage of the process in front
    (0 when there is none), ties highest first, into `pick`."""
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
    """Recount whether `lane` may take a background process: its slot behind is empty, and the one in front is
    empty or used below the threshold."""
    row, seat, m = s.lane[lane], t.seat[lane], t.m[0]
    may = 1 if row.count1 == 0 and (row.count0 == 0 or seat.front_seen < m.threshold) else 0
    m.idle_behind += may - seat.may_take
    seat.may_take = may


@inner
def sit_in_front(s, t, i):
    """Note the usages of unit `i`, just placed in front."""
    u, hold, seats, first = s.u[i], s.hold, t.seat, t.j[i].first
    for y in range(u.procs):
        lane = hold[u.first + y]
        seats[lane].front = t.usage[first + y]
        seats[lane].front_seen = t.seen[first + y]
        refresh(s, t, lane)


@inner
def sit_behind(s, t, i):
    """Note the usages of unit `i`, just placed behind."""
    u, hold, seats, first = s.u[i], s.hold, t.seat, t.j[i].first
    for y in range(u.procs):
        lane = hold[u.first + y]
        seats[lane].back = t.usage[first + y]
        seats[lane].back_seen = t.seen[first + y]
        seats[lane].phi = t.phi[first + y]
        refresh(s, t, lane)


@inner
def refresh_dirty(s, t):
    """Recount all processors that changed so far in this instant."""
    for y in range(s.k[0].dirty):
        refresh(s, t, s.dirty[y])
