"""Everything a run knows, as one struct holding a few arrays of rows.

A *unit* is what is placed and progresses as one: a gang job is one unit. A *lane* is a processor, a node
or a machine. Rows are read row first (`s.u[i].remaining`): measured five times faster in numba than
columns, since a struct reference is one pointer and each array of it counts a reference.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numba.core import types
from numba.experimental import structref

from engine.kernel.cache import PLAIN, compiled, inner
from engine.tables import EVENTS, SEGMENTS

# States of a unit. Typed constants: a bare literal would compile each helper once per value.
FUTURE, QUEUED, RUNNING, PAUSED, DONE, REJECTED = (np.int64(code) for code in range(6))
FOREGROUND, BACKGROUND = np.int64(0), np.int64(1)
NOBODY = np.int64(-1)


def rows_of(reals: str, wholes: str) -> np.dtype:
    """A row with f8 fields and i8 fields, named in two strings: one width of each, or helpers compile twice."""
    fields = [(name, "f8") for name in reals.split()] + [(name, "i8") for name in wholes.split()]
    return np.dtype(fields, align=True)


CLOCK = rows_of(
    "now error_value",
    """units lanes exclusive next_release waiting running unfinished finished
    arrived_first arrived_last ended alarm acts heap_rows touched soiled segments events held held_background
    error error_unit error_lane
    preemptions migrations kills swaps background_starts largest_heap decisions""",
)
"""One row: the instant, what it brought (`ended`, `arrived_first..arrived_last`, `alarm`), and counters."""

UNIT = rows_of(
    "release runtime estimate need memory remaining rate share since stall opened start end lost",
    "state tier procs first version touched",
)
"""One row a unit. `remaining` [s of dedicated work] is exact at `since` and falls at `rate`, but not before
`stall`; `opened` starts its open segment; its lanes are `hold[first : first + procs]`."""

LANE = rows_of("given memory", "count0 owner0 count1 owner1 soiled mark")
"""One row a lane. While `count == 1`, `owner - 1` is the unit there: every seat does `owner ^= unit + 1`,
so the order of arrivals and departures inside an instant does not matter."""

PREDICTION = rows_of("time", "unit version")
SEGMENT = np.dtype(list(SEGMENTS.items()), align=True)
EVENT = np.dtype(list(EVENTS.items()), align=True)

FIELDS = ("k", "u", "lane", "heap", "hold", "pick", "ended", "touched", "soiled", "spare", "seg", "ev")


@structref.register
class StateType(types.StructRef):
    """Numba's view of `State`."""

    def preprocess_fields(self, fields: Any) -> Any:
        return tuple((name, types.unliteral(kind)) for name, kind in fields)


class State(structref.StructRefProxy):
    """`k` clock, `u` units, `lane` lanes, `heap` predictions, `hold` lanes held by each unit, `pick` lanes
    chosen for the next `place`, `ended` units that ended in this instant, `touched`, `soiled`, `spare`
    scratch lists, `seg` and `ev` output buffers (the only arrays that may be replaced: they grow)."""


structref.define_proxy(State, StateType, list(FIELDS))


@compiled
def new_state(k, u, lane, heap, hold, pick, ended, touched, soiled, spare, seg, ev):
    """The struct over arrays made by `arrays_for`; compiled, since the proxy's own constructor is not cached."""
    return State(k, u, lane, heap, hold, pick, ended, touched, soiled, spare, seg, ev)


@compiled
def output_of(s):
    """The present output buffers: they may have been replaced by larger ones."""
    return s.seg, s.ev


@inner
def enlarged(rows):
    """Twice the room, same rows."""
    bigger = np.empty(2 * rows.shape[0], rows.dtype)
    bigger[: rows.shape[0]] = rows
    return bigger


if PLAIN:
    from engine.kernel import plain

    enlarged, output_of = plain.enlarged, plain.output_of
    new_state = plain.maker(FIELDS)


def arrays_for(units: np.ndarray, lanes: int, exclusive: bool, *, buffer: int = 32_768) -> dict[str, np.ndarray]:
    """Zeroed arrays for `units` (rows of UNIT, `first` and `procs` set) on `lanes` lanes.

    exclusive: a slot of a lane holds one process (rigid, two-tier); otherwise lanes hold shares up to 1.
    """
    n = len(units)
    room = int((units["first"] + units["procs"]).max(initial=0))
    widest = int(units["procs"].max(initial=1))
    arrays = {
        "k": np.zeros(1, CLOCK),
        "u": units,
        "lane": np.zeros(lanes, LANE),
        "heap": np.zeros(max(1024, 4 * min(n, lanes) + 64), PREDICTION),
        "hold": np.zeros(max(room, 1), np.int64),
        "pick": np.zeros(max(widest, lanes, 1), np.int64),
        "ended": np.zeros(max(n, 1), np.int64),
        "touched": np.zeros(max(n, 1), np.int64),
        "soiled": np.zeros(max(lanes, 1), np.int64),
        "spare": np.zeros(max(widest, lanes, 1), np.int64),
        "seg": np.empty(buffer, SEGMENT),
        "ev": np.empty(buffer, EVENT),
    }
    k = arrays["k"]
    k["units"], k["lanes"], k["exclusive"] = n, lanes, exclusive
    k["unfinished"] = int((units["state"] != REJECTED).sum())
    return arrays
