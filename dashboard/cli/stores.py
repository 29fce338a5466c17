"""The store that a command reads or changes."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from shadowtime.dashboard.cli.parser import Refusal, is_there

if TYPE_CHECKING:
    from shadowtime.workers.records.store import RecordStore
    from shadowtime.workers.settings import Settings


class NoRecords(Refusal):
    """The folder holds blobs, but no records."""


def with_settings(command: str, folder: str | None, *, may_create: bool = False) -> tuple[RecordStore, Settings]:
    """Open the store of the environment, or that in `folder`, and return it with its settings.

    Raises Refusal: when there is no store, unless the command `may_create` one; when the blobs in the folder belong to
        other records.
    """
    from shadowtime.workers.settings import Settings
    from shadowtime.workers.store import is_store, store_of

    settings = Settings.from_environment({**os.environ, **({"SHADOWTIME_STORE": folder} if folder else {})})
    is_there(settings.store, f"{command}: the store {settings.store}")
    is_new = not (settings.database or is_store(settings.store))
    if is_new:
        _refuse_without_records(command, settings, may_create)
    store = store_of(settings)
    if is_new:  # perhaps by mistake: the laboratory was started with another --store
        print(f"{command}: there was no store at {settings.store}; a new one was made", file=sys.stderr)
    _refuse_other_records(command, store, settings)
    return store, settings


def opened(command: str, folder: str | None) -> RecordStore:
    """Open the store alone."""
    return with_settings(command, folder)[0]


def _refuse_without_records(command: str, settings: Settings, may_create: bool) -> None:
    """Refuse a folder without records: opening it would make an empty database beside its blobs."""
    from shadowtime.workers.laboratory import MARK

    if (settings.store / MARK).exists() and not settings.blobs:
        raise Refusal(f"{command}: {_of_another(settings.store)}")
    if may_create:
        return
    if n := _blobs_in(settings.store):
        raise NoRecords(f"{command}: {without_records(n, settings.store)}")
    raise Refusal(f"{command}: there is no store at {settings.store}")


def _refuse_other_records(command: str, store: RecordStore, settings: Settings) -> None:
    from shadowtime.workers import laboratory

    if laboratory.is_of_another(store, settings):
        raise Refusal(f"{command}: {_of_another(settings.store)}")


def _of_another(folder: Path) -> str:
    from shadowtime.workers.laboratory import MARK

    return (
        f"the blobs in {folder} belong to another database: set SHADOWTIME_DATABASE to it, or delete {folder / MARK} "
        "if that database is given up"
    )


def without_records(n: int, place: Path) -> str:
    """Return the sentence on `n` blobs of a store whose records are missing."""
    from shadowtime.dashboard.look import words

    return (
        f"{words.count(n, 'blob')} but no records in {place}: set SHADOWTIME_DATABASE if they are in another database, "
        "or restore records.sqlite from a backup"
    )


def _blobs_in(folder: Path) -> int:
    from shadowtime.workers.records.blobs import is_name
    from shadowtime.workers.records.open_blobs import FOLDER

    try:
        return sum(is_name(name) for name in os.listdir(folder / FOLDER))
    except (FileNotFoundError, NotADirectoryError):
        return 0
