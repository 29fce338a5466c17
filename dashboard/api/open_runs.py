"""Runs as their viewers open them: what is made of a run's tables and jobs, made once where it never changes."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from shadowtime.dashboard.api.kept import SMALL, Kept
from shadowtime.dashboard.components.so_far import not_begun
from shadowtime.dashboard.viewer import tiles
from shadowtime.dashboard.viewer.extent import described, extent, overcommitted, with_users
from shadowtime.dashboard.viewer.facts import Submitted, is_exclusive, kind_and_clock, submitted_facts, user_names
from shadowtime.dashboard.viewer.growing import Sums, WindowsSoFar
from shadowtime.dashboard.viewer.packed import with_remote
from shadowtime.dashboard.viewer.useful import useful
from shadowtime.dashboard.viewer.windows import Windows
from shadowtime.engine.families.classed.site.site import Site
from shadowtime.engine.platform import Platform
from shadowtime.engine.registry import find_family
from shadowtime.engine.tables import Table, rows
from shadowtime.engine.workload.job import Workload
from shadowtime.workers.errors import Conflict, NotFound
from shadowtime.workers.execute import load_workload, tau_of_run
from shadowtime.workers.store import Run, VisibleStore
from shadowtime.workers.store.live import LiveSource

KEPT_BYTES = 48_000_000
"""Of encoded tables kept in memory: some 9 runs of a million rectangles."""
KEPT_WINDOWS = 6
"""Runs whose sums over time are kept in memory: some 34 MB each in two tiers."""
HUGE = 2_000_000
"""Rectangles from which a viewer never loads all of them: they would take 80 MB of its memory and more."""
LARGE = 100_000
"""Rectangles, or jobs of a run that goes on, from which a viewer loads a first window before all of them (`small=1` is
refused)."""


class OpenRuns:
    """The runs of a store for their viewers. NotFound where a run, or a workload that is needed, is not there."""

    def __init__(self, store: VisibleStore):
        self._store = store
        self._kept = Kept(KEPT_BYTES)
        self._opened = Kept(KEPT_WINDOWS * SMALL)

    def get(self, run_id: str) -> Run:
        """Return the run of that id."""
        return self._store.runs.get(run_id)

    def finished(self, run_id: str) -> Run:
        """Return the run of that id; Conflict where it has not finished."""
        run = self.get(run_id)
        if not run.status.is_finished:
            raise Conflict(f"run {run.id} is {run.status.status}; only a finished run has this")
        return run

    def kind(self, run: Run) -> str:
        """Return the kind of the jobs of a run, after its conversions."""
        return self._kind_and_clock(run)[0]

    def site(self, run: Run) -> Site | None:
        """Return the heterogeneous site of a run; None where its family has none."""
        if not find_family(self.kind(run)).has_site:
            return None
        return self._kept.of(run.digest, "site", lambda: self._workload(run).site)

    def view(self, run: Run) -> dict[str, Any]:
        """Return what a viewer knows before it draws: machine, tiers, span, clock, tau, state, counts, user names."""
        users = self._kept.of(run.digest, "users", lambda: user_names(self._store, run.spec))
        if run.status.is_finished:
            kind, clock = self._kind_and_clock(run)
            tau = self._kept.of(run.digest, "tau", lambda: tau_of_run(run, self._store))
            span = self._kept.of(run.digest, "extent", lambda: _extent(run))
        else:
            facts = self._facts(run)
            kind, clock, tau = facts.kind, facts.clock, facts.tau
            span = self._extent_so_far(run, facts)
        return with_users({**_described(run, kind, clock), "tau": tau, **span}, users)

    def windows(self, run: Run) -> Windows:
        """Return a finished run that is read piece by piece."""
        kind = self.kind(run)
        return self._opened.of(run.digest, "windows", lambda: _windows(run, kind, tau_of_run(run, self._store)))

    def windows_so_far(self, run: Run) -> WindowsSoFar:
        """Return what is simulated by now of a run that goes on."""
        facts = self._facts(run)
        found = self._extent_so_far(run, facts)
        lanes = Platform.from_dict(run.spec.platform, facts.kind).lanes
        span = found["t0"], found["t1"]
        header = {**state(run), "span": span, "frontier": found["frontier"], "tiers": found["tiers"]}
        sums = self._opened.of(run.digest, "so far", Sums)
        return WindowsSoFar(self.live(run), sums, lanes, span, header)

    def encoded(self, run: Run, name: str) -> bytes:
        """Return a table of a finished run as a message of columns."""
        return self._kept.of(
            run.digest, name, lambda: tiles.encode(self._finished_table(run, name), tiles.HINTS[name], **state(run))
        )

    def live(self, run: Run) -> LiveSource:
        """Return what the worker of a run has written by now."""
        return self._store.runs.live(run.digest)

    def jobs_so_far(self, run: Run) -> Table:
        """Return the jobs of a run that goes on, as they were submitted."""
        live = self.live(run).whole("jobs")
        return not_begun(live or self._opened.of(run.digest, "submitted", lambda: self._workload(run).jobs))

    def with_places(self, run: Run, table: Table) -> Table:
        """Return the table with the tasks that were remote; unchanged where it has no tasks, or its workload was
        deleted."""
        if "task" not in table:
            return table
        try:
            return with_remote(table, self._opened.of(run.digest, "jobs", lambda: self._workload(run)))
        except NotFound:
            return table

    def _finished_table(self, run: Run, name: str) -> Table:
        if name == "series":
            return useful(run)
        table = run.table(name)
        return self.with_places(run, table) if name in ("segments", "events") else table

    def _workload(self, run: Run) -> Workload:
        return load_workload(run.spec, self._store)

    def _kind_and_clock(self, run: Run) -> tuple[str, Mapping[str, Any] | None]:
        return self._kept.of(run.digest, "workload", lambda: kind_and_clock(self._store, run.spec))

    def _facts(self, run: Run) -> Submitted:
        return self._kept.of(run.digest, "facts", lambda: submitted_facts(self._store, run.spec))

    def _extent_so_far(self, run: Run, facts: Submitted) -> dict[str, Any]:
        """Return where a run that goes on (or stopped) begins, with the first submission, and what it has by now; its
        end is unknown."""
        live = self.live(run)
        still = live.whole("open")
        reached = frontier(still, {})
        last = facts.last if reached is None else max(facts.last, reached)
        segments = live.rows("segments")
        return {
            "t0": facts.first,
            "t1": max(last, facts.first + 1.0),
            "frontier": reached,
            "tiers": 2 if rows(still) and still["tier"].any() else 1,
            "counts": {"jobs": facts.jobs, "segments": segments, "events": live.rows("events")},
            "large": facts.jobs > LARGE or segments > HUGE,
            "huge": segments > HUGE,
        }


def state(run: Run) -> dict[str, Any]:
    """Return the state of a run, which stands in the header of each message."""
    return {"status": run.status.status, "attempt": run.status.attempt}


def is_large(run: Run) -> bool:
    """Return whether a viewer loads a first window of a run before all of it."""
    if run.status.is_finished:
        return rows(run.table("segments")) > LARGE
    return run.status.progress.get("jobs", 0) > LARGE


def frontier(still: Mapping[str, np.ndarray], table: Mapping[str, np.ndarray]) -> float | None:
    """Return how far the simulation is [s]: where the growing rectangles are cut, else the latest end or event."""
    for times in (still.get("end"), table.get("end"), table.get("time")):
        if times is not None and len(times):
            return float(times.max())
    return None


def _windows(run: Run, kind: str, tau: float) -> Windows:
    found = _extent(run)
    tables = {name: run.table(name) for name in ("jobs", "segments", "events")}
    lanes = Platform.from_dict(run.spec.platform, kind).lanes
    span, beyond = (found["t0"], found["t1"]), overcommitted(run.summary)
    return Windows(**tables, areas=useful(run), lanes=lanes, span=span, tau=tau, overcommitted=beyond)


def _extent(run: Run) -> dict[str, Any]:
    """Return where a finished run begins and ends, its tiers and sizes."""
    segments = run.table("segments")
    found = extent(run.table("jobs"), segments, run.table("events"))
    return {**found, "large": is_large(run), "huge": rows(segments) > HUGE}


def _described(run: Run, kind: str, clock: Mapping[str, Any] | None) -> dict[str, Any]:
    """Return what is known of a run from its question and state, without its tables."""
    status, algorithm = run.status, run.spec.algorithm
    return {
        "id": run.id,
        "status": status.status,
        "attempt": status.attempt,
        "progress": dict(status.progress),
        **described(algorithm, kind, Platform.from_dict(run.spec.platform, kind).lanes, overcommitted(run.summary)),
        "idle": (run.summary or {}).get("metrics", {}).get("normalized_underutilization"),
        "exclusive": is_exclusive(algorithm, kind),
        "clock": clock,
    }
