"""Take over the sweeps that older versions kept in folders.

sweeps/<digest>/spec.json status.json batches/<number>.jsonl

A sweep with its outcomes becomes rows in one transaction; at the end the folder is renamed to `older-sweeps` and kept.
Whatever stops the process between, the next start continues: sweeps that are there already stay.

A journal has a JSON object a line, followed by a tab and its CRC-32 unless it is of the oldest versions: outcomes, and
notes of runs that were begun (`begin`), stopped or lost with their worker. A line that is not what was written is left
out, so that its run is computed again.
"""

from __future__ import annotations

import logging
import re
import zlib
from collections import Counter
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from sqlalchemy import insert, select

from shadowtime.engine.errors import QuestionError
from shadowtime.workers.records import batches, outcomes, schema, sweeps
from shadowtime.workers.records.blobs import is_name
from shadowtime.workers.records.database import Database, insert_ignoring
from shadowtime.workers.records.older.common import content, fitting, set_aside, unless_gone
from shadowtime.workers.records.sweeps import SWEEP_STATES, SweepStatus
from shadowtime.workers.store import seal
from shadowtime.workers.sweeps.outcomes import makes_sense
from shadowtime.workers.sweeps.spec import SweepSpec

log = logging.getLogger(__name__)

FOLDER = "sweeps"
NOTES = ("begin", "lost", "stopped")
NUMBER = re.compile(r"\d{6,9}", re.ASCII)
"""Name of a journal: the number of its batch."""
MOST_ROUNDS = 1 << 31


@dataclass
class Journal:
    """What the journal of a batch says."""

    lines: list[dict[str, Any]] = field(default_factory=list)
    lost: batches.Losses = field(default_factory=Counter)
    begun: tuple[int, int] | None = None
    """Round and number of the last run that was begun and has no outcome: its worker was lost."""


def take_over(folder: Path, database: Database) -> None:
    """Record the sweeps in the folder of a store, where there are any."""
    root = folder / FOLDER
    if not root.is_dir():
        return
    with database.read() as connection:
        known = set(connection.execute(select(schema.sweeps.c.digest)).scalars())
    with unless_gone(root):
        for path in sorted(root.iterdir()):
            if is_name(path.name) and path.name not in known:
                _take_over(path, database)
        set_aside(root)


def journal(text: bytes, runs: int) -> Journal:
    """Return what the text of a journal says about a sweep of `runs` runs."""
    found = Journal()
    latest: dict[int, dict[str, Any]] = {}
    for line in _lines(text):
        note = [name for name in NOTES if name in line]
        if not note and makes_sense(line, runs):
            latest.pop(line["index"], None)  # in the order of the last outcomes
            latest[line["index"]] = line
            if found.begun is not None and found.begun[1] == line["index"]:
                found.begun = None
        elif len(note) == 1 and "index" not in line and _is_note(line, note[0], runs):
            if note[0] == "lost":
                found.lost[line["round"], line["lost"]] += 1
            found.begun = (line["round"], line["begin"]) if note[0] == "begin" else None
    found.lines = list(latest.values())
    return found


def _take_over(path: Path, database: Database) -> None:
    row, status, runs = _sweep(path)
    journals = {}
    if runs:
        files = sorted(file for file in (path / "batches").glob("*.jsonl") if NUMBER.fullmatch(file.stem))
        journals = {int(file.stem): journal(content(file), runs) for file in files}
    lines = list({line["index"]: line for one in journals.values() for line in one.lines}.values())
    taken = [_batch(path.name, number, one, status.round) for number, one in journals.items() if one.begun or one.lost]
    with database.write() as connection:
        if not insert_ignoring(connection, schema.sweeps, [row]):
            return
        outcomes.put(connection, path.name, lines, 1)
        if taken:
            connection.execute(insert(schema.batches), taken)


def _sweep(path: Path) -> tuple[dict[str, Any], SweepStatus, int]:
    """Return row, status and number of runs of the sweep in a folder.

    If its question or its status is not what was written, the row shows as damaged, and the number is 0.
    """
    try:
        question = content(path / "spec.json").decode()
        status = _status(content(path / "status.json"))
        row = fitting(schema.sweeps, sweeps.row_of(path.name, question, status))
        if sweeps.is_whole(row):
            return row, status, len(SweepSpec.from_json(question))
    except (ValueError, FileNotFoundError, QuestionError) as error:
        if not path.is_dir():
            raise FileNotFoundError(path) from None
        log.warning("sweep %s is damaged: %s", path.name[:16], error)
    status = SweepStatus()
    return {**sweeps.row_of(path.name, "", status), "checksum": ""}, status, 0


def _status(text: bytes) -> SweepStatus:
    values = seal.opened(text)
    if values.get("status") not in SWEEP_STATES or not isinstance(values.get("batch"), int) or values["batch"] < 1:
        raise ValueError("it holds no status")
    try:
        status = SweepStatus.from_dict(values)
        sweeps.row_of("", "", status)
    except (TypeError, AttributeError) as error:
        raise ValueError(f"it holds no status ({error})") from None
    return status


def _batch(sweep: str, number: int, one: Journal, current: int) -> dict[str, Any]:
    """Return the row of a batch; its last worker counts as lost at the run that it had begun."""
    of, run = one.begun or (current, None)
    row = batches.row_of(sweep, number, "", of, run, one.lost)
    return {**row, "lease": "" if one.begun else None}


def _lines(text: bytes) -> Iterator[dict[str, Any]]:
    """Yield the objects of the whole lines that are what was written; what follows the last line end is not whole."""
    for line in text.split(b"\n")[:-1]:
        said, tab, crc = line.rpartition(b"\t")
        if tab and crc != b"%08x" % zlib.crc32(said):
            continue
        with suppress(ValueError):
            value = seal.parsed(said if tab else line)
            if isinstance(value, dict):
                yield value


def _is_note(line: Mapping[str, Any], name: str, runs: int) -> bool:
    has_round = name == "stopped" or (type(line.get("round")) is int and 0 < line["round"] < MOST_ROUNDS)
    return has_round and type(line[name]) is int and 0 <= line[name] < runs
