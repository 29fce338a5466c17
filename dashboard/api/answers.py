"""How runs and workloads are written in answers and in live messages."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from shadowtime.dashboard.access import visitors
from shadowtime.dashboard.components import visitor
from shadowtime.dashboard.sharing import urls
from shadowtime.workers.people import group_of
from shadowtime.workers.store import Run, Status, WorkloadEntry

FIRST = ("id", "url", "status", "progress", "error", "spec", "summary")


def run(run: Run) -> dict[str, Any]:
    """A run as `GET /api/runs` lists it: without its spec."""
    return {
        **news(run.id, run.status),
        **question(run),
        "private": run.is_private,
        "group": group_of(run.status.owner),
        **run.marks.as_dict(),
        "summary": run.summary,
    }


def changed(one: Run) -> dict[str, Any]:
    """A run that the visitor changed: as `run`; for a token that may not read, its id, address and status."""
    known = run(one)
    return known if visitors.may_read() else {name: known[name] for name in ("id", "url", "status")}


def run_in_full(run: Run) -> dict[str, Any]:
    """A run as `GET /api/runs/<id>` gives it."""
    known = {
        "spec": json.loads(run.spec.json),
        "private": run.is_private,
        "group": group_of(run.status.owner),
        **run.marks.as_dict(),
        "summary": run.summary,
    }
    fields = {**news(run.id, run.status), **question(run), **known}
    if trace := visitor.traceback(run):
        visitors.note_private()  # no cache may give it to another person
        fields["traceback"] = trace
    return {**{name: fields[name] for name in FIRST}, **fields}


def question(run: Run) -> dict[str, Any]:
    """The question of a run, as lists show it."""
    spec = run.spec
    return {"algorithm": spec.algorithm, "seed": spec.seed, "workload": dict(spec.workload)}


def news(run_id: str, status: Status) -> dict[str, Any]:
    """What changes while a run goes on: the body of a live message."""
    fields = {"id": run_id, "url": urls.run(run_id), **status.public()}
    return {**{name: fields[name] for name in FIRST if name in fields}, **fields}


def heard(message: Mapping[str, Any]) -> dict[str, Any]:
    """A message of a worker, in the form of `news`; also `seq`, `time` (simulated) and `events` (rows so far)."""
    known = {name: value for name, value in message.items() if name != "run"}
    return {"id": message["run"], "url": urls.run(message["run"]), **known}


def workload(entry: WorkloadEntry) -> dict[str, Any]:
    """A stored workload: its manifest, by its id."""
    return {"id": entry.id, **entry.as_dict()}
