"""Copy a store that is in use: the database as of one instant, and every blob that it refers to."""

from __future__ import annotations

import os
import shutil
import sqlite3
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

from shadowtime.engine.errors import EngineError, InvalidParameter
from shadowtime.workers.records.blobs import FolderBlobs
from shadowtime.workers.records.database import FILE
from shadowtime.workers.store import disk

if TYPE_CHECKING:
    from shadowtime.workers.records.store import RecordStore

BLOBS = "blobs"


class NotCopied(EngineError):
    """The backup failed, and what it had begun was removed."""


def backup(store: RecordStore, target: Path) -> tuple[int, int]:
    """Copy a store into a new folder, which can be opened as a store; return the number of blobs and their bytes.

    Blobs are copied first, and those that came meanwhile after the database. One that was deleted meanwhile is not
    needed. A run that was going on is queued again where the copy is used.

    Raises
    ------
    InvalidParameter
        When the folder is a file, cannot be made or is not empty, or the records are not in the store's folder.
    NotCopied
        When the disk takes no more, or cannot be read. The folder is as it was before.
    """
    if not store.database.is_sqlite:
        raise InvalidParameter("the records are in PostgreSQL: copy them with pg_dump, and then the blobs")
    is_new = _make(target)
    try:
        return _fill(store, target)
    except BaseException as error:
        shutil.rmtree(target / BLOBS, ignore_errors=True)
        for path in target.glob(f"{FILE}*"):
            path.unlink(missing_ok=True)
        if is_new:
            with suppress(OSError):  # it must not hide why the backup failed
                target.rmdir()
        if isinstance(error, OSError | sqlite3.OperationalError):
            why = (error.strerror if isinstance(error, OSError) else None) or str(error)
            raise NotCopied(f"the backup to {target} failed, and was removed: {why.lower()}") from error
        raise


def _make(target: Path) -> bool:
    """Make the folder of a backup; return whether it is new."""
    try:
        if target.exists() and any(target.iterdir()):
            raise InvalidParameter(f"{target} is not empty: a backup needs a new folder")
        is_new = not target.exists()
        (target / BLOBS).mkdir(parents=True, exist_ok=True)
    except NotADirectoryError:
        raise InvalidParameter(f"{target} is no folder: a backup needs a new folder") from None
    except OSError as error:
        why = (error.strerror or str(error)).lower()
        raise InvalidParameter(f"the folder {target} cannot be made for the backup: {why}") from error
    return is_new


def _fill(store: RecordStore, target: Path) -> tuple[int, int]:
    """Copy blobs and records into the folder; return the number of blobs and their bytes."""
    blobs, size = store.shelf.blobs, 0
    if isinstance(blobs, FolderBlobs):
        size += sum(_copy(blobs, digest, target) for digest in list(blobs.digests()))
    source, copy = sqlite3.connect(str(store.database.engine.url.database)), sqlite3.connect(target / FILE)
    try:
        source.backup(copy)
        used = {digest for (digest,) in copy.execute("SELECT DISTINCT blob FROM uses")}
    finally:
        source.close()
        copy.close()
    (target / FILE).chmod(0o600)
    if isinstance(blobs, FolderBlobs):
        size += sum(_copy(blobs, digest, target) for digest in used if not (target / BLOBS / digest).exists())
    disk.sync_all(target)
    return len(used), size


def _copy(blobs: FolderBlobs, digest: str, target: Path) -> int:
    """Copy one blob, as a hard link where the file system can; return its bytes, 0 for one that is gone."""
    source, copy = blobs.root / digest, target / BLOBS / digest
    try:
        os.link(source, copy)
    except FileNotFoundError:
        return 0
    except OSError:  # another file system
        shutil.copyfile(source, copy)
    return copy.stat().st_size
