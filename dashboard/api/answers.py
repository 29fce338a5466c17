"""How runs and workloads are written in answers and in live messages."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from dashboard import urls
from workers.store import Run, Status, WorkloadEntry

HIDDEN = ("client", "priority")
"""Of a status: who asked is nobody else's business."""


def run(run: Run) -> dict[str, Any]:
    """A run as `GET /api/runs` lists it."""
    return {**news(run.id, run.status), **question(run), "summary": run.summary}


def run_in_full(one: Run) -> dict[str, Any]:
    """A run as `GET /api/runs/<id>` gives it."""
    return {**run(one), "spec": json.loads(one.spec.json)}


def question(run: Run) -> dict[str, Any]:
    """What a listing says of what was asked."""
    spec = run.spec
    return {"algorithm": spec.algorithm, "seed": spec.seed, "workload": dict(spec.workload)}


def news(run_id: str, status: Status) -> dict[str, Any]:
    """What changes while a run goes on: the body of a live message."""
    known = {name: value for name, value in status.as_dict().items() if name not in HIDDEN}
    return {"id": run_id, "url": urls.run(run_id), **known}


def heard(message: Mapping[str, Any]) -> dict[str, Any]:
    """A message of a worker, as `news` tells it; also `seq`, `time` (simulated) and `events` (rows so far)."""
    known = {name: value for name, value in message.items() if name != "run"}
    return {"id": message["run"], "url": urls.run(message["run"]), **known}


def workload(entry: WorkloadEntry) -> dict[str, Any]:
    """A stored workload: its manifest, by its id."""
    return {"id": entry.id, **entry.as_dict()}
