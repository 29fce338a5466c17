"""Take over what versions before 0.2 kept in files.

Each kind of thing is recorded some at a time, in one transaction; what is recorded already stays, so that a process may
be stopped at any instant and the next start continues. When all of a kind is recorded and every blob of it was read
back, its folder is renamed to `older-<name>` and kept. The older index is deleted: it held nothing of its own.
"""

from __future__ import annotations

from pathlib import Path

from shadowtime.workers.records.database import Database
from shadowtime.workers.records.older import links, papers, runs, sweeps, workloads
from shadowtime.workers.records.older.common import PREFIX
from shadowtime.workers.records.runs import Label
from shadowtime.workers.records.shelf import Shelf
from shadowtime.workers.store import disk

FOLDERS = ("workloads", "links", "reruns", "bounds", "papers", "deleted", "runs", "sweeps")
"""In the order in which they are taken over: runs are labelled with the names of their workloads."""
INDEX = "index.sqlite"


def is_there(folder: Path) -> bool:
    """Return whether a store holds something of an older version."""
    return any((folder / name).is_dir() for name in FOLDERS) or any((folder / name).exists() for name in ("key", INDEX))


def kept(folder: Path) -> list[Path]:
    """Return the files and folders that were taken over."""
    return sorted(folder.glob(f"{PREFIX}*"))


def delete(path: Path) -> None:
    """Delete a file or folder that was taken over."""
    if path.is_dir():
        disk.remove_directory(path)
    else:
        path.unlink()


def take_over(folder: Path, database: Database, shelf: Shelf, label: Label) -> None:
    """Record everything that an older version kept in the folder of a store; `label` as for `Runs`."""
    workloads.take_over(folder, database, shelf)
    links.take_over(folder, database)
    papers.take_over(folder, database)
    runs.take_over(folder, database, shelf, label)
    sweeps.take_over(folder, database)
    for name in (INDEX, f"{INDEX}-wal", f"{INDEX}-shm"):
        (folder / name).unlink(missing_ok=True)
