"""The steps of KEASY, REASY and MEASY; they differ in `deploy`, and REASY in its reservation."""

from __future__ import annotations

from shadowtime.engine.families.rigid.policies.running import free_processors, reserve_from
from shadowtime.engine.families.rigid.policies.state import GONE
from shadowtime.engine.families.rigid.policies.steps import dequeue, enqueue, has_head, waiting_from
from shadowtime.engine.families.two_tier.policies.dispatch import pick, refresh_dirty, sit
from shadowtime.engine.families.two_tier.policies.state import KEASY, REASY
from shadowtime.engine.kernel.arrays import shift
from shadowtime.engine.kernel.cache import inner
from shadowtime.engine.kernel.record import BACKFILL, RESERVE, note
from shadowtime.engine.kernel.state import BACKGROUND, FOREGROUND, NO_ROW, QUEUED, RUNNING
from shadowtime.engine.kernel.vocabulary import kill, place


@inner
def queue_up(s, t, i):
    """Insert queued unit `i` into the shortest-first order: by estimate, ties by arrival."""
    m, queue, estimate = t.m[0], t.queue, s.u[i].estimate
    at = m.waiting
    while at > 0 and (
        queue[at - 1].estimate > estimate or (queue[at - 1].estimate == estimate and queue[at - 1].unit > i)
    ):
        queue[at] = queue[at - 1]
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
    shift(queue, low + 1, m.waiting, 1)
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
    cost = 0.0
    if u.state != QUEUED and own_front_is_free(s, i):
        for y in range(u.procs):
            s.pick[y] = s.hold[u.first + y]
    else:
        if u.state == QUEUED:
            leave_queue(s, t, i)
        elif m.policy == KEASY:
            kill(s, i)
        else:
            cost = m.migration_cost
        pick(s, t, i, FOREGROUND)
    place(s, i, FOREGROUND, 1.0, 1.0, cost)
    sit(s, t, i)
    refresh_dirty(s, t)
    dequeue(t, i)
    t.busy[m.running].unit, t.busy[m.running].procs = i, u.procs
    m.running += 1


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
    shift(busy, at + 1, m.running, 1)
    m.running -= 1


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
    for y in range(m.running):
        unit, procs = busy[y].unit, busy[y].procs
        end = predicted_end(s, unit)
        at = y
        while at > 0 and busy[at - 1].end > end:
            busy[at] = busy[at - 1]
            at -= 1
        busy[at].end, busy[at].unit, busy[at].procs = end, unit, procs


@inner
def reserve_own(s, t, i):
    """Set REASY's shadow time of background head `i`, which waits for its own processors; return the extra processors.

    Text of the paper: shadow time = latest predicted end of the foreground jobs on its processors; extra = idle
    processors that do not host it. The listing has another formula: `idle + sizes of those jobs - n`.
    """
    u, m, lanes, hold = s.u[i], t.m[0], s.lane, s.hold
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
        return free_processors(s) + in_front - u.procs
    return free_processors(s) - idle_own


@inner
def backfill(s, t):
    """Deploy, in order of arrival, jobs that end by the shadow time or fit into the extra processors.

    The test uses the full estimate, also for a background job that would keep its progress.
    """
    m, now, head = t.m[0], s.k[0].now, t.m[0].head
    predict(s, t)
    m.shadow = now
    if m.policy == REASY and s.u[head].state == RUNNING:
        extra = reserve_own(s, t, head)
    else:  # algorithm 1, lines 15-23
        extra = reserve_from(t, s.u[head].procs, free_processors(s), 0)
    i = waiting_from(t, head + 1, free_processors(s))
    while i < m.tail:
        in_time = now + s.u[i].estimate <= m.shadow
        if (in_time or t.size[i] <= extra) and can_deploy(s, t, i):
            size = t.size[i]
            note(s, BACKFILL, i, FOREGROUND, head, m.shadow)
            deploy(s, t, i)
            if not in_time:
                extra -= size
        i = waiting_from(t, i + 1, free_processors(s))


@inner
def full_schedule(s, t):
    """Do steps 1 and 2: deploy jobs in order of arrival while they fit, then reserve and backfill.

    Under REASY a job may fit and still not be deployed: step 1 then stops, or continues as algorithm 1 is printed.
    """
    m = t.m[0]
    has_head(t)
    i = m.head
    while i < m.tail and t.size[i] <= free_processors(s):
        if can_deploy(s, t, i):
            deploy(s, t, i)
        elif not m.continues:
            break
        i = waiting_from(t, i + 1, GONE - 1)
    if has_head(t):
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
        i = queue[row].unit
        if s.u[i].procs <= m.idle_behind:
            pick(s, t, i, BACKGROUND)
            place(s, i, BACKGROUND, 1.0, 1.0, 0.0)
            sit(s, t, i)
        else:
            queue[kept] = queue[row]
            kept += 1
        row += 1
    if kept < row:
        shift(queue, row, m.waiting, row - kept)
        m.waiting -= row - kept


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
