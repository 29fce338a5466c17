"""The selected area of a schedule in the query of an address, and the note beside it."""

from __future__ import annotations

import re

from shadowtime.dashboard.sharing.numbers import real, written

Area = tuple[float, float, int, int]
"""From, to [s], first and last lane."""
AREA = re.compile(r"([^,]+),([^,]+),(\d{1,9})-(\d{1,9})", re.ASCII)
LONGEST = 200
"""Characters of a note, at most."""


def area(text: str) -> Area | None:
    """Return the area of `100,200,4-9`; None for others."""
    found = AREA.fullmatch(text)
    if not found:
        return None
    start, end, first, last = real(found[1]), real(found[2]), int(found[3]), int(found[4])
    if start is None or end is None or start >= end or first > last:
        return None
    return start, end, first, last


def area_words(given: Area) -> str:
    """Return the area as it is written into an address."""
    start, end, first, last = given
    return f"{written(start)},{written(end)},{first}-{last}"


def note(text: str) -> str | None:
    """Return the note without blanks around it; None where there is none, or one that is too long."""
    words = text.strip()
    return words if 0 < len(words) <= LONGEST else None
