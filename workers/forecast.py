"""Decide whether the rectangles of a run can be kept: their number, and the disk space that they will need."""

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
    """Compares, slice by slice, the rectangles of a run with their limit, and what its tables will need on disk with
    what there is.

    Parameters
    ----------
    spool
        Where the tables of the run go; None: they are held in memory.
    most_segments
        Rectangles that are kept at most; 0: any number.
    is_live
        What closes is also written for viewers of the running run: once more the same.
    """

    def __init__(self, spool: FileSpool | None, most_segments: int = 0, *, is_live: bool = False):
        self._spool = spool
        self._most = most_segments
        self._has_decided = False
        self._copies = 1 + is_live
        self._segments = self._events = 0

    def hear(self, piece: Slice) -> str:
        """Take up a slice, and return why the rectangles of its run cannot be kept, once; "" while they can."""
        if self._has_decided:
            return ""
        self._segments += rows(piece.segments)
        self._events += rows(piece.events)
        is_much = 0 < self._most < self._segments
        why = f"they are more than {self._most:,}, the limit here" if is_much else self._full(piece)
        self._has_decided = bool(why)
        return f"Rectangles are not kept: {why}. All other tables and figures are whole." if why else ""

    def _full(self, piece: Slice) -> str:
        """Return why the disk has no room for the rectangles; "" while it has."""
        if self._spool is None or not self._spool.written:
            return ""
        share = piece.jobs_done / piece.jobs
        grows = 1.0 / share if share >= ENOUGH else 1.0
        free = self._spool.free
        needed = self.needed(self._spool, grows)
        if needed <= free:
            return ""
        return (
            f"{round(grows * self._segments):,} were forecast when {share:.0%} of the jobs had ended, which need "
            f"{needed / GIGABYTE:,.1f} GB more on disk, where {free / GIGABYTE:,.1f} GB are free"
        )

    def needed(self, spool: FileSpool, grows: float = 1.0) -> float:
        """Bytes still to be written if the run comes to `grows` times what it has written.

        Spooled tables are written once more when they are merged; one more spill of each must fit meanwhile.
        """
        now = self._segments * RECTANGLE + self._events * EVENT
        spill = spool.rows * (RECTANGLE + EVENT)
        return now * (grows * (self._copies + 1) - self._copies) + spill
