"""Columns of sacct as numbers: instants, durations, whole numbers, ids, memory, GPUs; NaN where a value is unknown.

What occurs often is parsed by pyarrow for the whole column; other values one by one, each distinct one once.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import UTC, datetime

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

LENGTH = 19
"""Characters of 2026-11-22T12:42:14."""
DURATION = re.compile(r"(?:(\d+)-)?(?:(?:(\d+):)?(\d+):)?(\d+(?:\.\d+)?)")
MEMORY = re.compile(r"(\d{1,15}(?:\.\d+)?)(?:([KMGTP])(?:i?B|i)?)?([cn]?)", re.IGNORECASE)
GPUS = re.compile(r"(?:^|,)gres/gpu(:[^=,]*)?=(\d{1,9})(?=,|$)")
COUNT = re.compile(r"(\d{1,9}(?:\.\d{1,2})?)([KM])", re.ASCII)
UNITS = {"K": 1024.0, "M": 1024.0**2}
KILOBYTES = {"": 1024.0, "K": 1.0, "M": 1024.0, "G": 1024.0**2, "T": 1024.0**3, "P": 1024.0**4}


def one_by_one(column: pa.Array, parse: Callable[[str], float]) -> np.ndarray:
    """Return `parse` of each value; each distinct value is parsed once."""
    coded = column.dictionary_encode()
    values = np.array([*map(parse, texts_of(coded.dictionary)), np.nan])
    return values[coded.indices.fill_null(len(values) - 1).to_numpy(zero_copy_only=False)]


def texts_of(column: pa.Array) -> list[str]:
    """Return texts, "" for null; bytes that are no UTF-8 are replaced."""
    return [(text or b"").decode(errors="replace") for text in column.cast(pa.binary()).to_pylist()]


def instants(column: pa.Array) -> np.ndarray:
    """Return instants [s since 1970]: times as written count as UTC; with a zone they are converted."""
    try:
        return column.cast(pa.timestamp("s")).cast(pa.int64()).cast(pa.float64()).to_numpy(zero_copy_only=False)
    except pa.ArrowInvalid:
        pass  # some are unknown or have a zone
    between = pc.is_in(pc.utf8_slice_codeunits(column, 10, 11), value_set=pa.array(["T", " "]))
    usual = pc.and_(pc.equal(pc.binary_length(column), LENGTH), between)
    try:
        times = pc.if_else(usual, column, None).cast(pa.timestamp("s")).cast(pa.int64())
    except pa.ArrowInvalid:
        return one_by_one(column, instant)
    found = times.cast(pa.float64()).fill_null(np.nan).to_numpy(zero_copy_only=False)
    rest = np.flatnonzero(~usual.fill_null(False).to_numpy(zero_copy_only=False))
    if len(rest):
        found = found.copy()
        found[rest] = one_by_one(column.take(pa.array(rest)), instant)
    return found


def instant(text: str) -> float:
    """Return one instant: ISO 8601 with or without a zone, or seconds since 1970; NaN for `Unknown`, `None` ..."""
    text = text.strip()
    if text.isascii() and text.isdigit():
        return float(text) if len(text) < 16 else np.nan
    try:
        moment = datetime.fromisoformat(text)
    except ValueError:
        return np.nan
    return (moment if moment.tzinfo else moment.replace(tzinfo=UTC)).timestamp()


def durations(column: pa.Array) -> np.ndarray:
    """Return durations [s] such as `00:01:00`, `1-02:04:00` and `5-03:04:05.678`; NaN for `UNLIMITED` ..."""
    return one_by_one(column, duration)


def duration(text: str) -> float:
    """Return one duration [s]; a text without a colon counts minutes, as in Slurm's options."""
    found = DURATION.fullmatch(text.strip())
    if found is None:
        return np.nan
    days, hours, minutes, seconds = (float(part or 0) for part in found.groups())
    if ":" not in text:
        return 86_400.0 * days + (3600.0 if found.group(1) else 60.0) * seconds
    return 86_400.0 * days + 3600.0 * hours + 60.0 * minutes + seconds


def whole_numbers(column: pa.Array) -> np.ndarray:
    """Return whole numbers; NaN where the text is none."""
    is_digits = pc.ascii_is_decimal(column)
    if pc.all(is_digits, skip_nulls=False).as_py() and pc.max(pc.binary_length(column)).as_py() < 16:
        return column.cast(pa.int64()).cast(pa.float64()).to_numpy(zero_copy_only=False)
    digits = pc.if_else(pc.and_(is_digits, pc.less(pc.binary_length(column), 16)), column, None)
    return digits.cast(pa.int64()).cast(pa.float64()).fill_null(np.nan).to_numpy(zero_copy_only=False)


def amounts(column: pa.Array) -> np.ndarray:
    """Return whole numbers, also as programs write them again (`8.0`); NaN for other texts."""
    found = whole_numbers(column)
    rest = np.flatnonzero(np.isnan(found))
    if len(rest):
        found = found.copy()
        found[rest] = whole_numbers(pc.replace_substring_regex(column.take(pa.array(rest)), r"\.0$", ""))
    return found


def steps(ids: pa.Array, others: pa.Array | pa.Scalar) -> pa.Array:
    """Return which job ids are those of steps (`12.batch`, `12.0`), which Slurm prints behind each job.

    No job has steps alone: where all ids but the `others` end in `.0`, a program wrote the numbers of jobs again.
    """
    is_step = pc.match_substring(ids, ".").fill_null(False)
    if pc.all(pc.or_(others, is_step)).as_py():
        is_step = pc.invert(pc.or_(others, pc.match_substring_regex(ids, r"^\d+\.0$").fill_null(True)))
    return is_step


def counts(column: pa.Array) -> np.ndarray:
    """Return whole numbers, also with a unit of 1,024 as Slurm prints large ones (`4K`); NaN where the text is none."""
    found = amounts(column)
    rest = np.flatnonzero(np.isnan(found))
    if len(rest):
        found = found.copy()
        found[rest] = one_by_one(column.take(pa.array(rest)), _with_unit)
    return found


def _with_unit(text: str) -> float:
    number = COUNT.fullmatch(text)
    return float(number[1]) * UNITS[number[2]] if number else np.nan


def first_numbers(column: pa.Array) -> np.ndarray:
    """Return the number with which each job id begins, plus the part of a heterogeneous job; 0 where there is none, or
    one of more than 15 digits, and for a text such as `12ab`."""
    found = whole_numbers(column)
    rest = np.flatnonzero(np.isnan(found))
    if len(rest):
        found = found.copy()
        others = column.take(pa.array(rest))
        first = pc.struct_field(pc.extract_regex(others, r"^(?P<id>\d{1,15})(?:[^0-9A-Za-z]|$)"), "id")
        part = pc.struct_field(pc.extract_regex(others, r"^\d{1,15}\+(?P<part>\d{1,6})"), "part")
        found[rest] = np.nan_to_num(whole_numbers(first)) + np.nan_to_num(whole_numbers(part))
    return found


def memory(column: pa.Array) -> np.ndarray:
    """Return memory [KB], such as `16000M` and `16G`; NaN for memory per processor or node (`2Gc`, `2Gn`), and 0."""
    return one_by_one(column, memory_of)


def memory_of(text: str) -> float:
    """Return the memory [KB] of one text."""
    found = MEMORY.fullmatch(text.strip())
    if found is None or found.group(3) or float(found.group(1)) == 0.0:
        return np.nan
    return float(found.group(1)) * KILOBYTES[(found.group(2) or "").upper()]


def gpus(column: pa.Array) -> np.ndarray:
    """Return the GPUs in lists of resources such as `cpu=8,gres/gpu=4,gres/gpu:a100=4`; NaN where none is named."""
    return one_by_one(column, gpus_of)


def gpus_of(text: str) -> float:
    """Return the GPUs of one list of resources: the total where it is there, else the sum over types."""
    found = GPUS.findall(text)
    total = [float(number) for kind, number in found if not kind]
    if total:
        return total[0]
    return sum(float(number) for _, number in found) if found else np.nan


def outcomes(column: pa.Array) -> pa.DictionaryArray:
    """Return states without what follows a blank: `CANCELLED by 1001` as `CANCELLED`."""
    coded = column.dictionary_encode()
    plain = pc.utf8_upper(pc.replace_substring_regex(coded.dictionary, r"[ +].*$", ""))
    return pa.DictionaryArray.from_arrays(coded.indices, plain)


def matching(column: pa.Array, sought: str | re.Pattern[str]) -> int:
    """Return in how many texts a text or a pattern is found; a text is five times as quick."""
    coded = column if pa.types.is_dictionary(column.type) else None
    texts = (column.dictionary if coded is not None else column).cast(pa.binary())  # it may be no UTF-8
    if isinstance(sought, str):
        holds = pc.match_substring(texts, sought)
    else:
        holds = pc.match_substring_regex(texts, sought.pattern)
    if coded is None:
        return int(pc.sum(holds).as_py() or 0)
    marked = np.array([*holds.fill_null(False).to_numpy(zero_copy_only=False), False])
    return int(marked[coded.indices.fill_null(len(marked) - 1).to_numpy(zero_copy_only=False)].sum())
