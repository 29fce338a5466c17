"""The steps of KEASY, REASY and MEASY; they differ in `deploy`, and REASY in its reservation."""

from __future__ import annotations

from shadowtime.engine.families.rigid.policies.steps import dequeue, enqueue, has_head, waiting_from
from shadowtime.engine.families.two_tier.policies.dispatch import (
    pick_behind,
    pick_front,
    refresh_dirty,
    sit_behind,
    sit_in_front,
)
from shadowtime.engine.families.two_tier.policies.state import KEASY, REASY
from shadowtime.engine.kernel.cache import inner
from shadowtime.engine.kernel.record import BACKFILL, RESERVE, note
from shadowtime.engine.kernel.state import BACKGROUND, FOREGROUND, NO_ROW, QUEUED, RUNNING
from shadowtime.engine.kernel.vocabulary import kill, place


@inner
def idle_front(s):
    """Return the number of processors whose foreground slot is empty."""
    return s.k[0].lanes - s.k[0].held


@inner
def queue_up(s, t, i):
    """Insert queued unit `i` into the shortest-first order: by estimate, ties by arrival."""
    m, queue, estimate = t.m[0], t.queue, s.u[i].estimate
    at = m.waiting
    while at > 0 and (
        queue[at - 1].estimate > estimate or (queue[at - 1].estimate == estimate and queue[at - 1].unit > i)
    ):
        queue[at].estimate, queue[at].unit = queue[at - 1].estimate, queue[at - 1].unit
        at -= 1
    queue[at].estimate, queue[at].unit = estimate, i
    m.waiting += 1


@inner
def leave_queue(s, t, i):
    """Remove unit `i` from the shortest-first order: bisection, then shift."""
    m, queue, estimate = t.m[0], t.queue, s.u[i].estimate
    low, high = 0, m.waiting
    while low < high:
        middle = (low + high) // 2
        row = queue[middle]
        if row.estimate < estimate or (row.estimate == estimate and row.unit < i):
            low = middle + 1
        else:
            high = middle
    for y in range(low, m.waiting - 1):
        queue[y].estimate, queue[y].unit = queue[y + 1].estimate, queue[y + 1].unit
    m.waiting -= 1


@inner
def own_front_is_free(s, i):
    """Return whether the foreground slots of all processors of background unit `i` are empty."""
    u, lanes, hold = s.u[i], s.lane, s.hold
    for y in range(u.first, u.first + u.procs):  # noqa: SIM110 (numba compiles no generators in all())
        if lanes[hold[y]].count0 > 0:
            return False
    return True


@inner
def can_deploy(s, t, i):
    """Return whether unit `i` may come to the foreground; under REASY a background job waits for its own processors."""
    return t.m[0].policy != REASY or s.u[i].state == QUEUED or own_front_is_free(s, i)


@inner
def deploy(s, t, i):
    """Bring unit `i` to the foreground: start, swap, or else kill and restart (KEASY) or migrate (MEASY)."""
    u, m = s.u[i], t.m[0]
    if u.state == QUEUED:
        leave_queue(s, t, i)
        pick_front(s, t, i)
        place(s, i, FOREGROUND, 1.0, 1.0, 0.0)
    elif own_front_is_free(s, i):
        for y in range(u.procs):
            s.pick[y] = s.hold[u.first + y]
        place(s, i, FOREGROUND, 1.0, 1.0, 0.0)
    elif m.policy == KEASY:
        kill(s, i)
        pick_front(s, t, i)
        place(s, i, FOREGROUND, 1.0, 1.0, 0.0)
    else:
        pick_front(s, t, i)
        place(s, i, FOREGROUND, 1.0, 1.0, m.migration_cost)
    sit_in_front(s, t, i)
    refresh_dirty(s, t)
    dequeue(t, i)
    t.busy[m.foreground].unit, t.busy[m.foreground].procs = i, u.procs
    m.foreground += 1


@inner
def forget(s, t, i):
    """Remove unit `i`, which has ended, from the foreground rows or from the jobs not in the foreground."""
    m, busy = t.m[0], t.busy
    if s.u[i].tier == BACKGROUND:
        dequeue(t, i)
        return
    at = 0
    while busy[at].unit != i:
        at += 1
    for y in range(at, m.foreground - 1):
        busy[y].end, busy[y].unit, busy[y].procs = busy[y + 1].end, busy[y + 1].unit, busy[y + 1].procs
    m.foreground -= 1


@inner
def predicted_end(s, i):
    """Return now + rest of the migration + estimate - progress: the scheduler knows estimates and work done."""
    u, now = s.u[i], s.k[0].now
    moving = max(0.0, u.stall - now)
    remaining = u.remaining - u.rate * max(0.0, now - max(u.since, u.stall))
    return now + moving + u.estimate - (u.runtime - remaining)


@inner
def predict(s, t):
    """Predict the end of every foreground job and sort by insertion: rates change little, so rows are nearly sorted."""
    m, busy = t.m[0], t.busy
    for y in range(m.foreground):
        unit, procs = busy[y].unit, busy[y].procs
        end = predicted_end(s, unit)
        at = y
        while at > 0 and busy[at - 1].end > end:
            busy[at].end, busy[at].unit, busy[at].procs = busy[at - 1].end, busy[at - 1].unit, busy[at - 1].procs
            at -= 1
        busy[at].end, busy[at].unit, busy[at].procs = end, unit, procs


@inner
def reserve(s, t, i):
    """Set the shadow time of queued head `i` and return the extra processors (algorithm 1, lines 15-23).

    Jobs that end later than the one that completes the sum are not counted, even at the same instant, unless
    `extra=all`.
    """
    m, busy = t.m[0], t.busy
    total = idle_front(s)
    row = 0
    m.shadow = s.k[0].now
    while total < s.u[i].procs and row < m.foreground:
        total += busy[row].procs
        m.shadow = busy[row].end
        row += 1
    if m.all_extra:
        while row < m.foreground and busy[row].end <= m.shadow:
            total += busy[row].procs
            row += 1
    return total - s.u[i].procs


@inner
def reserve_own(s, t, i):
    """Set REASY's shadow time of background head `i`, which waits for its own processors; return the extra processors.

    Text of the paper: shadow time = latest predicted end of the foreground jobs on its processors; extra = idle
    processors that do not host it. The listing has another formula: `idle + sizes of those jobs - n`.
    """
    u, m, lanes, hold = s.u[i], t.m[0], s.lane, s.hold
    m.shadow = s.k[0].now
    idle_own = 0
    in_front = 0
    for y in range(u.first, u.first + u.procs):
        lane = lanes[hold[y]]
        if lane.count0 == 0:
            idle_own += 1
            continue
        blocker = lane.owner0 - 1
        m.shadow = max(m.shadow, predicted_end(s, blocker))
        if t.j[blocker].seen != s.k[0].decisions:  # each blocker's size counts once
            t.j[blocker].seen = s.k[0].decisions
            in_front += s.u[blocker].procs
    if m.by_formula:
        return idle_front(s) + in_front - u.procs
    return idle_front(s) - idle_own


@inner
def backfill(s, t):
    """Deploy, in order of arrival, jobs that end by the shadow time or fit into the extra processors.

    The test uses the full estimate, also for a background job that would keep its progress.
    """
    m, now, head = t.m[0], s.k[0].now, t.m[0].head
    predict(s, t)
    if m.policy == REASY and s.u[head].state == RUNNING:
        extra = reserve_own(s, t, head)
    else:
        extra = reserve(s, t, head)
    i = waiting_from(t, head + 1, idle_front(s))
    while i < m.tail:
        in_time = now + s.u[i].estimate <= m.shadow
        if (in_time or t.size[i] <= extra) and can_deploy(s, t, i):
            size = t.size[i]
            note(s, BACKFILL, i, FOREGROUND, head, m.shadow)
            deploy(s, t, i)
            m.backfills += 1
            if not in_time:
                extra -= size
        i = waiting_from(t, i + 1, idle_front(s))


@inner
def full_schedule(s, t):
    """Do steps 1 and 2: deploy jobs in order of arrival while they fit, then reserve and backfill."""
    m = t.m[0]
    while has_head(t) and t.size[m.head] <= idle_front(s) and can_deploy(s, t, m.head):
        deploy(s, t, m.head)
    if m.head < m.tail:
        backfill(s, t)
        if m.head != m.recorded_head or m.shadow != m.recorded_shadow:
            m.recorded_head, m.recorded_shadow = m.head, m.shadow
            note(s, RESERVE, m.head, FOREGROUND, NO_ROW, m.shadow)


@inner
def fill_background(s, t):
    """Do step 3: place queued jobs, shortest estimate first, on processors that may take a background process."""
    m, queue = t.m[0], t.queue
    kept = 0
    row = 0
    while row < m.waiting and m.idle_behind > 0:
        i, estimate = queue[row].unit, queue[row].estimate
        if s.u[i].procs <= m.idle_behind:
            pick_behind(s, t, i)
            place(s, i, BACKGROUND, 1.0, 1.0, 0.0)
            sit_behind(s, t, i)
        else:
            queue[kept].unit, queue[kept].estimate = i, estimate
            kept += 1
        row += 1
    if kept < row:
        for rest in range(row, m.waiting):
            queue[kept].unit, queue[kept].estimate = queue[rest].unit, queue[rest].estimate
            kept += 1
        m.waiting = kept


@inner
def decide(s, t):
    """Do all steps if a foreground job ended or a job arrived; only step 3 if only background jobs ended."""
    k = s.k[0]
    full = k.arrived_first < k.arrived_last
    refresh_dirty(s, t)
    for y in range(k.ended):
        if s.u[s.ended[y]].tier == FOREGROUND:
            full = True
        forget(s, t, s.ended[y])
    for i in range(k.arrived_first, k.arrived_last):
        enqueue(s, t, i)
        if s.u[i].state == QUEUED:
            queue_up(s, t, i)
    if full:
        full_schedule(s, t)
    fill_background(s, t)
