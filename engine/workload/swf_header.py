"""What the comments of an SWF log say of its machine and its clock."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator

from shadowtime.engine.workload.job import Clock, zone_name
from shadowtime.engine.workload.limits import LONGEST, WIDEST

ENTRY = re.compile(r";\s*(\w+)\s*:\s*(.*?)\s*$")
LEADING_NUMBER = re.compile(r"[+-]?\d+(\.\d*)?")
KEYS = ("MaxProcs", "MaxNodes", "UnixStartTime", "TimeZone", "TimeZoneString")


class Header:
    """The entries `; Key: value` that matter here; the first of a key counts."""

    def __init__(self) -> None:
        self.entries: dict[str, str] = {}

    def strip(self, lines: list[bytes]) -> list[bytes]:
        """`lines` with the comments read and blanked, so that line numbers stay."""
        if b";" not in b"".join(lines):
            return lines
        return [b"" if line.lstrip().startswith(b";") and self._note(line) else line for line in lines]

    def _note(self, comment: bytes) -> bool:
        entry = ENTRY.match(comment[:300].decode("latin-1").strip())
        if entry and entry[1] in KEYS:
            self.entries.setdefault(entry[1], entry[2])
        return True

    def _number(self, key: str) -> float:
        """The number that the value of `key` begins with ("338 (batch partition)" is 338), else NaN."""
        number = LEADING_NUMBER.match(self.entries.get(key, ""))
        return float(number[0]) if number else math.nan

    @property
    def processors(self) -> int:
        """MaxProcs, else MaxNodes; 0 when neither says it."""
        for key in ("MaxProcs", "MaxNodes"):
            if 1 <= self._number(key) <= WIDEST:
                return int(self._number(key))
        return 0

    def clock(self) -> Clock | None:
        """None where the log has no date: no `UnixStartTime`, or that of a model, which is 0."""
        start, offset = self._number("UnixStartTime"), self._number("TimeZone")
        if not 0 < start < LONGEST:
            return None
        zone = zone_name(self.entries.get("TimeZoneString"))
        return Clock(start, offset if abs(offset) <= 86_400 else 0.0, zone)

    def report(self) -> Iterator[str]:
        """A sentence where the size of the machine is not MaxProcs."""
        if not self.processors:
            yield "The header does not say how many processors the machine has."
        elif self.processors != self._number("MaxProcs"):
            yield f"The header has no MaxProcs: the machine has the {self.processors:,} of MaxNodes."
