"""Where workloads and results are kept: `base` is the contract."""

from __future__ import annotations

from pathlib import Path

from shadowtime.workers.store.base import Page, Run, Status, Store, WorkloadEntry

__all__ = ["Page", "Run", "Status", "Store", "WorkloadEntry", "open_store"]


def open_store(path: Path | str, database: str = "") -> Store:
    """Open the store in the directory `path`, which is created if it is missing; `database`: the URL of its records,
    by default SQLite in the directory."""
    from shadowtime.workers.store.files import FileStore

    return FileStore(path, database)
