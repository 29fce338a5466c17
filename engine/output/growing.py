"""State of units during a run, on the workload's clock: open rectangles, first starts and ends."""

from __future__ import annotations

from typing import Any

import numpy as np

from shadowtime.engine import tables
from shadowtime.engine.kernel.clock import moved
from shadowtime.engine.tables import SEGMENTS, Table


def running_units(state: Any) -> np.ndarray:
    """Return the rows of running units, ascending.

    On exclusive lanes they are the owners of the lanes, which are far fewer than the units. A shared lane does not
    record its owners, so all units are scanned.
    """
    from shadowtime.engine.kernel.state import RUNNING

    lane = state.lane
    if not state.k[0]["exclusive"]:
        return np.flatnonzero(np.asarray(state.u["state"]) == RUNNING)
    owners = [np.asarray(lane[f"owner{t}"])[np.asarray(lane[f"count{t}"]) == 1] for t in (0, 1)]
    return np.unique(np.concatenate(owners)) - 1


def units_of(state: Any) -> Table:
    """Return the columns of all units, `start` and `end` on the workload's clock; NaN where there is none yet."""
    columns = {name: np.asarray(state.u[name]) for name in state.u.dtype.names}
    return moved(columns, ("start", "end"), float(state.k[0]["origin"]))


def open_rectangles(state: Any) -> Table:
    """Return the rectangles of running units, from their start to now, on the workload's clock."""
    now = float(state.k[0]["now"])
    running = running_units(state)
    u = {name: np.asarray(state.u[name])[running] for name in ("first", "procs", "tier", "opened", "share")}
    if not len(running):
        return tables.empty(SEGMENTS)
    hold = np.asarray(state.hold)
    owner = np.repeat(np.arange(len(running)), u["procs"])
    offset = np.arange(len(owner)) - np.repeat(np.cumsum(u["procs"]) - u["procs"], u["procs"])
    lanes = hold[u["first"][owner] + offset]
    order = np.lexsort((lanes, owner))
    lanes, owner = lanes[order], owner[order]
    seats = np.flatnonzero(tables.is_new(owner, lanes))
    lanes, owner = lanes[seats], owner[seats]
    times = np.diff(np.append(seats, len(order)))  # tasks of one job on one lane
    fresh = np.ones(len(lanes), bool)
    fresh[1:] = (owner[1:] != owner[:-1]) | (lanes[1:] > lanes[:-1] + 1) | (times[1:] != times[:-1])
    begins = np.flatnonzero(fresh)
    ends = np.append(begins[1:], len(lanes)) - 1
    unit = owner[begins]
    columns = {
        "job": running[unit], "first": lanes[begins], "last": lanes[ends], "tier": u["tier"][unit],
        "start": u["opened"][unit], "end": np.full(len(unit), now), "share": u["share"][unit] * times[begins],
        "kind": np.full(len(unit), tables.RUN),
    }  # fmt: skip
    segments = {name: column.astype(SEGMENTS[name]) for name, column in columns.items()}
    return moved(segments, ("start", "end"), float(state.k[0]["origin"]))
