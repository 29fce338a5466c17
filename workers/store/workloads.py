"""Store workloads as folders: the source as uploaded, a manifest of facts, and the parsed jobs."""

from __future__ import annotations

import gzip
import hashlib
import logging
import os
import shutil
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import asdict
from pathlib import Path
from typing import Any, BinaryIO

from shadowtime.engine.errors import EngineError
from shadowtime.engine.workload import reading
from shadowtime.engine.workload.generators.generate import generate
from shadowtime.engine.workload.job import Clock, Workload
from shadowtime.engine.workload.limits import Limits
from shadowtime.workers.errors import Conflict, NotFound
from shadowtime.workers.spec import canonical
from shadowtime.workers.store import columns, disk, reserve, seal
from shadowtime.workers.store.base import Page, WorkloadEntry, utc_now
from shadowtime.workers.store.index import Index, Row
from shadowtime.workers.store.listing import digests, find, page, words_in_label
from shadowtime.workers.store.manifest import MANIFEST, question_digest, read_manifest, recovered, with_facts
from shadowtime.workers.version import engine_version

log = logging.getLogger(__name__)

PARSED, FACTS = "parsed", "workload.json"
COPY = 1_000_000
KEPT_PARSES = 2
"""Number of engine versions whose parse of a file is kept."""


class FileWorkloads:
    """All workloads below one folder. The folder's name is the SHA-256 of what `open_source` returns."""

    def __init__(self, root: Path, index: Index):
        self.root = root
        self.index = index

    def add(self, stream: BinaryIO, name: str, limits: Limits | None = None) -> tuple[WorkloadEntry, bool]:
        name = printable(name)
        with disk.new_directory(self.root / "draft") as draft:
            packed = draft / "source"
            _pack(stream, packed)
            with packed.open("rb") as file:
                cases = reading.cases(file, name, limits=limits)
            with packed.open("rb") as file:
                workload = reading.read(file, name, cases[0] if cases else None, limits=limits)
            is_json, size = _look(packed)
            packed.rename(draft / ("source.json.gz" if is_json else "source.swf.gz"))
            return self._keep(draft, workload, name, cases, size)

    def generate(self, slug: str, parameters: Mapping[str, Any] | None, seed: int) -> tuple[WorkloadEntry, bool]:
        workload = generate(slug, parameters, seed)
        question = canonical(dict(workload.source)).encode()
        with disk.new_directory(self.root / "draft") as draft:
            disk.write_new(draft / "source.json.gz", gzip.compress(question, mtime=0))
            return self._keep(draft, workload, workload.name, [], len(question))

    def get(self, reference: str) -> WorkloadEntry:
        digest = find(self.root, "workload", reference, self.index)
        entry = self._entry(digest)
        if entry.engine_version != engine_version():
            with suppress(EngineError):  # this version's reader refuses it: the older facts stay
                entry = self._renew(entry)
        return entry

    def load(self, reference: str, case: str | None = None) -> Workload:
        entry = self._entry(find(self.root, "workload", reference, self.index))
        if "generator" in entry.source:
            return self.load_source(entry.source)
        case = _known_case(entry, case)
        parsed = self._parsed(entry.digest, case)
        return self._read(entry, case) if parsed is None else parsed

    def load_source(self, source: Mapping[str, Any]) -> Workload:
        if "digest" in source:
            return self.load(source["digest"], source["case"])
        digest = question_digest(source)
        parsed = self._parsed(digest, None)
        return self._draw(digest, source) if parsed is None else parsed

    def open_source(self, reference: str) -> BinaryIO:
        path = self.root / find(self.root, "workload", reference, self.index)
        for name in ("source.swf.gz", "source.json.gz"):
            with suppress(FileNotFoundError):
                return gzip.open(path / name, "rb")  # type: ignore[return-value]
        raise NotFound("source of workload", reference)

    def delete(self, reference: str) -> None:
        digest = find(self.root, "workload", reference, self.index)
        if uses := len(self.index.rows("runs", [("workload = ?", (digest,))])):
            runs = "1 run uses" if uses == 1 else f"{uses:,} runs use"
            raise Conflict(f"workload {digest[:16]} cannot be deleted: {runs} it")
        with suppress(FileNotFoundError):
            reserve.with_room(self.root.parent, lambda: disk.remove_directory(self.root / digest))
        self.index.remove("workloads", digest)

    def list(self, *, text: str = "", limit: int = 50, after: str | None = None) -> Page:
        where = words_in_label(text)
        return page(self.index, "workloads", "added", where, limit, after, self._listed)

    def label(self, source: Mapping[str, Any]) -> tuple[str, str]:
        """Return digest and name of the workload that a run's spec names; without a name when it is not stored."""
        digest = source.get("digest") or question_digest(source)
        try:
            entry = self._entry(digest)
        except NotFound:
            return digest, str(source.get("generator", ""))
        return digest, f"{entry.name}#{source['case']}" if source.get("case") else entry.name

    def refill(self) -> None:
        """Rebuild the index from the folders."""
        known = self.index.stamps("workloads")
        there = digests(self.root)
        for digest in there:
            with suppress(NotFound, FileNotFoundError):
                if (self.root / digest / MANIFEST).stat().st_mtime_ns != known.get(digest):
                    self._index(self._entry(digest), self.root / digest)
        for digest in known.keys() - there:
            self.index.remove("workloads", digest)

    def _keep(self, draft: Path, workload: Workload, name: str, cases: Any, size: int) -> tuple[WorkloadEntry, bool]:
        """Give a filled draft its final name; return False when the same workload is stored already."""
        source = dict(workload.source)
        digest = source.get("digest") or question_digest(source)
        entry = with_facts(
            workload, WorkloadEntry(digest, name, source, "", 0, tuple(cases), size=size, added=utc_now())
        )
        disk.write_new(draft / MANIFEST, seal.sealed(entry.as_dict()))
        parsed = draft / PARSED / engine_version()
        parsed.mkdir(parents=True)
        if _is_kept(workload):
            _write_parse(parsed / _case_key(source.get("case")), workload)
        path = self.root / digest
        if not path.is_dir() and disk.put_directory(draft, path):
            self._index(entry, path)
            return entry, True
        return self.get(digest), False

    def _entry(self, digest: str) -> WorkloadEntry:
        try:
            return read_manifest(self.root / digest)
        except FileNotFoundError:
            raise NotFound("workload", digest[:16]) from None
        except ValueError as error:
            log.warning("the manifest of workload %s is made again from its source: %s", digest[:16], error)
            return self._put(recovered(self.root / digest, lambda: self.open_source(digest)))

    def _put(self, entry: WorkloadEntry) -> WorkloadEntry:
        """Replace the manifest of a stored workload."""
        path = self.root / entry.digest
        disk.replace_file(path / MANIFEST, seal.sealed(entry.as_dict()))
        self._index(entry, path)
        return entry

    def _renew(self, entry: WorkloadEntry) -> WorkloadEntry:
        """Return the entry with the facts of this version's reader."""
        workload = self.load(entry.digest, entry.cases[0] if entry.cases else None)
        return self._put(with_facts(workload, entry))

    def _parsed(self, digest: str, case: str | None) -> Workload | None:
        """Return the cached parse of this engine, or None."""
        path = self.root / digest / PARSED / engine_version() / _case_key(case)
        try:
            facts = seal.opened((path / FACTS).read_bytes())
            tables = [columns.read_table(path / name, mapped=False) for name in ("jobs", "parts")]
        except (FileNotFoundError, ValueError):  # missing or damaged
            return None
        clock = Clock(**facts["clock"]) if facts["clock"] else None
        return Workload(
            **{**facts, "jobs": tables[0], "parts": tables[1], "clock": clock, "report": (*facts["report"],)}
        )

    def _read(self, entry: WorkloadEntry, case: str | None) -> Workload:
        """Parse the source again and store the parse."""
        with self.open_source(entry.digest) as file:
            workload = reading.read(file, entry.name, case, limits=Limits(unpacked=entry.size))
        self._keep_parse(entry.digest, workload)
        return workload

    def _draw(self, digest: str, source: Mapping[str, Any]) -> Workload:
        workload = generate(source["generator"], source["parameters"], source["seed"])
        if (self.root / digest).is_dir():
            self._keep_parse(digest, workload)
        return workload

    def _keep_parse(self, digest: str, workload: Workload) -> None:
        if not _is_kept(workload):
            return
        parses = self.root / digest / PARSED
        path = parses / engine_version() / _case_key(workload.source.get("case"))
        with suppress(FileNotFoundError):  # deleted meanwhile: nothing to keep
            path.parent.mkdir(parents=True, exist_ok=True)
            with disk.new_directory(path) as draft:
                _write_parse(draft / "parse", workload)
                disk.put_directory(draft / "parse", path)
            others = [one for one in parses.iterdir() if one != path.parent]
            by_age = sorted(others, key=lambda one: one.stat().st_mtime, reverse=True)
            for old in by_age[KEPT_PARSES - 1 :]:
                shutil.rmtree(old, ignore_errors=True)

    def _index(self, entry: WorkloadEntry, path: Path) -> None:
        label = f"{entry.name} {entry.kind} {' '.join(entry.cases)} {entry.digest}".lower()
        stamp = (path / MANIFEST).stat().st_mtime_ns
        self.index.put("workloads", {"digest": entry.digest, "label": label, "added": entry.added, "stamp": stamp})

    def _listed(self, row: Row) -> WorkloadEntry | None:
        try:
            return self._entry(row["digest"])
        except NotFound:
            return None


def printable(name: str) -> str:
    """Return a file's name for display: without folders and control characters, of limited length."""
    last = name.replace("\\", "/").rpartition("/")[2]
    return "".join(letter for letter in last if letter.isprintable()).strip()[:200] or "workload"


def _is_kept(workload: Workload) -> bool:
    """Return whether a parse is stored. A classed workload brings its site, which is parsed as quickly as it would be
    unpacked."""
    return workload.site is None


def _write_parse(path: Path, workload: Workload) -> None:
    path.mkdir()
    columns.write_tables(path, {"jobs": workload.jobs, "parts": workload.parts})
    facts = {
        "kind": workload.kind,
        "name": workload.name,
        "machine": dict(workload.machine),
        "report": list(workload.report),
        "clock": asdict(workload.clock) if workload.clock else None,
        "has_estimates": workload.has_estimates,
        "source": dict(workload.source),
    }
    disk.write_new(path / FACTS, seal.sealed(facts))


def _case_key(case: str | None) -> str:
    """Return a folder's name for a case; the case's own name is never part of a path."""
    return "whole" if case is None else hashlib.sha256(case.encode()).hexdigest()[:16]


def _known_case(entry: WorkloadEntry, case: str | None) -> str | None:
    """Return the name of a case that may be given by its position; a single case need not be given."""
    if case is None:
        return entry.cases[0] if len(entry.cases) == 1 else None
    if case not in entry.cases and case.isascii() and case.isdigit() and int(case[:9]) < len(entry.cases):
        return entry.cases[int(case[:9])]
    return case


def _pack(stream: BinaryIO, path: Path) -> None:
    """Copy a file, gzipped where it is not yet."""
    magic = stream.read(2)
    with path.open("xb") as file:
        if magic == b"\x1f\x8b":
            file.write(magic)
            shutil.copyfileobj(stream, file, COPY)
        else:
            with gzip.GzipFile("", "wb", compresslevel=1, fileobj=file, mtime=0) as packed:
                packed.write(magic)
                shutil.copyfileobj(stream, packed, COPY)
        file.flush()
        os.fsync(file.fileno())


def _look(path: Path) -> tuple[bool, int]:
    """Return whether a gzipped file, which a reader accepted, is JSON, and its bytes after decompression."""
    with gzip.open(path, "rb") as file:
        head = file.read(COPY).removeprefix(b"\xef\xbb\xbf").lstrip()
        return head[:1] in (b"{", b"["), file.seek(0, os.SEEK_END)
