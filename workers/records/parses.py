"""Cache the parsed jobs of workloads on this machine: parses/<digest>/<engine version>/<case>/.

They may be deleted at any time, and nothing waits for the disk: a parse is used only if its files are those that its
facts name. Otherwise the workload is read from its source again.
"""

from __future__ import annotations

import hashlib
import logging
import os
import shutil
from collections.abc import Container, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import asdict
from pathlib import Path

from shadowtime.engine.workload.job import Clock, Workload
from shadowtime.engine.workload.slurm.cluster_json import cluster_of, document
from shadowtime.workers.records.blobs import verify
from shadowtime.workers.records.tables import read_table, write_table
from shadowtime.workers.store import disk, seal
from shadowtime.workers.version import engine_version

log = logging.getLogger(__name__)

TROUBLES = (ValueError, KeyError, TypeError, OSError)
"""Errors from reading a parse that differs from what was written."""
FACTS = "facts.json"
TABLES = {"jobs": "jobs.table", "parts": "parts.table"}
KEPT_PARSES = 2
"""Number of engine versions whose parses of a workload are kept."""


class Parses:
    """All parses below one folder; `drafts` is a folder of the same file system."""

    def __init__(self, root: Path, drafts: Path):
        self.root = root
        self._drafts = drafts

    def get(self, digest: str, case: str | None) -> Workload | None:
        """Return the parse of a case by this engine; None when there is none. A damaged one is deleted."""
        path = self._path(digest, case)
        if not path.is_dir():
            return None
        try:
            return _read(path, mapped=False)
        except TROUBLES as error:
            log.warning("a parse of workload %s is damaged (%s); its source is read again", digest[:16], error)
            self._remove(path)
            return None

    def texts(self, digest: str, case: str | None) -> Mapping[str, Sequence[str]] | None:
        """Return the texts of the columns of a case, without its jobs; None without a parse by this engine."""
        try:
            return seal.opened((self._path(digest, case) / FACTS).read_bytes())["workload"]["texts"]
        except TROUBLES:
            return None

    def keep(self, digest: str, workload: Workload) -> None:
        """Write the parse of a case, unless it is there."""
        if workload.site is not None:  # it is parsed as quickly as it would be read
            return
        path = self._path(digest, workload.source.get("case"))
        try:
            if not path.is_dir():
                with disk.new_directory(self._drafts / "parse") as draft:
                    _write(draft, workload)
                    path.parent.mkdir(parents=True, exist_ok=True)
                    os.rename(draft, path)
            _forget_others(path.parent)
        except OSError as error:  # a full disk, or another process was first
            log.debug("the parse %s is not kept: %s", path, error)

    def forget(self, digest: str) -> None:
        """Delete all parses of a workload."""
        self._remove(self.root / digest)

    def sweep(self, known: Container[str]) -> None:
        """Delete the parses of workloads that are not known any more."""
        with suppress(FileNotFoundError):
            for path in list(self.root.iterdir()):
                if path.name not in known:
                    self._remove(path)

    def faults(self, digest: str) -> Iterator[str]:
        """Yield a sentence for each damaged parse of a workload."""
        for path in sorted((self.root / digest).glob("*/*")):
            try:
                _read(path, mapped=True)
            except TROUBLES as error:
                if path.is_dir():  # else deleted meanwhile
                    yield f"a parse of it is damaged ({error}); it is read from its source again when it is needed"

    def _path(self, digest: str, case: str | None) -> Path:
        """Return the folder of a parse; the case's own name is never part of a path."""
        key = "whole" if case is None else hashlib.sha256(case.encode(errors="surrogatepass")).hexdigest()[:16]
        return self.root / digest / engine_version() / key

    def _remove(self, path: Path) -> None:
        name = disk.temporary(self._drafts / "parse")
        with suppress(OSError):  # missing, or on a read-only disk
            os.rename(path, name)
            shutil.rmtree(name, ignore_errors=True)


def _forget_others(path: Path) -> None:
    """Delete the parses of a workload by other engine versions than that of `path`, but for the newest."""
    others = [one for one in path.parent.iterdir() if one != path]
    for old in sorted(others, key=lambda one: one.stat().st_mtime, reverse=True)[KEPT_PARSES - 1 :]:
        shutil.rmtree(old, ignore_errors=True)


def _write(path: Path, workload: Workload) -> None:
    written = {name: write_table(path / file, getattr(workload, name)) for name, file in TABLES.items()}
    facts = {
        "kind": workload.kind,
        "name": workload.name,
        "machine": dict(workload.machine),
        "report": list(workload.report),
        "clock": asdict(workload.clock) if workload.clock else None,
        "has_estimates": workload.has_estimates,
        "source": dict(workload.source),
        "texts": {name: list(texts) for name, texts in workload.texts.items()},
        "cluster": document(workload.cluster) if workload.cluster else None,
    }
    digests = {name: draft.digest for name, draft in written.items()}
    disk.write_new(path / FACTS, seal.sealed({"workload": facts, "digests": digests}), durable=False)


def _read(path: Path, *, mapped: bool) -> Workload:
    """Return the parse in a folder.

    Raises
    ------
    TROUBLES
        When it is not what was written.
    """
    stored = seal.opened((path / FACTS).read_bytes())
    for name, file in TABLES.items():
        verify(path / file, stored["digests"][name])
    tables = {name: read_table(path / file, mapped=mapped) for name, file in TABLES.items()}
    facts = stored["workload"]
    clock = Clock(**facts["clock"]) if facts["clock"] else None
    texts = {name: tuple(texts) for name, texts in facts["texts"].items()}
    cluster = cluster_of(facts["cluster"]) if facts["cluster"] else None
    others = {"clock": clock, "report": tuple(facts["report"]), "texts": texts, "cluster": cluster}
    return Workload(**{**facts, **tables, **others})
