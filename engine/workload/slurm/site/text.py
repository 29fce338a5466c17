"""Lines, pairs of name and value, times and tables of a site's files."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from shadowtime.engine.errors import InvalidWorkload
from shadowtime.engine.workload.limits import Limits, bytes_in_words
from shadowtime.engine.workload.sites.hosts import hosts

ENDLESS = frozenset({"unlimited", "infinite"})
NOTHING = frozenset({"", "(null)", "n/a"})
"""How Slurm's commands print a value that is not set, in lower case."""
TIME = re.compile(r"(?:([0-9]{1,9})-)?([0-9]{1,9})(?::([0-9]{1,9}))?(?::([0-9]{1,9}))?")
NUMBER = re.compile(r"[0-9]{1,15}(?:\.[0-9]{1,15})?")
PAIR = re.compile(r'\s*([A-Za-z][\w./]*(?:\[[0-9]+\])?)\s*([-+*/]?)=\s*("[^"]*"|[^\s"]*)')
NAME = re.compile(r"[\w.\-]{1,255}")
TIMES = "a time such as 90 (minutes), 12:00:00 or 7-12:00:00"


@dataclass(frozen=True)
class Place:
    """A line of a file."""

    file: str
    line: int

    def refusal(self, what: str) -> InvalidWorkload:
        """Return the error that `what` is wrong here."""
        return InvalidWorkload(f"{self.file}, line {self.line:,}: {what}.")

    def wrong(self, name: str, value: str, rule: str) -> InvalidWorkload:
        """Return the error for a value that breaks a rule."""
        return self.refusal(f"{name[:80]}={value[:80]}, but it must be {rule}")


def lines_of(file: str, content: bytes) -> list[str]:
    """Return the lines of a file.

    Raises
    ------
    InvalidWorkload
        If it is no text, too large, or a line is too long.
    """
    limits = Limits()
    if len(content) > limits.json:
        raise InvalidWorkload(f"{file} has more than {bytes_in_words(limits.json)}, the limit of a site's file.")
    if b"\0" in content:
        raise InvalidWorkload(f"{file} is no text.")
    found = content.removeprefix(b"\xef\xbb\xbf").decode(errors="replace").replace("\r\n", "\n").split("\n")
    for number, line in enumerate(found, 1):
        if len(line) > limits.line:
            raise Place(file, number).refusal(f"it has more than {limits.line:,} characters, the limit here")
    return found


def seconds_of(text: str) -> float | None:
    """Return a time [s]: `mm`, `mm:ss`, `hh:mm:ss`, `d-hh`, `d-hh:mm` or `d-hh:mm:ss`; infinity for UNLIMITED; None for
    another text."""
    if text.lower() in ENDLESS:
        return math.inf
    found = TIME.fullmatch(text)
    if found is None:
        return None
    days, *parts = found.groups()
    numbers = [float(part) for part in parts if part is not None]
    if days is None and len(numbers) < 3:
        numbers = [0.0, *numbers]
    hours, minutes, seconds = [*numbers, 0.0, 0.0][:3]
    return 86_400.0 * float(days or 0) + 3600.0 * hours + 60.0 * minutes + seconds


def time_at(place: Place, name: str, text: str, *, above: bool = False, endless: bool = False) -> float:
    """Return a time [s]; InvalidWorkload for another text, for 0 where it must be `above`, for UNLIMITED where it may
    not be `endless`."""
    found = seconds_of(text)
    if found is None or (above and found == 0.0) or (not endless and found == math.inf):
        rule = f"{TIMES}{', above 0' if above else ''}{', or UNLIMITED' if endless else ''}"
        raise place.wrong(name, text, rule)
    return found


def number_at(place: Place, name: str, text: str, low: float, high: float, *, whole: bool = False) -> float:
    """Return a number in [low, high]; InvalidWorkload for another text."""
    if NUMBER.fullmatch(text) and low <= (found := float(text)) <= high and not (whole and found % 1):
        return found
    raise place.wrong(name, text, f"a {'whole ' if whole else ''}number from {low:,.0f} to {high:,.0f}")


def names_at(place: Place, name: str, text: str) -> list[str]:
    """Return the names in a list of nodes; InvalidWorkload for a list that is not understood."""
    found = hosts(text)
    if not found or not all(NAME.fullmatch(one) for one in found):
        raise place.wrong(name, text, "a list of nodes such as n[001-032,40],gpu1, of at most 100,000")
    return found


def unquoted(value: str) -> str:
    """Return a value without the quotes around it."""
    return value[1:-1] if len(value) > 1 and value[0] == value[-1] == '"' else value


def is_set(value: str | None) -> bool:
    """Return whether a command printed a value."""
    return value is not None and value.strip().lower() not in NOTHING


@dataclass(frozen=True)
class Row:
    """A line of a table, by names of columns in lower case and without blanks."""

    place: Place
    values: Mapping[str, str]

    def get(self, *names: str) -> str:
        """Return the value of the first of these columns that is there, without blanks around it; "" if none is set."""
        value = next((self.values[name] for name in names if name in self.values), "")
        return value.strip() if is_set(value) else ""

    def depth(self, name: str) -> int:
        """Return with how many blanks a value begins."""
        return len(value := self.values.get(name, "")) - len(value.lstrip(" "))


def header_of(line: str) -> list[str]:
    """Return the names of the columns of a table, in lower case and without blanks."""
    return ["".join(name.split()).lower() for name in line.split("|")]


def table_of(file: str, content: bytes, needed: Sequence[str], command: str) -> Iterator[Row]:
    """Yield the lines of a table that `command` prints with `-P`.

    Raises
    ------
    InvalidWorkload
        If a needed column is missing, or a line has another number of columns than the header.
    """
    numbered = [(number, line) for number, line in enumerate(lines_of(file, content), 1) if line.strip()]
    number, first = numbered[0]
    names = header_of(first)
    for name in needed:
        if name not in names:
            raise Place(file, number).refusal(f"the header has no column {name}; use `{command}`")
    for number, line in numbered[1:]:
        values, place = line.split("|"), Place(file, number)
        if len(values) == len(names) + 1 and not values[-1]:  # `-p` ends each line with a bar
            values.pop()
        if len(values) != len(names):
            raise place.refusal(f"it has {len(values)} columns, the header has {len(names)}; use `{command}`")
        yield Row(place, dict(zip(names, values, strict=True)))


class Notes:
    """What is assumed and what is ignored, each said once."""

    def __init__(self) -> None:
        self.assumed: list[str] = []
        self._ignored: dict[str, list[str]] = {}

    def assume(self, sentence: str) -> None:
        """Add a sentence."""
        if sentence not in self.assumed:
            self.assumed.append(sentence)

    def ignore(self, option: str, owner: str = "") -> None:
        """Add an option that the model has not, of a node, partition, QOS or association."""
        owners = self._ignored.setdefault(option[:120], [])
        if owner not in owners[:1]:
            owners.append(owner)

    @property
    def ignored(self) -> tuple[str, ...]:
        """The options; of several owners the first is named."""
        found = []
        for option, owners in self._ignored.items():
            of = f" of {owners[0]}" if owners[0] else ""
            found.append(option + of + (f" and {len(owners) - 1:,} more" if owners[1:] else ""))
        return tuple(found)


def amounts(text: str) -> dict[str, str]:
    """Return the amounts of a list of resources such as `cpu=128,node=4,gres/gpu=2`, by name in lower case."""
    pairs = (part.partition("=") for part in text.split(",") if part.strip())
    return {name.strip().lower(): value.strip() for name, _, value in pairs}
