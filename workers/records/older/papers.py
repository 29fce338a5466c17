"""Take over the papers that older versions kept in files.

They are `papers/<name>-<scale>/<engine version>/` with `status.json`, `progress.json`, `result.json` and answers of
cells in `cells/<version of the studies>/<key>.json`, in the oldest stores in `cells/<key>.json`.

They become rows, a few hundred in a transaction; then the folder is renamed to `older-papers` and kept. Whatever stops
the process between, the next start takes the folder over again: rows that are there already stay.
"""

from __future__ import annotations

import json
import logging
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import asdict
from pathlib import Path
from typing import Any

from shadowtime.workers.records import papers, schema
from shadowtime.workers.records.database import Database, insert_ignoring
from shadowtime.workers.records.older.common import UNREADABLE, content, fitting, set_aside, unless_gone
from shadowtime.workers.store import disk

log = logging.getLogger(__name__)

FOLDER, CELLS = "papers", "cells"
AT_ONCE = 500
LONGEST = 64
"""Letters of a name or key that a row takes."""
LONGEST_STUDIES = 8
"""Letters of a version of the studies."""


def take_over(folder: Path, database: Database) -> None:
    """Record the papers in the folder of a store, where there are any."""
    root = folder / FOLDER
    if not root.is_dir():
        return
    with unless_gone(root):
        for place in sorted(root.glob("*/*")):
            name, _, scale = place.parent.name.rpartition("-")
            is_ours = (
                name and scale and max(len(name), len(scale)) <= LONGEST and f"{name}{scale}{place.name}".isascii()
            )
            if is_ours and place.is_dir():
                _take_over(place, name, scale, database)
        set_aside(root)


def _take_over(place: Path, name: str, scale: str, database: Database) -> None:
    """Record the answers of a study first: its status may say that workers are to use them."""
    answers = list(_answers(place, name, scale))
    for at in range(0, len(answers), AT_ONCE):
        with database.write() as connection:
            insert_ignoring(connection, schema.cells, answers[at : at + AT_ONCE])
    row = _study(place, name, scale)
    if row is not None:
        with database.write() as connection:
            insert_ignoring(connection, schema.papers, [row])


def _study(place: Path, name: str, scale: str) -> dict[str, Any] | None:
    """Return the row of a study; None for one that was never submitted and has no result.

    An unreadable result, or an unreadable status without a result, gives a row that shows as damaged.
    """
    status, status_is_damaged = _read(place / "status.json")
    result, result_is_damaged = _read(place / "result.json")
    progress, _ = _read(place / "progress.json")
    if status is not None:
        try:
            status = json.dumps(asdict(papers.of_values(json.loads(status))))
        except UNREADABLE:
            status, status_is_damaged = None, True
    if status_is_damaged:
        log.warning("%s is damaged", place / "status.json")
    if status is result is None and not (status_is_damaged or result_is_damaged):
        return None
    row = papers.study_row(name, scale, place.name, status=status, progress=progress, result=result)
    if result_is_damaged or (status_is_damaged and result is None):
        return {**row, "checksum": ""}
    return row


def _answers(place: Path, name: str, scale: str) -> Iterator[dict[str, Any]]:
    """Yield the rows of answers; unreadable ones are left out, so that these cells are computed again."""
    for path in sorted([*(place / CELLS).glob("*.json"), *(place / CELLS).glob("*/*.json")]):
        studies = "" if path.parent.name == CELLS else path.parent.name
        if path.name.startswith(disk.TEMPORARY) or len(path.stem) > LONGEST or len(studies) > LONGEST_STUDIES:
            continue
        text, _ = _read(path)
        with suppress(*UNREADABLE):
            answer = json.loads(text or "")
            float(answer["seconds"]), answer["value"]
            version = papers.version_of_cells(place.name, studies)
            yield fitting(schema.cells, papers.cell_row(name, scale, version, path.stem, str(text)))


def _read(path: Path) -> tuple[str | None, bool]:
    """Return the text of a file that holds a JSON object, and whether the file is there but holds none."""
    try:
        text = content(path).decode()
        if not isinstance(json.loads(text), dict):
            raise ValueError(path)
    except FileNotFoundError:
        return None, False
    except UNREADABLE:
        return None, True
    return text, False
