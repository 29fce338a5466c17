"""Take over what versions before 23 November 2026 kept in files.

Each kind of thing is recorded some at a time, in one transaction; what is recorded already stays, so that a process may
be stopped at any instant and the next start continues. A blob is read back before it is recorded. When all of a kind is
recorded, its folder is renamed to `older-<name>` and kept. The older index is deleted: it held nothing of its own.
"""

from __future__ import annotations

import logging
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from shadowtime.engine.errors import EngineError
from shadowtime.workers.older_files import INDEX, are_there
from shadowtime.workers.records.database import Database
from shadowtime.workers.records.older import links, papers, runs, sweeps, workloads
from shadowtime.workers.records.older.common import PREFIX
from shadowtime.workers.records.runs import Labels
from shadowtime.workers.records.shelf import Shelf
from shadowtime.workers.store import disk

log = logging.getLogger(__name__)


class CannotTakeOver(EngineError):
    """What an older version kept cannot be taken over now."""


def kept(folder: Path) -> list[Path]:
    """Return the files and folders that were taken over."""
    return sorted(folder.glob(f"{PREFIX}*"))


def delete(path: Path) -> None:
    """Delete a file or folder that was taken over."""
    if path.is_dir():
        disk.remove_directory(path)
    else:
        path.unlink()


@contextmanager
def refused(folder: Path) -> Iterator[None]:
    """Open a store in the block; where an older version wrote it, say in a sentence why that is impossible.

    Raises
    ------
    CannotTakeOver
        When the disk is full or read-only, for example.
    """
    if not are_there(folder):
        yield
        return
    try:
        (folder / ".lock").touch()
        yield
    except EngineError:
        raise
    except (OSError, ValueError) as error:
        why = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
        place = f": {error.filename}" if isinstance(error, OSError) and error.filename else ""
        raise CannotTakeOver(
            f"the store {folder} is of an older version and cannot be taken over ({why}{place}); nothing is lost, and "
            "the next start continues"
        ) from error


def take_over(folder: Path, database: Database, shelf: Shelf, labels: Labels) -> None:
    """Record everything that an older version kept in the folder of a store; `labels` as for `Runs`."""
    n = len(runs.left(folder, database))
    log.info("Taking over %s run%s of an older version ...", f"{n:,}", "s" * (n != 1))
    workloads.take_over(folder, database, shelf)
    links.take_over(folder, database)
    papers.take_over(folder, database)
    runs.take_over(folder, database, shelf, labels)
    sweeps.take_over(folder, database)
    for name in (f"{INDEX}-wal", f"{INDEX}-shm", f"{INDEX}-journal", INDEX):
        (folder / name).unlink(missing_ok=True)
