"""Check everything in a store and report what differs from what was written. Nothing is changed."""

from __future__ import annotations

import gzip
import hashlib
import sqlite3
import zlib
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from sqlalchemy import select

from shadowtime.engine.errors import EngineError
from shadowtime.workers.records import checksum, links, schema
from shadowtime.workers.records.database import Database, rows
from shadowtime.workers.store import columns, damage, journal, manifest, seal, sweeps, workloads
from shadowtime.workers.store.listing import digests

if TYPE_CHECKING:
    from shadowtime.workers.store.files import FileStore

WRONG = (OSError, ValueError, KeyError, TypeError, AttributeError, EOFError, zlib.error, EngineError)
"""Errors from reading a file that differs from what was written."""
COPY = 1 << 20


@dataclass(frozen=True)
class Fault:
    """One thing that is wrong."""

    what: str
    """`run`, `workload`, `sweep`, `link`, `question` (of a deleted run) or `index`."""
    name: str
    """Its id or code."""
    sentence: str

    def __str__(self) -> str:
        return f"{self.what} {self.name}: {self.sentence}"


def faults(store: FileStore) -> Iterator[Fault]:
    """Yield all faults of a store, as they are found."""
    for what, root, look in (
        ("workload", store.workloads.root, _workload),
        ("run", store.runs.root, _run),
        ("sweep", store.sweeps.root, _sweep),
    ):
        for digest in sorted(digests(root)):
            for sentence in _said(look, root / digest):
                if (root / digest).is_dir():  # else deleted meanwhile
                    yield Fault(what, digest[:16], sentence)
    for what, root, look in (("question", store.path / "deleted", _question),):
        for path in sorted(root.glob("*.json")):
            for sentence in _said(look, path):
                yield Fault(what, path.stem[:16], sentence)
    yield from damaged_rows(store.database)
    yield from _index(store)


def _said(look: Callable[[Path], Iterator[str]], path: Path) -> Iterator[str]:
    """Yield the findings of a check; an error of the check is a finding, too."""
    try:
        yield from look(path)
    except WRONG as error:
        yield f"it cannot be read ({error})"


def _run(path: Path) -> Iterator[str]:
    try:
        damage.read_question(path, path.name)
    except FileNotFoundError:
        yield f"{damage.SPEC} is missing"
    except ValueError as error:
        yield str(error)
    status = damage.read_status(path)
    if status.damaged:
        yield status.error or "it is damaged"
    if status.is_finished and (what := damage.trouble(path)) and damage.read_status(path) == status:
        yield what


def _workload(path: Path) -> Iterator[str]:
    try:
        if manifest.read_manifest(path).digest != path.name:
            yield f"{manifest.MANIFEST} is that of another workload"
    except ValueError as error:
        yield f"{manifest.MANIFEST} is damaged ({error}); it is made again from the source"
    sources = [*path.glob("source.*.gz")]
    if not sources:
        yield "its source is missing"
    for source in sources:
        if _digest(source) != path.name:
            yield f"{source.name} is not what was sent: its SHA-256 is not the name of its folder"
    for facts in path.glob(f"{workloads.PARSED}/*/*/{workloads.FACTS}"):
        try:
            seal.opened(facts.read_bytes())
            for name in ("jobs", "parts"):
                columns.read_table(facts.parent / name)
        except (ValueError, FileNotFoundError) as error:
            yield f"a parse of it is damaged ({error}); it is read from its source again when it is needed"


def _digest(path: Path) -> str:
    found = hashlib.sha256()
    with gzip.open(path, "rb") as file:
        while piece := file.read(COPY):
            found.update(piece)
    return found.hexdigest()


def _sweep(path: Path) -> Iterator[str]:
    if hashlib.sha256((path / sweeps.SPEC).read_bytes()).hexdigest() != path.name:
        yield f"{sweeps.SPEC} is not what was asked: its SHA-256 is not the name of its folder"
    try:
        sweeps.read_status(path)
    except ValueError as error:
        yield f"{sweeps.STATUS} is damaged ({error})"
    for file in sorted((path / sweeps.BATCHES).glob("*.jsonl")):
        for number in journal.damaged_lines(file):
            yield f"{sweeps.BATCHES}/{file.name} line {number} is not what was written"


def damaged_rows(database: Database) -> Iterator[Fault]:
    """Yield the rows of the database that differ from what was written."""
    for what, table, key in (
        ("link", schema.links, "code"),
        ("rerun", schema.reruns, "digest"),
        ("bound", schema.bounds, "digest"),
    ):
        with database.read() as connection:
            found = rows(connection, select(table).order_by(table.c[key]))
        for row in found:
            if not checksum.is_intact(table, row):
                yield Fault(what, row[key][:16], "its row is not what was written")
            elif what == "link" and not links.is_code_of(links.of_values(row["code"], {**row, "runs": ()})):
                yield Fault(what, row[key][:16], "its code is not that of its target")


def _question(path: Path) -> Iterator[str]:
    if hashlib.sha256(path.read_bytes()).hexdigest() != path.stem:
        yield "it is not what was asked: its SHA-256 is not its name"


def _index(store: FileStore) -> Iterator[Fault]:
    """Yield differences between index and folders; in a store in use some may be changes in progress."""
    name = store.index.path.name
    try:
        if (verdict := store.index.integrity()) != "ok":
            yield Fault("index", name, f"it is damaged ({verdict}); --repair-index writes it again")
            return
        listed = {row["digest"]: row["status"] for row in store.index.rows("runs")}
        known = store.index.stamps("workloads").keys()
    except sqlite3.Error as error:
        yield Fault("index", name, f"it cannot be read ({error}); --repair-index writes it again")
        return
    there = digests(store.runs.root)
    wrong = [digest for digest in there ^ listed.keys() if (store.runs.root / digest).is_dir() == (digest in there)]
    for digest in there & listed.keys():
        with suppress(FileNotFoundError):
            if damage.read_status(store.runs.root / digest).status != listed[digest]:
                wrong.append(digest)
    for what, n in (("runs", len(wrong)), ("workloads", len(digests(store.workloads.root) ^ known))):
        if n:
            yield Fault("index", name, f"{n:,} {what} are listed wrongly; --repair-index writes it again")
