"""Selective suspension over EASY: an idle job that has waited long for its length suspends running ones.

R. Kettimuthu, V. Subramani, S. Srinivasan, T. Gopalsamy, D. K. Panda and P. Sadayappan, Selective preemption strategies
for parallel job scheduling, International Journal of High Performance Computing and Networking 3(2/3), 2005.

The expansion factor of a job is (wait + request) / request, requests of 1 s at least; its wait is all time since its
submission at which it did not run, so the factor stays while it runs. Suspended jobs keep their progress, and resume on
the processors on which they ran. A pass, at each event and every `period` while a job is idle (queued or suspended):

1. Suspended jobs, by falling factor, resume if all their processors are free.
2. EASY: queued jobs start in submission order, the first that does not fit holds a reservation, others are backfilled.
   A resumed job is expected to end when its run time reaches its request; suspended ones are not looked at.
3. Idle jobs, by falling factor, suspend running ones whose factor is at most theirs divided by `sf`, and which have not
   started or resumed at this very instant. A suspended job needs all that run on its processors to be such, and
   suspends them. A queued one that does not fit takes those at most twice as wide as itself, by rising factor, until
   there is room; those with the greatest factors are spared again where the others suffice.
4. If a job was suspended, 1 and 2 once more.

Of equal factors the job submitted first goes first, and is suspended last.
"""

from __future__ import annotations

from shadowtime.engine.families.rigid.policies.easy import backfill, record_reservation
from shadowtime.engine.families.rigid.policies.fcfs import start_heads
from shadowtime.engine.families.rigid.policies.preempting.homes import keep_home, pick_home, take_home
from shadowtime.engine.families.rigid.policies.processors import put_back_all
from shadowtime.engine.families.rigid.policies.running import add_row, forget_row, free_processors, row_of
from shadowtime.engine.families.rigid.policies.state import GONE
from shadowtime.engine.families.rigid.policies.steps import apply_events, start, waiting_from
from shadowtime.engine.kernel.cache import compiled, inner
from shadowtime.engine.kernel.loop import drive, nothing
from shadowtime.engine.kernel.record import PLAN
from shadowtime.engine.kernel.state import FOREGROUND, PAUSED, QUEUED, RUNNING
from shadowtime.engine.kernel.vocabulary import pause, place, wake


@inner
def expansion_of(s, i):
    """Return the expansion factor of unit `i`. Its rate is 1, so its virtual time is the time that it has run."""
    u = s.u[i]
    request = max(u.estimate, 1.0)
    until = u.opened if u.state == RUNNING else s.k[0].now
    return (until - u.release - u.virtual_time + request) / request


@inner
def add_by_expansion(s, q, rows, count, i, sign):
    """Insert unit `i` into the first `count` of `rows`, by factor times `sign`, then by number times -`sign`."""
    factor = expansion_of(s, i)
    q.expansion[i] = factor
    at = count
    while at > 0:
        j = rows[at - 1]
        if sign * q.expansion[j] < sign * factor or (q.expansion[j] == factor and sign * j > sign * i):
            break
        rows[at] = j
        at -= 1
    rows[at] = i


@inner
def owner_of(s, lane):
    """Return the unit that runs on a processor, -1 if it is free."""
    return s.lane[lane].owner0 - 1 if s.lane[lane].count0 > 0 else -1


@inner
def home_is_free(s, q, i):
    """Return whether nothing runs on the processors of suspended unit `i`."""
    first = q.home_first[i]
    for y in range(first, first + s.u[i].procs):  # noqa: SIM110 (numba compiles no generators in all())
        if s.lane[q.home[y]].count0 > 0:
            return False
    return True


@inner
def resume(s, q, i):
    """Resume suspended unit `i` on its processors, which are free."""
    m, u = q.m[0], s.u[i]
    take_home(s, q, i)
    pick_home(s, q, i)
    place(s, i, FOREGROUND, 1.0, 1.0, 0.0)
    add_row(q, i, u.procs, s.k[0].now + max(0.0, u.estimate - u.virtual_time), m.serial)
    m.serial += 1


@inner
def suspend(s, q, i):
    """Suspend running unit `i`."""
    own = q.suspension[0]
    keep_home(s, q, i)
    pause(s, i)
    put_back_all(s, q, i)
    forget_row(q, row_of(q, i))
    q.away[own.suspended] = i
    own.suspended += 1


@inner
def forget_resumed(s, q):
    """Remove the units that run again from those that are suspended."""
    own, kept = q.suspension[0], 0
    for y in range(own.suspended):
        i = q.away[y]
        if s.u[i].state == PAUSED:
            q.away[kept] = i
            kept += 1
    own.suspended = kept


@inner
def resume_free(s, q):
    """Resume the suspended units whose processors are all free, by falling expansion factor."""
    own, count = q.suspension[0], 0
    for y in range(own.suspended):
        if home_is_free(s, q, q.away[y]):
            add_by_expansion(s, q, q.line, count, q.away[y], -1)
            count += 1
    for y in range(count):
        if home_is_free(s, q, q.line[y]):
            resume(s, q, q.line[y])
    if count > 0:
        forget_resumed(s, q)


@inner
def start_queued(s, q):
    """Start queued jobs as EASY does."""
    start_heads(s, q)
    if q.m[0].head < q.m[0].tail:
        backfill(s, q)


@inner
def is_victim(s, q, factor, j):
    """Return whether a job of this expansion factor may suspend running unit `j`."""
    return s.u[j].opened < s.k[0].now and factor >= q.suspension[0].factor * expansion_of(s, j)


@inner
def least_expansion(s, q):
    """Return the least expansion factor of the jobs that may be suspended now; infinity if there are none."""
    m, least = q.m[0], float("inf")
    for row in range(m.running):
        j = q.busy[row].unit
        if s.u[j].opened < s.k[0].now:
            least = min(least, expansion_of(s, j))
    return least


@inner
def list_idle(s, q):
    """Write the idle units that may suspend some job into `line`, by falling expansion factor."""
    m, own = q.m[0], q.suspension[0]
    own.candidates = 0
    enough = own.factor * least_expansion(s, q)
    i = waiting_from(q, m.head, GONE - 1)
    while i < m.tail:
        if expansion_of(s, i) >= enough:
            add_by_expansion(s, q, q.line, own.candidates, i, -1)
            own.candidates += 1
        i = waiting_from(q, i + 1, GONE - 1)
    for y in range(own.suspended):
        if expansion_of(s, q.away[y]) >= enough:
            add_by_expansion(s, q, q.line, own.candidates, q.away[y], -1)
            own.candidates += 1


@inner
def clear_home(s, q, i):
    """Suspend all that run on the processors of suspended unit `i`, if it may; return whether they are free now."""
    first = q.home_first[i]
    for y in range(first, first + s.u[i].procs):
        j = owner_of(s, q.home[y])
        if j >= 0 and not is_victim(s, q, q.expansion[i], j):
            return False
    for y in range(first, first + s.u[i].procs):
        j = owner_of(s, q.home[y])
        if j >= 0:
            suspend(s, q, j)
    return True


@inner
def make_room(s, q, i):
    """Suspend enough for queued unit `i`, if it may; return whether there is room now."""
    m, own, size = q.m[0], q.suspension[0], s.u[i].procs
    room, able = free_processors(s), 0
    for row in range(m.running):
        j = q.busy[row].unit
        if 2 * size >= s.u[j].procs and is_victim(s, q, q.expansion[i], j):
            add_by_expansion(s, q, q.victim, able, j, 1)
            able += 1
    own.victims = 0
    while room < size and own.victims < able:
        room += s.u[q.victim[own.victims]].procs
        own.victims += 1
    if room < size:
        return False
    for y in range(own.victims - 1, -1, -1):
        j = q.victim[y]
        if room - s.u[j].procs >= size:
            room -= s.u[j].procs
        else:
            suspend(s, q, j)
    return True


@inner
def suspend_for_idle(s, q):
    """Let idle jobs suspend running ones; return whether a job was suspended."""
    own, before = q.suspension[0], s.k[0].preemptions
    list_idle(s, q)
    for y in range(own.candidates):
        i = q.line[y]
        if s.u[i].state == QUEUED:
            if s.u[i].procs > free_processors(s) and make_room(s, q, i):
                start(s, q, i)
        elif clear_home(s, q, i):
            resume(s, q, i)
    forget_resumed(s, q)
    return s.k[0].preemptions > before


@inner
def set_alarm(s, q):
    """Set an alarm for the next pass if jobs wait, unless one is set."""
    k, own = s.k[0], q.suspension[0]
    if own.alarmed == 0 and k.waiting > 0:
        wake(s, k.now + own.period)
        own.alarmed = 1


@inner
def schedule(s, q):
    """Resume and start what fits; then let idle jobs suspend others.

    After a pass no suspended job has all its processors free, so none can resume before a job ends.
    """
    if s.k[0].ended > 0:
        resume_free(s, q)
    start_queued(s, q)
    if s.k[0].waiting > 0 and suspend_for_idle(s, q):
        resume_free(s, q)
        start_queued(s, q)


@inner
def decide(s, q):
    """Schedule after the events of the instant, then record the reservation and set the alarm."""
    if s.k[0].alarm > 0:
        q.suspension[0].alarmed = 0
    apply_events(s, q, schedule)
    record_reservation(s, q, PLAN)
    set_alarm(s, q)


@compiled
def run_suspend(s, q, budget):
    """Advance the run by about `budget` acts; True while there is more to do."""
    return drive(s, q, decide, nothing, budget)
