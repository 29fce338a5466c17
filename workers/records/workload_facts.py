"""Convert between rows and entries of workloads: facts that need no reading of the jobs.

All of a row but the name of the file can be made again from the source.
"""

from __future__ import annotations

import gzip
import hashlib
import json
import os
import zlib
from collections.abc import Mapping
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

from shadowtime.engine.errors import EngineError
from shadowtime.engine.workload import reading
from shadowtime.engine.workload.generators.generate import generate
from shadowtime.engine.workload.job import Workload
from shadowtime.engine.workload.preview import preview
from shadowtime.workers.records import checksum
from shadowtime.workers.records.schema import workloads as table
from shadowtime.workers.spec import canonical
from shadowtime.workers.store.base import WorkloadEntry
from shadowtime.workers.version import engine_version

LONGEST_QUESTION = 1_000_000
"""Bytes of the question of a generated workload."""
QUESTION = {"generator", "parameters", "seed"}
TROUBLES = (EngineError, OSError, EOFError, zlib.error, ValueError, KeyError, TypeError)
"""Errors from reading a source that differs from what was written."""


def digest_of(source: Mapping[str, Any]) -> str:
    """Return the digest of the workload that a run's spec names."""
    return source.get("digest") or question_digest(source)


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


def row_of(entry: WorkloadEntry, source: str) -> dict[str, Any]:
    """Return the row of a workload whose gzipped file is the blob `source`."""
    row = {
        "digest": entry.digest,
        "label": f"{entry.name} {entry.kind} {' '.join(entry.cases)} {entry.digest}".lower(),
        "added": entry.added,
        "entry": json.dumps(entry.as_dict()),
        "source": source,
    }
    return checksum.sealed(table, row)


def entry_of(row: Mapping[str, Any]) -> WorkloadEntry | None:
    """Return the entry in a row; None when the row is not what was written."""
    return of_values(json.loads(row["entry"])) if checksum.is_intact(table, row) else None


def of_values(values: Mapping[str, Any]) -> WorkloadEntry:
    """Return the entry that a JSON object describes; keys of later versions are ignored."""
    return WorkloadEntry(**{name: values[name] for name in WorkloadEntry.__dataclass_fields__ if name in values})


def read_again(digest: str, added: str, path: Path) -> WorkloadEntry:
    """Return the entry of the workload of a digest, made from its gzipped file.

    Raises
    ------
    TROUBLES
        When the file is not that of the workload.
    """
    name = f"recovered-{digest[:8]}"
    workload, cases = _read(name, path)
    source = dict(workload.source)
    if digest_of(source) != digest:
        raise ValueError("its SHA-256 is not the digest of the workload")
    with gzip.open(path, "rb") as file:
        size = file.seek(0, os.SEEK_END)
    name = workload.name if "generator" in source else name
    entry = WorkloadEntry(digest, name, source, "", 0, tuple(cases), size=size, added=added)
    return with_facts(workload, entry)


def _read(name: str, path: Path) -> tuple[Workload, Any]:
    """Return the first case of a file, and the names of its cases."""
    with gzip.open(path, "rb") as file:
        head = file.read(LONGEST_QUESTION)
    if head.startswith(b'{"generator":') and len(head) < LONGEST_QUESTION:
        question = json.loads(head)
        if set(question) == QUESTION:
            return generate(question["generator"], question["parameters"], question["seed"]), ()
    with path.open("rb") as file:
        cases = reading.cases(file, name)
    with path.open("rb") as file:
        return reading.read(file, name, cases[0] if cases else None), cases
