"""Take over links, re-runs and exact bounds of an older version.

They are `links/<code>.json`, `reruns/<digest>.json`, requests for exact bounds in `bounds/<digest>.json` and their
answers in `runs/<digest>/bound.json`.

All files of a folder become rows in one transaction; then the folder is renamed to `older-<name>` and kept. Whatever
stops the process between, the next start takes the folder over again: rows that are there already stay.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

from sqlalchemy import Table

from shadowtime.workers.records import bounds, links, reruns, schema
from shadowtime.workers.records.blobs import is_name
from shadowtime.workers.records.database import Database, insert_ignoring
from shadowtime.workers.records.older.common import UNREADABLE, content, fitting, set_aside, unless_gone


def take_over(folder: Path, database: Database) -> None:
    """Record the files of these folders of a store, where there are any."""
    _take_over(folder / "links", database, schema.links, _link, lambda name: bool(links.CODE.fullmatch(name)))
    _take_over(folder / "reruns", database, schema.reruns, _rerun)
    answers = sorted((folder / "runs").glob("*/bound.json"))
    _record((_answer(path) for path in answers if is_name(path.parent.name)), database, schema.bounds)
    _take_over(folder / "bounds", database, schema.bounds, _request)


def _take_over(
    folder: Path,
    database: Database,
    table: Table,
    read: Callable[[Path], dict[str, Any]],
    is_ours: Callable[[str], bool] = is_name,
) -> None:
    """Record the files of a folder whose names without `.json` are such as an older version gave."""
    if not folder.is_dir():
        return
    with unless_gone(folder):
        _record((read(path) for path in sorted(folder.glob("*.json")) if is_ours(path.stem)), database, table)
        set_aside(folder)


def _record(found: Iterable[dict[str, Any]], database: Database, table: Table) -> None:
    if rows := list(found):
        with database.write() as connection:
            insert_ignoring(connection, table, rows)


def _link(path: Path) -> dict[str, Any]:
    """Return the row of a link; of an unreadable file one that shows as damaged, so that its code is not used again."""
    try:
        return fitting(schema.links, links.row_of(links.of_values(path.stem, json.loads(content(path)))))
    except UNREADABLE:
        return {**links.row_of(links.Link(path.stem, "")), "checksum": ""}


def _rerun(path: Path) -> dict[str, Any]:
    try:
        return fitting(schema.reruns, reruns.row_of(path.stem, reruns.of_values(json.loads(content(path)))))
    except UNREADABLE:
        return {**reruns.row_of(path.stem, reruns.Rerun(reruns.FAILED)), "checksum": ""}


def _request(path: Path) -> dict[str, Any]:
    """Return the row of a request; an unreadable one counts no lost process."""
    try:
        lost = int(json.loads(content(path))["lost"])
    except UNREADABLE:
        lost = 0
    return bounds.row_of(path.stem, bounds.Bound(bounds.QUEUED, lost=lost))


def _answer(path: Path) -> dict[str, Any]:
    """Return the row of an answer; an unreadable one is requested again, and so is one that is no bound."""
    digest = path.parent.name
    try:
        values = json.loads(content(path))
        value = float(values["bound"]) if values["status"] == bounds.FINISHED else None
        bound = bounds.Bound(values["status"], value, error=str(values.get("error", "")))
        if bound.status not in (bounds.FINISHED, bounds.FAILED):
            raise ValueError(bound.status)
        return fitting(schema.bounds, bounds.row_of(digest, bound))
    except UNREADABLE:
        return bounds.row_of(digest, bounds.Bound(bounds.QUEUED))
