"""What pages and routes are given instead of globals."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from dash.development.base_component import Component
from flask_caching import Cache

from shadowtime.dashboard.access.guard import Guarded
from shadowtime.dashboard.api.hub import Hub
from shadowtime.dashboard.api.measured import Requests
from shadowtime.dashboard.api.turns import Pace, Turns
from shadowtime.dashboard.components.so_far import SoFar
from shadowtime.dashboard.intake.understood import Understood
from shadowtime.dashboard.serving.timed import TimedValue
from shadowtime.engine.output.notes import Notes
from shadowtime.engine.workload.job import Workload
from shadowtime.workers.errors import QueueAway
from shadowtime.workers.estimates import turns
from shadowtime.workers.interpreted import Interpreter
from shadowtime.workers.papers import kept
from shadowtime.workers.queue import Health
from shadowtime.workers.recent import Recent
from shadowtime.workers.settings import Settings

EXTENSION = "shadowtime"
"""Under which a Flask server holds its context."""
NOTES_KEPT = 4
"""Runs whose events' sentences are kept ready; a run of a million events needs some 50 MB for it."""
MANY_WAIT = 1_000
"""Waiting runs from which on a run that was just queued gets its place half a second later: where 20 runs a second are
queued, each list would read the whole queue (75 ms for 11,000)."""
LOGS_KEPT = 2
"""Workloads whose records are kept ready for the pages of waits; one of a million jobs needs some 100 MB."""


@dataclass(frozen=True, kw_only=True)
class Context:
    """The things of one server that outlive a request, made once by `compose`."""

    store: Guarded
    """The store as the visitor may see it."""
    queue: Any
    """A `workers.queue.RunQueue`."""
    settings: Settings
    cache: Cache
    """What is derived from finished runs."""
    so_far: SoFar
    """The jobs of running runs."""
    intake: Any
    """Answers what is known of a question before anything runs (`dashboard.intake.desk.Intake`)."""
    understood: Understood
    """Which runs a request is about; asks the intake where it is new."""
    interpreter: Interpreter
    """Executes the example of the first page while workers compile."""
    hub: Hub
    requests: Requests
    """What this process has answered."""
    pace: Pace
    """Of workloads that are sent or drawn."""
    turns: Turns
    """Of the same, on their way."""

    @cached_property
    def places(self) -> TimedValue[dict[str, tuple[int, float]]]:
        """Of all runs that wait, by digest: the place, and seconds until a worker has it; 0 if unknown.

        The whole queue is read for it, so many pages share what was read half a second ago, or longer where that
        would take more than a twenty-fifth of the time: 10,000 runs that wait take 90 ms.
        """

        def read() -> dict[str, tuple[int, float]]:
            try:
                return turns(self.store, self.queue)
            except QueueAway:
                return {digest: (place, 0.0) for place, digest in enumerate(self.store.runs.listed("queued"), start=1)}

        return TimedValue(0.5, read, share=0.04)

    def places_with(self, digests: Iterable[str]) -> dict[str, tuple[int, float]]:
        """Return the places, read again for a run of `digests` that was queued since, unless MANY_WAIT runs wait."""
        found = self.places()
        if len(found) < MANY_WAIT and any(digest not in found for digest in digests):
            found = self.places.refresh()
        return found

    def place_of(self, digest: str) -> tuple[int, float]:
        """Return the place of a queued run, and about how long until it starts [s]; 0 if unknown. One that is in no
        queue any more is about to start."""
        found = self.places_with([digest])
        return found.get(digest) or (1 if len(found) < MANY_WAIT else 0, 0.0)

    @cached_property
    def health(self) -> TimedValue[tuple[Health, int]]:
        """The queue's, and how many runs and parts of papers are with a worker; a second old at most."""
        return TimedValue(1.0, lambda: (self.queue.health(), self.busy()))

    def prepare_example(self) -> None:
        """Start what executes the example of the first page, where no worker is ready."""
        if not self.health()[0].workers:
            self.interpreter.prepare()

    def busy(self) -> int:
        """Count the runs, and the parts of papers, that workers compute now."""
        parts = (status.parts for _, _, status in kept.unfinished(self.store.papers) if status.started)
        return len(self.store.runs.listed("running")) + sum(parts)

    @cached_property
    def notes(self) -> Recent[Notes]:
        """What writes the sentences of a run's events, by digest."""
        return Recent(NOTES_KEPT)

    @cached_property
    def logs(self) -> Recent[Workload]:
        """The records of workloads, by what they are questions of."""
        return Recent(LOGS_KEPT)


@dataclass(frozen=True)
class Shown:
    """What a page gives to the frame."""

    title: str
    """Of the browser's tab."""
    children: Component | list
    page: str = ""
    """Another page than that of the address, when that is not there."""
