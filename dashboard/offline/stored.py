"""Stored runs as a report tells them."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from shadowtime.dashboard.components import naming
from shadowtime.dashboard.components.compare_view import distinct
from shadowtime.dashboard.offline.comparing import named
from shadowtime.dashboard.offline.subject import Subject, source_of
from shadowtime.dashboard.viewer.facts import kind_and_clock, user_names
from shadowtime.workers.errors import Conflict
from shadowtime.workers.execute import load_workload
from shadowtime.workers.exports.command import command
from shadowtime.workers.store import Run, VisibleStore


def subjects(runs: Sequence[Run], store: VisibleStore) -> list[Subject]:
    """Return finished runs, by names that distinguish them where there are several.

    Raises
    ------
    Conflict
        For a run that has not finished.
    NotFound
        Where a workload was deleted.
    """
    found = [subject(run, store) for run in runs]
    names = distinct({one.run: one.spec for one in found}, store)
    return named(found, [names[one.run] for one in found]) if len(found) > 1 else found


def subject(run: Run, store: VisibleStore) -> Subject:
    """Return one finished run. Raises as `subjects`."""
    if not run.status.is_finished or run.summary is None:
        raise Conflict(f"run {run.id} is {run.status.status}; only a finished run can be exported")
    spec, summary, source = run.spec, run.summary, run.spec.workload
    kind, clock = kind_and_clock(store, spec)
    file = source["generator"] if "generator" in source else store.workloads.get(source["digest"]).name
    return Subject(
        spec=spec,
        summary=summary,
        source=source_of(run, lambda: load_workload(spec, store), spec, summary, kind, clock, user_names(store, spec)),
        workload=naming.workload_words(store, spec),
        file=file,
        command=command(spec, file),
        ended=datetime.fromisoformat(run.status.ended or run.status.accepted),
    )
