"""Store many finished runs at once: flushed together, each complete or absent."""

from __future__ import annotations

import json
import logging
import os
import sqlite3
from collections.abc import Mapping, Sequence
from contextlib import ExitStack, suppress
from datetime import datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from shadowtime.engine.tables import rows
from shadowtime.workers.spec import RunSpec
from shadowtime.workers.store import columns, damage, disk
from shadowtime.workers.store.base import EXTRA_TABLES, TABLES, Status, progress_of, utc_now
from shadowtime.workers.store.damage import SPEC, STATUS, SUMMARY

if TYPE_CHECKING:
    from shadowtime.workers.store.runs import FileRuns

log = logging.getLogger(__name__)

Tables = Mapping[str, Mapping[str, np.ndarray]]


def keep_all(runs: FileRuns, done: Sequence[tuple[RunSpec, Tables, Mapping[str, Any]]]) -> None:
    """Store spec, tables and summary of finished runs; all are on disk when this returns.

    Flushing the file system once costs as much as flushing three of a run's fifty files. A stored run that has finished
    or is running does not change; one that is queued, failed or was cancelled takes this answer.
    """
    with ExitStack() as stack:
        drafts = [stack.enter_context(disk.new_directory(runs.root / "draft")) for _ in done]
        statuses = [_write(draft, *one) for draft, one in zip(drafts, done, strict=True)]
        if drafts:
            disk.sync_all(runs.root)
        fresh = [
            (spec, status)
            for draft, status, (spec, tables, summary) in zip(drafts, statuses, done, strict=True)
            if _place(runs, draft, spec, tables, summary)
        ]
    if not fresh:
        return
    disk.sync_directory(runs.root)
    try:
        with runs.index.together():
            for spec, status in fresh:
                with suppress(FileNotFoundError):  # deleted meanwhile
                    runs.enlist(spec.digest, spec, status, runs.root / spec.digest / STATUS)
    except sqlite3.Error as error:
        # The folders are up to date; the next `reindex` updates the index.
        log.warning("%d runs are not listed yet: %s", len(fresh), error)


def kept_tables(tables: Tables) -> Tables:
    """Return the tables of a run, without empty ones that only some families have."""
    names = (*TABLES, *(name for name in EXTRA_TABLES if rows(tables.get(name, {}))))
    return {name: tables[name] for name in names}


def _write(draft: Path, spec: RunSpec, tables: Tables, summary: Mapping[str, Any]) -> Status:
    """Fill a folder that no process reads yet."""
    now, n = datetime.fromisoformat(utc_now()), rows(tables["jobs"])
    began = now - timedelta(seconds=sum(summary.get("timing", {}).values()))
    started, ended = (when.isoformat(timespec="microseconds").replace("+00:00", "Z") for when in (began, now))
    progress = {**progress_of(n, n, rows(tables["segments"]), 0.0), "fraction": 1.0}
    status = Status("finished", accepted=started, started=started, ended=ended, progress=progress)
    kept = kept_tables(tables)
    columns.write_tables(draft, kept, durable=False)
    for name, text in (
        (SPEC, spec.json.encode()),
        (SUMMARY, damage.summary_text(summary, list(kept))),
        (STATUS, json.dumps(status.as_dict(), ensure_ascii=False).encode()),
    ):
        disk.write_new(draft / name, text, durable=False)
    return status


def _place(runs: FileRuns, draft: Path, spec: RunSpec, tables: Tables, summary: Mapping[str, Any]) -> bool:
    """Give a draft its final name; if the run exists, finish it when it is queued, and return False."""
    try:
        os.rename(draft, runs.root / spec.digest)
    except OSError:
        if not (runs.root / spec.digest).is_dir():
            raise
    else:
        return True
    runs.accept(spec, jobs=rows(tables["jobs"]))
    begun = runs.begin(spec.digest)
    if begun is not None:
        runs.finish(spec.digest, begun.attempt, tables, summary)
    return False
