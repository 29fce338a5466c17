"""Lines of slurm.conf, `scontrol show config`, `scontrol show node` and `scontrol show partition`.

Rules: names of options count in any case; a `#` begins a comment, unless a backslash stands before it; a line that ends
with a backslash goes on in the next; values may stand in quotes; `+=` appends. `Include` is replaced by the file among
those given whose name is the last part of what it names (`*` and `?` stand for any letters): it is never a path.
`DEFAULT` lines hold for the lines after them. What `scontrol show` prints replaces what slurm.conf says of the same.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from fnmatch import fnmatchcase

from shadowtime.engine.errors import InvalidWorkload
from shadowtime.engine.workload.slurm.site.text import PAIR, Place, is_set, lines_of, names_at, unquoted

INCLUDE = re.compile(r"\s*include\s+(\S+)\s*", re.IGNORECASE)
RECORDS = ("nodename", "partitionname", "nodeset", "downnodes")
"""Names with which a line about nodes or partitions begins."""
OTHERS = ("frontendname",)
"""Names with which a line begins that has no general options, and is not read."""
DEPTH = 8
"""Files that include each other."""
UNITS = (" sec", " min", " percent")
ESCAPED = "\0"


@dataclass(frozen=True)
class Record:
    """A line about nodes or a partition: its options by name in lower case."""

    place: Place
    name: str
    options: Mapping[str, str]


@dataclass(frozen=True)
class Option:
    """A general option as the file writes it."""

    place: Place
    name: str
    value: str


@dataclass
class Conf:
    """A configuration, its records by the name with which their lines begin."""

    options: dict[str, Option] = field(default_factory=dict)
    records: dict[str, list[Record]] = field(default_factory=dict)
    missing: list[str] = field(default_factory=list)
    """Names of included files that are not there."""


def included(file: str, content: bytes) -> list[str]:
    """Return the last parts of what the lines `Include` of a file name."""
    found = (INCLUDE.fullmatch(line) for _, line in logical(file, content))
    return [_last(match[1]) for match in found if match]


def logical(file: str, content: bytes) -> Iterator[tuple[Place, str]]:
    """Yield the lines that are not empty, without comments, continued ones joined."""
    joined, first = "", 0
    for number, line in enumerate(lines_of(file, content), 1):
        first = first or number
        plain = line.replace("\\#", ESCAPED)
        cut = plain.partition("#")[0].replace(ESCAPED, "#").rstrip()
        if cut.endswith("\\") and "#" not in plain:
            joined += cut[:-1] + " "
            continue
        if text := (joined + cut).strip():
            yield Place(file, first), text
        joined, first = "", 0
    if joined.strip():
        yield Place(file, first), joined.strip()


def read_conf(conf: Conf, file: str, content: bytes, files: Mapping[str, bytes], depth: int = 0) -> None:
    """Add what a slurm.conf says.

    Raises
    ------
    InvalidWorkload
        If a line is no list of options, or files include each other too deeply.
    """
    for place, text in logical(file, content):
        if match := INCLUDE.fullmatch(text):
            if depth == DEPTH:
                raise place.refusal(f"files include each other more than {DEPTH} deep")
            pattern = _last(match[1])
            found = sorted(name for name in files if name != file and is_included(name, [pattern]))
            if not found:
                conf.missing.append(pattern)
            for name in found:
                read_conf(conf, name, files[name], files, depth + 1)
            continue
        pairs = _pairs(place, text)
        first, _, value = pairs[0]
        if first.lower() in RECORDS:
            options = {name.lower(): one for name, _, one in pairs[1:]}
            conf.records.setdefault(first.lower(), []).append(Record(place, value, options))
        elif first.lower() not in OTHERS:
            for name, sign, one in pairs:
                key = name.lower().partition("[")[0]
                before = conf.options[key].value + "," if sign == "+" and key in conf.options else ""
                conf.options[key] = Option(place, name, before + one)


def _pairs(place: Place, text: str) -> list[tuple[str, str, str]]:
    found, at = [], 0
    while at < len(text):
        match = PAIR.match(text, at)
        if match is None:
            raise place.refusal(f"{text[at:].strip()[:60]!r} is no option of the form Name=value")
        found.append((match[1], match[2], unquoted(match[3])))
        at = match.end()
    return found


def read_running(conf: Conf, file: str, content: bytes) -> None:
    """Add what `scontrol show config` prints: `Name = value`, with a unit; sections after the first are not read."""
    for number, line in enumerate(lines_of(file, content), 1):
        if line.strip().endswith("Configuration:"):
            return
        name, sign, value = line.partition("=")
        name, value = name.strip().partition("[")[0], _without_unit(value.strip())
        if sign and name and " " not in name:
            conf.options.pop(name.lower(), None)
            if is_set(value):
                conf.options[name.lower()] = Option(Place(file, number), name, value)


def _without_unit(value: str) -> str:
    unit = next((unit for unit in UNITS if value.endswith(unit)), "")
    return value.removesuffix(unit).rstrip()


def read_shown(conf: Conf, file: str, content: bytes, first: str) -> None:
    """Add the records that `scontrol show node` or `scontrol show partition` prints, in place of others."""
    conf.records[first] = [Record(place, name, options) for place, name, options in shown(file, content, first)]


def shown(file: str, content: bytes, first: str) -> Iterator[tuple[Place, str, dict[str, str]]]:
    """Yield the records that a command `scontrol show` prints: each begins with the name `first`."""
    place = Place(file, 1)
    pairs: list[tuple[str, str]] = []
    for number, line in enumerate(lines_of(file, content), 1):
        if line.lower().startswith(f"{first}="):
            if pairs:
                yield place, pairs[0][1], dict(reversed(pairs[1:]))
            place, pairs = Place(file, number), []
        elif line and not line.startswith(" ") and "=" in line:
            raise Place(file, number).refusal(f"{line[:60]!r} is no line of `scontrol show`")
        # A value may hold blanks (OS=Linux 5.10): its further words are no pairs and are passed over.
        found = (word.partition("=") for word in line.split() if "=" in word)
        if pairs or not line.startswith(" "):
            pairs += [(name.lower(), value) for name, _, value in found if is_set(value)]
    if pairs:
        yield place, pairs[0][1], dict(reversed(pairs[1:]))


def with_defaults(records: list[Record]) -> Iterator[Record]:
    """Yield the records with the options of the last `DEFAULT` lines before them."""
    defaults: dict[str, str] = {}
    for record in records:
        if record.name.upper() == "DEFAULT":
            defaults |= record.options
        else:
            yield Record(record.place, record.name, {**defaults, **record.options})


def hosts_of(record: Record) -> list[str]:
    """Return the nodes that a line names."""
    return names_at(record.place, "NodeName", record.name)


def is_included(name: str, patterns: Iterable[str]) -> bool:
    """Return whether one of the names in `Include` lines is that of a file."""
    return any(fnmatchcase(_last(name), pattern) for pattern in patterns)


def _last(path: str) -> str:
    """Return the last part of a path."""
    return re.split(r"[/\\]", path.strip().strip('"'))[-1]


def need_nodes(conf: Conf, files: list[str]) -> None:
    """Raise InvalidWorkload for a configuration that names no node."""
    if any(record.name.upper() != "DEFAULT" for record in conf.records.get("nodename", ())):
        return
    if conf.missing:
        raise InvalidWorkload(
            f"{files[0]} names no node, and includes {', '.join(dict.fromkeys(conf.missing))}: give that, too."
        )
    raise InvalidWorkload(f"{files[0]} names no node: add slurm.conf with its NodeName lines, or `scontrol show node`.")
