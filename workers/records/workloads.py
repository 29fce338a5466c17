"""Record workloads: a row of facts each, and the gzipped file as a blob. Parses are cached on this machine."""

from __future__ import annotations

import gzip
import json
import logging
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Any, BinaryIO

from sqlalchemy import Connection, bindparam, delete, select, update

from shadowtime.engine.errors import EngineError
from shadowtime.engine.workload import reading
from shadowtime.engine.workload.generators.generate import generate
from shadowtime.engine.workload.job import Workload
from shadowtime.engine.workload.limits import Limits
from shadowtime.engine.workload.unpack import Unpacked
from shadowtime.workers.errors import Conflict, Damaged, NotFound
from shadowtime.workers.records import checksum, schema
from shadowtime.workers.records.blobs import Draft
from shadowtime.workers.records.database import Database, insert_ignoring, rows, upsert
from shadowtime.workers.records.listing import find, page, words_in
from shadowtime.workers.records.parses import Parses
from shadowtime.workers.records.shelf import Shelf, release, use
from shadowtime.workers.records.workload_facts import (
    TROUBLES,
    digest_of,
    entry_of,
    question_digest,
    read_again,
    row_of,
    with_facts,
)
from shadowtime.workers.records.workload_sources import ALTERED, MISSING, pack, pack_text, stored, why_of
from shadowtime.workers.spec import canonical
from shadowtime.workers.store import disk
from shadowtime.workers.store.base import Page, WorkloadEntry
from shadowtime.workers.utc import utc_now
from shadowtime.workers.version import engine_version

log = logging.getLogger(__name__)
table = schema.workloads
ONE = select(table).where(table.c.digest == bindparam("digest"))
LOCKED = ONE.with_for_update()
"""The row of a workload, to be read or to be changed."""

KIND = "workload"
"""Kind of the uses of blobs."""
DRAFTS, PARSES = "tmp", "parses"
NAMED = 10.0
"""Seconds for which the name of a workload is remembered."""
MOST_NAMES = 1_000


class Workloads:
    """All workloads of a laboratory. The digest of one is the SHA-256 of what `open_source` returns."""

    def __init__(
        self,
        database: Database,
        shelf: Shelf,
        folder: Path,
        uses: Callable[[str], str] = lambda digest: "",
        with_room: Callable[[Callable[[], None]], None] = lambda delete: delete(),
    ):
        """`uses` says what uses the workload of a digest ("2 runs use"), "" for nothing; `with_room` calls a deletion
        so that it also succeeds on a full disk."""
        self.database = database
        self.shelf = shelf
        self.drafts = folder / DRAFTS
        self.drafts.mkdir(parents=True, exist_ok=True)
        self.parses = Parses(folder / PARSES, self.drafts)
        self._uses = uses
        self._with_room = with_room
        self._names: dict[str, tuple[float, str]] = {}

    def add(
        self, stream: BinaryIO, name: str, limits: Limits | None = None, case: str | None = None
    ) -> tuple[WorkloadEntry, bool]:
        name = printable(name)
        with disk.new_directory(self.drafts / KIND) as folder:
            draft = pack(stream, folder / "source")
            with draft.path.open("rb") as file:
                named = reading.cases(file, name, limits=limits)
            cases = named or ([case] if case else [])
            with draft.path.open("rb") as file:
                unpacked = Unpacked(file, limits or Limits())
                workload = reading.read(unpacked, name, cases[0] if cases else None, limits=limits)
            entry, is_new = self._keep(draft, workload, name, cases, unpacked.size)
        if not named and [*entry.cases] != cases:
            if not case:
                raise Conflict(_read_with_a_choice(entry))
            entry = with_facts(workload, replace(entry, source=dict(workload.source), cases=(case,)))
        return entry, is_new

    def generate(self, slug: str, parameters: Mapping[str, Any] | None, seed: int) -> tuple[WorkloadEntry, bool]:
        workload = generate(slug, parameters, seed)
        question = canonical(dict(workload.source)).encode()
        with disk.new_directory(self.drafts / KIND) as folder:
            draft = pack_text(question, folder / "source")
            return self._keep(draft, workload, workload.name, [], len(question))

    def get(self, reference: str) -> WorkloadEntry:
        row = self._row(reference)
        entry, _ = self._read(row)
        if entry.engine_version != engine_version():
            with suppress(EngineError, OSError):  # this version's reader refuses it: the older facts stay
                entry = self._renewed(row, entry)
        return entry

    def load(self, reference: str, case: str | None = None) -> Workload:
        entry, blob = self._read(self._row(reference))
        if "generator" in entry.source:
            return self.load_source(entry.source)
        case = _known_case(entry, case)
        if (parse := self.parses.get(entry.digest, case)) is not None:
            return parse
        with self._open(entry, blob) as file:
            # What was stored was within the limit then; a Parquet file unpacks to more than its own size.
            limits = Limits(unpacked=max(entry.size, Limits().unpacked)) if entry.size else None
            workload = reading.read(file, entry.name, case, limits=limits)
        self.parses.keep(entry.digest, workload)
        return workload

    def load_source(self, source: Mapping[str, Any]) -> Workload:
        if "digest" in source:
            return self.load(source["digest"], source["case"])
        digest = question_digest(source)
        if (parse := self.parses.get(digest, None)) is not None:
            return parse
        workload = generate(source["generator"], source["parameters"], source["seed"])
        with suppress(NotFound):
            self._row(digest)
            self.parses.keep(digest, workload)
        return workload

    def names(self, source: Mapping[str, Any], column: str) -> tuple[str, ...]:
        if "digest" not in source:
            return ()
        entry, _ = self._read(self._row(source["digest"]))
        if "generator" in entry.source:
            return ()
        found = self.parses.texts(entry.digest, _known_case(entry, source["case"]))
        if found is None:
            found = self.load_source(source).texts
        return tuple(found.get(column, ()))

    def open_source(self, reference: str) -> BinaryIO:
        entry, blob = self._read(self._row(reference))
        return self._open(entry, blob)

    def delete(self, reference: str) -> None:
        with self.database.read() as connection:
            digest = find(connection, table, KIND, reference)
        self._with_room(lambda: self._delete(digest))
        self.parses.forget(digest)

    def list(self, *, text: str = "", limit: int = 50, after: str | None = None) -> Page:
        where = words_in(table.c.label, text)
        with self.database.read() as connection:
            found = page(connection, table, where, ("added", "digest"), limit, after, dict)
        entries = [self._listed(row) for row in found.rows]
        return Page([entry for entry in entries if entry is not None], found.next)

    def damaged(self) -> Sequence[str]:
        """Return the ids of the workloads of which neither the row nor the source is what was written."""
        with self.database.read() as connection:
            found = [row for row in rows(connection, select(table)) if not checksum.is_intact(table, row)]
        return [row["digest"][:16] for row in found if self._listed(row) is None]

    def digests(self) -> Sequence[str]:
        """Return the digests of all workloads."""
        with self.database.read() as connection:
            return list(connection.execute(select(table.c.digest).order_by(table.c.digest)).scalars())

    def labels(self, sources: Sequence[Mapping[str, Any]]) -> Sequence[tuple[str, str]]:
        """Return digest and name of each workload that the specs of runs name; one that is not stored has the name of
        its generator, if it has any."""
        digests = [digest_of(source) for source in sources]
        missing = set(digests) - self._names.keys()
        if len(missing) > 1:  # most runs of a sweep name jobs that are drawn and not stored: 0.5 ms to look up each
            with self.database.read() as connection:
                found = connection.execute(select(table.c.digest).where(table.c.digest.in_(missing)))
                missing -= set(found.scalars())
        else:
            missing = set()
        return [(one, self._label(one, source, one in missing)) for one, source in zip(digests, sources, strict=True)]

    def sweep(self) -> None:
        """Delete the parses of workloads that were deleted on another machine."""
        self.parses.sweep(set(self.digests()))

    def _keep(self, draft: Draft, workload: Workload, name: str, cases: Any, size: int) -> tuple[WorkloadEntry, bool]:
        """Store a new workload; return False when it is there already. One that is damaged is stored again."""
        source = dict(workload.source)
        digest = digest_of(source)
        if self._is_whole(digest):
            return self.get(digest), False
        entry = with_facts(workload, WorkloadEntry(digest, name, source, "", 0, tuple(cases), size=size))
        kept = stored(self.shelf, draft, lambda: self._record(entry, draft.digest))
        self._names.pop(digest, None)
        self.parses.keep(digest, workload)
        return kept

    def _record(self, entry: WorkloadEntry, source: str) -> tuple[WorkloadEntry, bool]:
        with self.database.write() as connection:
            new = replace(entry, added=self.database.now(connection))
            is_new = insert_ignoring(connection, table, row_of(new, source)) == 1
            if not is_new:  # it is damaged, or another process has just stored it
                known = row_in(connection, entry.digest, is_locked=True)
                new = (known and entry_of(known)) or new
                upsert(connection, table, row_of(new, source))
            use(connection, KIND, entry.digest, [source])
            return new, is_new

    def _delete(self, digest: str) -> None:
        with self.database.write() as connection:
            row_in(connection, digest, is_locked=True)  # who accepts a run of it meanwhile waits, or is waited for
            if users := self._uses(digest):
                raise Conflict(f"workload {digest[:16]} cannot be deleted: {users} it")
            connection.execute(delete(table).where(table.c.digest == digest))
            blobs = release(connection, KIND, digest)
            before = self.database.now(connection)
        self._names.pop(digest, None)
        self.shelf.drop(blobs, before, self._with_room)

    def _row(self, reference: str) -> dict[str, Any]:
        """Return the row of a full or short id."""
        with self.database.read() as connection:
            row = row_in(connection, find(connection, table, KIND, reference))
        if row is None:
            raise NotFound(KIND, reference)
        return row

    def _read(self, row: Mapping[str, Any]) -> tuple[WorkloadEntry, str]:
        """Return the entry in a row, and the blob of the source. They are made again if the row is damaged.

        Raises
        ------
        Damaged
            When the source is not what was written either.
        """
        if (entry := entry_of(row)) is not None:
            return entry, row["source"]
        digest, why = row["digest"], MISSING
        log.warning("the facts of workload %s are not what was written; they are made again", digest[:16])
        added = row["added"] if _noted(row["entry"]) == (digest, row["added"]) else utc_now()
        for blob in filter(None, dict.fromkeys([*self.used(digest), row["source"]])):
            try:
                path = self.shelf.blobs.open(blob)
            except ALTERED as error:
                why = why_of(error)
                continue
            try:
                entry = read_again(digest, added, path)
            except TROUBLES as error:
                why = str(error)
                continue
            self._put(row, entry, blob)
            return entry, blob
        raise Damaged(
            f"workload {digest[:16]} is damaged: neither its facts nor its source is what was written ({why}); "
            "send it again"
        )

    def _open(self, entry: WorkloadEntry, blob: str) -> BinaryIO:
        try:
            return gzip.open(self.shelf.blobs.open(blob), "rb")  # type: ignore[return-value]
        except ALTERED as error:
            raise Damaged(f"the source of workload {entry.id} is damaged ({why_of(error)}); send it again") from None

    def _is_whole(self, digest: str) -> bool:
        """Return whether a workload is stored, and all of it is what was written."""
        try:
            row = self._row(digest)
            self.shelf.blobs.open(row["source"])
        except (NotFound, *ALTERED):
            return False
        return entry_of(row) is not None and row["source"] in self.used(digest)

    def used(self, digest: str) -> Sequence[str]:
        """Return the blobs that a workload is known to use."""
        uses = schema.uses.c
        with self.database.read() as connection:
            asked = select(uses.blob).where(uses.kind == KIND, uses.user == digest)
            return list(connection.execute(asked).scalars())

    def _renewed(self, row: Mapping[str, Any], entry: WorkloadEntry) -> WorkloadEntry:
        """Return the entry with the facts of this version's reader."""
        workload = self.load(entry.digest, entry.cases[0] if entry.cases else None)
        new = with_facts(workload, entry)
        self._put(row, new, row["source"])
        return new

    def _put(self, row: Mapping[str, Any], entry: WorkloadEntry, blob: str) -> None:
        """Replace a row, unless it has changed or the disk is read-only."""
        unchanged = (table.c.digest == entry.digest, table.c.checksum == row["checksum"])
        with suppress(OSError), self.database.write() as connection:
            connection.execute(update(table).where(*unchanged).values(row_of(entry, blob)))

    def _listed(self, row: Mapping[str, Any]) -> WorkloadEntry | None:
        try:
            return self._read(row)[0]
        except NotFound:
            return None

    def _label(self, digest: str, source: Mapping[str, Any], is_missing: bool) -> str:
        if not is_missing:
            with suppress(NotFound):
                name = self._name(digest)
                return f"{name}#{source['case']}" if source.get("case") else name
        return str(source.get("generator", ""))

    def _name(self, digest: str) -> str:
        """Return the name of a stored workload, which each run is labelled with."""
        now = time.monotonic()
        known = self._names.get(digest)
        if known is None or now > known[0]:
            if len(self._names) >= MOST_NAMES:
                self._names.clear()
            known = self._names[digest] = now + NAMED, self._read(self._row(digest))[0].name
        return known[1]


def printable(name: str) -> str:
    """Return a file's name for display: without folders and control characters, of limited length."""
    last = name.replace("\\", "/").rpartition("/")[2]
    return "".join(letter for letter in last if letter.isprintable()).strip()[:200] or "workload"


def row_in(connection: Connection, digest: str, *, is_locked: bool = False) -> dict[str, Any] | None:
    """Return the row of a workload, as it was read; None without one."""
    found = rows(connection, LOCKED if is_locked else ONE, digest=digest)
    return found[0] if found else None


def _known_case(entry: WorkloadEntry, case: str | None) -> str | None:
    """Return the name of a case that may be given by its position; a single case need not be given."""
    if case is None:
        return entry.cases[0] if len(entry.cases) == 1 else None
    if case not in entry.cases and case.isascii() and case.isdigit() and int(case[:9]) < len(entry.cases):
        return entry.cases[int(case[:9])]
    return case


def _read_with_a_choice(entry: WorkloadEntry) -> str:
    """Return what to say to a person who sends a stored table without a choice of columns, which has one."""
    return (
        f"{entry.name} is stored already as {entry.id}, read with {entry.cases[0]!r}; to read it otherwise, choose a "
        "column, such as submit=NAME"
    )


def _noted(entry: str) -> tuple[str, str] | None:
    """Return digest and time in the stored text of a damaged entry, which the row has too unless one is altered."""
    try:
        values = json.loads(entry)
        return str(values["digest"]), str(values["added"])
    except (ValueError, TypeError, KeyError, RecursionError):
        return None
