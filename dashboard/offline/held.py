"""What a page without a server holds of one finished run: the answers that its viewer would ask a server for."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from shadowtime.dashboard.viewer import tiles
from shadowtime.dashboard.viewer.extent import described, extent, with_users
from shadowtime.dashboard.viewer.useful import Tables, useful
from shadowtime.engine.errors import InvalidParameter
from shadowtime.engine.registry import find_family
from shadowtime.engine.tables import Table, rows, take
from shadowtime.engine.workload.job import Workload

MOST_CURVES = 200_000
"""Times of all jobs of a moldable run that a page holds, for the curve beside a selected job."""
DRAWN = ("jobs", "segments", "events")


@dataclass(frozen=True)
class Source:
    """A finished run: stored, or a schedule in memory."""

    tables: Tables
    workload: Callable[[], Workload]
    """Loads the workload, which few kinds of runs need."""
    kind: str
    lanes: int
    algorithm: str
    exclusive: bool
    tau: float
    """Floor of the bounded stretch [s]."""
    clock: Mapping[str, Any] | None
    idle: float | None
    """Its normalized underutilization."""
    beyond: int = 0
    """Lanes beyond the machine, which the log of a recorded schedule used."""
    users: Sequence[str] = ()
    """Names of users by number, where the log has names."""


class Held:
    """A run, or its rectangles and events from `start` to `end` [s], as a page holds it.

    Raises
    ------
    InvalidParameter
        For a window without length.
    """

    def __init__(self, source: Source, start: float | None = None, end: float | None = None):
        self.source = source
        self._drawn = {name: source.tables.table(name) for name in DRAWN}
        self.extent = extent(**self._drawn)
        if start is not None or end is not None:
            self._cut(self.extent["t0"] if start is None else start, self.extent["t1"] if end is None else end)

    @property
    def size(self) -> tuple[int, int]:
        """Numbers of rectangles and of events."""
        return rows(self._drawn["segments"]), rows(self._drawn["events"])

    @property
    def segments(self) -> Table:
        """The rectangles."""
        return self._drawn["segments"]

    def _cut(self, start: float, end: float) -> None:
        """Keep what a window shows; jobs stay all, so that rows keep their numbers."""
        if not start < end:
            raise InvalidParameter(f"the window from {start:g} s to {end:g} s has no length; end must be after start")
        segments, events = self._drawn["segments"], self._drawn["events"]
        segments = take(segments, np.flatnonzero((segments["start"] < end) & (segments["end"] > start)))
        events = take(events, np.flatnonzero((events["time"] >= start) & (events["time"] <= end)))
        self._drawn |= {"segments": segments, "events": events}
        self.extent |= {"t0": float(start), "t1": float(end), "end": self.extent["t1"]}
        self.extent["counts"] |= {"segments": rows(segments), "events": rows(events)}

    def parts(self) -> dict[str, bytes]:
        """Return the binary tables, as their routes send them."""
        tables, segments = self.source.tables, self.segments
        if "task" in segments:
            from shadowtime.dashboard.viewer.packed import with_remote

            segments = with_remote(segments, self.source.workload())
        found: dict[str, Table] = {**self._drawn, "segments": segments, "series": useful(tables)}
        found |= {name: tables.table(name) for name in ("rates", "bands")}
        state = {"status": "finished", "attempt": 1}
        return {name: tiles.encode(table, tiles.HINTS[name], **state) for name, table in found.items()}

    def view(self, run: str) -> dict[str, Any]:
        """Return what `GET /api/runs/<id>/view` answers, for the id `run`."""
        source = self.source
        facts = described(source.algorithm, source.kind, source.lanes, source.beyond)
        own = {"exclusive": source.exclusive, "idle": source.idle, "tau": source.tau, "clock": source.clock}
        state = {"id": run, "status": "finished", "attempt": 1, "progress": {}}
        known = {**state, **facts, **own, **self.extent, "large": False, "huge": False}
        return with_users(known, source.users)

    def bundle(self, run: str, parts: Mapping[str, bytes] | None = None) -> bytes:
        """Return all of it as one message, for the id `run`; `parts`: what `parts()` gave."""
        return tiles.bundle(parts or self.parts(), answers={"view": self.view(run), **self._answers()})

    def _answers(self) -> dict[str, Any]:
        """What else the viewer loads: the machines of a site, the times of moldable jobs."""
        source, family = self.source, find_family(self.source.kind)
        if family.has_site:
            from shadowtime.dashboard.viewer.machines import described as machines

            site = source.workload().site
            return {"site": machines(site)} if site is not None else {}
        if family.has_curves and rows(self._drawn["jobs"]) * source.lanes <= MOST_CURVES:
            from shadowtime.dashboard.viewer.curves import curve

            workload = source.workload()
            ids = workload.jobs["job_id"].tolist()
            curves = {job: {"job": job, **curve(workload, source.lanes, row)} for row, job in enumerate(ids)}
            return {"allotments": curves}
        return {}
