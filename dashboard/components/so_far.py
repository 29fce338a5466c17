"""The jobs of a running run: what has started and ended by now, read from its events piece by piece."""

from __future__ import annotations

import threading
from dataclasses import dataclass

import numpy as np

from shadowtime.engine import tables
from shadowtime.engine.tables import FINISHED, JOBS, Table, empty, rows
from shadowtime.workers.errors import NotFound
from shadowtime.workers.execute import load_workload
from shadowtime.workers.recent import Recent
from shadowtime.workers.store import Run, VisibleStore

FOLLOWED = 4
"""Running runs whose jobs are kept in memory; one of a million jobs needs some 80 MB."""


@dataclass
class Jobs:
    """The jobs of one attempt, and how many of its events are in them."""

    table: Table
    events: int = 0

    def add(self, events: Table) -> None:
        """Put new events into the table: the first start of a job counts, and its end."""
        if not rows(events):
            return
        self.events += rows(events)
        started = events["kind"] == tables.START
        start, end, state = (self.table[name] for name in ("start", "end", "state"))
        np.fmin.at(start, events["job"][started], events["time"][started])
        ended = events["kind"] == tables.END
        end[events["job"][ended]] = events["time"][ended]
        state[events["job"][ended]] = FINISHED


class SoFar:
    """Follows the running runs that pages show: each event is read once in a process, however many pages update."""

    def __init__(self, store: VisibleStore):
        self._store = store
        self._known: Recent[Jobs] = Recent(FOLLOWED)
        self._lock = threading.Lock()

    def jobs(self, run: Run) -> Table:
        """Return the jobs table of a running run as it is now; no columns before its worker has written any, nor where
        its workload was deleted."""
        live = self._store.runs.live(run.digest)
        with self._lock:
            key = f"{run.digest} {run.status.attempt}"
            known = self._known.find(key)
            if known is None:
                submitted = live.whole("jobs") or (self._submitted(run) if live.rows("events") else {})
                if not rows(submitted):
                    return {}
                known = self._known.get(key, lambda: Jobs(not_begun(submitted)))
            known.add(live.read("events", known.events))
            happened = {name: known.table[name].copy() for name in ("start", "end", "state")}
            return {**known.table, **happened}  # a snapshot: other threads go on adding events

    def _submitted(self, run: Run) -> Table:
        """Return the jobs of a run whose worker has none to write: those of its workload."""
        try:
            return load_workload(run.spec, self._store).jobs
        except NotFound:
            return {}


def not_begun(submitted: Table) -> Table:
    """Return the jobs of a workload, none of which has started, with all columns of the table of jobs."""
    n = rows(submitted)
    unknown = {name: np.full(n, np.nan) for name in ("start", "end", "requested")}
    return {**empty(JOBS, n), **unknown, **{name: column for name, column in submitted.items() if len(column) == n}}
