"""The state of a run: one struct of a few arrays of rows.

A *unit* is placed and progresses as a whole: a gang job is one unit. A *lane* is a processor, a node or a machine.
Fields are read row first (`s.u[i].remaining`), so that one array is loaded for all columns of a row.

- `k` the clock, one row; `u` units; `lane` lanes; `heap` predicted completions and alarms.
- `hold` the lanes of each placed unit, in blocks that are reused: `idle` is the first free block of each size, `link`
  the next one.
- `pick` the lanes chosen for the next `place`; `ended` the units that ended in this instant.
- `touched` units whose completion must be predicted again, and `dirty` lanes that must be checked, at the end of the
  instant; `spare` scratch space.
- `seg`, `ev` and `rate` output buffers, emptied by Python between slices.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from shadowtime.engine.kernel.binary_heap import ENTRY
from shadowtime.engine.kernel.cache import PLAIN
from shadowtime.engine.tables import EVENTS, RATES, SEGMENTS

# States of a unit. Typed constants: a bare literal would compile each helper once per value.
FUTURE, QUEUED, RUNNING, PAUSED, DONE, REJECTED = (np.int64(code) for code in range(6))
FOREGROUND, BACKGROUND = np.int64(0), np.int64(1)
NO_ROW = np.int64(-1)
"""No unit, no lane, no row."""


def rows_of(reals: str, wholes: str) -> np.dtype:
    """Return the type of a row with f8 fields and i8 fields, named in two strings.

    There is only one width of each, because helpers would be compiled once for each width.
    """
    fields = [(name, "f8") for name in reals.split()] + [(name, "i8") for name in wholes.split()]
    return np.dtype(fields, align=True)


CLOCK = rows_of(
    "now origin error_value",
    """units lanes exclusive next_release waiting running unfinished
    arrived_first arrived_last ended alarm acts heap_rows heap_kept touched dirty
    segments events rates segments_stop events_stop rates_stop hold_used held
    error error_unit error_lane
    preemptions migrations kills swaps background_starts largest_heap decisions""",
)
"""One row: the time, counted from `origin` (see `clock`), what happened at it (`ended`, `arrived_first..arrived_last`,
`alarm`), and counters."""

UNIT = rows_of(
    "release runtime estimate need memory remaining virtual_time rate share since stall opened start end",
    "state tier procs first version touched moved",
)
"""One row a unit. `remaining` [s of dedicated work] is exact at `since` and falls at `rate`, but not before
`stall`; `virtual_time` grows as it falls: it is summed separately, so that units with equal histories have bitwise
equal values whatever their runtimes. `opened` is the start of its open segment; `moved` counts the lanes that
migrations gave it. Its lanes are `hold[first : first + procs]` while it runs, and until the end of the instant in which
it ended, was paused or was killed; then the block may belong to another unit."""

LANE = rows_of("given memory", "count0 owner0 count1 owner1 dirty mark")
"""One row a lane; 0 and 1 are the tiers. While `count == 1`, `owner - 1` is the unit there: seating and leaving both do
`owner ^= unit + 1`, so the order of arrivals and departures within an instant does not matter."""

SEGMENT = np.dtype(list(SEGMENTS.items()), align=True)
EVENT = np.dtype(list(EVENTS.items()), align=True)
RATE = np.dtype(list(RATES.items()), align=True)

FLUSH = 512 if PLAIN else 32_768
"""Rows after which a slice ends. Small buffers are faster: first use of a memory page costs more than another slice.
Uncompiled, each row of a buffer is an object (3 us)."""

ALARMS = 8_192
"""Alarms that may be set at one time."""


def new_state(arrays: dict[str, np.ndarray]) -> Any:
    """Return the struct over the arrays of `arrays_for`; under NUMBA_DISABLE_JIT=1 lists of slotted rows."""
    if PLAIN:
        from shadowtime.engine.kernel.plain import PlainStruct

        return PlainStruct(**arrays)
    from shadowtime.engine.kernel.struct import Struct

    return Struct(**arrays)


def arrays_for(
    units: np.ndarray,
    lanes: int,
    exclusive: bool,
    *,
    origin: float = 0.0,
    keep_rates: bool = False,
    reserves: bool = False,
    sizes: tuple[int, ...] = (),
) -> dict[str, np.ndarray]:
    """Return the arrays of a fresh state for `units` (rows of UNIT, `procs` set) on `lanes` lanes.

    exclusive: each tier of a lane holds one process (rigid, two-tier); otherwise lanes hold shares up to 1.

    origin: second of the workload's clock from which the releases in `units` count (see `clock`).

    keep_rates: write a row of RATES whenever a rate changes.

    reserves: the policy may write an event of every waiting unit in one instant.

    sizes: numbers of lanes that `allot` may give a unit before a start; its block in `hold` then has that size.

    A slice ends once FLUSH rows are written, so each buffer has room for one more instant beyond that, in which each
    held lane closes at most two rectangles (a stall and the rest), and each unit ends, starts, moves and backfills
    once. Rows that are never written take no physical memory.
    """
    n = len(units)
    room = max(1, int(units["procs"].sum())) + 2 * lanes * len(sizes)
    widest = max(int(units["procs"].max(initial=1)), *sizes, 1)
    most_held = min(2 * lanes, room) if exclusive else room
    most_running = min(2 * lanes, n) if exclusive else n
    arrays = {
        "k": np.zeros(1, CLOCK),
        "u": units,
        "lane": np.zeros(lanes, LANE),
        "heap": np.zeros(2 * most_running + ALARMS, ENTRY),
        "hold": np.zeros(room, np.int64),
        "link": np.zeros(room, np.int64),
        "idle": np.full(widest + 1, NO_ROW),
        "pick": np.zeros(max(widest, lanes), np.int64),
        "ended": np.zeros(n, np.int64),
        "touched": np.zeros(n, np.int64),
        "dirty": np.zeros(lanes, np.int64),
        "spare": np.zeros(max(widest, lanes), np.int64),
        "seg": np.empty(FLUSH + 2 * most_held, SEGMENT),
        "ev": np.empty(FLUSH + 16 * most_running + 64 + n * reserves, EVENT),
        "rate": np.empty(FLUSH + 4 * most_running + 64 if keep_rates else 0, RATE),
    }
    k = arrays["k"]
    k["units"], k["lanes"], k["exclusive"], k["origin"] = n, lanes, exclusive, origin
    k["segments_stop"] = k["events_stop"] = FLUSH
    k["rates_stop"] = FLUSH if keep_rates else 1  # a buffer without room is never written, so never stops
    k["unfinished"] = int((units["state"] != REJECTED).sum())
    return arrays
