"""One to six finished runs on the same jobs, with what their log recorded, as the page of waits needs them."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from shadowtime.dashboard.components.compare_view import Compared, compared
from shadowtime.dashboard.components.run_view import RunView, view
from shadowtime.dashboard.context import Context
from shadowtime.dashboard.serving import cache
from shadowtime.dashboard.sharing import waits
from shadowtime.dashboard.sharing.urls import Comparison
from shadowtime.engine.workload.job import RECORDED, Workload
from shadowtime.workers.errors import NotFound
from shadowtime.workers.execute import load_workload

KEPT = ("job_id", "release", "runtime", "processors", "requested", "user", *RECORDED)
"""Columns of a log that are held in memory."""


@dataclass(frozen=True)
class WaitsView:
    """What a link to waits shows."""

    context: Context
    runs: Sequence[RunView]
    names: Mapping[str, str]
    """What each run is called here, by id."""

    @property
    def unfinished(self) -> list[RunView]:
        """Runs whose waits are not known yet."""
        return [one for one in self.runs if not one.is_finished]

    @property
    def ids(self) -> tuple[str, ...]:
        return tuple(one.run.id for one in self.runs)

    @property
    def first(self) -> RunView:
        return self.runs[0]

    @cached_property
    def log(self) -> Workload:
        """The jobs as submitted, with what their log recorded; those of the run where the file was deleted."""
        spec = self.first.run.spec
        question = [dict(spec.workload), [dict(step) for step in spec.conversions], spec.seed]

        def load() -> Workload:
            found = load_workload(spec, self.context.store)
            return found.with_(jobs={name: found.jobs[name] for name in KEPT if name in found.jobs}, parts={})

        try:
            return self.context.logs.get(json.dumps(question, sort_keys=True), load)
        except NotFound:
            return Workload(kind=self.first.asked["kind"], name="", jobs=self.first.jobs)

    @cached_property
    def subject(self) -> waits.Subject:
        """The jobs and their waits in every column."""
        single = len(self.runs) == 1
        return waits.subject(
            self.log,
            [
                (waits.SIMULATED if single else one.run.id, self.names[one.run.id], one.jobs)
                for one in self.runs
            ],
        )  # fmt: skip

    @property
    def ways(self) -> list[str]:
        """The ways to group that are known."""
        return self.kept("ways", lambda: list(self.subject.groupings))

    def likeness(self) -> list[dict[str, Any]]:
        """How near each run is to what was recorded, in their order; empty where nothing was recorded."""

        def make() -> list[dict[str, Any]]:
            return [waits.likeness_as_json(found) for found in self.subject.likeness()]

        return self.kept("likeness", make)

    def kept(self, what: str, make: Callable[[], Any]) -> Any:
        """`make()`, a JSON value, cached for these runs."""
        first, *more = self.ids
        return cache.remembered(self.context.cache, first, ":".join(["waits", what, *more]), make)


def waits_view(context: Context, runs: Sequence[str]) -> WaitsView:
    """Return the runs of a link.

    Raises
    ------
    NotFound
        For a run that is not here.
    Incomparable
        When several runs are not about the same jobs.
    """
    if len(runs) == 1:
        one = view(context, runs[0])
        return WaitsView(context, [one], named(Compared(Comparison((one.run.id,)), (one,))))
    found = compared(context, Comparison(runs=tuple(runs)))
    return WaitsView(context, found.runs, named(found))


def named(found: Compared) -> dict[str, str]:
    """What each run is called; one that replays the record is not called as the record's own column."""
    replays = {one.run.id for one in found.runs if one.run.spec.algorithm == waits.RECORDED}
    return {run_id: f"{name}, replayed" if run_id in replays else name for run_id, name in found.names.items()}
