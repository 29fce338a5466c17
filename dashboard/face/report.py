"""Schedules in memory as an offline report."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

from shadowtime.dashboard.components import naming
from shadowtime.dashboard.face.gantt import check_window, source_of
from shadowtime.dashboard.offline.comparing import named
from shadowtime.dashboard.offline.report import Report
from shadowtime.dashboard.offline.subject import Subject
from shadowtime.engine.metrics.intervals import intervals
from shadowtime.engine.metrics.jobs import tau_of
from shadowtime.workers.exports.command import command
from shadowtime.workers.spec import RunSpec
from shadowtime.workers.version import engine_version

if TYPE_CHECKING:
    from shadowtime.dashboard.face.schedule import Schedule


def write(schedules: Mapping[str, Schedule], path: str | Path, start: float | None, end: float | None) -> Path:
    """Write the report of one schedule, or of several by name, and return its path. Raises as `Report`."""
    check_window(start, end)
    runs = [subject_of(schedule) for schedule in schedules.values()]
    if len(runs) > 1:
        runs = named(runs, list(schedules))
    target = Path(path)
    target.write_text(Report(runs, datetime.now(UTC), start, end).html(), encoding="utf-8")
    return target


def subject_of(schedule: Schedule) -> Subject:
    """Return a schedule as a report tells it.

    No command repeats that of a policy in Python, of jobs from a frame, or of conversions with a seed of their own: a
    command has one seed for the conversions and the algorithm.
    """
    workload, bounds = schedule.workload, schedule.bounds()
    source = dict(workload.source)
    spec = RunSpec(
        workload=source,
        conversions=tuple(dict(one) for one in workload.conversions),
        platform=schedule.platform.as_dict(),
        estimates=schedule.estimates,
        algorithm=schedule.algorithm,
        parameters={name: _plain(value) for name, value in schedule.parameters.items()},
        seed=schedule.seed,
        engine_version=engine_version(),
    )
    summary = {
        "jobs": len(workload),
        "metrics": dict(schedule.metrics()),
        "bounds": dict(bounds),
        "bound_names": bounds.names,
        "intervals": intervals(schedule.tables, schedule.tau),
        "tau": schedule.tau,
        "report": list(workload.report),
    }
    file = source.get("generator") or naming.file_of(spec, workload.name)
    seeds = workload.seeds
    repeats = not schedule.is_python and seeds is not None and all(seed == schedule.seed for seed in seeds)
    tau = "" if schedule.tau == tau_of(workload) else f" --tau {schedule.tau:g}"
    return Subject(
        spec=spec,
        summary=summary,
        source=source_of(schedule),
        workload=naming.named_workload(spec, workload.name),
        file=file,
        command=command(spec, file) + tau if repeats else "",
        ended=schedule.made,
    )


def _plain(value: Any) -> Any:
    """A parameter as the question holds it; those of a policy in Python may be anything."""
    return value if isinstance(value, bool | int | float | str) else str(value)
