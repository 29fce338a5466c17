"""Tables of comma-separated values, in batches of some megabytes: columns of texts, parsed by pyarrow."""

from __future__ import annotations

import io
import re
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
import pyarrow as pa
from pyarrow import csv

from shadowtime.engine.errors import InvalidWorkload
from shadowtime.engine.workload.limits import Limits
from shadowtime.engine.workload.sites.columns import LARGEST
from shadowtime.engine.workload.sites.quotes import ClosedLines
from shadowtime.engine.workload.sites.site_log import Texts
from shadowtime.engine.workload.sites.stream import OddRows, Pieces
from shadowtime.engine.workload.sites.utf8 import as_utf8
from shadowtime.engine.workload.slurm.values import one_by_one, texts_of

BLOCK = 1 << 22
"""Bytes that are parsed at a time."""
UNKNOWN = ("", "NA", "NULL", "null", "None", "nan", "NaN")
"""Texts of published tables that say that a value is unknown."""
NUMBER = re.compile(r"[ \t]*[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d{1,3})?[ \t\r]*", re.ASCII)


def csv_batches(
    stream: io.BufferedReader[Any], names: Sequence[str], included: Sequence[str], unknown: Sequence[str], odd: OddRows,
    *, number: int, delimiter: str = ",", what: str = "table",
) -> Iterator[pa.RecordBatch]:  # fmt: skip
    """Yield the columns `included` of lines without a header, as texts, null for those that are `unknown`.

    Lines that have not as many columns as `names`, or an open quotation mark, are counted in `odd` and left out; the
    first of all has the `number` in its file. Without lines, nothing is yielded.

    Raises
    ------
    InvalidWorkload
        If the lines are no such table; `what` names it.
    """

    try:
        with csv.open_csv(
            ClosedLines(stream, delimiter, odd.unclosed, number),
            read_options=csv.ReadOptions(column_names=names, block_size=BLOCK),
            parse_options=csv.ParseOptions(delimiter=delimiter, invalid_row_handler=odd.skip),
            convert_options=csv.ConvertOptions(
                column_types=dict.fromkeys(names, pa.string()), include_columns=list(included), check_utf8=False,
                null_values=list(unknown), strings_can_be_null=True,
            ),
        ) as found:  # fmt: skip
            yield from found
    except pa.ArrowInvalid as error:
        if "Empty CSV" not in str(error):
            raise InvalidWorkload(f"it is no {what}: {str(error).splitlines()[0][:120]}.") from None


class Table:
    """A table whose first line names the columns, or whose columns are `names` where the file has no such line.

    Only the `requested` columns are read. Lines with another number of columns or an open quotation mark are
    counted and left out; bytes that are no UTF-8 count as Windows-1252.
    """

    def __init__(self, pieces: Iterator[bytes], limits: Limits, requested: Sequence[str], names: Sequence[str] = ()):
        self._stream = io.BufferedReader(Pieces(as_utf8(pieces), limits), BLOCK)
        self._odd, self._number = OddRows(), 1 if names else 2
        self.names = list(names) or self._header()
        self.requested = [name for name in dict.fromkeys(requested) if name in self.names]

    def _header(self) -> list[str]:
        line = self._stream.readline().decode(errors="replace").strip("\r\n")
        found = [name.strip().strip('"').lower() for name in line.split(",")]
        return [name if name and name not in found[:at] else f"{name} {at}" for at, name in enumerate(found)]

    def batches(self) -> Iterator[pa.RecordBatch]:
        """Yield the rows; an empty table has none.

        Raises
        ------
        InvalidWorkload
            If the text is no such table.
        """
        what = "table of comma-separated values"
        return csv_batches(self._stream, self.names, self.requested, UNKNOWN, self._odd, number=self._number, what=what)

    def notes(self) -> tuple[str, ...]:
        """Return the sentence about lines that were left out; to be called when all batches are read."""
        return tuple(self._odd.sentences())


def numbers(column: pa.Array) -> np.ndarray:
    """Return a column as numbers; NaN where a text is none, or is beyond the numbers that a double holds exactly."""
    try:
        found = column.cast(pa.float64()).fill_null(np.nan).to_numpy(zero_copy_only=False)
    except pa.ArrowInvalid:
        found = one_by_one(column, _number)
    return np.where(np.abs(found) <= LARGEST, found, np.nan)


def _number(text: str) -> float:
    return float(text) if NUMBER.fullmatch(text) else np.nan


def texts(columns: Sequence[pa.Array]) -> Texts:
    """Return the parts of a column of texts as one, coded in order of their first line; -1 where there is none."""
    return joined_texts([coded(column) for column in columns])


def coded(column: pa.Array) -> Texts:
    """Return a column of texts as codes; -1 where there is none."""
    found = column.dictionary_encode()
    return Texts(found.indices.fill_null(-1).to_numpy(zero_copy_only=False), texts_of(found.dictionary))


def joined_texts(parts: Sequence[Texts]) -> Texts:
    """Return one column of texts, coded in order of their first line; empty ones count as unknown."""
    number: dict[str, int] = {}
    columns = [np.empty(0, "i4")]
    for part in parts:
        codes = [number.setdefault(text, len(number)) if text else -1 for text in part.texts]
        columns.append(np.array([*codes, -1], dtype="i4")[part.codes])
    return Texts(np.concatenate(columns), tuple(number))


def joined(parts: Sequence[np.ndarray]) -> np.ndarray:
    """Return the parts of a column of numbers as one."""
    return np.concatenate([np.empty(0), *parts])
