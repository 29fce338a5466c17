"""One run in its folder, to be read."""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from engine.tables import Table, empty
from workers.errors import NotFound
from workers.spec import RunSpec
from workers.store import columns
from workers.store.base import EXTRA_TABLES, TABLES, Status

SPEC, STATUS, SUMMARY, BOUND_FILE = "spec.json", "status.json", "summary.json", "bound.json"

EXACT = "exact_bound"
"""Where the summary of a run of very many jobs says how the proof of its exact bound stands."""
QUEUED_BOUND = {"status": "queued"}


@dataclass(frozen=True)
class FileRun:
    """One run as it stood when its status was read."""

    digest: str
    status: Status
    path: Path

    @property
    def id(self) -> str:
        return self.digest[:16]

    @cached_property
    def spec(self) -> RunSpec:
        return RunSpec.from_json(self._read(SPEC).decode())

    @cached_property
    def summary(self) -> dict[str, Any] | None:
        if not self.status.is_finished:
            return None
        summary = json.loads(self._read(SUMMARY))
        if EXACT in summary and (self.path / BOUND_FILE).exists():
            _take_exact(summary, json.loads(self._read(BOUND_FILE)))
        return summary

    def table(self, name: str) -> Table:
        if name not in (*TABLES, *EXTRA_TABLES) or not self.status.is_finished:
            raise NotFound(f"table of run {self.id}", name)
        if name in EXTRA_TABLES and not (self.path / name).is_dir():
            return empty(EXTRA_TABLES[name])
        try:
            return columns.read_table(self.path / name)
        except FileNotFoundError:
            raise NotFound("run", self.id) from None

    def _read(self, name: str) -> bytes:
        try:
            return (self.path / name).read_bytes()
        except FileNotFoundError:
            raise NotFound("run", self.id) from None


def _take_exact(summary: dict[str, Any], answer: dict[str, Any]) -> None:
    """Put the exact bound of the largest bounded stretch, or why there is none, into a summary."""
    summary[EXACT] = {name: answer[name] for name in ("status", "error") if name in answer}
    if "bound" in answer:
        metrics, least = summary["metrics"], answer["bound"]
        summary["bounds"]["max_bounded_stretch"] = least
        summary["bound_names"]["max_bounded_stretch"] = "cut"
        metrics["degradation_from_bound"] = metrics["max_bounded_stretch"] / least
