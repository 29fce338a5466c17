"""What pages are given instead of globals."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from dash.development.base_component import Component
from flask_caching import Cache

from dashboard.components.so_far import SoFar
from workers.settings import Settings
from workers.store import Store


@dataclass(frozen=True)
class Context:
    """The things that outlive a request."""

    store: Store
    queue: Any
    settings: Settings
    cache: Cache
    so_far: SoFar
    """The jobs of runs that go on."""
    intake: Any
    """Answers what is known of a question before anything runs (`dashboard.intake.desk.Intake`)."""


@dataclass(frozen=True)
class Shown:
    """What a page gives to the frame."""

    title: str
    """Of the browser's tab."""
    children: Component | list
    page: str = ""
    """Another page than the address asked for, when that is not there."""
