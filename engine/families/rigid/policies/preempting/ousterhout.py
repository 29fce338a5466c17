"""Gang scheduling by the Ousterhout matrix: rows are time slots, columns processors; the rows take turns.

J. K. Ousterhout, Scheduling techniques for concurrent systems, ICDCS 1982; D. G. Feitelson, Packing schemes for gang
scheduling, JSSPP 1996.

A job enters the first row that has enough free columns, or a new row while there are fewer than `level`; otherwise it
waits, and all after it. It keeps its columns until it ends. The jobs of one row run at a time, for `slice`; then the
next row has its turn. With `fill`, jobs of the other rows, in the order of their turns, run along if all their columns
are free.
"""

from __future__ import annotations

import numpy as np

from shadowtime.engine.families.rigid.policies.preempting.homes import pick_home
from shadowtime.engine.families.rigid.policies.preempting.matrix import enter, leave, remove_empty_rows, row_with_room
from shadowtime.engine.kernel.cache import compiled, inner
from shadowtime.engine.kernel.loop import drive, nothing
from shadowtime.engine.kernel.state import FOREGROUND, QUEUED, RUNNING
from shadowtime.engine.kernel.vocabulary import pause, place, wake


@inner
def fill_matrix(s, q):
    """Let waiting units enter the matrix, in submission order, until one finds no room."""
    t = q.turns[0]
    while t.head < t.tail:
        if s.u[t.head].state == QUEUED:
            slot = row_with_room(s, q, s.u[t.head].procs)
            if slot < 0:
                return
            enter(s, q, t.head, slot)
        t.head += 1


@inner
def take_turns(s, q):
    """Give the turn to the next row if the slice is over; begin a slice where there are two rows or more."""
    t, now = q.turns[0], s.k[0].now
    if t.rows < 2:
        t.turn_ends = np.inf
    elif t.turn_ends == np.inf:
        t.turn_ends = now + t.slice
    elif t.turn_ends <= now:
        t.active = (t.active + 1) % t.rows
        t.turn_ends = now + t.slice


@inner
def columns_are_free(s, q, i):
    """Return whether no unit that runs along already has a column of unit `i`."""
    stamp, first = q.turns[0].stamp, q.home_first[i]
    for y in range(first, first + s.u[i].procs):  # noqa: SIM110 (numba compiles no generators in all())
        if q.taken[q.home[y]] == stamp:
            return False
    return True


@inner
def choose(s, q):
    """Mark the units that run: all of the active row, then those of the others whose columns are free."""
    t, lanes = q.turns[0], s.k[0].lanes
    t.stamp += 1
    for turn in range(t.rows if t.fill else min(t.rows, 1)):
        slot = q.order[(t.active + turn) % t.rows]
        for y in range(q.slot[slot].members):
            i = q.member[slot * lanes + y]
            if columns_are_free(s, q, i):
                q.chosen[i] = t.stamp
                first = q.home_first[i]
                for x in range(first, first + s.u[i].procs):
                    q.taken[q.home[x]] = t.stamp


@inner
def seat_rows(s, q):
    """Pause the units that no longer run, then start or resume those that do."""
    t, lanes = q.turns[0], s.k[0].lanes
    choose(s, q)
    for y in range(t.rows):
        slot = q.order[y]
        for x in range(q.slot[slot].members):
            i = q.member[slot * lanes + x]
            if s.u[i].state == RUNNING and q.chosen[i] != t.stamp:
                pause(s, i)
    for y in range(t.rows):
        slot = q.order[y]
        for x in range(q.slot[slot].members):
            i = q.member[slot * lanes + x]
            if s.u[i].state != RUNNING and q.chosen[i] == t.stamp:
                pick_home(s, q, i)
                place(s, i, FOREGROUND, 1.0, 1.0, 0.0)


@inner
def set_alarm(s, q):
    """Set an alarm for the end of the slice, unless one is set that rings by then."""
    t = q.turns[0]
    if t.turn_ends < t.alarm:
        wake(s, t.turn_ends)
        t.alarm = t.turn_ends


@inner
def decide(s, q):
    """Bring the matrix up to date after the events of the instant, and run what has its turn."""
    k, t = s.k[0], q.turns[0]
    if k.alarm > 0:
        t.alarm = np.inf
    for y in range(k.ended):
        leave(s, q, s.ended[y])
    t.tail = max(t.tail, k.arrived_last)
    remove_empty_rows(q)
    fill_matrix(s, q)
    take_turns(s, q)
    seat_rows(s, q)
    set_alarm(s, q)


@compiled
def run_ousterhout(s, q, budget):
    """Advance the run by about `budget` acts; True while there is more to do."""
    return drive(s, q, decide, nothing, budget)
