"""The first line of a text of sacct, by which it is recognized."""

from __future__ import annotations

import csv
import re
from itertools import islice
from typing import NamedTuple

from shadowtime.engine.workload.sites.tables.header import delimiter_of, lines

OF_SACCT = {
    "jobidraw", "elapsedraw", "timelimitraw", "alloccpus", "ncpus", "reqcpus", "alloctres", "reqtres", "cputimeraw",
    "allocnodes", "nnodes", "derivedexitcode",
}  # fmt: skip
"""Names that Slurm gave: a text with another delimiter than `|` has one of them."""
COLUMNS = OF_SACCT | {
    "account", "admincomment", "associd", "blockid", "cluster", "comment", "constraints", "consumedenergy",
    "consumedenergyraw", "container", "cputime", "dbindex", "elapsed", "eligible", "end", "exitcode", "extra",
    "failednode", "flags", "gid", "group", "jobid", "jobname", "layout", "licenses", "mcslabel", "mincpu", "nodelist",
    "ntasks", "partition", "planned", "plannedcpu", "plannedcpuraw", "priority", "qos", "qosraw", "qosreq", "reason",
    "reqmem", "reqnodes", "reservation", "reservationid", "reserved", "resvcpu", "resvcpuraw", "start", "state",
    "submit", "submitline", "suspended", "systemcomment", "systemcpu", "timelimit", "totalcpu", "uid", "user",
    "usercpu", "wckey", "wckeyid", "workdir",
}  # fmt: skip
"""All names of its columns, but for those of measurements; more than half of a text's with `|` are among them."""
MEASURED = ("ave", "max", "min", "reqcpufreq", "tresusage")
"""How names of measurements begin."""
INSTANT = re.compile(r"\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d(\.\d{1,9})?([Zz]|[+-]\d\d:?\d\d)?|\d{10}")
"""Instants as sacct prints them, and as programs write them again."""
LOOKED_AT = 20
"""Lines after the header: some may be no records."""


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
    first, *others = *islice(lines(head), 1 + LOOKED_AT), ""
    names, delimiter, _ = Header.of(first)
    if not delimiter:
        return names[:1] == ["jobid"] and len(names) > 1
    if delimiter == "|":
        own = sum(name in COLUMNS or name.startswith(MEASURED) for name in names)
        return bool({"jobid", "jobidraw"} & set(names)) and 2 * own > len(names)
    if not (OF_SACCT & set(names) and {"jobid", "jobidraw"} & set(names) and {"submit", "start", "end"} <= set(names)):
        return False
    at = names.index("submit")
    try:
        rows = list(csv.reader((line.strip("\r") for line in others), delimiter=delimiter))
    except csv.Error:  # such as a sign of the end of a line within one
        return False
    return any(at < len(cells) and INSTANT.fullmatch(cells[at].strip()) for cells in rows)
