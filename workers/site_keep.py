"""Store a loop's plan and its measured schedule as two runs on the same jobs, so that pages can compare them.

The plan is the simulator's run of the question. A measurement cannot be repeated, so it is a run of "PJS, measured"
with the time of the loop among its parameters.
"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

from shadowtime.engine.metrics.jobs import tau_of
from shadowtime.engine.metrics.summary import summarize
from shadowtime.engine.platform import Platform
from shadowtime.engine.schedule import Schedule
from shadowtime.engine.workload.job import Workload
from shadowtime.workers.execute import execute, load_workload
from shadowtime.workers.spec import RunSpec
from shadowtime.workers.store import Store
from shadowtime.workers.store.base import utc_now

NAMES = ("jobs", "segments", "events", "series", "rates", "bands")


def stored(store: Store, workload: Workload, path: Path | None) -> Workload:
    """Store the same jobs and return them as loaded from the store; `path` is the file that they were read from."""
    if path is None:
        said = workload.source
        entry, _ = store.workloads.generate(said["generator"], said["parameters"], said["seed"])
        return store.workloads.load(entry.digest)
    with path.open("rb") as stream:
        entry, _ = store.workloads.add(stream, path.name)
    return store.workloads.load(entry.digest, workload.source.get("case"))


def keep_plan(store: Store, spec: RunSpec) -> str:
    """Run the simulation unless it is stored already; return the run's id."""
    store.runs.accept(spec)
    status = store.runs.begin(spec.digest)
    if status is not None:
        outcome = execute(spec, load_workload(spec, store))
        _finish(store, spec, status.attempt, outcome.schedule, outcome.summary)
    return spec.id


def keep_measured(
    store: Store,
    spec: RunSpec,
    title: str,
    workload: Workload,
    measured: Schedule,
    scale: float,
    report: dict[str, Any],
) -> str:
    """Store the measured schedule as a run of its own; return its id.

    spec: the question of the plan; title: the algorithm's; scale: seconds of the computer per second of the workload.
    """
    when = utc_now()
    own = replace(
        spec, algorithm=f"{title}, measured", parameters={**spec.parameters, "measured": when, "scale": float(scale)}
    )
    tau = tau_of(workload)
    summary = {
        "run": own.id,
        "algorithm": own.algorithm,
        "workload": workload.name,
        "jobs": len(workload),
        "metrics": summarize(measured, workload, Platform.of(workload, own.platform), tau),
        "bounds": {},  # proven for expected times; a computer may be quicker
        "bound_names": {},
        "intervals": {},
        "counters": dict(measured.counters),
        "timing": {"simulate_s": float(report["seconds"])} if "seconds" in report else {},
        "tau": tau,
        "platform": dict(own.platform),
        "report": [*workload.report, "Measured: real processes on this computer ran the plan."],
        "engine_version": own.engine_version,
    }
    store.runs.accept(own, jobs=len(workload))
    status = store.runs.begin(own.digest)
    assert status is not None, "the instant makes it new"
    _finish(store, own, status.attempt, measured, summary)
    return own.id


def _finish(store: Store, spec: RunSpec, attempt: int, schedule: Schedule, summary: dict[str, Any]) -> None:
    tables = {name: found for name in NAMES if (found := getattr(schedule, name, None))}
    store.runs.finish(spec.digest, attempt, tables, summary)
