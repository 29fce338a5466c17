"""Forecast the disk space of a run's rectangles before they fill the disk."""

from __future__ import annotations

from shadowtime.engine.schedule import Slice
from shadowtime.engine.tables import EVENTS, SEGMENTS, rows
from shadowtime.workers.spool import FileSpool, row_bytes
from shadowtime.workers.units import GIGABYTE

ENOUGH = 0.1
"""Share of the jobs that have ended from which on the rest is forecast to be like them; before, that nothing more
comes."""
RECTANGLE, EVENT = row_bytes(SEGMENTS), row_bytes(EVENTS)


class Forecast:
    """Compares, slice by slice, what the tables of a run will need on disk with what there is.

    Parameters
    ----------
    spool
        Where the tables of the run go.
    is_live
        What closes is also written for viewers of the running run: once more the same.
    """

    def __init__(self, spool: FileSpool, *, is_live: bool = False):
        self._spool = spool
        self._copies = 1 + is_live
        self._segments = self._events = 0

    def hear(self, piece: Slice) -> str:
        """Take up a slice, and return why the rectangles of its run cannot be kept; "" while they can."""
        self._segments += rows(piece.segments)
        self._events += rows(piece.events)
        if not self._spool.written:
            return ""
        share = piece.jobs_done / piece.jobs
        grows = 1.0 / share if share >= ENOUGH else 1.0
        free = self._spool.free
        if self.needed(grows) <= free:
            return ""
        needed, limit = self.needed(grows) / GIGABYTE, free / GIGABYTE
        many = f"{round(grows * self._segments):,}"
        return (
            f"Rectangles are not kept: {many} were forecast when {share:.0%} of the jobs had ended, which need "
            f"{needed:,.1f} GB more on disk, where {limit:,.1f} GB are free. All other tables and figures are whole."
        )

    def needed(self, grows: float = 1.0) -> float:
        """Bytes still to be written if the run comes to `grows` times what it has written.

        Spooled tables are written once more when they are merged; one more spill of each must fit meanwhile.
        """
        now = self._segments * RECTANGLE + self._events * EVENT
        spill = self._spool.rows * (RECTANGLE + EVENT)
        return now * (grows * (self._copies + 1) - self._copies) + spill
