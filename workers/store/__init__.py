"""Where workloads and results are kept: `base` is the contract, each other backend one file."""

from __future__ import annotations

from pathlib import Path

from shadowtime.workers.store.base import Page, Run, Status, Store, WorkloadEntry
from shadowtime.workers.store.files import FileStore

__all__ = ["FileStore", "Page", "Run", "Status", "Store", "WorkloadEntry", "open_store"]


def open_store(path: Path | str, database: str = "") -> Store:
    """Open the store in the directory `path`, which is created if it is missing; `database` as for `FileStore`."""
    return FileStore(path, database)
