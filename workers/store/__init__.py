"""Where workloads and results are kept: `base` is the contract."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

from shadowtime.workers.store.base import Page, Run, Status, WorkloadEntry
from shadowtime.workers.store.contract import Store, VisibleStore

if TYPE_CHECKING:
    from shadowtime.workers.records.store import RecordStore
    from shadowtime.workers.settings import Settings

__all__ = ["Page", "Run", "Status", "Store", "VisibleStore", "WorkloadEntry", "is_store", "open_store", "store_of"]


def is_store(path: Path) -> bool:
    """Return whether a directory holds the records of a store, of this version or of an older one."""
    return any(os.path.exists(path / name) for name in ("records.sqlite", "runs"))


def open_store(path: Path | str, database: str = "", blobs: str = "") -> Store:
    """Open the store in the directory `path`, which is created if it is missing. Its records are in SQLite in the
    directory, or in the `database` of that URL; its blobs in the directory, or in the bucket of that URL."""
    from shadowtime.workers.records.store import RecordStore

    return RecordStore(path, database, blobs)


def store_of(settings: Settings, folder: str | Path | None = None) -> RecordStore:
    """Open the store of an installation; `folder` is taken instead of the directory that the settings name."""
    from shadowtime.workers.records.store import RecordStore

    place = Path(folder).expanduser() if folder else settings.store
    return RecordStore(place, settings.database, settings.blobs, settings.blob_cache, settings.redis_url)
