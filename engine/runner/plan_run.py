"""Execute a plan, instant by instant; the kernel checks releases, lanes, capacities and work.

Exclusive lanes: a piece waits for a unit that leaves its lanes within a rounding error. Fitted plans (tasks of a
workload): a piece that does not complete its unit runs at its own rate and is then paused; the last piece ends when the
work is done, at the planned end up to rounding. A last piece that is too short for the remaining work is an error
(BAD_RATE).
"""

from __future__ import annotations

from typing import Any

import numpy as np

from shadowtime.engine import tables
from shadowtime.engine.errors import PolicyError
from shadowtime.engine.kernel.cache import compiled, inner
from shadowtime.engine.kernel.clock import TIE
from shadowtime.engine.kernel.errors import BAD_RATE, fail
from shadowtime.engine.kernel.loop import drive, nothing
from shadowtime.engine.kernel.state import DONE, FOREGROUND, NO_ROW, QUEUED, RUNNING, new_state, rows_of
from shadowtime.engine.kernel.vocabulary import kill_to_checkpoint, pause, place, reject, resize, wake
from shadowtime.engine.runner.plan import Plan

BY_POLICY = np.int64(tables.BY_POLICY)
PATIENCE = 1e-9
"""A piece waits for a unit that leaves its lanes within this share of the present time: sums of times are rounded. It
does not wait longer: it is placed, and the kernel reports the conflict."""

ROUNDING = 1e-6
"""By which share of its rate, and of the present time, a fitted piece may be too short because of rounding."""

MEMO = rows_of("alarm window", "next next_end pieces ends late exclusive fitted")
"""One row. `next` is the first piece not begun, `next_end` the first row of `pauses` not handled, `late` the number of
pieces that wait for their lanes, `alarm` the time of the last alarm set. Times within `window` times the kernel's tie
window are one instant. `fitted`: the last piece of a unit gets the rate at which it ends as planned."""

PIECE = rows_of("start end rate share lost", "unit first last next")
"""A piece; rows by start. It holds `lanes[first:last]`; `next` is the row of its unit's next piece."""


def make(plan: Plan, units: int, exclusive: bool) -> Any:
    """Return the memory of one run of `plan` over `units` units.

    `m` is one row of MEMO; `piece` the pieces by start; `lanes` their lanes; `pauses` the pieces that do not complete
    their unit, by end; `late` the pieces that wait for their lanes; `current` the running piece of each unit.

    Raises
    ------
    PolicyError
        If a unit does not exist, or its pieces differ in their number of lanes: compiled code checks no bounds.
    """
    if not ((plan.unit >= 0) & (plan.unit < units)).all():
        raise PolicyError(f"the plan names a unit that is not among 0 to {units - 1}")
    if len(plan.resized(units)) and plan.lost is None:
        raise PolicyError("the plan gives the pieces of a unit different numbers of lanes")
    order = np.lexsort((plan.unit, plan.start))
    pieces = np.zeros(len(order) + 1, PIECE)[: len(order)]
    one = np.ones(len(order))
    pieces["unit"], pieces["start"], pieces["end"] = plan.unit[order], plan.start[order], plan.end[order]
    pieces["rate"] = one if plan.rate is None else plan.rate[order]
    pieces["share"] = one if plan.share is None else plan.share[order]
    pieces["lost"] = np.nan if plan.lost is None else plan.lost[order]
    pieces["first"], pieces["last"] = plan.first[:-1][order], plan.first[1:][order]
    pieces["next"] = _next_of_unit(pieces["unit"])
    pauses = np.flatnonzero((pieces["next"] != NO_ROW) | (pieces["lost"] >= 0.0))
    pauses = pauses[np.argsort(pieces["end"][pauses], kind="stable")]
    memo = np.zeros(1, MEMO)
    memo["alarm"] = -np.inf
    memo["fitted"] = plan.work is None
    memo["window"] = 2.0 if plan.work is None else 1.0
    memo["pieces"], memo["ends"], memo["exclusive"] = len(order), len(pauses), exclusive
    return new_state(
        {
            "m": memo,
            "piece": pieces,
            "lanes": plan.lanes.astype(np.int64),
            "pauses": pauses.astype(np.int64),
            "late": np.zeros(len(order) + 1, np.int64),
            "current": np.full(units, NO_ROW),
        }
    )


def _next_of_unit(unit: np.ndarray) -> np.ndarray:
    """Return for each row the next row of the same unit, or NO_ROW."""
    following = np.full(len(unit), NO_ROW)
    by_unit = np.argsort(unit, kind="stable")
    same = unit[by_unit[1:]] == unit[by_unit[:-1]]
    following[by_unit[:-1][same]] = by_unit[1:][same]
    return following


@inner
def must_wait(s, q, y, until):
    """Return whether a lane of piece `y` is held by a unit whose piece ends within PATIENCE after this instant."""
    piece, lanes, lane = q.piece[y], q.lanes, s.lane
    moment = until + PATIENCE * max(1.0, abs(until))
    for at in range(piece.first, piece.last):
        if lanes[at] < 0 or lanes[at] >= s.k[0].lanes:
            return False  # the kernel reports it when the piece is placed
        if lane[lanes[at]].count0 == 1:
            there = lane[lanes[at]].owner0 - 1
            if there == piece.unit:
                continue
            held = q.piece[q.current[there]]
            if held.end <= moment and (held.next == NO_ROW or held.end > until):
                return True
    return False


@inner
def fitted_rate(s, q, y):
    """Return the rate of piece `y`; for the last piece of a unit, the rate at which it ends as planned."""
    piece, now = q.piece[y], s.k[0].now
    rate = piece.rate
    if piece.next != NO_ROW:
        return rate
    u = s.u[piece.unit]
    left = u.remaining
    if u.state == RUNNING:
        left = u.remaining - u.rate * (now - u.since)
    long = piece.end - now
    if left > rate * long * (1.0 + ROUNDING) + ROUNDING * max(1.0, now):
        fail(s, BAD_RATE, piece.unit, q.lanes[piece.first], left / long)
    elif abs(left - rate * long) > 0.5 * TIE * rate * max(1.0, now):
        rate = left / long
    return rate


@inner
def begin(s, q, y):
    """Place the unit of piece `y` on its lanes: start it, resume it, or migrate it from the piece before."""
    piece, lanes, pick = q.piece[y], q.lanes, s.pick
    if s.u[piece.unit].state == DONE:
        return  # its work was done in the piece before, within rounding
    rate = piece.rate
    if q.m[0].fitted:
        rate = fitted_rate(s, q, y)
        if s.k[0].error != 0:
            return
    if s.u[piece.unit].state == QUEUED:
        resize(s, piece.unit, piece.last - piece.first)
    for at in range(piece.first, piece.last):
        pick[at - piece.first] = lanes[at]
    q.current[piece.unit] = y
    place(s, piece.unit, FOREGROUND, rate, piece.share, 0.0)


@inner
def begin_or_wait(s, q, y, until):
    """Begin piece `y` and return False; or return True when it must wait, and pause its unit."""
    if q.m[0].exclusive and must_wait(s, q, y, until):
        unit = q.piece[y].unit
        if s.u[unit].state == RUNNING and q.piece[q.current[unit]].end <= until:
            pause(s, unit)
        return True
    begin(s, q, y)
    return False


@inner
def begin_due(s, q, until):
    """Begin the pieces that waited for their lanes, then those that start up to `until`."""
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
    """Pause each unit whose piece ended, unless its next piece begins at once; kill it where the plan says so."""
    m, piece = q.m[0], q.piece
    while m.next_end < m.ends and piece[q.pauses[m.next_end]].end <= until:
        y = q.pauses[m.next_end]
        m.next_end += 1
        unit = piece[y].unit
        if q.current[unit] != y or s.u[unit].state != RUNNING:
            continue
        if piece[y].lost >= 0.0:
            kill_to_checkpoint(s, unit, piece[y].lost)
            if piece[y].next == NO_ROW:
                reject(s, unit, BY_POLICY)
        elif piece[piece[y].next].start > until:
            pause(s, unit)


@inner
def decide(s, q):
    """Pause units whose piece ended, begin pieces that are due, and set an alarm for the next change."""
    m, now = q.m[0], s.k[0].now
    until = now + m.window * TIE * max(1.0, abs(now))
    pause_ended(s, q, until)
    begin_due(s, q, until)
    coming = np.inf
    if m.next < m.pieces:
        coming = q.piece[m.next].start
    if m.next_end < m.ends:
        coming = min(coming, q.piece[q.pauses[m.next_end]].end)
    if coming < np.inf and coming > m.alarm:
        m.alarm = coming
        wake(s, coming)


@compiled
def run_plan(s, q, budget):
    """Advance the run by about `budget` acts; return True while there is more to do."""
    return drive(s, q, decide, nothing, budget)
