"""What every route works with."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from flask import current_app
from flask_caching import Cache

from shadowtime.dashboard.access.guard import Guarded
from shadowtime.dashboard.api.hub import Hub
from shadowtime.dashboard.api.measured import Requests
from shadowtime.dashboard.api.turns import Pace, Turns
from shadowtime.dashboard.components.so_far import SoFar
from shadowtime.dashboard.intake.desk import Intake
from shadowtime.workers.settings import Settings


@dataclass(frozen=True)
class Context:
    """Of one server, made once by `register_api`."""

    store: Guarded
    """The store as the visitor may see it."""
    queue: Any
    settings: Settings
    intake: Intake
    hub: Hub
    so_far: SoFar
    """The jobs of running runs; the pages have the same."""
    cache: Cache
    """What is derived from finished runs; the pages have the same."""
    requests: Requests
    """What this process has answered."""
    pace: Pace
    """Of workloads that are sent or drawn."""
    turns: Turns
    """Of the same, on their way."""


def context() -> Context:
    """That of the server that answers this request."""
    return current_app.extensions["shadowtime"]
