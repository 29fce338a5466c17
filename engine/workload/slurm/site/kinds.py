"""Which of a site's files a text is, by its first lines."""

from __future__ import annotations

import re
from typing import Literal

from shadowtime.engine.workload.slurm.site.text import header_of

Kind = Literal[
    "configuration", "running", "nodes", "partitions", "associations", "shares", "qos", "events", "reservations"
]
COMMANDS: dict[Kind, str] = {
    "configuration": "slurm.conf",
    "running": "scontrol show config",
    "nodes": "scontrol show node",
    "partitions": "scontrol show partition",
    "associations": "sacctmgr -P show assoc tree",
    "shares": "sshare -a -l -P",
    "qos": "sacctmgr -P show qos",
    "events": "sacctmgr -P show event",
    "reservations": "scontrol show reservation",
}
"""What prints each kind of file."""
HEAD = 65_536
OPTION = re.compile(
    rb"^[ \t]*(?:NodeName|PartitionName|ClusterName|SlurmctldHost|ControlMachine|SchedulerType|SchedulerParameters"
    rb"|SelectType|PriorityType|PriorityWeight\w+|NodeSet|DownNodes)\s*\+?=\s*\S|^[ \t]*include[ \t]+\S",
    re.IGNORECASE | re.MULTILINE,
)
"""A line of slurm.conf that no other file has."""
SHOWN: tuple[tuple[Kind, re.Pattern[bytes]], ...] = (
    ("running", re.compile(rb"\s*Configuration data as of ", re.IGNORECASE)),
    ("nodes", re.compile(rb"\s*NodeName=\S+ (?:Arch|CoresPerSocket)=", re.IGNORECASE)),
    ("partitions", re.compile(rb"\s*PartitionName=\S+\s+(?:AllowGroups|AllocNodes)=", re.IGNORECASE)),
    (
        "reservations",
        re.compile(rb"\s*(?:ReservationName=\S+ StartTime=|No reservations in )", re.IGNORECASE),
    ),
)
FIRST = re.compile(
    rb"(?:[ \t\r]*(?:#[^\n]*)?\n)*[ \t]*(?:[A-Za-z][\w.]*(?:\[[0-9]+\])?\s*\+?=|include\s)", re.IGNORECASE
)
"""How slurm.conf begins: comments, then an option."""
COLUMNS: tuple[tuple[Kind, frozenset[str]], ...] = (
    ("shares", frozenset({"account", "user", "rawusage"})),
    ("events", frozenset({"nodename", "timestart", "state"})),
    ("associations", frozenset({"account", "user", "share"})),
    ("associations", frozenset({"account", "user", "fairshare", "grptres"})),
    ("qos", frozenset({"name", "priority", "usagefactor"})),
    ("qos", frozenset({"name", "priority", "gracetime"})),
)
"""Columns by which a table is known."""
OF_LOGS = frozenset({"jobid", "jobidraw"})


def kind_of(content: bytes) -> Kind | None:
    """Return which file of a site a text is; None for any other file."""
    head = content[:HEAD].removeprefix(b"\xef\xbb\xbf")
    for kind, pattern in SHOWN:
        if pattern.match(head):
            return kind
    if b"\0" in head or head.lstrip()[:1] in (b"{", b"[", b";", b"<"):
        return None
    first = head.lstrip(b"\r\n").split(b"\n", 1)[0]
    if b"|" in first:
        names = set(header_of(first.decode("latin-1").strip("\r")))
        return None if names & OF_LOGS else next((kind for kind, needed in COLUMNS if needed <= names), None)
    return "configuration" if FIRST.match(head) and OPTION.search(head) else None
