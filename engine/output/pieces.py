"""The rows that a run has written so far: rectangles, events and rates, in memory or spilled to a spool."""

from __future__ import annotations

from collections.abc import Callable

from shadowtime.engine import tables
from shadowtime.engine.output.merging import merged
from shadowtime.engine.output.ordering import by_start_and_lane
from shadowtime.engine.output.rejections import Unfit
from shadowtime.engine.output.spool import Draft, Spool
from shadowtime.engine.output.submissions import merge_submissions, with_submissions
from shadowtime.engine.tables import EVENTS, RATES, Table, rows

SPILLED = ("segments", "events")


class Pieces:
    """The tables of a run, collected slice by slice.

    Without a spool all is held in memory. With one, a table of which `spool.rows` rows are held is written there as a
    run (rectangles sorted) and merged at the end, in bounded memory: the same rows in the same order.
    """

    def __init__(self, spool: Spool | None, segments: Table):
        """`segments` has the columns of the run's rectangles."""
        self._spool = spool
        self._schemas = {"segments": {name: column.dtype for name, column in segments.items()}, "events": EVENTS}
        self._held: dict[str, list[Table]] = {"segments": [], "events": [], "rates": []}
        self._runs: dict[str, dict[str, Table]] = {name: {} for name in SPILLED}
        self._whole: dict[str, Table] = {}
        self._consume: Callable[[Table], None] | None = None

    def add(self, segments: Table, events: Table, rates: Table) -> None:
        """Add the rows of a slice."""
        for name, table in (("segments", segments), ("events", events), ("rates", rates)):
            if rows(table):
                self._held[name].append(table)
        if self._consume is not None and self._waiting("segments") >= tables.PART:
            self._hand_on()
        if self._spool is not None:
            for name in SPILLED:
                if self._waiting(name) >= self._spool.rows and not (name == "segments" and self._consume is not None):
                    self._spill(name)

    def clear(self) -> None:
        """Discard all rows in memory."""
        for held in self._held.values():
            held.clear()

    def drop_segments(self, consume: Callable[[Table], None]) -> None:
        """Store no rectangles: pass those written so far and all later ones to `consume`, once each."""
        self._consume = consume
        for name, run in self._runs["segments"].items():
            for part in tables.parts(run, "start"):
                consume(part)
            self._remove(name)
        self._runs["segments"] = {}
        self._hand_on()

    def segments(self) -> Table:
        """Return all rectangles by start, then first lane; none if they were dropped."""
        if "segments" not in self._whole:
            self._whole["segments"] = self._all_segments()
        return self._whole["segments"]

    def events(self, jobs: Table, unfit: Unfit) -> Table:
        """Return all events in order, with a submission of each of `jobs`, or its rejection for the reason `unfit`."""
        if "events" not in self._whole:
            self._whole["events"] = self._all_events(jobs, unfit)
        return self._whole["events"]

    def rates(self) -> Table:
        """Return all changes of rates, in order."""
        return tables.concatenate(self._held["rates"], RATES)

    def _all_segments(self) -> Table:
        if self._consume is not None:
            self._hand_on()
            return tables.empty(self._schemas["segments"])
        runs = self._runs["segments"]
        if not runs:
            table = self._taken("segments")
            return tables.take(table, by_start_and_lane(table["start"], table["first"]))
        self._spill("segments")
        names = list(runs)
        draft = self._draft("segments", "segments", sum(map(rows, runs.values())))
        for part, ended in merged(list(runs.values())):
            draft.append(part)
            for i in ended:
                self._remove(names[i])
        runs.clear()
        return draft.close()

    def _all_events(self, jobs: Table, unfit: Unfit) -> Table:
        runs = self._runs["events"]
        if not runs:
            return with_submissions(self._taken("events"), jobs, unfit)
        self._spill("events")
        draft = self._draft("events", "events", rows(jobs) + sum(map(rows, runs.values())))
        for part in merge_submissions(list(runs.values()), jobs, unfit):
            draft.append(part)
        for name in runs:
            self._remove(name)
        runs.clear()
        return draft.close()

    def _waiting(self, name: str) -> int:
        return sum(map(rows, self._held[name]))

    def _taken(self, name: str) -> Table:
        """Return the rows in memory, and release them."""
        table = tables.concatenate(self._held[name], self._schemas[name])
        self._held[name].clear()
        return table

    def _hand_on(self) -> None:
        assert self._consume is not None
        if self._held["segments"]:
            self._consume(self._taken("segments"))

    def _spill(self, name: str) -> None:
        """Write the rows in memory to the spool as a sorted run."""
        if not self._waiting(name):
            return
        table = self._taken(name)
        if name == "segments":
            table = tables.take(table, by_start_and_lane(table["start"], table["first"]))
        run = f"{name}-{len(self._runs[name])}"
        draft = self._draft(run, name, rows(table))
        draft.append(table)
        self._runs[name][run] = draft.close()

    def _draft(self, name: str, kind: str, n: int) -> Draft:
        assert self._spool is not None
        return self._spool.draft(name, self._schemas[kind], n)

    def _remove(self, name: str) -> None:
        assert self._spool is not None
        self._spool.remove(name)
