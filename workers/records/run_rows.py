"""Convert between rows and runs: a row of `runs` and its status, a row of `results` and its summary and tables."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta
from typing import Any

import numpy as np

from shadowtime.engine.tables import rows
from shadowtime.workers.records import checksum, schema
from shadowtime.workers.records.marks import Marks, columns
from shadowtime.workers.records.printable import cut
from shadowtime.workers.spec import RunSpec
from shadowtime.workers.store.base import EXTRA_TABLES, TABLES, Status, progress_of
from shadowtime.workers.utc import utc_text

Tables = Mapping[str, Mapping[str, np.ndarray]]
MOST_NAME, MOST_LABEL = 600, 750
"""Bytes of the columns `name` and `label` without marks. A row of the index `runs_by_name` holds both, the marks and
some 300 bytes more; PostgreSQL takes at most 2,704."""
UNKNOWN = -1.0
"""Duration of a run that has not ended."""
STORED = ("status", "attempt", "accepted", "started", "ended", "error", "damaged", "priority", "client", "owner",
          "spared")  # fmt: skip
"""Columns that are fields of a status."""
OUTLINE = "outline"
"""Key in the stored summary of the outline, which is no part of the summary elsewhere."""
CANCEL = "cancel"
"""Key in the stored progress of a run that is to be cancelled."""


def status_of(row: Mapping[str, Any]) -> Status:
    """Return the status in a row. One that is not what was written, or has the question of another run, counts as
    failed and damaged."""
    if not checksum.is_intact(schema.runs, row) or not is_question(row["spec"], row["digest"]):
        return damaged(Status("failed"), "its record is not what was written")
    progress = _progress(row)
    if progress is None and row["status"] == "finished":  # others report it again
        return damaged(Status("failed"), "its record is not what was written")
    known = {**(progress or progress_of(row["jobs"]))}
    known.pop(CANCEL, None)
    return Status(progress=known, **{name: row[name] for name in STORED})


def is_cancel_requested(row: Mapping[str, Any]) -> bool:
    """Return whether the row of a running run says twice that it is to be cancelled: a single damaged byte must not."""
    return bool(row["is_cancel_requested"]) and bool((_progress(row) or {CANCEL: True}).get(CANCEL))


def progress_text(progress: Mapping[str, Any], *, is_cancel_requested: bool = False) -> str:
    """Return the progress of a run as it is stored."""
    return checksum.marked(json.dumps({**progress, **({CANCEL: True} if is_cancel_requested else {})}))


def goes_on(status: Status) -> dict[str, Any]:
    """Return the columns of a running run that is not to be cancelled any more."""
    return {"is_cancel_requested": False, "progress": progress_text(status.progress)}


def traceback_of(row: Mapping[str, Any]) -> str:
    """Return the traceback in the row of a failed run; "" without one, and where it is not what was written."""
    try:
        return json.loads(checksum.unmarked(row["traceback"], row["digest"]))["traceback"]
    except (ValueError, TypeError, LookupError, RecursionError):
        return ""


def traced(digest: str, traceback: str = "") -> dict[str, Any]:
    """Return the column of a traceback as it is stored."""
    return {"traceback": checksum.marked(json.dumps({"traceback": traceback}), digest) if traceback else None}


def _progress(row: Mapping[str, Any]) -> dict[str, Any] | None:
    """Return the progress in a row; None if it is not what was written."""
    try:
        found = json.loads(checksum.unmarked(row["progress"]))
    except (ValueError, RecursionError):
        return None
    return found if isinstance(found, dict) else None


def damaged(status: Status, what: str) -> Status:
    """Return the status of a run that is damaged because of `what`."""
    sentence = f"What was kept of this run is damaged ({what}); run it again to recompute it."
    return status.but(status="failed", damaged=True, error=sentence)


def is_question(text: str, digest: str) -> bool:
    """Return whether a canonical question is the one whose digest names the run."""
    return hashlib.sha256(text.encode()).hexdigest() == digest


def new_row(spec: RunSpec, status: Status, workload: str, name: str) -> dict[str, Any]:
    """Return the row of a run; `workload` and `name` are digest and name of its workload."""
    conversions = " ".join(conversion["name"] for conversion in spec.conversions)
    digest, known_by = spec.digest, cut(name.lower(), MOST_NAME)
    fixed = {
        "digest": digest,
        "algorithm": spec.algorithm,
        "workload": workload,
        "name": known_by,
        "label": cut(f"{digest[:16]} {spec.algorithm} {conversions} {known_by}".lower(), MOST_LABEL),
        "jobs": status.progress.get("jobs", 0),
        "tags": "",
        "notes": "",
        "spec": spec.json,
    }
    return with_status(fixed, status)


def with_status(
    row: Mapping[str, Any], status: Status, worker: str | None = None, lease: str | None = None, compiled: float = 0.0
) -> dict:
    """Return a row with another status, held by `worker` until `lease`; `compiled` seconds do not count as the run's,
    since the next one will not need them."""
    changes = {
        **{name: getattr(status, name) for name in STORED},
        "progress": progress_text(status.progress),
        "took": max(_seconds(status) - compiled, min(_seconds(status), 0.0)),
        "worker": worker,
        "lease": lease,
        "is_cancel_requested": False,
        "traceback": None,
    }
    return checksum.sealed(schema.runs, {**row, **changes})


def result_row(
    digest: str, summary: Mapping[str, Any], tables: Mapping[str, str], outline: Sequence[float] | None = None
) -> dict[str, Any]:
    """Return the row of a result; `tables` are the blobs by name."""
    whole = summary if outline is None else {**summary, OUTLINE: outline}
    row = {"digest": digest, "summary": json.dumps(whole, ensure_ascii=False), "tables": json.dumps(dict(tables))}
    return checksum.sealed(schema.results, row)


def tables_of(row: Mapping[str, Any]) -> dict[str, str]:
    """Return the blob of each table of a row of results, by name."""
    return dict(json.loads(row["tables"]))


def kept_tables(tables: Tables) -> Tables:
    """Return the tables of a run, without empty ones that only some families have."""
    names: Sequence[str] = (*TABLES, *(name for name in EXTRA_TABLES if rows(tables.get(name, {}))))
    return {name: tables[name] for name in names}


def own(row: Mapping[str, Any]) -> dict[str, Any]:
    """Return what people wrote about a run, which stays when it is computed again."""
    return {name: row[name] for name in ("tags", "notes", "label")}


def kept_row(
    now: datetime,
    spec: RunSpec,
    tables: Tables,
    summary: Mapping[str, Any],
    label: tuple[str, str],
    experiment: str = "",
) -> dict[str, Any]:
    """Return the row of a run that was executed elsewhere, by an experiment or not, and has just ended."""
    began = utc_text(now - timedelta(seconds=sum(summary.get("timing", {}).values())))
    status = Status("finished", accepted=began, started=began, ended=utc_text(now), progress=done(tables))
    row = new_row(spec, status, *label)
    return checksum.sealed(schema.runs, {**row, **columns(Marks(experiment=experiment), row["label"])})


def done(tables: Tables) -> dict[str, Any]:
    """Return the progress of a run that has ended with these tables."""
    n = rows(tables["jobs"])
    return {**progress_of(n, n, rows(tables["segments"]), 0.0), "fraction": 1.0}


def _seconds(status: Status) -> float:
    if not (status.started and status.ended):
        return UNKNOWN
    return (datetime.fromisoformat(status.ended) - datetime.fromisoformat(status.started)).total_seconds()
