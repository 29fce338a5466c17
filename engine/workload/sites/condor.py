"""Read the history of HTCondor: ads as text (`condor_history -l`, or the file itself) or JSON (`-json`, `-jsonl`).

Rules: an ad is a job; ads of text end at a blank line or at one that begins with `***`. The number is ClusterId, which
the processes of a cluster share. The submission is QDate; of a job that started several times the last run counts, from
JobCurrentStartDate (else JobStartDate) on. It ended at CompletionDate if that is above 0; a removed job (JobStatus 3)
ended after LastRemoteWallClockTime, or RemoteWallClockTime if it started once. The runtime is RemoteWallClockTime,
unless that is 0 or more than the end less the start, as it is for several runs. The size is RequestCpus, else
CpusProvisioned, else 1, times MaxHosts in the parallel universe. Jobs of the universes scheduler and local are left
out: they take no slot. An expression in place of a number counts as unknown.

Format: HTCondor 23 manual, Job ClassAd Attributes and condor_history.
"""

from __future__ import annotations

import re
from array import array
from collections.abc import Iterator, Mapping
from itertools import chain

from shadowtime.engine.workload.format import Format
from shadowtime.engine.workload.job import Workload
from shadowtime.engine.workload.limits import Limits
from shadowtime.engine.workload.sites.condor_json import ads_of_json
from shadowtime.engine.workload.sites.lines import UNKNOWN, first_lines, numbered_lines
from shadowtime.engine.workload.sites.records import Records
from shadowtime.engine.workload.sites.site_log import Remark, left_out, workload_of
from shadowtime.engine.workload.sites.stream import OddLines

Ad = Mapping[bytes, bytes]
"""Values of the attributes that are read, by name in lower case; texts without quotes."""

TIMES = ("qdate", "jobstartdate", "jobcurrentstartdate", "completiondate", "remotewallclocktime",
         "lastremotewallclocktime", "allowedjobduration", "allowedexecuteduration", "maxwalltimemins")  # fmt: skip
READ = frozenset(
    name.encode() for name in (
        *TIMES, "clusterid", "jobstatus", "jobuniverse", "numjobstarts", "requestcpus", "cpusprovisioned", "maxhosts",
        "requestmemory", "memoryprovisioned", "requestgpus", "owner", "acctgroup", "projectname", "exitcode",
        "exitbysignal", "lastremotehost",
    )
)  # fmt: skip
ATTRIBUTE = re.compile(rb"[A-Za-z_][A-Za-z0-9_.]*")
NUMBER = re.compile(rb"\d{1,15}(\.\d{1,20})?([eE][+-]?\d{1,2})?")
BEGIN = re.compile(rb"\s*\[?\s*\{\s*\"")
KNOWN_BY = (b"ClusterId", b"QDate", b"JobStatus", b"GlobalJobId", b"CompletionDate")
"""Attributes that every history has; two of them recognize one."""
HEAD = 200_000
"""Bytes at the begin of a file that are looked at to recognize it: an ad is long."""
SCHEDULER, LOCAL, PARALLEL = b"7", b"12", b"11"
"""Numbers of universes."""
REMOVED, COMPLETED = b"3", b"4"
"""Values of JobStatus."""


def recognizes(head: bytes) -> bool:
    """Return whether a file that begins with these bytes is a history of HTCondor."""
    head = head[:HEAD]
    if BEGIN.match(head):
        return sum(b'"' + name + b'"' in head for name in KNOWN_BY) > 1
    lines = [line for line in first_lines(head, 4) if not line.startswith(b"***")]
    named = all(ATTRIBUTE.fullmatch(line.partition(b" = ")[0]) and b" = " in line for line in lines[:2])
    return bool(lines) and named and sum(b"\n" + name + b" = " in b"\n" + head for name in KNOWN_BY) > 1


def read(pieces: Iterator[bytes], limits: Limits) -> Workload:
    """Return the workload of a history.

    Raises
    ------
    InvalidWorkload
        If its JSON is cut or wrong, or it holds no job that ran.
    """
    first = next(pieces)
    odd = OddLines()
    is_json = BEGIN.match(first[:HEAD])
    ads: Iterator[Ad] = ads_of_json(first, pieces, READ) if is_json else ads_of_text(first, pieces, limits, odd)
    history = History()
    for ad in ads:
        history.add(ad)
    return history.workload(odd)


def ads_of_text(first: bytes, pieces: Iterator[bytes], limits: Limits, odd: OddLines) -> Iterator[Ad]:
    """Yield the ads of a text; a later value of an attribute replaces an earlier one."""
    ad: dict[bytes, bytes] = {}
    is_empty = True
    for number, lines in numbered_lines(chain([first], pieces), limits):
        for at, line in enumerate(lines):
            name, is_attribute, value = line.partition(b" = ")
            if not is_attribute or line.startswith(b"***"):
                if line.strip() and not line.startswith(b"***"):
                    odd.add_bytes(line, number + at)
                elif not is_empty:
                    yield ad
                    ad, is_empty = {}, True
                continue
            is_empty = False
            name = name.strip().lower()
            if name in READ:
                ad[name] = value.strip().strip(b'"')
    if not is_empty:
        yield ad


class History:
    """The ads of a history, and what was counted among them."""

    def __init__(self) -> None:
        self.records = Records("user", "outcome", "nodes", "account", "project")
        self.slotless = 0
        self.restarted, self.sizeless = array("q"), array("q")

    def add(self, ad: Ad) -> None:
        """Add an ad."""
        if ad.get(b"jobuniverse") in (SCHEDULER, LOCAL):
            self.slotless += 1
            return
        start, end, elapsed = self._run(ad)
        size = first_number(ad, b"requestcpus", b"cpusprovisioned")
        if size != size:
            self.sizeless.append(len(self.records))
            size = 1.0
        if ad.get(b"jobuniverse") == PARALLEL:
            size *= max(1.0, number(ad, b"maxhosts"))
        limit = first_number(ad, b"allowedjobduration", b"allowedexecuteduration")
        if limit != limit:
            limit = 60.0 * number(ad, b"maxwalltimemins")
        cluster = number(ad, b"clusterid")
        self.records.add(
            (0.0 if cluster != cluster else cluster, number(ad, b"qdate") or UNKNOWN, start, end, size, elapsed, limit,
             1024.0 * first_number(ad, b"requestmemory", b"memoryprovisioned"), number(ad, b"requestgpus")),
            (ad.get(b"owner"), outcome(ad), ad.get(b"lastremotehost", b"").rpartition(b"@")[2], ad.get(b"acctgroup"),
             ad.get(b"projectname")),
        )  # fmt: skip

    def _run(self, ad: Ad) -> tuple[float, float, float]:
        """Return start, end and runtime of the last run."""
        start = first_number(ad, b"jobcurrentstartdate", b"jobstartdate") or UNKNOWN
        end = number(ad, b"completiondate") or UNKNOWN
        total, last = number(ad, b"remotewallclocktime"), number(ad, b"lastremotewallclocktime")
        starts = number(ad, b"numjobstarts")
        status = ad.get(b"jobstatus", COMPLETED)
        if status == REMOVED and end != end:
            lasted = last if last > 0 else total if not starts > 1 else UNKNOWN
            end = start + lasted if lasted > 0 else UNKNOWN
            start = start if end == end else UNKNOWN
        elif status not in (REMOVED, COMPLETED):
            end = UNKNOWN
        if starts > 1:
            self.restarted.append(len(self.records))
        elapsed = total if 0 < total <= end - start else UNKNOWN
        return start, end, elapsed

    def workload(self, odd: OddLines) -> Workload:
        """Return the workload of all ads."""
        notes = (
            *odd.sentences("attribute"),
            *left_out(self.slotless, "job", " of the universes scheduler and local"),
        )
        remarks = [
            Remark(self.restarted, "started more than once: the last run counts"),
            Remark(self.sizeless, "without a number of CPUs: one is assumed"),
        ]
        account = "account" if self.records.knows("account") else "account=project"
        groups = ("user", account, "outcome", "nodes")
        return workload_of(self.records.log("HTCondor", groups, notes=notes, remarks=remarks))


def number(ad: Ad, name: bytes) -> float:
    """Return the number that an attribute is; NaN where it is missing, negative or an expression."""
    value = ad.get(name)
    return float(value) if value and NUMBER.fullmatch(value) else UNKNOWN


def first_number(ad: Ad, *names: bytes) -> float:
    """Return the first of these attributes that is a number above 0; NaN where none is."""
    return next((value for value in (number(ad, name) for name in names) if value > 0), UNKNOWN)


def outcome(ad: Ad) -> bytes:
    """Return how a job ended."""
    if ad.get(b"jobstatus") == REMOVED:
        return b"removed"
    if ad.get(b"exitbysignal", b"").lower() == b"true":
        return b"signal"
    return b"exit " + ad[b"exitcode"] if b"exitcode" in ad else b"completed"


CONDOR = Format(
    "condor",
    "HTCondor history",
    (".txt", ".log", ".json", ".jsonl", ".txt.gz"),
    "What `condor_history` prints with `-l`, `-json` or `-jsonl`, or its file of history.",
    read,
    recognizes,
)
