"""Executing a plan, instant by instant."""

from __future__ import annotations

import numpy as np

from shadowtime.engine.kernel.cache import compiled, inner
from shadowtime.engine.kernel.loop import TIE, drive, nothing
from shadowtime.engine.kernel.state import FOREGROUND, RUNNING
from shadowtime.engine.kernel.vocabulary import pause, place, wake

PATIENCE = 1e-9
"""A piece waits for a unit that leaves its lanes within this share of the time, since sums of times round; for others
it does not wait: it is placed, and the kernel says who is in its way."""


@inner
def must_wait(s, q, y, until):
    """Whether a lane of piece `y` is held, for a moment after this instant, by a unit that is about to end there."""
    piece, lanes, lane = q.piece[y], q.lanes, s.lane
    moment = until + PATIENCE * max(1.0, abs(until))
    for at in range(piece.first, piece.last):
        if lanes[at] < 0 or lanes[at] >= s.k[0].lanes:
            return False  # the kernel says so when it is placed
        if lane[lanes[at]].count0 == 1:
            there = lane[lanes[at]].owner0 - 1
            if there == piece.unit:
                continue
            held = q.piece[q.current[there]]
            if held.end <= moment and (held.final or held.end > until):
                return True
    return False


@inner
def begin(s, q, y):
    """Put the unit of piece `y` on its lanes: a start, a resumption, or a migration from the piece before."""
    piece, lanes, pick = q.piece[y], q.lanes, s.pick
    for at in range(piece.first, piece.last):
        pick[at - piece.first] = lanes[at]
    q.current[piece.unit] = y
    place(s, piece.unit, FOREGROUND, piece.rate, piece.share, 0.0)


@inner
def begin_or_wait(s, q, y, until):
    """Begin piece `y`, unless its lanes are held for a moment more: then True."""
    if q.m[0].exclusive and must_wait(s, q, y, until):
        return True
    begin(s, q, y)
    return False


@inner
def begin_due(s, q, until):
    """Begin the pieces that are late, then those whose time has come."""
    m = q.m[0]
    waiting = m.late
    m.late = 0
    for x in range(waiting):
        y = q.late[x]
        if begin_or_wait(s, q, y, until):
            q.late[m.late] = y
            m.late += 1
    while m.next < m.pieces and q.piece[m.next].start <= until:
        y = m.next
        m.next += 1
        if begin_or_wait(s, q, y, until):
            q.late[m.late] = y
            m.late += 1


@inner
def pause_ended(s, q, until):
    """Pause units whose piece is over and whose next one has not begun."""
    m = q.m[0]
    while m.next_end < m.ends and q.piece[q.pauses[m.next_end]].end <= until:
        y = q.pauses[m.next_end]
        m.next_end += 1
        unit = q.piece[y].unit
        if q.current[unit] == y and s.u[unit].state == RUNNING:
            pause(s, unit)


@inner
def decide(s, q):
    """Begin what is due, pause what is over, and ask to be woken for what comes next."""
    m, now = q.m[0], s.k[0].now
    until = now + TIE * max(1.0, abs(now))
    begin_due(s, q, until)
    pause_ended(s, q, until)
    coming = np.inf
    if m.next < m.pieces:
        coming = q.piece[m.next].start
    if m.next_end < m.ends:
        coming = min(coming, q.piece[q.pauses[m.next_end]].end)
    if coming < np.inf and coming > m.asked:
        m.asked = coming
        wake(s, coming)


@compiled
def run_plan(s, q, budget):
    """Advance the run by about `budget` acts; True while there is more to do."""
    return drive(s, q, decide, nothing, budget)
