"""Spool the tables of a run to a folder as `.npy` columns, which are appended to and then mapped."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path

import numpy as np

from shadowtime.engine import tables
from shadowtime.engine.output.sink import Sink, in_order
from shadowtime.engine.output.submissions import Unfit, merge_submissions
from shadowtime.engine.tables import PART, Table, rows
from shadowtime.workers import npy


class FileSpool(Sink):
    """Rectangles and events of one run in a folder, which is made with the first table in it.

    A table of which `rows` rows are held in memory is written as a run (rectangles sorted); the runs are merged at the
    end, in bounded memory: the same rows in the same order as those of a `Sink`. As a context manager the spool removes
    the folder at the end. Columns that are mapped then stay readable, and free their space when they are let go of.
    """

    def __init__(self, folder: Path, rows: int = PART):
        super().__init__()
        self.folder, self.rows = folder, rows
        self.written = 0
        """Bytes written so far."""
        self._runs: dict[str, dict[str, Table]] = {"segments": {}, "events": {}}

    def add(self, segments: Table, events: Table) -> None:
        """Add the rows of a slice; see `Sink`."""
        super().add(segments, events)
        for name in ("events",) if self._consume else ("segments", "events"):
            if self._waiting(name) >= self.rows:
                self._spill(name)

    def drop_segments(self, consume: Callable[[Table], None]) -> None:
        """Store no rectangles; see `Sink`."""
        runs = self._runs["segments"]
        for name, run in runs.items():
            for part in tables.parts(run, "start"):
                consume(part)
            self._remove(name)
        runs.clear()
        super().drop_segments(consume)

    def segments(self) -> Table:
        """Return all rectangles by start, then first lane, mapped if any were spilled."""
        runs = self._runs["segments"]
        if not runs:
            return super().segments()
        self._spill("segments")
        names = list(runs)

        def parts() -> Iterator[Table]:
            for part, ended in merged(list(runs.values())):
                yield part
                for i in ended:
                    self._remove(names[i])

        return self._whole("segments", 0, parts())

    def events(self, jobs: Table, unfit: Unfit) -> Table:
        """Return all events with submissions, mapped if any were spilled; see `Sink`."""
        runs = self._runs["events"]
        if not runs:
            return super().events(jobs, unfit)
        self._spill("events")
        table = self._whole("events", rows(jobs), merge_submissions(list(runs.values()), jobs, unfit))
        for name in runs:
            self._remove(name)
        return table

    def _whole(self, name: str, more: int, parts: Iterable[Table]) -> Table:
        """Write the rows of all runs, and `more` rows, as one table."""
        runs = list(self._runs[name].values())
        return self._write(name, runs[0], more + sum(map(rows, runs)), parts)

    def _spill(self, name: str) -> None:
        """Write the rows in memory as a run."""
        table = self._taken(name)
        if rows(table):
            runs = self._runs[name]
            run = f"{name}-{len(runs)}"
            runs[run] = self._write(run, table, rows(table), [in_order(table) if name == "segments" else table])

    def _write(self, name: str, like: Table, n: int, parts: Iterable[Table]) -> Table:
        """Write a table of `n` rows with the columns of `like`; return it, mapped. OSError when the disk is full."""
        schema = {column: values.dtype for column, values in like.items()}
        files = {column: self.folder / name / f"{column}.npy" for column in schema}
        (self.folder / name).mkdir(parents=True)
        self.written += n * row_bytes(schema)
        for column, file in files.items():
            file.write_bytes(npy.header(schema[column], (n,)))
        left = n
        for part in parts:
            left -= rows(part)
            for column, file in files.items():
                _append(file, np.ascontiguousarray(part[column], schema[column]))
        assert left == 0, "a spooled table has as many rows as it was begun for"
        return {column: npy.map_spooled(file, schema[column], n) for column, file in files.items()}

    def _remove(self, name: str) -> None:
        shutil.rmtree(self.folder / name)

    @property
    def free(self) -> int:
        """Return the bytes left on the folder's file system."""
        place = self.folder
        while not place.is_dir():
            place = place.parent
        return shutil.disk_usage(place).free

    def __enter__(self) -> FileSpool:
        return self

    def __exit__(self, *error: object) -> None:
        shutil.rmtree(self.folder, ignore_errors=True)


def merged(runs: Sequence[Table], n: int | None = None) -> Iterator[tuple[Table, list[int]]]:
    """Yield the rectangles of sorted runs by start, then first lane; ties in the order of the runs.

    Parameters
    ----------
    runs
        Tables in the order of `in_order`, at least one row each.
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
        yield in_order(table), ended


def _until(runs: Sequence[Table], places: Sequence[int], left: Sequence[int], step: int) -> float:
    """Return a start later than the earliest one, before which no run has more than `step` rows left."""
    starts = [runs[i]["start"] for i in left]
    ahead = [place + step for place in (places[i] for i in left)]
    until = min((float(start[at]) for start, at in zip(starts, ahead, strict=True) if at < len(start)), default=np.inf)
    earliest = min(float(start[places[i]]) for start, i in zip(starts, left, strict=True))
    return until if until > earliest else float(np.nextafter(earliest, np.inf))


def _append(file: Path, values: np.ndarray) -> None:
    with file.open("ab", buffering=0) as stream:
        left = values.view(np.uint8).data
        while len(left):
            left = left[stream.write(left) :]


def row_bytes(schema: Mapping[str, np.dtype]) -> int:
    """Bytes of a row."""
    return sum(np.dtype(dtype).itemsize for dtype in schema.values())
