"""Merge sorted runs of rectangles that together are larger than memory."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from shadowtime.engine import tables
from shadowtime.engine.output.ordering import by_start_and_lane
from shadowtime.engine.tables import Table


def merged(runs: Sequence[Table], n: int | None = None) -> Iterator[tuple[Table, list[int]]]:
    """Yield the rectangles of sorted runs by start, then first lane; ties in the order of the runs.

    Parameters
    ----------
    runs
        Tables in the order of `by_start_and_lane`, at least one row each.
    n
        Rows that are held at once (default: `tables.PART`). Those of one instant are never parted; they are as many
        as the kernel has units on lanes at most.

    Yields
    ------
    The next rows, and which runs they exhaust. The whole is the stable sort of the runs laid end to end.
    """
    n, places = n or tables.PART, [0] * len(runs)
    left = list(range(len(runs)))
    while left:
        until = _until(runs, places, left, max(1, n // len(left)))
        stops = [int(np.searchsorted(runs[i]["start"], until, side="left")) for i in left]
        taken = [tables.take(runs[i], slice(places[i], stop)) for i, stop in zip(left, stops, strict=True)]
        table = tables.concatenate(taken, tables.SEGMENTS)
        for i, stop in zip(left, stops, strict=True):
            places[i] = stop
        ended = [i for i in left if places[i] == tables.rows(runs[i])]
        left = [i for i in left if i not in ended]
        yield tables.take(table, by_start_and_lane(table["start"], table["first"])), ended


def _until(runs: Sequence[Table], places: Sequence[int], left: Sequence[int], step: int) -> float:
    """Return a start later than the earliest one, before which no run has more than `step` rows left."""
    starts = [runs[i]["start"] for i in left]
    ahead = [place + step for place in (places[i] for i in left)]
    until = min((float(start[at]) for start, at in zip(starts, ahead, strict=True) if at < len(start)), default=np.inf)
    earliest = min(float(start[places[i]]) for start, i in zip(starts, left, strict=True))
    return until if until > earliest else float(np.nextafter(earliest, np.inf))
