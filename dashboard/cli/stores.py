"""The store that a command reads or changes."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from shadowtime.dashboard.cli.parser import Refusal, is_there

if TYPE_CHECKING:
    from shadowtime.workers.records.store import RecordStore
    from shadowtime.workers.settings import Settings


def with_settings(command: str, folder: str | None, *, may_create: bool = False) -> tuple[RecordStore, Settings]:
    """Open the store of the environment, or that in `folder`, and return it with its settings.

    Raises Refusal: when there is no store, unless the command `may_create` one.
    """
    from shadowtime.workers.settings import Settings
    from shadowtime.workers.store import is_store, store_of

    settings = Settings.from_environment({**os.environ, **({"SHADOWTIME_STORE": folder} if folder else {})})
    is_there(settings.store, f"{command}: the store {settings.store}")
    if not (may_create or settings.database or is_store(settings.store)):
        raise Refusal(f"{command}: there is no store at {settings.store}")
    return store_of(settings), settings


def opened(command: str, folder: str | None) -> RecordStore:
    """Open the store alone."""
    return with_settings(command, folder)[0]
