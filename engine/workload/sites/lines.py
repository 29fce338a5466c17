"""The lines of a log, and the values that stand in them."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

from shadowtime.engine.errors import InvalidWorkload
from shadowtime.engine.workload.limits import Limits

UNKNOWN = float("nan")
DIGITS = 15
"""Digits of the longest whole number that is read; a double holds it exactly."""
KILOBYTES = {b"": 1 / 1024, b"b": 1 / 1024, b"w": 1 / 128, b"k": 1.0, b"m": 1024.0, b"g": 1024.0**2, b"t": 1024.0**3,
             b"p": 1024.0**4}  # fmt: skip


def numbered_lines(pieces: Iterator[bytes], limits: Limits) -> Iterator[tuple[int, list[bytes]]]:
    """Yield the lines of a text, some at a time, without their ends, after the number of the first of them.

    Raises
    ------
    InvalidWorkload
        If a line is too long, or too many more lines are blank than not.
    """
    rest, number, blank = b"", 1, 0
    for piece in pieces:
        lines = (rest + piece).split(b"\n")
        rest = lines.pop()
        if len(max((*lines, rest), key=len)) > limits.line:
            at = next(at for at, line in enumerate((*lines, rest)) if len(line) > limits.line)
            raise InvalidWorkload(f"line {number + at:,} has more than {limits.line:,} characters, the limit here.")
        blank += 2 * lines.count(b"") - len(lines)
        if blank > limits.lines:
            raise InvalidWorkload(f"it has more than {limits.lines:,} blank lines, the limit here.")
        yield number, [line.removesuffix(b"\r") for line in lines] if b"\r" in piece else lines
        number += len(lines)
    yield number, [rest.removesuffix(b"\r")]


def first_lines(head: bytes, n: int = 10) -> list[bytes]:
    """Return the first lines of a text that are not blank, without blanks around them; the last may be cut."""
    return [line.strip() for line in head.split(b"\n", 10 * n)[: 10 * n] if line.strip()][:n]


def whole(text: bytes | None) -> float:
    """Return a whole number that is not negative; NaN where the text is none."""
    return float(text) if text and text.isdigit() and len(text) <= DIGITS else UNKNOWN


def positive(text: bytes | None) -> float:
    """Return a whole number above 0; NaN where the text is none, or 0, as logs write times that did not come."""
    return whole(text) or UNKNOWN


@lru_cache(1 << 16)
def duration(text: bytes) -> float:
    """Return a duration [s] such as `3600`, `01:00:00` and `1:00:00:00`; NaN where the text is none."""
    parts = [whole(part) for part in text.split(b":")]
    if len(parts) > 4:
        return UNKNOWN
    return sum(part * unit for part, unit in zip(reversed(parts), (1.0, 60.0, 3600.0, 86_400.0), strict=False))


@lru_cache(1 << 16)
def memory(text: bytes) -> float:
    """Return memory [KB] such as `1993mb`, `16G` and `1048576` (bytes); NaN where the text is none, or 0."""
    plain = text.lower()
    plain = plain if plain == b"b" else plain.removesuffix(b"b")
    unit = plain[-1:] if plain[-1:].isalpha() else b""
    number = plain.removesuffix(unit)
    if unit not in KILOBYTES or not number.replace(b".", b"", 1).isdigit() or len(number) > DIGITS:
        return UNKNOWN
    return float(number) * KILOBYTES[unit] or UNKNOWN
