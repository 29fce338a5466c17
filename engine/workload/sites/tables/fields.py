"""What a table may say of a job: the fields, and the names under which sites write them."""

from __future__ import annotations

import re
from typing import NamedTuple

INSTANT, DURATION, COUNT, MEMORY, TEXT = "instant", "duration", "count", "memory", "text"

SECONDS = {
    "nanoseconds": 1e-9, "microseconds": 1e-6, "milliseconds": 1e-3, "seconds": 1.0, "minutes": 60.0, "hours": 3600.0,
    "days": 86_400.0,
}  # fmt: skip
"""Seconds of each unit of time."""
KILOBYTES = {"bytes": 1 / 1024, "KB": 1.0, "MB": 1024.0, "GB": 1024.0**2, "TB": 1024.0**3}
"""Kilobytes of each unit of memory."""
DAY_FIRST, MONTH_FIRST, DATES = "day first", "month first", "dates"
UNITS = {
    INSTANT: (*SECONDS, DATES, DAY_FIRST, MONTH_FIRST),
    DURATION: tuple(SECONDS),
    COUNT: (),
    MEMORY: tuple(KILOBYTES),
    TEXT: (),
}
"""Units that a column of each kind may have."""
SHORT = {
    "ns": "nanoseconds", "us": "microseconds", "usec": "microseconds", "ms": "milliseconds", "msec": "milliseconds",
    "millis": "milliseconds", "s": "seconds", "sec": "seconds", "secs": "seconds", "second": "seconds",
    "m": "minutes", "min": "minutes", "mins": "minutes", "minute": "minutes", "h": "hours", "hr": "hours",
    "hrs": "hours", "hour": "hours", "d": "days", "day": "days", "b": "bytes", "byte": "bytes", "kb": "KB",
    "kib": "KB", "mb": "MB", "mib": "MB", "gb": "GB", "gib": "GB", "tb": "TB", "tib": "TB", "date": DATES,
    "dmy": DAY_FIRST, "mdy": MONTH_FIRST, "dayfirst": DAY_FIRST, "monthfirst": MONTH_FIRST,
}  # fmt: skip
"""Other words for units."""


class Field(NamedTuple):
    """Something that a column may say of each job."""

    name: str
    words: str
    kind: str
    columns: tuple[str, ...]
    """Names of columns, in lower case without blanks and signs; an earlier one goes before a later one."""


def _field(name: str, words: str, kind: str, columns: str) -> Field:
    return Field(name, words, kind, tuple(columns.split()))


FIELDS = {
    field.name: field
    for field in (
        _field("submit", "submission", INSTANT,
               "submit submittime submission submissiontime submitted submittedat submitat submitdate "
               "submissiondate submitts submittimestamp submissiontimestamp timesubmit timesubmitted qtime "
               "queued queuedat enqueued enqueuedat enqueuetime arrival arrivaltime arrived arrivedat created "
               "createdat createtime creationtime creationdate ctime subtime release releasetime requestedat "
               "timestamp datetime date time"),
        _field("start", "start", INSTANT,
               "start starttime startingtime started startedat startat startdate startts starttimestamp timestart "
               "timestarted begin begintime began beganat dispatchtime dispatched jobstart jobstarttime runstart "
               "recordedstart"),
        _field("end", "end", INSTANT,
               "end endtime ended endedat endat enddate endts endtimestamp timeend timeended finish finishtime "
               "finished finishedat finishat completed completedat completion completiontime completiondate stop "
               "stoptime stopped stoppedat terminated terminatedat jobend jobendtime runend recordedend"),
        _field("wait", "wait", DURATION,
               "wait waittime waited waiting waitingtime queuewait queuetime timeinqueue"),
        _field("runtime", "runtime", DURATION,
               "runtime runningtime duration elapsed elapsedraw elapsedtime elapsedsec executiontime exectime "
               "wallclock wallclocktime ruwallclock walltimeused usedwalltime resourcesusedwalltime "
               "actualruntime jobduration runduration run"),
        _field("requested", "requested time", DURATION,
               "requested requestedtime timelimit walltimelimit requestedwalltime walltimerequested reqwalltime "
               "reqtime timerequested timereq walltime timelimitraw wallclocklimit limit estimate "
               "estimatedruntime estimated maxruntime wallclockreq wallclockrequested walltimereq timelimitsec "
               "wallclockrequest"),
        _field("size", "processors", COUNT,
               "processors procs nprocs numprocs nproc processorcount allocatedprocessors usedprocessors "
               "requestedprocessors processorsreq processorsrequested processorsalloc procsreq cores ncores "
               "numcores corecount corescount alloccores allocatedcores coresalloc coresallocated usedcores "
               "reqcores requestedcores corerequest coresreq cpus ncpus numcpus cpucount alloccpus allocatedcpus "
               "cpusalloc cpusallocated usedcpus reqcpus requestedcpus cpusreq cpu slots nslots numslots size "
               "requestednumberofresources width ntasks tasks nnodes numnodes nodecount nodesalloc allocnodes "
               "allocatednodes reqnodes nodesreq requestednodes nodes"),
        _field("id", "job number", TEXT,
               "jobidraw jobid id job jobnumber jobno number"),
        _field("user", "user", TEXT,
               "user username userid uid owner jobowner submitter submittedby login useraccount useridhash "
               "userhash"),
        _field("account", "account", TEXT,
               "account accountname accounts acct project projectname projectid proj group groupname groupid gid "
               "allocation"),
        _field("partition", "partition", TEXT,
               "partition partitionname queue queuename qname class pool vc"),
        _field("outcome", "outcome", TEXT,
               "state jobstate status jobstatus outcome result exitstate exitstatus"),
        _field("nodes", "list of nodes", TEXT,
               "nodelist nodes nodenames hosts hostlist hostnames exechosts exechost nodeslist"),
        _field("memory", "memory", MEMORY,
               "memory mem reqmem memreq requestedmemory memoryrequested requestedmem memorylimit memlimit"),
        _field("gpus", "GPUs", COUNT,
               "gpus gpu ngpus numgpus numgpu gpucount gpunum gpusalloc allocgpus allocatedgpus reqgpus "
               "requestedgpus gpurequest gpusreq gpureq gpusrequested"),
    )
}  # fmt: skip
"""All fields, in the order in which pages and sentences name them."""

UNIT_AT_END = re.compile(r"(?:[\[({]\s*([A-Za-z]+)\s*[\])}]|[ _.\-]+(?:in[ _.\-]+)?([A-Za-z]+))\s*$")


def plain(name: str) -> str:
    """Return the letters and digits of a column's name, in lower case: "Submitted at" as "submittedat"."""
    return re.sub(r"[^0-9a-z]", "", name.lower())


def unit_of(word: str, kind: str) -> str:
    """Return the unit that a word names, "" where it names none of this kind."""
    found = SHORT.get(word.lower(), word)
    found = next((unit for unit in UNITS[kind] if unit.lower() == found.lower()), "")
    return found


def split_unit(name: str, kind: str) -> tuple[str, str]:
    """Return the plain name of a column without its unit, and the unit: "Duration [min]" as "duration", "minutes"."""
    found = UNIT_AT_END.search(name)
    if found and (unit := unit_of(found[1] or found[2], kind)):
        return plain(name[: found.start()]), unit
    return plain(name), ""
