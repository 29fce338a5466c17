"""The first line of a text of sacct, by which it is recognized."""

from __future__ import annotations

import re
from typing import NamedTuple

DELIMITERS = ("|", ",", ";", "\t")
OF_SACCT = {
    "jobidraw", "elapsedraw", "timelimitraw", "alloccpus", "ncpus", "reqcpus", "alloctres", "reqtres", "cputimeraw",
    "allocnodes", "nnodes", "derivedexitcode",
}  # fmt: skip
"""Names that Slurm gave: a text with another delimiter than `|` has one of them."""
ISO = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d|\d{10}|Unknown|None")
"""Times as sacct prints them."""


class Header(NamedTuple):
    """The first line of a text of sacct that is no comment."""

    names: list[str]
    """Names of the columns, in lower case."""
    delimiter: str
    is_quoted: bool

    @classmethod
    def of(cls, line: str) -> Header:
        """Return the header in a line; it has one column if the line has none of the delimiters."""
        delimiter = max(DELIMITERS, key=line.count)
        names = [name.strip().lower() for name in line.strip("\r\n").split(delimiter)]
        is_quoted = any(name[:1] == '"' for name in names)
        return cls([name.strip('"') for name in names] if is_quoted else names, delimiter, is_quoted)


def is_comment(line: bytes) -> bool:
    """Return whether a line may stand above the header: `# sacct -aP`, or nothing."""
    return not line.strip() or line.lstrip().startswith(b"#")


def recognizes(head: bytes) -> bool:
    """Return whether a file that begins with these bytes is a text of sacct, with a delimiter or as a table."""
    lines = (line for line in head.split(b"\n", 100)[:100] if not is_comment(line))
    first = next(lines, b"").decode("utf-8", errors="replace")
    names, delimiter, _ = Header.of(first)
    if delimiter not in first:
        return first.lower().lstrip().startswith("jobid ")
    if not {"jobid", "jobidraw"} & set(names):
        return False
    if delimiter == "|":
        return True
    if not OF_SACCT & set(names) or not {"submit", "start", "end"} <= set(names):
        return False
    cells = next(lines, b"").decode("utf-8", errors="replace").split(delimiter)
    at = names.index("submit")
    return at < len(cells) and ISO.fullmatch(cells[at].strip().strip('"')) is not None
