"""From the columns of a table to records of jobs."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from shadowtime.engine.errors import InvalidWorkload
from shadowtime.engine.workload.job import TEXTS
from shadowtime.engine.workload.sites.csv_table import coded, joined_texts
from shadowtime.engine.workload.sites.site_log import SiteLog, Texts, left_out, not_read
from shadowtime.engine.workload.sites.stream import OddRows
from shadowtime.engine.workload.sites.tables.fields import COUNT, DAY_FIRST, FIELDS, INSTANT, MONTH_FIRST, TEXT, plain
from shadowtime.engine.workload.sites.tables.header import Facts
from shadowtime.engine.workload.sites.tables.mapping import ORDERS, Column, Mapped, is_settled, sentence
from shadowtime.engine.workload.sites.tables.single import DATED
from shadowtime.engine.workload.sites.tables.values import is_text, read_column
from shadowtime.engine.workload.slurm.values import first_numbers, steps, texts_of
from shadowtime.engine.workload.words import count


@dataclass
class Block:
    """Values of some lines: numbers by field, texts by field, and what could not be read."""

    lines: int
    numbers: dict[str, np.ndarray]
    texts: dict[str, Texts]
    unreadable: dict[str, tuple[int, str]]
    """Number of values that are no such numbers, and the first of them, by field."""
    steps: int
    """Lines of job steps, which are left out."""


def records(batch: pa.RecordBatch, found: Mapped, chosen: Mapping[str, Column | None]) -> Block:
    """Return the values of a batch of lines.

    Raises
    ------
    InvalidWorkload
        If a date contradicts the proposed order of days and months.
    """
    numbers: dict[str, np.ndarray] = {}
    texts: dict[str, Texts] = {}
    unreadable = {}
    lines, batch = len(batch), _without_steps(batch, found)
    for name, column in found.items():
        kind, values = FIELDS[name].kind, batch[column.name]
        if name == "id":
            numbers[name] = first_numbers(values.cast(pa.string()))
        elif kind == TEXT:
            words = pc.utf8_trim_whitespace(values.cast(pa.string()))
            if name == "outcome":  # sacct names the user who cancelled a job
                words = pc.replace_substring_regex(words, r"^CANCELLED by .*$", "CANCELLED")
            texts[name] = coded(words)
        else:
            numbers[name] = read_column(values, name, kind, column.unit)
            odd = np.isnan(numbers[name])
            odd &= values.is_valid().to_numpy(zero_copy_only=False)
            if odd.any():
                if column.unit in ORDERS and not is_settled(name, chosen):
                    _check_order(values.filter(pa.array(odd)), name, column)
                first = str(values[int(np.argmax(odd))].as_py()) if not is_text(values.type) else ""
                unreadable[name] = int(odd.sum()), first or texts_of(values.slice(int(np.argmax(odd)), 1))[0]
    return Block(len(batch), numbers, texts, unreadable, lines - len(batch))


def _is_raw(found: Mapped) -> bool:
    """Return whether the numbers of jobs are Slurm's own, of which each job and each task of an array has one."""
    return "id" in found and plain(found["id"].name) == "jobidraw"


def _without_steps(batch: pa.RecordBatch, found: Mapped) -> pa.RecordBatch:
    """Return the lines without those of job steps."""
    if not _is_raw(found) or not is_text(batch[found["id"].name].type):
        return batch
    is_step = steps(batch[found["id"].name], pa.scalar(False))
    return batch.filter(pc.invert(is_step)) if pc.any(is_step).as_py() else batch


def _check_order(odd: pa.Array, name: str, column: Column) -> None:
    """Raise InvalidWorkload if one of these values, no dates in the order of the column, is a date in the other one."""
    other = DAY_FIRST if column.unit == MONTH_FIRST else MONTH_FIRST
    dates = np.isfinite(read_column(odd, name, INSTANT, other))
    if dates.any():
        text = texts_of(odd.slice(int(np.argmax(dates)), 1))[0]
        choices = " or ".join(f"#{name}={column.name[:60]}:{short}" for short in ("dmy", "mdy"))
        raise InvalidWorkload(
            f"{column.name[:60]} holds {text[:40]!r}, but the first lines or the choice for another column suggest the "
            f"{column.unit}; choose {choices}."
        )


def site_log(blocks: list[Block], found: Mapped, columns: Sequence[str], facts: Facts, odd: OddRows) -> SiteLog:
    """Return the records of all blocks, which are emptied."""
    notes = [sentence(found, columns), *facts.notes(), *odd.sentences()]
    notes += [*left_out(sum(block.steps for block in blocks), "job step"), *_unreadable(blocks, found)]

    def column(name: str) -> np.ndarray | None:
        if name not in found:
            return None
        return np.concatenate([np.empty(0), *(block.numbers.pop(name) for block in blocks)])

    total = sum(block.lines for block in blocks)
    unknown = np.full(total, np.nan)
    submit, start, end, wait, runtime = (column(name) for name in ("submit", "start", "end", "wait", "runtime"))
    assert submit is not None, "check() found it"
    is_dated = bool(np.median(submit[submit > 0]) >= DATED) if (submit > 0).any() else False
    for name, others in (("start", start), ("end", end)):
        if others is not None and (others > 0).any() and bool(np.median(others[others > 0]) >= DATED) != is_dated:
            raise InvalidWorkload(f"submission and {name} count from different instants: one from 1970, one not.")
    submit, start, end = (_instants(one, is_dated) for one in (submit, start, end))
    assert submit is not None
    if start is None and wait is not None:
        start = submit + np.where(wait >= 0, wait, np.nan)
    if start is None and end is not None and runtime is not None:
        start = end - runtime
    if end is None and start is not None:
        end = start + (unknown if runtime is None else runtime)
    size = column("size")
    assert size is not None
    whole = np.ceil(np.nan_to_num(size))
    notes += _parts_of_processors(int((whole != np.nan_to_num(size)).sum()))
    number = column("id")
    return SiteLog(
        source="the table",
        numbered=_is_raw(found),
        job_id=np.arange(1.0, total + 1) if number is None or 2 * np.count_nonzero(number) < total else number,
        submit=submit,
        start=unknown if start is None else start,
        end=unknown if end is None else end,
        recorded=start is not None,
        size=whole,
        elapsed=runtime,
        limit=column("requested"),
        memory=_above_zero(column("memory")),
        gpus=_from_zero(column("gpus")),
        groups={name: joined_texts([block.texts.pop(name) for block in blocks]) for name in TEXTS if name in found},
        dated=is_dated,
        utc_offset=facts.utc_offset,
        zone=facts.zone,
        processors=facts.processors,
        notes=notes,
    )


def _instants(values: np.ndarray | None, is_dated: bool) -> np.ndarray | None:
    """Return instants; those before the clock begins are unknown, as 0 and -1 are where others have dates."""
    if values is None:
        return None
    return np.where(values > 0 if is_dated else values >= 0, values, np.nan)


def _above_zero(values: np.ndarray | None) -> np.ndarray | None:
    return None if values is None else np.where(values > 0, values, np.nan)


def _from_zero(values: np.ndarray | None) -> np.ndarray | None:
    return None if values is None else np.where(values >= 0, values, np.nan)


def _parts_of_processors(n: int) -> Iterator[str]:
    if n:
        yield f"{count(n, 'job')} with a part of a processor: rounded up."


def _unreadable(blocks: Sequence[Block], found: Mapped) -> Iterator[str]:
    """Yield a sentence for each column with values that are not what they should be."""
    what = {INSTANT: "instant", COUNT: "number"}
    for name, column in found.items():
        parts = [block.unreadable[name] for block in blocks if name in block.unreadable]
        noun = what.get(FIELDS[name].kind, FIELDS[name].kind)
        first = parts[0][1] if parts else ""
        yield from not_read(sum(number for number, _ in parts), first, column.name[:60], noun)
