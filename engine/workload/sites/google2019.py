"""Read `instance_events` of Google's cluster traces of 2019 as BigQuery exports them: CSV with a header, or JSON lines.

Rules: each task (instance of a job) is a job of its own. It is submitted at its first SUBMIT, starts at its first
SCHEDULE and ends at its last EVICT, FAIL, FINISH, KILL or LOST; the runtime is the time in which it was scheduled, so
that the time between an eviction and the next schedule does not count. CPU requests are shares of the largest machine:
the size is the largest request in hundredths of it, rounded up, so a machine has 100 processors at most. Instances of
alloc sets, which reserve and do not run, are left out and counted; and so are events at the times 0 and 2^63 - 1,
before and after the trace. Jobs are numbered from 1 by collection and instance.

Format: https://github.com/google/cluster-data, clusterdata_trace_format_v3.proto.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import partial
from itertools import chain
from typing import Any

import numpy as np

from shadowtime.engine.errors import InvalidWorkload
from shadowtime.engine.workload.format import Format
from shadowtime.engine.workload.job import Workload
from shadowtime.engine.workload.limits import Limits
from shadowtime.engine.workload.sites.columns import LARGEST, Columns, number
from shadowtime.engine.workload.sites.site_log import SiteLog, Texts, left_out, workload_of

EVENTS = ("SUBMIT", "QUEUE", "ENABLE", "SCHEDULE", "EVICT", "FAIL", "FINISH", "KILL", "LOST", "UPDATE_PENDING",
          "UPDATE_RUNNING")  # fmt: skip
"""Types of events by number."""
SUBMIT, SCHEDULE, FIRST_END, LAST_END = 0, 3, 4, 8
COLLECTIONS = ("JOB", "ALLOC_SET")
FIELDS = ("time", "type", "collection_id", "instance_index", "collection_type", "cpus")
REQUESTS = ("resource_request.cpus", "resource_request_cpus", "cpus")
"""Names of the CPU request in flat tables; `resource_request` may also hold it as an object in text."""
CPUS = re.compile(r"""["']?cpus["']?\s*:\s*["']?([0-9.eE+-]+)""")
SECOND = 1e6
"""Microseconds."""
SHARES = 100.0
"""Processors of the largest machine."""
HEAD = 5_000


def recognizes(head: bytes) -> bool:
    """Return whether a file that begins with these bytes is a table of events of 2019."""
    begin = head[:HEAD].lstrip()
    first = begin.split(b"\n", 1)[0]
    names = {name.strip().strip(b'"') for name in first.split(b",")}
    if {b"time", b"type", b"collection_id"} <= names:
        return True
    return begin.startswith(b"{") and b'"collection_id"' in first and b'"time"' in first and b'"type"' in first


def read(pieces: Iterator[bytes], limits: Limits) -> Workload:
    """Return the workload of a table of events.

    Raises
    ------
    InvalidWorkload
        If the table is no `instance_events`, or no task ran.
    """
    first = next(pieces, b"")
    whole = chain([first], pieces)
    values, notes = (_of_json if first.lstrip().startswith(b"{") else _of_csv)(whole, limits)
    if not len(values["time"]):
        raise InvalidWorkload("it holds no event.")
    if np.isnan(values["instance_index"]).all():
        raise InvalidWorkload("it has no instance_index: collection_events have no sizes; use instance_events.")
    return workload_of(_log(values, notes))


def _of_json(pieces: Iterator[bytes], limits: Limits) -> tuple[dict[str, np.ndarray], tuple[str, ...]]:
    from shadowtime.engine.workload.sites.json_stream import objects

    columns, odd = Columns(FIELDS, ()), 0
    for _, event in objects(pieces, limits, ""):
        if isinstance(event, dict):
            columns.add([_value(event, name) for name in FIELDS], ())
        else:
            odd += 1
    return columns.numbers(), tuple(left_out(odd, "value", " that is no event"))


def _value(event: Mapping[str, Any], name: str) -> float:
    if name == "cpus":
        request = event.get("resource_request")
        found = request.get("cpus") if isinstance(request, dict) else next(map(event.get, REQUESTS), None)
        return _number(found)
    value = event.get(name)
    known = {"type": EVENTS, "collection_type": COLLECTIONS}.get(name, ())
    return float(known.index(value)) if value in known else _number(value)


def _number(value: Any) -> float:
    """Return a number, also one in a text: BigQuery writes 64-bit numbers so."""
    if isinstance(value, str):
        try:
            found = float(value) if "_" not in value else np.nan
        except ValueError:
            return np.nan
        return found if abs(found) <= LARGEST else np.nan
    return number(value)


def _of_csv(pieces: Iterator[bytes], limits: Limits) -> tuple[dict[str, np.ndarray], tuple[str, ...]]:
    from shadowtime.engine.workload.sites.csv_table import Table, joined, numbers
    from shadowtime.engine.workload.slurm.values import one_by_one

    table = Table(pieces, limits, (*FIELDS, *REQUESTS, "resource_request"))
    named = {"type": EVENTS, "collection_type": COLLECTIONS}
    parts: dict[str, list[np.ndarray]] = {name: [] for name in FIELDS}
    request = next((name for name in REQUESTS if name in table.names), "resource_request")
    for batch in table.batches():
        for name in FIELDS:
            given = request if name == "cpus" else name
            if given not in table.requested:
                found = np.full(len(batch), np.nan)
            elif name in named:
                found = one_by_one(batch[given], partial(_coded, known=named[name]))
            elif given == "resource_request":
                found = one_by_one(batch[given], _cpus)
            else:
                found = numbers(batch[given])
            parts[name].append(found)
    return {name: joined(part) for name, part in parts.items()}, table.notes()


def _coded(text: str, known: tuple[str, ...]) -> float:
    return float(known.index(text)) if text in known else _number(text)


def _cpus(text: str) -> float:
    found = CPUS.search(text)
    return _number(found.group(1)) if found else np.nan


def _log(values: dict[str, np.ndarray], notes: tuple[str, ...]) -> SiteLog:
    reserved = values["collection_type"] == 1
    placed = ~np.isnan(values["time"]) & (values["time"] > 0) & ~np.isnan(values["type"])
    known = ~np.isnan(values["collection_id"]) & ~np.isnan(values["instance_index"])
    used = ~reserved & placed & known
    if not used.any():
        raise InvalidWorkload("it holds no event of a task at a known time.")
    time, kind = values["time"][used] / SECOND, values["type"][used]
    collection, instance = values["collection_id"][used], values["instance_index"][used]
    order = np.lexsort((np.arange(len(time)), time, instance, collection))
    time, kind, cpus = time[order], kind[order], values["cpus"][used][order]
    is_new = (np.diff(collection[order], prepend=np.nan) != 0) | (np.diff(instance[order], prepend=np.nan) != 0)
    task = np.cumsum(is_new) - 1
    n = int(task[-1]) + 1
    submit, start = _first(time, task, kind == SUBMIT, n), _first(time, task, kind == SCHEDULE, n)
    is_end = (kind >= FIRST_END) & (kind <= LAST_END)
    end, outcome = np.full(n, np.nan), np.full(n, -1, "i8")
    end[task[is_end]], outcome[task[is_end]] = time[is_end], kind[is_end].astype("i8") - FIRST_END
    size = np.full(n, -1.0)
    np.maximum.at(size, task, np.nan_to_num(cpus, nan=-1.0))
    return SiteLog(
        source="Google 2019 (tasks)",
        job_id=np.arange(1.0, n + 1),
        submit=submit,
        start=start,
        end=end,
        elapsed=_time_scheduled(time, task, kind, is_end, n),
        size=np.where(size >= 0, np.maximum(np.ceil(np.round(size * SHARES, 6)), 1.0), 0.0),
        groups={"outcome": Texts(outcome, EVENTS[FIRST_END : LAST_END + 1])},
        dated=False,
        notes=(
            *left_out(int(reserved.sum()), "event", " of alloc sets"),
            *left_out(
                int((~reserved & ~(placed & known)).sum()), "event", " before or after the trace, or without a key"
            ),
            *notes,
            "A processor is a hundredth of the largest machine.",
        ),
    )


def _first(time: np.ndarray, task: np.ndarray, which: np.ndarray, n: int) -> np.ndarray:
    """Return the first time of each task at which `which` holds; NaN where there is none."""
    found = np.full(n, np.nan)
    rows = np.flatnonzero(which)[::-1]
    found[task[rows]] = time[rows]
    return found


def _time_scheduled(time: np.ndarray, task: np.ndarray, kind: np.ndarray, is_end: np.ndarray, n: int) -> np.ndarray:
    """Return the time of each task between a SCHEDULE and the end that follows it; NaN for tasks without such."""
    rows = np.flatnonzero((kind == SCHEDULE) | is_end)
    pairs = (kind[rows[:-1]] == SCHEDULE) & is_end[rows[1:]] & (task[rows[:-1]] == task[rows[1:]])
    begins, ends = rows[:-1][pairs], rows[1:][pairs]
    elapsed = np.bincount(task[begins], weights=time[ends] - time[begins], minlength=n)
    return np.where(np.bincount(task[begins], minlength=n) > 0, elapsed, np.nan)


GOOGLE_2019 = Format(
    "google2019",
    "Google's tasks of 2019",
    (".csv", ".json", ".csv.gz", ".json.gz"),
    "instance_events as BigQuery exports them; a processor is a hundredth of the largest machine.",
    read,
    recognizes,
)
