"""Executes a plan of tasks that share machines: the kernel checks each release, capacity and seat, and all the work.

A piece that does not end its task runs at the machine's own speed and is paused; the last piece of a task ends when
the work is done, at the planned end but for rounding: a plan whose last piece were too short for the work that is
left is refused as a wrong rate.
"""

from __future__ import annotations

import numpy as np

from shadowtime.engine.families.multitask.packing.instance import Instance
from shadowtime.engine.families.multitask.packing.pieces import Pieces
from shadowtime.engine.kernel.cache import compiled, inner
from shadowtime.engine.kernel.errors import BAD_RATE, fail
from shadowtime.engine.kernel.loop import TIE, drive, nothing
from shadowtime.engine.kernel.state import DONE, FOREGROUND, NOBODY, RUNNING, new_state, rows_of
from shadowtime.engine.kernel.vocabulary import pause, place, wake

MEMO = rows_of("told", "starts ends pieces pauses")
"""One row: how many pieces began, how many pauses are behind, and the last alarm asked for."""
PIECE = rows_of("start end rate share", "unit machine last next")
"""A piece of the plan, rows by start; `next` is the row of its task's next piece."""
PAUSE = rows_of("", "piece")
"""Pieces that do not end their task, by end."""

ROUNDING = 1e-6
"""How much of the speed, and of the time that has passed, rounding may take."""


def memory(pieces: Pieces, instance: Instance, units: np.ndarray, count: int) -> object:
    """The plan as rows; `units` are the kernel's units of the instance's tasks, `count` all units there are."""
    order = np.lexsort((pieces.task, pieces.start))
    n = len(order)
    rows = np.zeros(n, PIECE)
    task, machine = pieces.task[order], pieces.machine[order]
    rows["start"], rows["end"], rows["machine"] = pieces.start[order], pieces.end[order], machine
    rows["unit"] = units[task]
    rows["rate"] = instance.fastest[task] / time_on(instance, task, machine)
    rows["share"] = instance.size[task] / instance.capacity[machine]
    rows["next"] = NOBODY
    by_task = np.lexsort((rows["start"], task))
    follows = task[by_task[1:]] == task[by_task[:-1]]
    rows["next"][by_task[:-1][follows]] = by_task[1:][follows]
    rows["last"] = rows["next"] == NOBODY
    others = np.flatnonzero(rows["last"] == 0)
    pauses = np.zeros(len(others), PAUSE)
    pauses["piece"] = others[np.argsort(rows["end"][others], kind="stable")]
    memo = np.zeros(1, MEMO)
    memo["pieces"], memo["pauses"], memo["told"] = n, len(others), -np.inf
    current = np.full(count, NOBODY)
    return new_state({"m": memo, "piece": _some(rows), "pause": _some(pauses), "current": current})


def _some(rows: np.ndarray) -> np.ndarray:
    """At least one row, which nobody reads: compiled code wants an address."""
    return rows if len(rows) else np.zeros(1, rows.dtype)


def time_on(instance: Instance, task: np.ndarray, machine: np.ndarray) -> np.ndarray:
    """Time of each task on its machine [s]; NaN, which the kernel refuses, where the machine is not the task's."""
    key = instance.owner * (instance.machines + 1) + instance.machine
    asked = task * (instance.machines + 1) + machine
    at = np.minimum(np.searchsorted(key, asked), len(key) - 1)
    return np.where(key[at] == asked, instance.time[at], np.nan)


@inner
def stop_pieces(s, q, until):
    """Pause the tasks whose pieces end now, but for those that go on elsewhere at once."""
    m, piece, ends = q.m[0], q.piece, q.pause
    while m.ends < m.pauses and piece[ends[m.ends].piece].end <= until:
        row = ends[m.ends].piece
        m.ends += 1
        after = piece[row].next
        unit = piece[row].unit
        if s.u[unit].state == RUNNING and q.current[unit] == row and piece[after].start > until:
            pause(s, unit)


@inner
def start_pieces(s, q, until):
    """Place the tasks whose pieces begin now."""
    m, piece, now = q.m[0], q.piece, s.k[0].now
    while m.starts < m.pieces and piece[m.starts].start <= until:
        row = m.starts
        m.starts += 1
        p = piece[row]
        u = s.u[p.unit]
        if u.state == DONE:
            continue
        if u.state == RUNNING:
            left = u.remaining - u.rate * (now - u.since)
        else:
            left = u.remaining
        rate = p.rate
        if p.last:
            long = p.end - now
            if left > rate * long * (1.0 + ROUNDING) + ROUNDING * max(1.0, now):
                fail(s, BAD_RATE, p.unit, p.machine, left / long)
                return
            if abs(left - rate * long) > 0.5 * TIE * rate * max(1.0, now):
                rate = left / long
        s.pick[0] = p.machine
        q.current[p.unit] = row
        place(s, p.unit, FOREGROUND, rate, p.share, 0.0)


@inner
def decide(s, q):
    """Stop and start what the plan says for this instant, and be woken for the next."""
    m, now = q.m[0], s.k[0].now
    until = now + 2.0 * TIE * max(1.0, abs(now))
    stop_pieces(s, q, until)
    start_pieces(s, q, until)
    coming = np.inf
    if m.starts < m.pieces:
        coming = q.piece[m.starts].start
    if m.ends < m.pauses:
        coming = min(coming, q.piece[q.pause[m.ends].piece].end)
    if coming < np.inf and coming > m.told:
        m.told = coming
        wake(s, coming)


@compiled
def run_pieces(s, q, budget):
    """Advance the run by about `budget` acts; True while there is more to do."""
    return drive(s, q, decide, nothing, budget)
