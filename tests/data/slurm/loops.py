"""A compact extract of slurmctld's log: each pass of its loops, each decision, each recomputation of priorities.

Needs LogTimeFormat=iso8601_ms, SlurmctldDebug=debug3 and DebugFlags=Priority,Backfill. One row an event:
time|loop|event|job|detail, with the time in seconds of the epoch to a thousandth.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from datetime import datetime

EVENTS = (
    ("main", "pass", r"sched: Running job scheduler for (full queue|default depth)"),
    ("main", "start", r"sched: Allocate JobId=(?P<job>\S+) NodeList=(\S+ #CPUs=\d+ Partition=\S+)"),
    ("main", "closed", r"sched: JobId=(?P<job>[^. ]+)\.? unable to schedule in (Partition=\S+) \(per _failed_part"),
    ("main", "stays", r"(?<!_job_)sched: JobId=(?P<job>\S+?)\. (State=PENDING.*)"),
    ("main", "note", r"(?<!_job_)sched: (?!.*(?:initiated|allocated))JobId=(?P<job>[^. ]+)\.? (.*)"),
    ("main", "end", r"sched: (already tested \d+ jobs)"),
    ("backfill", "pass", r"_attempt_backfill: (beginning)"),
    ("backfill", "end", r"_attempt_backfill: completed testing (.*)"),
    ("backfill", "test", r"BACKFILL: test for JobId=(?P<job>\S+) (Prio=\S+ Partition=\S+)"),
    ("backfill", "try", r"entering _try_sched for JobId=(?P<job>[^. ]+)"),
    ("backfill", "plan", r"_dump_job_sched: JobId=(?P<job>\S+) to start at (.*)"),
    ("backfill", "overlap", r"BACKFILL: JobId=(?P<job>\S+) overlaps with existing reservation (.*)"),
    ("backfill", "later", r"BACKFILL: Try later JobId=(?P<job>\S+) (.*)"),
    ("backfill", "beyond", r"BACKFILL: JobId=(?P<job>\S+) (StartTime set to time after current backfill window)"),
    ("backfill", "skip", r"have already checked \d+ jobs for user \d+; skipping JobId=(?P<job>\S+)()"),
    ("backfill", "held", r"adding reservation for JobId=(?P<job>\S+) (blocked by \S+)"),
    ("backfill", "refused", r"_start_job: Failed to start JobId=(?P<job>[^:]+): (.*)"),
    ("backfill", "start", r"_start_job: Started JobId=(?P<job>\S+) in (.*)"),
    ("backfill", "note", r"sched/backfill: (?!_handle_planned|.*jobs to backfill|.*reached end|.*since boot)(.*)"),
    ("priority", "pass", r"_decay_thread: PRIO: Decay factor over (.*)"),
    ("priority", "tree", r"_ft_debug:(.*)"),
    ("priority", "job", r"_get_priority_internal: Job (?P<job>\S+) priority: (.*)"),
    ("priority", "usage", r"_apply_new_usage: PRIO: Adding (.*?) Group wall"),
    ("job", "submit", r"_slurm_rpc_submit_batch_job: JobId=(?P<job>\S+) (InitPrio=\d+)"),
    ("job", "end", r"_job_complete: JobId=(?P<job>\S+) (?!done)(.*)"),
    ("job", "limit", r"JobId=(?P<job>\S+) being held, (.*)"),
    ("job", "late", r"Time limit exhausted for JobId=(?P<job>\S+)()"),
)
PATTERNS = [(loop, event, re.compile(pattern)) for loop, event, pattern in EVENTS]
TERM = re.compile(r"_get_priority_internal: Weighted (Age|Fairshare|JobSize|Partition|QOS|TRES\S*) priority is (\S+) ")
LINE = re.compile(r"^\[(\d{4}-\d\d-\d\dT[\d:.]+)\] (.*)$")


def rows(lines: Iterable[str]) -> Iterator[str]:
    """Yield one row for each event of the log; a job's priority carries its unweighted factors."""
    factors: list[str] = []
    for line in lines:
        parts = LINE.match(line)
        if not parts:
            continue
        stamp, text = datetime.fromisoformat(parts[1]).timestamp(), parts[2]
        term = TERM.search(text)
        if term:
            factors.append(f"{term[1]}={term[2]}")
            continue
        for loop, event, pattern in PATTERNS:
            found = pattern.search(text)
            if found:
                job = found.groupdict().get("job") or ""
                detail = found[pattern.groups].rstrip()
                if event == "job":
                    detail = " ".join([*factors, "sum:", detail])
                    factors = []
                yield f"{stamp:.3f}|{loop}|{event}|{job}|{detail}"
                break
