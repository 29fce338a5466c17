"""Pictures of a run of very many jobs or rectangles that goes on: cells of what its worker has written, without jobs.

A run may write tens of millions of rectangles: they are read piece by piece, each once for the same picture.
"""

from __future__ import annotations

import threading
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from cachetools import LRUCache

from shadowtime.dashboard.viewer.windows import NONE, WHOLE_COLUMNS, Grid, Windows
from shadowtime.engine.tables import EVENTS, RUN, SEGMENTS, SERIES, Table, empty, rows, take
from shadowtime.workers.store.live import LiveSource

TIERS = 2
PIECE = 250_000
"""Rectangles that are read together: some 10 MB."""
KEPT_BYTES = 16_000_000
"""Of the sums of a run that are kept: some fourteen windows of viewers; larger ones are read again."""

Picture = tuple[Grid, bool]
"""A grid of cells; True: only rectangles of kind RUN count, in which jobs make progress."""


@dataclass
class Sum:
    """Second differences of the coverage of a picture's cells, by the first `rows` rectangles of a run."""

    cells: np.ndarray
    rows: int = 0

    def add(self, piece: Table, picture: Picture) -> None:
        """Add rectangles."""
        from shadowtime.dashboard.viewer.raster import count

        grid, is_of_progress = picture
        s = {name: piece[name] for name in SEGMENTS}
        if is_of_progress and not (is_run := s["kind"] == RUN).all():
            s = take(s, is_run)
        for column in s.values():  # as the compiled steps have tables from disk: others would be compiled for
            column.setflags(write=False)
        count(s["job"], s["first"], s["last"], s["tier"], s["start"], s["end"], s["share"],
              0, rows(s), grid.numbers, NONE, self.cells)  # fmt: skip


@dataclass
class Sums:
    """The sums of a run that goes on, which grow with what its worker writes."""

    _attempt: int = 0
    _known: LRUCache[Picture, Sum] = field(
        default_factory=lambda: LRUCache(KEPT_BYTES, getsizeof=lambda one: one.cells.nbytes)
    )
    _reading: threading.Lock = field(default_factory=threading.Lock)

    def of(self, live: LiveSource, attempt: int, pictures: Sequence[Picture]) -> list[Sum]:
        """Return the sums of some pictures up to now; what they lack is read once for all of them."""
        with self._reading:
            written = live.rows("segments")
            if attempt != self._attempt or any(one.rows > written for one in self._known.values()):
                self._known.clear()
                self._attempt = attempt
            sums = [self._sum(one) for one in pictures]
            at = min(one.rows for one in sums)
            while n := rows(piece := live.read("segments", at, PIECE)):
                for one, picture in zip(sums, pictures, strict=True):
                    if (skipped := one.rows - at) < n:
                        one.add(take(piece, slice(skipped, n)), picture)
                        one.rows = at + n
                at += n
            return [Sum(one.cells.copy(), one.rows) for one in sums]

    def _sum(self, picture: Picture) -> Sum:
        found = self._known.get(picture)
        if found is None:
            found = Sum(np.zeros((TIERS, picture[0].rows + 2, picture[0].columns + 2)))
            if found.cells.nbytes <= KEPT_BYTES:
                self._known[picture] = found
        return found


class WindowsSoFar(Windows):
    """The rectangles of a run that goes on."""

    is_growing = True

    def __init__(self, live: LiveSource, sums: Sums, lanes: int, span: tuple[float, float], header: Mapping[str, Any]):
        super().__init__({}, empty(SEGMENTS), empty(EVENTS), empty(SERIES), lanes, span)
        self._live, self._sums_of, self._found = live, sums, dict[Picture, np.ndarray]()
        self.header = header

    def painted(self, grid: Grid, by: str = "", edges: tuple[float, ...] = (), find: str = "") -> Table:
        # The areas beneath the picture, and those of the whole run, come with it: all is read once.
        self._read_all([(grid, False), (self._all_lanes(grid), True), (self._all_lanes(), True)])
        self.tiers = TIERS if self._found[grid, False][1].any() else 1
        self.header = {**self.header, "tiers": max(self.tiers, self.header["tiers"])}
        return super().painted(grid, by, edges, find)

    def cells(self, grid: Grid, weight: np.ndarray = NONE, name: str = "") -> np.ndarray:
        return self._of((grid, False))

    def means(self, t0: float, t1: float, columns: int, capacity: float) -> Table:
        """Return means of the lanes in use over so many columns. Demand, which the jobs decide, is taken to be that."""
        held = self._of((Grid(t0, t1, columns, 0, self.lanes, self.lanes), True))[:, 0].round(3)
        useful = held.sum(axis=0)
        return {"useful": useful, "background": held[1], "demand": useful, "wanted": useful}

    def _all_lanes(self, grid: Grid | None = None) -> Grid:
        t0, t1, columns = (grid.t0, grid.t1, grid.columns) if grid else (*self.span, WHOLE_COLUMNS)
        return Grid(t0, t1, columns, 0, self.lanes, self.lanes)

    def _of(self, picture: Picture) -> np.ndarray:
        if picture not in self._found:
            self._read_all([picture])
        return self._found[picture]

    def _read_all(self, pictures: Sequence[Picture]) -> None:
        from shadowtime.dashboard.viewer.raster import integrate

        # In this order, a rectangle that closes meanwhile is missing until the next look; else it would count twice.
        sums = self._sums_of.of(self._live, self.header["attempt"], pictures)
        still = self._live.whole("open")
        for picture, found in zip(pictures, sums, strict=True):
            if still:
                found.add(still, picture)
            integrate(found.cells, False)
            self._found[picture] = found.cells[:, : picture[0].rows, : picture[0].columns]
