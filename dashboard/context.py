"""What pages are given instead of globals."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

from dash.development.base_component import Component
from flask_caching import Cache

from shadowtime.dashboard.access.guard import Guarded
from shadowtime.dashboard.components.so_far import SoFar
from shadowtime.dashboard.serving.timed import TimedValue
from shadowtime.workers.errors import QueueAway
from shadowtime.workers.estimates import turns
from shadowtime.workers.settings import Settings


@dataclass(frozen=True)
class Context:
    """The things that outlive a request."""

    store: Guarded
    queue: Any
    settings: Settings
    cache: Cache
    so_far: SoFar
    """The jobs of runs that go on."""
    intake: Any
    """Answers what is known of a question before anything runs (`dashboard.intake.desk.Intake`)."""

    @cached_property
    def turns(self) -> TimedValue[dict[str, tuple[int, float]]]:
        """Of all runs that wait, by digest: the place, and seconds until a worker has it; 0 if unknown.

        The whole queue is read for it, so many pages share what was read half a second ago.
        """

        def read() -> dict[str, tuple[int, float]]:
            try:
                return turns(self.store, self.queue)
            except QueueAway:
                return {digest: (place, 0.0) for place, digest in enumerate(self.store.runs.listed("queued"), start=1)}

        return TimedValue(0.5, read)


@dataclass(frozen=True)
class Shown:
    """What a page gives to the frame."""

    title: str
    """Of the browser's tab."""
    children: Component | list
    page: str = ""
    """Another page than the address asked for, when that is not there."""
