"""Write a table as Apache Parquet: every float exact, jobs by their own ids, codes as words."""

from __future__ import annotations

import io
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from shadowtime.engine import tables
from shadowtime.engine.tables import Table, rows, take
from shadowtime.workers.store import Run

WORDS = {"jobs": ("state", tables.JOB_STATES), "segments": ("kind", tables.SEGMENT_KINDS),
         "events": ("kind", tables.EVENT_KINDS)}  # fmt: skip
"""The column of a table that holds codes, and what they mean."""
ROWS_OF_JOBS = {"job": "job_id", "other": "other_job_id"}
"""Columns that hold a row of `jobs` or -1, and their names when they hold ids."""


GROUP = 1 << 20
"""Rows of a row group, the part of the file that is made at once."""


class Written(io.RawIOBase):
    """A file that is taken away while it is written."""

    def __init__(self) -> None:
        self._pieces: list[bytes] = []
        self._length = 0

    def writable(self) -> bool:
        """Return True."""
        return True

    def write(self, piece: Any) -> int:
        """Append a piece."""
        self._pieces.append(bytes(piece))
        self._length += len(self._pieces[-1])
        return len(self._pieces[-1])

    def tell(self) -> int:
        """Return the number of bytes written so far."""
        return self._length

    def taken(self) -> bytes:
        """Return what was written since the last call."""
        pieces, self._pieces = self._pieces, []
        return b"".join(pieces)


def parquet(run: Run, table: str) -> Iterator[bytes]:
    """Yield one of the tables: its columns as stored, but `job` is the file's own `job_id`.

    Times stay NaN where they are missing; an id is null where an event has no job. `other` of an event is there as
    stored, too: where it names no job it is a reason or a tier.
    """
    import pyarrow
    from pyarrow import parquet as writer

    found = run.table(table)
    ids = run.table("jobs")["job_id"] if table in ("segments", "events") else np.zeros(0, "i8")

    def group(begin: int) -> Any:
        return pyarrow.table(dict(_columns(take(found, slice(begin, begin + GROUP)), table, ids)))

    written = Written()
    with writer.ParquetWriter(written, group(0).schema) as file:
        for begin in range(0, max(1, rows(found)), GROUP):
            file.write_table(group(begin))
            yield written.taken()
    yield written.taken()


def _columns(found: Table, table: str, ids: np.ndarray) -> Iterator[tuple[str, Any]]:
    coded, words = WORDS.get(table, ("", ()))
    for name, values in found.items():
        if name == coded:
            yield name, _in_words(values, words)
        elif table != "jobs" and name in ROWS_OF_JOBS:
            is_row = tables.names_job(found) if name == "other" else values >= 0
            yield ROWS_OF_JOBS[name], _ids(values, is_row, ids)
            if name == "other":
                yield name, np.asarray(values)
        else:
            yield name, np.asarray(values)


def _in_words(codes: np.ndarray, words: Sequence[str]) -> Any:
    import pyarrow

    return pyarrow.DictionaryArray.from_arrays(pyarrow.array(codes.astype("i1")), pyarrow.array(words))


def _ids(rows: np.ndarray, is_row: np.ndarray, ids: np.ndarray) -> Any:
    import pyarrow

    known = np.zeros(len(rows), "i8") if not len(ids) else ids[np.where(is_row, rows, 0)]
    return pyarrow.array(known, mask=~is_row)
