"""Names of nodes in a list such as `n[001-003,7],gpu1` of Slurm or `n1/0*4+n2` of PBS."""

from __future__ import annotations

import re

PART = re.compile(r"[^,+\s\[\]]*(?:\[[^\[\]]*\][^,+\s\[\]]*)*")
RANGE = re.compile(r"(\d+)-(\d+)")
DIGITS = re.compile(r"(\d+)")
COUNTS = re.compile(r"^\d+\*|^[^@]*@|[/*].*$")
MOST = 100_000
"""Names of one list; a longer list is not expanded."""


def hosts(text: str) -> list[str]:
    """Return the names in a list, each once, in its order; [] for a list that is not understood or too long.

    Numbers of processors (`n1/0*4`, `4*n1`) and slots (`slot1@n1`) are not part of a name.
    """
    if text.count("[") != text.count("]"):
        return []
    found: dict[str, None] = {}
    for part in PART.findall(text):
        name = part if "[" in part else COUNTS.sub("", part)
        names = expanded(name) if name else []
        if len(found) + len(names) > MOST:
            return []
        found |= dict.fromkeys(names)
    return list(found)


def expanded(pattern: str) -> list[str]:
    """Return the names of a pattern with ranges in brackets: `n[08-10,12]` gives n08, n09, n10 and n12."""
    before, bracket, rest = pattern.partition("[")
    if not bracket:
        return [before]
    inside, _, after = rest.partition("]")
    numbers: list[str] = []
    for one in inside.split(","):
        ends = RANGE.fullmatch(one)
        if ends is None:
            numbers.append(one)
            continue
        first, last = int(ends[1]), int(ends[2])
        if last - first >= MOST:
            return []
        numbers += [str(number).zfill(len(ends[1])) for number in range(first, last + 1)]
    tails = expanded(after)
    if len(numbers) * len(tails) > MOST:
        return []
    return [before + number + tail for number in numbers for tail in tails]


def natural(name: str) -> list[tuple[int, int, str]]:
    """Return a key that sorts names with numbers in them as people do: n2 before n10."""
    return [(0, int(part), "") if part.isdecimal() else (1, 0, part) for part in DIGITS.split(name) if part]
