"""Read tables of jobs: one line a job, columns by name. Rules: `docs/reference/reading.md`."""

from __future__ import annotations

import csv as lines_of
import io
import re
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import chain
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from pyarrow import parquet

from shadowtime.engine.errors import InvalidWorkload
from shadowtime.engine.workload.limits import Limits, bytes_in_words
from shadowtime.engine.workload.sites.csv_table import BLOCK, csv_batches
from shadowtime.engine.workload.sites.stream import OddRows, Pieces
from shadowtime.engine.workload.sites.tables import mapping
from shadowtime.engine.workload.sites.tables.fields import FIELDS, TEXT
from shadowtime.engine.workload.sites.tables.header import Facts, delimiter_of
from shadowtime.engine.workload.sites.tables.jobs import Block, records, site_log
from shadowtime.engine.workload.sites.tables.values import UNKNOWN, is_text
from shadowtime.engine.workload.sites.utf8 import as_utf8
from shadowtime.engine.workload.slurm.values import texts_of

SAMPLE = 1000
"""Lines whose values are looked at before the columns are chosen."""
HEAD = 1 << 20
"""Bytes in which these lines are searched."""
COMMA = re.compile(r"^(-?\d+),(\d+)$")
OTHER_TEXTS = (pa.large_string(), pa.large_binary(), pa.string_view(), pa.binary_view())
ROW = 20
"""Bytes that a row of a Parquet file counts for at least: a few bytes may stand for millions of equal rows."""


@dataclass
class Table:
    """An open table: its columns, the first values of each, and the blocks of all its lines."""

    columns: list[str]
    sample: dict[str, list[str]]
    facts: Facts
    blocks: Any
    """Function of the names of the columns that are read; yields record batches."""
    has_decimal_commas: bool = False
    odd: OddRows = field(default_factory=OddRows)


def open_table(pieces: Iterator[bytes], limits: Limits) -> Table:
    """Return a table of texts or a Parquet file.

    Raises
    ------
    InvalidWorkload
        If the bytes are neither.
    """
    first = next(pieces, b"")
    whole = chain([first], pieces)
    return _parquet(whole, limits) if first.startswith(b"PAR1") else _text(whole, limits)


def _text(pieces: Iterator[bytes], limits: Limits) -> Table:
    stream = io.BufferedReader(Pieces(as_utf8(pieces), limits), BLOCK)
    head = b""
    while len(head) < HEAD and (piece := stream.read(HEAD - len(head))):
        head += piece
    facts = Facts()
    text = facts.strip(head)
    lines = text.decode("utf-8", errors="replace").splitlines()
    delimiter = delimiter_of(lines[0] if lines else "")
    if not delimiter:
        raise InvalidWorkload("its first line is no header: names of columns, separated by commas, semicolons or tabs.")
    rows = list(_rows(lines[: SAMPLE + 1], delimiter))
    names = _names(rows[0])
    sample = {name: [row[at] for row in rows[1:] if len(row) == len(names)] for at, name in enumerate(names)}
    known = {
        name: [
            text if delimiter == "," else COMMA.sub(r"\1.\2", text) for text in values if text.strip() not in UNKNOWN
        ]
        for name, values in sample.items()
    }
    table = Table(names, known, facts, None, has_decimal_commas=delimiter != ",")
    rest = io.BufferedReader(Joined(text, stream), BLOCK)
    number = head[: len(head) - len(text)].count(b"\n") + 2

    def blocks(requested: Sequence[str]) -> Iterator[pa.RecordBatch]:
        rest.readline()
        return csv_batches(rest, names, requested, UNKNOWN, table.odd, number=number, delimiter=delimiter)

    table.blocks = blocks
    return table


class Joined(io.RawIOBase):
    """A text whose first bytes were read already."""

    def __init__(self, head: bytes, rest: io.BufferedReader[Any]):
        self._head, self._rest = io.BytesIO(head), rest

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: memoryview) -> int:  # type: ignore[override]
        return self._head.readinto(buffer) or self._rest.readinto(buffer)


def _rows(lines: Sequence[str], delimiter: str) -> Iterator[list[str]]:
    try:
        for line in lines:
            yield from lines_of.reader([line], delimiter=delimiter)
    except lines_of.Error as error:
        raise InvalidWorkload(f"it is no table: {error}.") from None


def _names(header: Sequence[str]) -> list[str]:
    """Return the names of the columns; unnamed ones and repetitions get their position."""
    names: list[str] = []
    for at, name in enumerate(header, 1):
        clean = "".join(sign if sign.isprintable() else "?" for sign in name.strip())[:200]
        names.append(clean if clean and clean not in names else f"{clean or 'column'} {at}")
    return names


def _batches(table: Table, found: mapping.Mapped) -> Iterator[pa.RecordBatch]:
    """Yield the columns of the fields; in those of numbers and times `12,5` is 12.5, if no commas separate columns."""
    numeric = {column.name for name, column in found.items() if FIELDS[name].kind != TEXT}
    for batch in table.blocks(list(dict.fromkeys(column.name for column in found.values()))):
        columns = [
            pc.replace_substring_regex(batch[name], COMMA.pattern, r"\1.\2")
            if table.has_decimal_commas and name in numeric
            else batch[name]
            for name in batch.schema.names
        ]
        yield pa.RecordBatch.from_arrays(columns, names=batch.schema.names)


def _parquet(pieces: Iterator[bytes], limits: Limits) -> Table:
    spool = tempfile.TemporaryFile(prefix="table-")  # noqa: SIM115 (it is read as long as the table)
    for piece in pieces:
        spool.write(piece)
    spool.seek(0)
    try:
        file = parquet.ParquetFile(spool, memory_map=False)
        _check_size(file.metadata, limits)
        names = [column.name for column in file.schema_arrow if _is_readable(column.type)]
        first = next(file.iter_batches(batch_size=SAMPLE, columns=names), None)
        sample = {} if first is None else {name: _texts(first[name]) for name in names}
    except (pa.ArrowException, OSError, ValueError) as error:
        raise _damaged(error) from None
    if not names:
        raise InvalidWorkload("its Parquet has no plain columns.")

    def blocks(requested: Sequence[str]) -> Iterator[pa.RecordBatch]:
        try:
            for batch in file.iter_batches(batch_size=1 << 17, columns=list(requested)):
                yield pa.RecordBatch.from_arrays([_plain(column) for column in batch.columns], names=batch.schema.names)
        except (pa.ArrowException, OSError) as error:
            raise _damaged(error) from None

    return Table(names, sample, Facts(), blocks)


def _damaged(error: Exception) -> InvalidWorkload:
    return InvalidWorkload(f"its Parquet is damaged: {str(error).splitlines()[0][:120].rstrip('.')}.")


def _check_size(metadata: parquet.FileMetaData, limits: Limits) -> None:
    groups = [metadata.row_group(at).total_byte_size for at in range(metadata.num_row_groups)]
    if max(sum(groups), ROW * metadata.num_rows) > limits.unpacked:
        raise InvalidWorkload(f"it would unpack to more than {bytes_in_words(limits.unpacked)}, the limit here.")


def _is_readable(kind: pa.DataType) -> bool:
    value = kind.value_type if pa.types.is_dictionary(kind) else kind
    return not pa.types.is_nested(value)


def _plain(column: pa.Array) -> pa.Array:
    """Return a column as texts, numbers or times, with null for texts that say that a value is unknown."""
    kind = column.type.value_type if pa.types.is_dictionary(column.type) else column.type
    if pa.types.is_dictionary(column.type):
        column = column.cast(kind)
    if kind in OTHER_TEXTS or pa.types.is_boolean(kind):
        column = column.cast(pa.string())
    elif pa.types.is_decimal(kind) or pa.types.is_null(kind):
        column = column.cast(pa.float64())
    if is_text(column.type):
        column = column.cast(pa.string())
        column = pc.if_else(pc.is_in(column, pa.array(UNKNOWN)), None, column)
    return column


def _texts(column: pa.Array) -> list[str]:
    column = _plain(column).drop_null()
    return texts_of(column.cast(pa.string()))


def read_table(pieces: Iterator[bytes], limits: Limits, case: str | None) -> Any:
    """Return the workload of a table, whose columns are those of `case` and else proposed.

    Raises
    ------
    InvalidWorkload
        If a needed column is missing, or no job ran.
    """
    from shadowtime.engine.workload.sites.site_log import workload_of

    table = open_table(pieces, limits)
    chosen = mapping.parse(case, table.columns)
    if not any(table.sample.values()):
        raise InvalidWorkload("it holds no job.")
    found = mapping.proposed(table.sample, chosen)
    mapping.check(found, table.columns, table.sample)
    blocks = [records(batch, found, chosen) for batch in _batches(table, found)]
    return workload_of(site_log(blocks, found, table.columns, table.facts, table.odd))


def describe(pieces: Iterator[bytes], limits: Limits, case: str | None, lines: int = 10) -> dict[str, Any]:
    """Return the columns of a table, which of them are read as what, and the first lines as they are read.

    Returns
    -------
    {"columns": names, "fields": {field: {"column", "unit"}}, "missing": sentence or "", "first": rows of numbers}
    """
    table = open_table(pieces, limits)
    missing, first = "", []
    found: Mapping[str, mapping.Column] = {}
    try:
        chosen = mapping.parse(case, table.columns)
        found = mapping.proposed(table.sample, chosen)
        mapping.check(found, table.columns, table.sample)
        batch = next(_batches(table, found), None)
        if batch is not None:
            first = _first(records(batch.slice(0, lines), found, chosen), found)
    except InvalidWorkload as error:
        missing = str(error)
    fields = {name: {"column": column.name, "unit": column.unit} for name, column in found.items()}
    return {"columns": table.columns, "fields": fields, "missing": missing, "first": first}


def _first(block: Block, found: mapping.Mapped) -> list[dict[str, Any]]:
    """Return one object a line: what each field was read as, None where it is unknown."""
    texts = {name: [None, *values.texts] for name, values in block.texts.items()}
    rows = []
    for at in range(block.lines):
        row: dict[str, Any] = {}
        for name in found:
            if name in block.texts:
                row[name] = texts[name][int(block.texts[name].codes[at]) + 1]
            else:
                value = float(block.numbers[name][at])
                row[name] = None if np.isnan(value) else value
        rows.append(row)
    return rows
