"""Take over links, re-runs and exact bounds of an older version.

They are `links/<code>.json`, `reruns/<digest>.json`, requests for exact bounds in `bounds/<digest>.json` and their
answers in `runs/<digest>/bound.json`.

All files of a folder become rows in one transaction; then the folder is renamed to `older-<name>` and kept. Whatever
stops the process between, the next start takes the folder over again: rows that are there already stay.
"""

from __future__ import annotations

import json
import logging
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

from sqlalchemy import Table

from shadowtime.workers.records import bounds, links, reruns, schema
from shadowtime.workers.records.database import Database, insert_ignoring
from shadowtime.workers.records.older.common import UNREADABLE, set_aside

log = logging.getLogger(__name__)


def take_over(folder: Path, database: Database) -> None:
    """Record the files of these folders of a store, where there are any."""
    _take_over(folder / "links", database, schema.links, _link)
    _take_over(folder / "reruns", database, schema.reruns, _rerun)
    if (folder / "bounds").is_dir():
        _record(sorted((folder / "runs").glob("*/bound.json")), database, schema.bounds, _answer)
        _take_over(folder / "bounds", database, schema.bounds, _request)


def _take_over(folder: Path, database: Database, table: Table, read: Callable[[Path], dict[str, Any]]) -> None:
    if not folder.is_dir():
        return
    _record(sorted(folder.glob("*.json")), database, table, read)
    set_aside(folder)


def _record(paths: Sequence[Path], database: Database, table: Table, read: Callable[[Path], dict[str, Any]]) -> None:
    rows = []
    for path in paths:
        with suppress(FileNotFoundError):
            rows.append(read(path))
    if rows:
        with database.write() as connection:
            insert_ignoring(connection, table, rows)
        log.info("%d files such as %s are recorded in the database", len(rows), paths[0])


def _link(path: Path) -> dict[str, Any]:
    """Return the row of a link; of an unreadable file one that shows as damaged, so that its code is not used again."""
    try:
        row = links.row_of(links.of_values(path.stem, json.loads(path.read_bytes())))
    except UNREADABLE:
        return {**links.row_of(links.Link(path.stem, "")), "checksum": ""}
    return row


def _rerun(path: Path) -> dict[str, Any]:
    try:
        return reruns.row_of(path.stem, reruns.of_values(json.loads(path.read_bytes())))
    except UNREADABLE:
        return {**reruns.row_of(path.stem, reruns.Rerun(reruns.FAILED)), "checksum": ""}


def _request(path: Path) -> dict[str, Any]:
    """Return the row of a request; an unreadable one counts no lost process."""
    try:
        lost = int(json.loads(path.read_bytes())["lost"])
    except UNREADABLE:
        lost = 0
    return bounds.row_of(path.stem, bounds.Bound(bounds.QUEUED, lost=lost))


def _answer(path: Path) -> dict[str, Any]:
    """Return the row of an answer; an unreadable one is requested again, and so is one that is no bound."""
    try:
        values = json.loads(path.read_bytes())
        value = float(values["bound"]) if values["status"] == bounds.FINISHED else None
        bound = bounds.Bound(values["status"], value, error=str(values.get("error", "")))
        if bound.status not in (bounds.FINISHED, bounds.FAILED):
            raise ValueError(bound.status)
    except UNREADABLE:
        bound = bounds.Bound(bounds.QUEUED)
    return bounds.row_of(path.parent.name, bound)
