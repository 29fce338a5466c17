"""The manifest of a stored workload: facts that need no reading of its jobs.

It has a checksum. All of it but the name of the file can be made again from the source.
"""

from __future__ import annotations

import hashlib
import json
import os
import zlib
from collections.abc import Callable, Mapping
from dataclasses import asdict, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, BinaryIO

from shadowtime.engine.errors import EngineError
from shadowtime.engine.workload import reading
from shadowtime.engine.workload.generators.generate import generate
from shadowtime.engine.workload.job import Workload
from shadowtime.engine.workload.preview import preview
from shadowtime.workers.errors import Damaged
from shadowtime.workers.spec import canonical
from shadowtime.workers.store import seal
from shadowtime.workers.store.base import WorkloadEntry
from shadowtime.workers.version import engine_version

MANIFEST = "manifest.json"
LONGEST_QUESTION = 1_000_000
"""Bytes of the question of a generated workload."""
TROUBLES = (EngineError, OSError, EOFError, zlib.error, ValueError, KeyError, TypeError)
"""Errors from reading a source that differs from what was written."""


def read_manifest(path: Path) -> WorkloadEntry:
    """Return the entry of the workload in a folder.

    Raises
    ------
    FileNotFoundError, ValueError
        When there is none, or it is not what was written.
    """
    values = seal.opened((path / MANIFEST).read_bytes())
    try:
        return WorkloadEntry(**{name: values[name] for name in WorkloadEntry.__dataclass_fields__ if name in values})
    except TypeError:
        raise ValueError("it does not hold what was written") from None


def recovered(path: Path, open_source: Callable[[], BinaryIO]) -> WorkloadEntry:
    """Return the entry of the workload in a folder, made again from its source.

    Raises
    ------
    Damaged
        When the source is not what was written either.
    """
    try:
        workload, cases = _read(path, open_source)
        source = dict(workload.source)
        if (source.get("digest") or question_digest(source)) != path.name:
            raise ValueError("its SHA-256 is not the name of its folder")
        with open_source() as file:
            size = file.seek(0, os.SEEK_END)
    except TROUBLES as error:
        raise Damaged(
            f"workload {path.name[:16]} is damaged: neither its manifest nor its source is what was written "
            f"({error}); delete it and send it again"
        ) from None
    added = datetime.fromtimestamp((path / MANIFEST).stat().st_mtime, UTC).strftime("%Y-%m-%dT%H:%M:%S.%fZ")
    return with_facts(
        workload, WorkloadEntry(path.name, workload.name, source, "", 0, tuple(cases), size=size, added=added)
    )


def _read(path: Path, open_source: Callable[[], BinaryIO]) -> tuple[Workload, Any]:
    """Return the first case of a source, and the names of its cases."""
    name = f"recovered-{path.name[:8]}"
    if (path / "source.json.gz").exists():
        with open_source() as file:
            head = file.read(LONGEST_QUESTION)
        question = json.loads(head) if len(head) < LONGEST_QUESTION else None
        if isinstance(question, dict) and "generator" in question:
            return generate(question["generator"], question["parameters"], question["seed"]), ()
    with open_source() as file:
        cases = reading.cases(file, name)
    with open_source() as file:
        return reading.read(file, name, cases[0] if cases else None), cases


def question_digest(source: Mapping[str, Any]) -> str:
    """Return the digest of a generated workload: SHA-256 of its canonical question."""
    return hashlib.sha256(canonical(dict(source)).encode()).hexdigest()


def with_facts(workload: Workload, entry: WorkloadEntry) -> WorkloadEntry:
    """Return the entry with what this version's reader finds in the workload."""
    return replace(
        entry,
        kind=workload.kind,
        jobs=len(workload),
        report=tuple(workload.report),
        machine=dict(workload.machine),
        clock=asdict(workload.clock) if workload.clock else None,
        has_estimates=workload.has_estimates,
        preview=preview(workload),
        engine_version=engine_version(),
    )
