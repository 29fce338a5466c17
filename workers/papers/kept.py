"""Store the results of papers: those shipped with the package, and those computed here.

papers/<name>-<scale>/<engine version>/status.json result.json progress.json
    cells/<version of the studies>/<key>.json   (while recomputing)
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import asdict, dataclass, replace
from importlib.resources import files
from pathlib import Path
from typing import Any

from shadowtime.workers.papers.registry import SCALES
from shadowtime.workers.papers.report import FORMAT
from shadowtime.workers.store import disk
from shadowtime.workers.store.base import utc_now
from shadowtime.workers.version import engine_version, studies_version

FOLDER, CELLS = "papers", "cells"
QUEUED, RUNNING, FINISHED, FAILED, CANCELLED = "queued", "running", "finished", "failed", "cancelled"
UNFINISHED = (QUEUED, RUNNING)


def shipped(name: str, scale: str) -> dict[str, Any] | None:
    """Return the result shipped with the package; None without one."""
    source = files("shadowtime.workers.papers.shipped").joinpath(f"{name}-{scale}.json")
    return json.loads(source.read_text(encoding="utf-8")) if source.is_file() else None


@dataclass(frozen=True)
class StudyStatus:
    """State of recomputing; `status.json`, replaced as a whole. Times in UTC."""

    status: str
    accepted: str
    parts: int
    """Parts in the queue: the number of workers that may share the cells."""
    started: str | None = None
    ended: str | None = None
    error: str | None = None
    lost: int = 0
    """Number of lost workers."""

    @property
    def is_unfinished(self) -> bool:
        return self.status in UNFINISHED

    def but(self, **changes: Any) -> StudyStatus:
        """Return a copy with some changes."""
        return replace(self, **changes)


@dataclass(frozen=True)
class Place:
    """The folder of a study at a scale, recomputed by this engine."""

    store: Path
    name: str
    scale: str
    engine: str = ""

    @property
    def folder(self) -> Path:
        return self.store / FOLDER / f"{self.name}-{self.scale}" / (self.engine or engine_version())

    @property
    def cells(self) -> Path:
        """Folder of the results of single cells, of the studies' sources as they are now."""
        return self.folder / CELLS / studies_version()

    def status(self) -> StudyStatus | None:
        """Return the status; None when the study was never submitted."""
        values = _read(self.folder / "status.json")
        return StudyStatus(**values) if values else None

    def put(self, status: StudyStatus) -> StudyStatus:
        """Store the status."""
        self.cells.mkdir(parents=True, exist_ok=True)
        _write(self.folder / "status.json", asdict(status), durable=True)
        return status

    def change(self, expected: tuple[str, ...], **changes: Any) -> StudyStatus | None:
        """Change the status if it is still one of `expected`; return None when it is not."""
        with disk.locked(self.folder):
            status = self.status()
            if status is None or status.status not in expected:
                return None
            return self.put(status.but(**changes))

    def progress(self) -> dict[str, Any]:
        """Return the latest progress: cells done, cells in all, and seconds left if known."""
        return _read(self.folder / "progress.json") or {"done": 0, "total": 0, "seconds_left": None}

    def report(self, progress: Mapping[str, Any]) -> None:
        """Store the progress."""
        _write(self.folder / "progress.json", progress)

    def answer(self, key: str) -> dict[str, Any] | None:
        """Return the result of a cell: {"seconds", "value"}; None without one, or if a power loss left half of it."""
        with suppress(ValueError):
            return _read(self.cells / f"{key}.json")
        return None

    def keep(self, key: str, seconds: float, value: Any) -> None:
        """Store the result of a cell."""
        self.cells.mkdir(parents=True, exist_ok=True)
        _write(self.cells / f"{key}.json", {"seconds": seconds, "value": value})

    def known(self) -> set[str]:
        """Return the keys of the cells with results."""
        return {path.stem for path in self.cells.glob("*.json") if not path.name.startswith(disk.TEMPORARY)}

    def processor_seconds(self) -> float:
        """Return the processor time of the cells with results [s]."""
        return sum(answer["seconds"] for key in self.known() if (answer := self.answer(key)) is not None)

    def result(self) -> dict[str, Any] | None:
        """Return the study's result; None before there is one."""
        return _read(self.folder / "result.json")

    def finish(self, result: Mapping[str, Any]) -> None:
        """Store the study's result and mark it finished; then results of cells are deleted."""
        self.folder.mkdir(parents=True, exist_ok=True)
        _write(self.folder / "result.json", result, durable=True)
        if self.status() is not None:
            self.change((*UNFINISHED, FAILED, CANCELLED), status=FINISHED, ended=utc_now(), error=None)
        self.clear()

    def clear(self) -> None:
        """Delete the results of cells, unless workers are computing them."""
        status = self.status()
        if status is None or not status.is_unfinished:
            disk.clear(self.folder / CELLS)


def places(store: Path) -> Iterator[Place]:
    """Yield all studies that this engine was to recompute in a store."""
    for folder in (store / FOLDER).glob(f"*/{engine_version()}"):
        name, _, scale = folder.parent.name.rpartition("-")
        if name and scale in SCALES:
            yield Place(store, name, scale)


def unfinished(store: Path) -> Iterator[tuple[Place, StudyStatus]]:
    """Yield the studies that are queued or running."""
    for place in places(store):
        status = place.status()
        if status is not None and status.is_unfinished:
            yield place, status


def results(store: Path, name: str, scale: str) -> list[dict[str, Any]]:
    """Return all results of a study at a scale, newest first; "shipped" is true for those of the package.

    Results whose format an older version wrote are left out: their verdicts had other grades.
    """
    found = [{**one, "shipped": True} for one in [shipped(name, scale)] if one]
    for folder in (store / FOLDER / f"{name}-{scale}").glob("*"):
        one = Place(store, name, scale, folder.name).result()
        if one and one.get("format") == FORMAT:
            found.append({**one, "shipped": False})
    return sorted(found, key=lambda one: one["made"], reverse=True)


def _read(path: Path) -> dict[str, Any] | None:
    with suppress(FileNotFoundError):
        return json.loads(path.read_bytes())
    return None


def _write(path: Path, values: Mapping[str, Any], *, durable: bool = False) -> None:
    disk.replace_file(path, json.dumps(values, ensure_ascii=False).encode(), durable=durable)
