"""Read machine and clock from the header comments of an SWF log."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator

from shadowtime.engine.workload.job import Clock, zone_name
from shadowtime.engine.workload.limits import LONGEST, WIDEST

ENTRY = re.compile(r";\s*(\w+)\s*:\s*(.*?)\s*$")
LEADING_NUMBER = re.compile(r"[+-]?(\d{1,3}(,\d{3})+(?!\d)|\d+(\.\d*)?)")
REMARK = re.compile(r"\s*$|\s+[(\[;a-zA-Z]|[(\[;]")
"""What may follow the number: nothing, or words about it."""
NUMBERS = ("MaxProcs", "MaxNodes", "UnixStartTime", "TimeZone")
KEYS = (*NUMBERS, "TimeZoneString")


class Header:
    """The header entries `; Key: value` that are used; the first entry of a key counts, others are reported."""

    def __init__(self) -> None:
        self.entries: dict[str, str] = {}
        self.others: dict[str, str] = {}
        """Of keys that have several values, the first one that does not count."""

    def strip(self, lines: list[bytes]) -> list[bytes]:
        """Return `lines` with comments replaced by empty lines, and keep their entries; line numbers stay the same."""
        if b";" not in b"".join(lines):
            return lines
        return [b"" if line.lstrip().startswith(b";") and self._note(line) else line for line in lines]

    def _note(self, comment: bytes) -> bool:
        entry = ENTRY.match(comment[:300].decode("latin-1").strip())
        if entry and entry[1] in KEYS and self.entries.setdefault(entry[1], entry[2]) != entry[2]:
            self.others.setdefault(entry[1], entry[2])
        return True

    def _number(self, key: str) -> float:
        """Return the number at the beginning of the value of `key` ("1,338 (batch partition)" gives 1338), else NaN."""
        number = LEADING_NUMBER.match(self.entries.get(key, ""))
        return float(number[0].replace(",", "")) if number else math.nan

    @property
    def processors(self) -> int:
        """MaxProcs, else MaxNodes; 0 if the header has neither."""
        for key in ("MaxProcs", "MaxNodes"):
            if 1 <= self._number(key) <= WIDEST:
                return int(self._number(key))
        return 0

    def clock(self) -> Clock | None:
        """Return the clock; None if the log has no date: no `UnixStartTime`, or 0 as in generated logs."""
        start, offset = self._number("UnixStartTime"), self._number("TimeZone")
        if not 0 < start < LONGEST:
            return None
        zone = zone_name(self.entries.get("TimeZoneString"))
        return Clock(start, offset if abs(offset) <= 86_400 else 0.0, zone)

    def report(self) -> Iterator[str]:
        """Yield a sentence if the size of the machine does not come from MaxProcs, and for each key of two values."""
        for key, other in self.others.items():
            first = self.entries[key]
            yield f"The header has two values of {key}: {first[:40]!r} is used, and {other[:40]!r} is not."
        has_size = 1 <= self._number("MaxProcs") <= WIDEST
        for key in NUMBERS:
            if key == "MaxNodes" and has_size:  # it is not used
                continue
            value = self.entries.get(key, "")
            number = LEADING_NUMBER.match(value)
            if number and not REMARK.match(value[number.end() :]):
                yield f"{key} in the header is {value[:40]!r}: the {number[0]} at its beginning is used."
        if not self.processors:
            yield "The header does not say how many processors the machine has."
        elif self.processors != self._number("MaxProcs"):
            yield f"The header has no MaxProcs: the machine has the {self.processors:,} of MaxNodes."
