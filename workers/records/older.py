"""Take over what older versions kept in files: `links/<code>.json` and `reruns/<digest>.json`.

All files of a folder become rows in one transaction; then the folder is renamed to `older-<name>` and kept. Whatever
stops the process between, the next start takes the folder over again: rows that are there already stay.
"""

from __future__ import annotations

import json
import logging
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

from sqlalchemy import Table

from shadowtime.workers.records import links, reruns, schema
from shadowtime.workers.records.database import Database, insert_ignoring

log = logging.getLogger(__name__)

UNREADABLE = (ValueError, KeyError, TypeError, AttributeError, RecursionError)
"""What a file that is not what was written raises when it is read."""
PREFIX = "older-"


def take_over(folder: Path, database: Database) -> None:
    """Record the files of both folders of a store, where there are any."""
    _take_over(folder / "links", database, schema.links, _link)
    _take_over(folder / "reruns", database, schema.reruns, _rerun)


def _take_over(folder: Path, database: Database, table: Table, read: Callable[[Path], dict[str, Any]]) -> None:
    if not folder.is_dir():
        return
    rows = list(_rows(folder, read))
    if rows:
        with database.write() as connection:
            insert_ignoring(connection, table, rows)
        log.info("%d files of %s are recorded in the database", len(rows), folder)
    with suppress(FileNotFoundError):  # another process has taken it over meanwhile
        folder.rename(folder.with_name(PREFIX + folder.name))


def _rows(folder: Path, read: Callable[[Path], dict[str, Any]]) -> Iterator[dict[str, Any]]:
    for path in sorted(folder.glob("*.json")):
        with suppress(FileNotFoundError):
            yield read(path)


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
