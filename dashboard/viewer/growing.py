"""The first picture of a run of very many jobs that goes on: cells of what its worker has written, without its jobs."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from shadowtime.dashboard.viewer.windows import Grid, Windows
from shadowtime.engine.tables import EVENTS, RUN, SEGMENTS, SERIES, Table, concatenate, empty, take
from shadowtime.workers.store.live import LiveSource


class WindowsSoFar(Windows):
    """The rectangles of a run that goes on, read once."""

    is_growing = True

    def means(self, t0: float, t1: float, columns: int, capacity: float) -> Table:
        """Return means of the lanes in use over so many columns. Demand, which the jobs decide, is taken to be that."""
        is_run = self.segments["kind"] == RUN
        runs = self
        if not is_run.all():
            runs = WindowsSoFar({}, _read_only(take(self.segments, is_run)), {}, {}, self.lanes, self.span)
        held = runs.cells(Grid(t0, t1, columns, 0, self.lanes, self.lanes))[:, 0].round(3)
        useful = held.sum(axis=0)
        background = held[1] if len(held) > 1 else 0.0 * useful
        return {"useful": useful, "background": background, "demand": useful, "wanted": useful}


def windows_so_far(live: LiveSource, lanes: int, span: tuple[float, float], header: Mapping[str, Any]) -> WindowsSoFar:
    """Return the windows of a run whose live tables are given.

    lanes: of the machine. span: where the run begins and ends, as far as known [s]. header: of a bundle.
    """
    found = [{name: table[name] for name in SEGMENTS} for table in (live.read("segments"), live.whole("open")) if table]
    windows = WindowsSoFar({}, _read_only(concatenate(found, SEGMENTS)), empty(EVENTS), empty(SERIES), lanes, span)
    windows.header = header
    return windows


def _read_only(table: Table) -> Table:
    """Return the table as the compiled steps have it from disk: other arrays would be compiled for anew."""
    for column in table.values():
        column.setflags(write=False)
    return table
