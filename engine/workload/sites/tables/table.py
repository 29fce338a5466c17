"""The format of tables; its reader is imported when a file is read, since pyarrow takes 0.1 s."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from shadowtime.engine.workload.format import Format
from shadowtime.engine.workload.job import Workload
from shadowtime.engine.workload.limits import Limits
from shadowtime.engine.workload.sites.tables.header import recognizes


def read(pieces: Iterator[bytes], limits: Limits, case: str | None = None) -> Workload:
    """Return the workload of a table; see `reader.read_table`."""
    from shadowtime.engine.workload.sites.tables.reader import read_table

    return read_table(pieces, limits, case)


def describe(pieces: Iterator[bytes], limits: Limits, case: str | None = None) -> dict[str, Any]:
    """Return the columns of a table and how they are read; see `reader.describe`."""
    from shadowtime.engine.workload.sites.tables import reader

    return reader.describe(pieces, limits, case)


TABLE = Format(
    "table",
    "Table with a header, CSV or Parquet",
    (".csv", ".tsv", ".parquet", ".csv.gz"),
    "One line a job; columns are found by their names, or chosen: #submit=NAME,runtime=NAME:minutes,size=NAME.",
    read,
    recognizes,
)
