"""Take over the workloads of a store that an older version kept in folders.

workloads/<digest>/source.<swf|json>.gz manifest.json

Each becomes a blob and a row, in a transaction of its own. What stops the process between, the next start continues:
rows that are there stay. At the end the folder is renamed to `older-workloads` and kept; its sources and the blobs are
the same files where the file system has hard links.
"""

from __future__ import annotations

import errno
import logging
import re
from dataclasses import replace
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import Any

from sqlalchemy import select

from shadowtime.workers.records import schema
from shadowtime.workers.records.blobs import draft_of, is_name
from shadowtime.workers.records.database import Database, insert_ignoring
from shadowtime.workers.records.older import common
from shadowtime.workers.records.shelf import Shelf, use
from shadowtime.workers.records.workload_facts import TROUBLES, of_values, read_again, row_of
from shadowtime.workers.records.workload_sources import digest_of_content, link, stored
from shadowtime.workers.records.workloads import DRAFTS, KIND
from shadowtime.workers.store import disk, seal
from shadowtime.workers.store.base import WorkloadEntry
from shadowtime.workers.utc import utc_text

log = logging.getLogger(__name__)

NAME, MANIFEST = "workloads", "manifest.json"
TIME = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z", re.ASCII)
SOURCES = ("source.swf.gz", "source.json.gz")


def take_over(folder: Path, database: Database, shelf: Shelf) -> None:
    """Record the workloads of an older store, if there are any."""
    root = folder / NAME
    if not root.is_dir():
        return
    with common.unless_gone(root):
        _record_all(root, folder / DRAFTS, database, shelf)
        common.set_aside(root)


def _record_all(root: Path, drafts: Path, database: Database, shelf: Shelf) -> None:
    with database.read() as connection:
        known = set(connection.execute(select(schema.workloads.c.digest)).scalars())
    left = sorted(path for path in root.iterdir() if is_name(path.name) and path.name not in known)
    progress = common.Progress("workloads", len(left))
    for path in left:
        with disk.new_directory(drafts / KIND) as draft:
            _record(path, draft / "source", database, shelf)
        progress.more()


def _record(path: Path, place: Path, database: Database, shelf: Shelf) -> None:
    entry = _entry(path)
    try:
        with common.readable():
            source = _source(path)
            entry = entry or read_again(path.name, _added(path), source)
    except TROUBLES as error:
        if isinstance(error, OSError) and error.errno not in (None, errno.ENOENT):
            raise  # such as a lack of permissions, or of open files: no file is damaged
        if not path.is_dir():  # another process has set it aside meanwhile
            raise FileNotFoundError(path) from None
        log.error("workload %s is damaged: %s; send it again", path.name[:16], error)
        _insert(database, {**row_of(entry or _unknown(path), ""), "checksum": ""})
        return
    link(source, place)
    draft = draft_of(place)
    stored(shelf, draft, partial(_store, database, shelf, row_of(entry, draft.digest)))


def _store(database: Database, shelf: Shelf, row: dict[str, Any]) -> None:
    shelf.blobs.open(row["source"])  # reads it back
    _insert(database, row)


def _insert(database: Database, row: dict[str, Any]) -> None:
    with database.write() as connection:
        if insert_ignoring(connection, schema.workloads, row) and row["source"]:
            use(connection, KIND, row["digest"], [row["source"]])


def _entry(path: Path) -> WorkloadEntry | None:
    """Return the entry in a manifest; None when it is missing or not what was written."""
    try:
        entry = of_values(seal.opened(common.content(path / MANIFEST)))
        common.fitting(schema.workloads, row_of(entry, ""))
    except common.UNREADABLE:
        return None
    if entry.digest != path.name:
        return None
    return entry if TIME.fullmatch(str(entry.added)) else replace(entry, added=_added(path))


def _source(path: Path) -> Path:
    """Return the file that was sent.

    Raises
    ------
    TROUBLES
        When it is missing, or not what was sent.
    """
    for source in (path / name for name in SOURCES):
        if source.exists():
            if digest_of_content(source) != path.name:
                raise ValueError("the SHA-256 of its source is not the name of its folder")
            return source
    raise ValueError("its source is missing")


def _unknown(path: Path) -> WorkloadEntry:
    return WorkloadEntry(path.name, "", {"digest": path.name, "case": None}, "", 0, added=_added(path))


def _added(path: Path) -> str:
    """Return when a workload was added, as far as its files tell."""
    known = path / MANIFEST if (path / MANIFEST).exists() else path
    return utc_text(datetime.fromtimestamp(known.stat().st_mtime, UTC))
