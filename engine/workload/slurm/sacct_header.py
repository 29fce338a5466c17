"""The first line of a text of sacct, by which it is recognized."""

from __future__ import annotations

import re
from itertools import islice
from typing import NamedTuple

from shadowtime.engine.workload.sites.tables.header import delimiter_of, lines

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
    """"" where the names are separated by blanks, as in a table without -P."""
    is_quoted: bool

    @classmethod
    def of(cls, line: str) -> Header:
        """Return the header in a line."""
        delimiter = delimiter_of(line)
        names = [name.strip().lower() for name in line.strip("\r\n").split(delimiter or None)]
        # Programs that write tables quote values with commas, such as those of AllocTRES, but not the names.
        is_quoted = delimiter == "," or any(name[:1] == '"' for name in names)
        return cls([name.strip('"') for name in names] if is_quoted else names, delimiter, is_quoted)


def recognizes(head: bytes) -> bool:
    """Return whether a file that begins with these bytes is a text of sacct, with a delimiter or as a table."""
    first, second, *_ = *islice(lines(head), 2), "", ""
    names, delimiter, _ = Header.of(first)
    if not delimiter:
        return names[:1] == ["jobid"] and len(names) > 1
    if delimiter == "|":
        return bool({"jobid", "jobidraw"} & set(names))
    if not (OF_SACCT & set(names) and {"jobid", "jobidraw"} & set(names) and {"submit", "start", "end"} <= set(names)):
        return False
    cells, at = second.split(delimiter), names.index("submit")
    return at < len(cells) and ISO.fullmatch(cells[at].strip().strip('"')) is not None
