"""Windows of a large run, for a viewer that does not hold all of it: cells, rectangles where they are few, areas.

Coverage of the whole run is summed up once (`Sums`, at most 17 MB a tier); from it any far window takes as long as it
has cells, whatever the run has rectangles. Closer windows count their own rectangles.
"""

from __future__ import annotations

import threading
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from shadowtime.dashboard.access.refusal import Refusal
from shadowtime.dashboard.sharing.urls import FIND
from shadowtime.engine.metrics.jobs import TAU, bounded_stretch
from shadowtime.engine.tables import PART, RESERVE, Table, rows, take

BLOCK = 4096
"""Rectangles of which the earliest start and latest end are known: others of a window are skipped by blocks."""
BINS = 8192
MOST_SUM_ROWS = 512
FINE = 4
"""Bins of the sums that a cell must have at least."""
MOST_RECTANGLES = 40_000
"""Of a window that is sent as rectangles."""
WHOLE_COLUMNS = 480
"""Of the areas of a whole run."""
FULL = 255
LEAST = 5e-4
"""Share of a cell from which it is seen at all; below lies the rounding of the sums."""
COLUMN_OF = {"job": "job_id", "user": "user", "size": "processors"}
NONE = np.zeros(0)


@dataclass(frozen=True)
class Grid:
    """Cells of a window: `columns` of time from t0 to t1, rows of `each` lanes from n0 to n1."""

    t0: float
    t1: float
    columns: int
    n0: int
    n1: int
    each: int

    @property
    def rows(self) -> int:
        return -(-(self.n1 - self.n0) // self.each)

    @property
    def scale(self) -> float:
        """Columns a second."""
        return self.columns / (self.t1 - self.t0)

    @property
    def numbers(self) -> np.ndarray:
        """In the form of the compiled steps."""
        return np.array([self.t0, self.scale, self.columns, self.n0, self.n1, self.each], "f8")

    @property
    def held(self) -> np.ndarray:
        """Lanes of each row."""
        return np.minimum(self.each, self.n1 - self.n0 - self.each * np.arange(self.rows))

    def as_dict(self) -> dict[str, Any]:
        return {"t0": self.t0, "t1": self.t1, "columns": self.columns, "n0": self.n0, "n1": self.n1, "each": self.each,
                "rows": self.rows}  # fmt: skip


class Windows:
    """A finished run, read piece by piece.

    `areas` is what `series` sends, `span` where it begins and ends [s], `tau` the floor of its bounded stretch [s].
    """

    is_growing = False
    """Whether the run goes on: its jobs are not known here, and sums over all of it are of no use to a next window."""
    header: Mapping[str, Any] = {}
    """What a bundle says beside its parts."""

    def __init__(self, jobs: Table, segments: Table, events: Table, areas: Table, lanes: int,
                 span: tuple[float, float], tau: float = TAU, overcommitted: int = 0):  # fmt: skip
        self.jobs, self.segments, self.events, self.areas = jobs, segments, events, areas
        self.lanes, self.capacity = lanes + overcommitted, lanes
        self.span, self.tau = span, tau
        self.tiers = 2 if rows(segments) and segments["tier"].any() else 1
        self._sums: dict[str, np.ndarray] = {}
        self._areas: dict[str, np.ndarray] = {}
        self._summing = threading.Lock()

    @cached_property
    def _blocks(self) -> tuple[np.ndarray, np.ndarray]:
        if not rows(self.segments):
            return NONE, NONE
        begins = np.arange(0, rows(self.segments), BLOCK)
        start, end = self.segments["start"], self.segments["end"]
        return np.minimum.reduceat(start, begins), np.maximum.reduceat(end, begins)

    def spans(self, t0: float, t1: float) -> list[tuple[int, int]]:
        """Neighbouring blocks that may hold rectangles of a window, as ranges of rows."""
        low, high = self._blocks
        inside = np.flatnonzero((low < t1) & (high > t0))
        if not len(inside):
            return []
        cuts = np.flatnonzero(np.diff(inside) > 1)
        begins = inside[np.concatenate([[0], cuts + 1])]
        ends = inside[np.concatenate([cuts, [len(inside) - 1]])]
        return [
            (int(a) * BLOCK, min(rows(self.segments), int(z + 1) * BLOCK)) for a, z in zip(begins, ends, strict=True)
        ]

    @cached_property
    def reserved(self) -> np.ndarray:
        """Rows of the reservations among the events."""
        return rows_equal(self.events["kind"], RESERVE)

    # ---- cells ----

    def cells(self, grid: Grid, weight: np.ndarray = NONE, name: str = "") -> np.ndarray:
        """Held lanes of every cell, tiers x rows x columns; with `weight` (by job) each times its job's.

        name: of the weights, where they are worth summing up for all windows; plain coverage always is.
        """
        worth = (name or not len(weight)) and not self.is_growing
        whole = self._whole()
        if worth and whole.scale >= FINE * grid.scale and grid.each % whole.each == 0 and grid.n0 % whole.each == 0:
            return self._read(grid, self._summed(weight, name), whole)
        return self._counted(grid, weight, running=False)[:, : grid.rows, : grid.columns]

    def _whole(self) -> Grid:
        low, high = self._blocks
        t0 = float(low.min()) if len(low) else 0.0
        t1 = max(t0 + 1e-6, float(high.max()) if len(high) else 1.0)
        return Grid(t0, t1, BINS, 0, self.lanes, -(-self.lanes // MOST_SUM_ROWS))

    def _counted(self, grid: Grid, weight: np.ndarray, *, running: bool) -> np.ndarray:
        from shadowtime.dashboard.viewer.raster import count, integrate

        cells = np.zeros((self.tiers, grid.rows + 2, grid.columns + 2))
        s = self.segments
        given = np.ascontiguousarray(weight, "f8")
        for begin, stop in self.spans(grid.t0, grid.t1):
            count(s["job"], s["first"], s["last"], s["tier"], s["start"], s["end"], s["share"],
                  begin, stop, grid.numbers, given, cells)  # fmt: skip
        integrate(cells, running)
        return cells

    def _summed(self, weight: np.ndarray, name: str) -> np.ndarray:
        """Running sums over the bins of the whole run, made once; of the weighted ones, only the latest is kept."""
        with self._summing:
            if name not in self._sums:
                for other in [known for known in self._sums if known and name]:
                    del self._sums[other]
                self._sums[name] = self._counted(self._whole(), weight, running=True).astype("f4")
            return self._sums[name]

    def _read(self, grid: Grid, sums: np.ndarray, whole: Grid) -> np.ndarray:
        edges = np.clip((grid.t0 + np.arange(grid.columns + 1) / grid.scale - whole.t0) * whole.scale, 0, BINS)
        bins = np.minimum(edges.astype(int), BINS - 1)
        part = edges - bins
        after = sums[:, :, bins]
        before = np.where(bins > 0, sums[:, :, bins - 1], 0.0)
        at = before + (after - before) * part
        per_row = np.diff(at[:, : whole.rows], axis=2) * (grid.scale / whole.scale)
        ratio = grid.each // whole.each
        first = grid.n0 // whole.each
        begins = np.arange(first, min(whole.rows, first + grid.rows * ratio), ratio)
        until = min(whole.rows, first + grid.rows * ratio)
        return np.add.reduceat(per_row[:, :until], begins, axis=1)

    # ---- what a message holds ----

    def painted(self, grid: Grid, by: str = "", edges: tuple[float, ...] = (), find: str = "") -> Table:
        """Cells as bytes: share held of each (255: all), the mean class of a ramp, where a search's jobs are."""
        held = self.cells(grid)
        lanes = grid.held[:, None]
        table: Table = {}
        for tier in range(self.tiers):
            table[f"held{tier}"] = _bytes(held[tier] / lanes)
        if by:
            classes = self.classes(by, edges)
            sums = self.cells(grid, classes.astype("f8"), f"{by} {edges}")
            with np.errstate(invalid="ignore", divide="ignore"):
                means = np.where(held > 1e-9, sums / held, 0.0) / max(1, len(edges))
            for tier in range(self.tiers):
                table[f"mean{tier}"] = _bytes(means[tier])
        if find:
            lit = self.cells(grid, self.meant(find).astype("f8"))
            for tier in range(self.tiers):
                table[f"lit{tier}"] = (lit[tier] > 1e-9).astype("u1").ravel()
        return table

    def classes(self, by: str, edges: tuple[float, ...]) -> np.ndarray:
        """Steps of a ramp that the jobs are on, as `assets/gantt/model/colour-rules.js` counts them."""
        jobs = self.jobs
        if by == "size":
            values = jobs["processors"]
        elif by == "wait":
            values = jobs["start"] - jobs["release"]
        else:
            values = bounded_stretch(jobs, tau=self.tau)
        return np.searchsorted(np.asarray(edges), np.nan_to_num(values, nan=-np.inf), side="right")

    def meant(self, words: str) -> np.ndarray:
        """Which jobs a search means: `job 7`, `user 15`, `size 32-64`, `size > 64`.

        Raises Refusal: 400 for any other words.
        """
        found = FIND.fullmatch(words)
        if not found:
            raise Refusal(400, f"find = {words[:40]!r}, but it must be like 'job 7', 'user 15' or 'size 32-64'.")
        what, first, last, sign, edge = found.groups()
        values = self.jobs[COLUMN_OF[what]]
        if sign:
            return values > int(edge) if sign == ">" else values < int(edge)
        return (values >= int(first)) & (values <= int(last or first))

    def inside(self, grid: Grid) -> np.ndarray | None:
        """Rows of the rectangles of a window; None where they are too many to send."""
        from shadowtime.dashboard.viewer.raster import within

        s = self.segments
        parts, n = [], 0
        for begin, stop in self.spans(grid.t0, grid.t1):
            found = np.empty(MOST_RECTANGLES - n, np.int64)
            count = within(s["first"], s["last"], s["start"], s["end"], grid.n0, grid.n1, grid.t0, grid.t1,
                           begin, stop, found)  # fmt: skip
            if n + count > MOST_RECTANGLES:
                return None
            parts.append(found[:count])
            n += count
        return np.concatenate(parts) if parts else np.zeros(0, np.int64)

    def small(self, index: np.ndarray, others: np.ndarray | None = None) -> tuple[Table, Table]:
        """The rectangles of `index` with the jobs that they (and `others`) are of, numbered among themselves."""
        segments = take(self.segments, index)
        known = np.unique(segments["job"] if others is None else np.concatenate([segments["job"], others]))
        segments["job"] = np.searchsorted(known, segments["job"]).astype("i4")
        return {**take(self.jobs, known), "row": known.astype("i4")}, segments

    def means(self, t0: float, t1: float, columns: int, capacity: float) -> Table:
        """Means of the areas over so many columns: useful, background, demand, and demand up to the capacity."""
        edges = t0 + (t1 - t0) * np.arange(columns + 1) / columns
        table: Table = {}
        for name, sums in self._integrals(capacity).items():
            times = self.areas["time"]
            at = np.interp(edges, times, sums) if len(times) else np.zeros(columns + 1)
            last = self.areas[name if name != "wanted" else "demand"][-1] if len(times) else 0.0
            last = min(last, capacity) if name == "wanted" else last
            at = at + np.maximum(0.0, edges - times[-1]) * last if len(times) else at
            table[name] = np.round(np.diff(at) / ((t1 - t0) / columns), 3)
        return table

    def _integrals(self, capacity: float) -> Mapping[str, np.ndarray]:
        if not self._areas:
            steps = np.diff(self.areas["time"])
            values = {name: self.areas[name] for name in ("useful", "background", "demand")}
            values["wanted"] = np.minimum(capacity, values["demand"])
            self._areas = {
                name: np.concatenate([[0.0], np.cumsum(column[:-1] * steps)]) if len(column) else NONE
                for name, column in values.items()
            }
        return self._areas


def _bytes(shares: np.ndarray) -> np.ndarray:
    """Shares as bytes; what is held by more than LEAST is at least 1."""
    whole = np.clip(np.rint(shares * FULL), 0, FULL)
    return np.where((shares > LEAST) & (whole == 0), 1, whole).astype("u1").ravel()


def rows_equal(column: np.ndarray, value: int) -> np.ndarray:
    """Rows at which a column, which may lie on disk, has a value; looked through PART rows at a time."""
    found = [begin + np.flatnonzero(column[begin : begin + PART] == value) for begin in range(0, len(column), PART)]
    return np.concatenate(found) if found else np.zeros(0, np.int64)
