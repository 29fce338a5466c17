"""The rows that a run writes: a sink takes them slice by slice and returns the whole tables."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from shadowtime.engine import tables
from shadowtime.engine.output.ordering import by_start_and_lane
from shadowtime.engine.output.submissions import Unfit, merge_submissions
from shadowtime.engine.output.threads import each
from shadowtime.engine.tables import Table, rows


class Sink:
    """Rectangles and events of one run, in memory; a subclass may write them elsewhere.

    The tables are the same bits whatever the slices.
    """

    def __init__(self) -> None:
        self._held: dict[str, list[Table]] = {"segments": [], "events": []}
        self._consume: Callable[[Table], None] | None = None

    def add(self, segments: Table, events: Table) -> None:
        """Add the rows of a slice; the first tables set the columns, even without rows."""
        for name, table in (("segments", segments), ("events", events)):
            if rows(table) or not self._held[name]:
                self._held[name].append(table)
        if self._consume is not None and self._waiting("segments") >= tables.PART:
            self._consume(self._taken("segments"))

    def drop_segments(self, consume: Callable[[Table], None]) -> None:
        """Store no rectangles: pass those so far and all later ones to `consume`, once each."""
        self._consume = consume
        if self._held["segments"]:
            consume(self._taken("segments"))

    def segments(self) -> Table:
        """Return all rectangles by start, then first lane, and release them: call once; none if they were dropped."""
        table = self._taken("segments")
        if self._consume is None:
            return in_order(table)
        self._consume(table)
        return tables.take(table, slice(0))

    def events(self, jobs: Table, unfit: Unfit) -> Table:
        """Return all events in order, and release them: call once.

        Each of `jobs` has an event of its submission, or of its rejection for the reason `unfit`.
        """
        return next(merge_submissions([self._taken("events")], jobs, unfit))

    def _waiting(self, name: str) -> int:
        """Return the number of rows in memory."""
        return sum(map(rows, self._held[name]))

    def _taken(self, name: str) -> Table:
        """Return the rows in memory, and release them."""
        held = self._held[name]
        table = tables.concatenate(held, {})
        held[:] = [{column: np.zeros(0, values.dtype) for column, values in table.items()}]
        return table


def in_order(segments: Table) -> Table:
    """Return rectangles by start, then first lane."""
    order = by_start_and_lane(segments["start"], segments["first"])
    return dict(zip(segments, each(lambda column: column[order], segments.values(), len(order)), strict=True))
