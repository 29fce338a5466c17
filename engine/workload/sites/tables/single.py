"""Single values of tables as numbers: numbers, instants, durations; NaN where a text is none."""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import UTC, datetime

import numpy as np

from shadowtime.engine.workload.sites.tables.fields import (
    COUNT,
    DATES,
    DAY_FIRST,
    DURATION,
    INSTANT,
    MONTH_FIRST,
    SECONDS,
    TEXT,
)  # fmt: skip

NUMBER = re.compile(r"[+-]?(?:\d{1,300}(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d{1,3})?")
DATE = re.compile(
    r"(\d{1,4})[./-](\d{1,2})[./-](\d{1,4})(?:[T ,]+(\d{1,2}):(\d\d)(?::(\d\d(?:\.\d+)?))?\s*([AaPp][Mm])?)?\s*"
    r"(Z|UTC|GMT|[+-]\d\d(?::?\d\d)?)?"
)
CLOCK = re.compile(r"(?:(\d+)\s*(?:-|d|days?,?)\s*)?(?:(\d+):)?(\d+):(\d+(?:\.\d+)?)")
PARTS = re.compile(r"(?:(\d+(?:\.\d+)?)\s*d(?:ays?)?)?\s*(?:(\d+(?:\.\d+)?)\s*h(?:ours?|rs?)?)?\s*"
                   r"(?:(\d+(?:\.\d+)?)\s*m(?:in(?:utes?|s)?)?)?\s*(?:(\d+(?:\.\d+)?)\s*s(?:ec(?:onds?|s)?)?)?",
                   re.IGNORECASE)  # fmt: skip
DATED = 3e8
"""Seconds from which a number counts from 1970 (this one is in 1979), and not from the begin of the log."""


def number(text: str) -> float:
    """Return a number such as `12`, `-1.5` and `1e3`."""
    text = text.strip()
    return float(text) if NUMBER.fullmatch(text) else np.nan


def is_number(text: str) -> bool:
    """Return whether a text is a number."""
    return NUMBER.fullmatch(text.strip()) is not None


def instant(text: str, unit: str) -> float:
    """Return an instant [s]: a number of units, or a date with or without a zone (UTC then)."""
    text = text.strip()
    if is_number(text):
        return float(text) * SECONDS.get(unit, 1.0)
    found = DATE.fullmatch(text)
    if found is None:
        return np.nan
    first, second, third, hour, minute, second_of, half, zone = found.groups()
    if len(first) > 2:
        year, month, day = first, second, third
    else:
        year, month, day = (third, second, first) if unit == DAY_FIRST else (third, first, second)
    seconds = float(second_of or 0)
    hours = int(hour or 0)
    if half:
        hours = hours % 12 + (12 if half.lower() == "pm" else 0)
    try:
        moment = datetime(_year(year), int(month), int(day), hours, int(minute or 0), int(seconds), tzinfo=UTC)
    except ValueError:
        return np.nan
    return moment.timestamp() + seconds % 1.0 - _offset(zone)


def _year(text: str) -> int:
    return int(text) + 2000 if len(text) == 2 else int(text)


def _offset(zone: str | None) -> float:
    """Return the seconds by which a zone such as `+01:00` is ahead of UTC."""
    if not zone or zone[0] not in "+-":
        return 0.0
    digits = zone[1:].replace(":", "")
    return (-1.0 if zone[0] == "-" else 1.0) * (3600.0 * int(digits[:2]) + 60.0 * int(digits[2:] or 0))


def duration(text: str, unit: str) -> float:
    """Return a duration [s]: a number of units, `1-02:03:04`, `1 day, 02:03:04`, `02:03`, or `1h 30min`."""
    text = text.strip()
    if is_number(text):
        return float(text) * SECONDS.get(unit, 1.0)
    found = CLOCK.fullmatch(text)
    if found:
        days, hours, minutes, seconds = (float(part or 0) for part in found.groups())
        return 86_400.0 * days + 3600.0 * hours + 60.0 * minutes + seconds
    parts = PARTS.fullmatch(text)
    if parts and any(parts.groups()):
        return float(np.dot([float(part or 0) for part in parts.groups()], [86_400.0, 3600.0, 60.0, 1.0]))
    return np.nan


def suits(field: str, kind: str, values: Sequence[str]) -> bool:
    """Return whether at least half of the values of a column can be read as a field of this kind."""
    if field == "nodes":
        return bool(values) and not all(map(is_number, values))
    if field == "id":
        return 2 * sum(text[:1].isdigit() for text in values) > len(values)
    if kind == TEXT or not values:
        return bool(values)
    if kind == INSTANT:
        good = sum(is_number(text) or _is_date(text) for text in values)
    elif kind == DURATION:
        good = sum(not np.isnan(duration(text, "")) for text in values)
    elif kind == COUNT:
        good = sum(map(is_number, values)) or sum("gpu" in text for text in values) * (field == "gpus")
    else:
        return True
    return 2 * good >= len(values)


def _is_date(text: str) -> bool:
    return DATE.fullmatch(text.strip()) is not None


def fitting_unit(kind: str, values: Sequence[str]) -> str:
    """Return the unit that the values of a column suggest."""
    numbers = [number(text) for text in values if is_number(text)]
    if kind == INSTANT:
        if 2 * len(numbers) < len(values) or not values:
            return order_of([values])
        usual = float(np.median([value for value in numbers if value > 0] or [0.0]))
        by_size = (("nanoseconds", 1e17), ("microseconds", 1e14), ("milliseconds", 1e11))
        return next((unit for unit, least in by_size if usual >= least), "seconds")
    return "seconds" if kind == DURATION else "MB"


def order_of(columns: Sequence[Sequence[str]]) -> str:
    """Return whether days stand before months in columns of one file: 31/12/2025 and 31.12.2025; DATES where the year
    comes first."""
    values = [text for column in columns for text in column]
    dates = [found.groups() for found in map(DATE.fullmatch, (text.strip() for text in values)) if found]
    short = [(int(first), int(second)) for first, second, *_ in dates if len(first) <= 2]
    if not short:
        return DATES
    if any(first > 12 for first, _ in short):
        return DAY_FIRST
    if any(second > 12 for _, second in short):
        return MONTH_FIRST
    return DAY_FIRST if any("." in text.split()[0] for text in values if text.strip()) else MONTH_FIRST
