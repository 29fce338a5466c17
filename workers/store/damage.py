"""Detect damaged files of a run.

A disk may flip a bit, a copy may end early, a person may delete a file. The checksums beside the tables reveal this
when they are read; such a run is never shown, counts as failed, and can be recomputed like any other failed run.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from shadowtime.workers.store import columns, seal
from shadowtime.workers.store.base import EXTRA_TABLES, STATES, TABLES, Status

SPEC, STATUS, SUMMARY = "spec.json", "status.json", "summary.json"
KEPT = "kept_tables"
"""Key of a stored summary: the names of the tables beside it, so that a missing table is noticed."""
TROUBLES = (FileNotFoundError, ValueError)
"""Errors from reading a file that differs from what was written."""


def summary_text(summary: Any, tables: Sequence[str]) -> bytes:
    """Return the content of `summary.json` of a run with these tables."""
    return seal.sealed({**summary, KEPT: list(tables)})


def read_summary(path: Path) -> tuple[dict[str, Any], list[str]]:
    """Return the summary of the run in a folder, and the names of its tables.

    Raises
    ------
    FileNotFoundError, ValueError
        When there is none, or it is not what was written.
    """
    try:
        summary = seal.opened((path / SUMMARY).read_bytes())
    except ValueError as error:
        raise ValueError(f"{SUMMARY} is not what was written ({error})") from None
    known = [*TABLES, *(name for name in EXTRA_TABLES if (path / name).is_dir())]
    return summary, summary.pop(KEPT, known)


def read_status(path: Path) -> Status:
    """Return the status of the run in a folder; an unreadable status counts as failed.

    Raises
    ------
    FileNotFoundError
        When there is no run.
    """
    try:
        status = Status.from_dict(seal.opened((path / STATUS).read_bytes()))
        if status.status not in STATES:
            raise ValueError(status.status)
        return status
    except (*TROUBLES, TypeError, AttributeError):
        if not (path / SPEC).is_file():
            raise FileNotFoundError(path / STATUS) from None
        return damaged(Status("failed"), f"{STATUS} is missing or no status")


def read_question(path: Path, digest: str) -> str:
    """Return the canonical question of the run in a folder.

    Raises
    ------
    FileNotFoundError, ValueError
        When there is none, or it is not the one whose digest names the run.
    """
    content = (path / SPEC).read_bytes()
    if hashlib.sha256(content).hexdigest() != digest:
        raise ValueError(f"{SPEC} is not what was written: its SHA-256 is not the name of its folder")
    return content.decode()


def trouble(path: Path) -> str | None:
    """Return what is wrong with the summary or the tables of the finished run in a folder; None when all is well."""
    try:
        for name in read_summary(path)[1]:
            columns.read_table(path / name)
    except FileNotFoundError as error:
        return f"{Path(str(error.filename)).relative_to(path)} is missing"
    except ValueError as error:
        return str(error)
    return None


def damaged(status: Status, what: str) -> Status:
    """Return the status of a run that is damaged because of `what`."""
    sentence = f"What was kept of this run is damaged ({what}); run it again to recompute it."
    return status.but(status="failed", damaged=True, error=sentence)
