"""Read one run from its folder."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any

from shadowtime.engine.metrics.run import degradation_from_bound
from shadowtime.engine.tables import Table, empty
from shadowtime.workers.errors import Damaged, NotFound
from shadowtime.workers.records.bounds import Bound
from shadowtime.workers.spec import RunSpec
from shadowtime.workers.store import columns, damage
from shadowtime.workers.store.base import EXTRA_TABLES, TABLES, Status
from shadowtime.workers.store.damage import TROUBLES

EXACT = "exact_bound"
"""Key of the summary that holds the state of the proof of the exact bound."""


@dataclass(frozen=True)
class FileRun:
    """One run as it stood when its status was read."""

    digest: str
    status: Status
    path: Path
    verify: Callable[[str], Status] = field(repr=False, compare=False)
    """Called with the digest when reading fails: verifies the run and returns its status."""
    bound_of: Callable[[str], Bound | None] = field(repr=False, compare=False)
    """Called with the digest: returns the exact bound if one was requested."""

    @property
    def id(self) -> str:
        return self.digest[:16]

    def read(self) -> FileRun:
        """Return the run itself after loading what listings show."""
        assert self.spec.digest == self.digest
        assert (self.summary is not None) == self.status.is_finished
        return self

    @property
    def is_private(self) -> bool:
        """Whether only its owner may see it. Without a readable status, its question decides; without a readable
        question, it is private."""
        if self.status.owner is not None or not self.status.damaged:
            return self.status.owner is not None
        try:
            return bool(self.spec.salt)
        except NotFound:
            return True

    @cached_property
    def spec(self) -> RunSpec:
        try:
            return RunSpec.from_json(damage.read_question(self.path, self.digest))
        except FileNotFoundError:
            raise NotFound("run", self.id) from None
        except ValueError as error:
            raise Damaged(f"the question of run {self.id} is damaged ({error}); ask it again") from None

    @cached_property
    def summary(self) -> dict[str, Any] | None:
        if not self.status.is_finished:
            return None
        summary, _ = self._stored
        bound = self.bound_of(self.digest) if EXACT in summary else None
        if bound is not None:
            _take_exact(summary, bound)
        return summary

    def table(self, name: str) -> Table:
        if name not in (*TABLES, *EXTRA_TABLES) or not self.status.is_finished:
            raise NotFound(f"table of run {self.id}", name)
        assert self.spec.digest == self.digest, "its tables answer its own question"
        if name in EXTRA_TABLES and not (self.path / name).is_dir() and name not in self._stored[1]:
            return empty(EXTRA_TABLES[name])
        try:
            return columns.read_table(self.path / name)
        except TROUBLES as error:
            raise self._damaged(error) from None

    @cached_property
    def _stored(self) -> tuple[dict[str, Any], list[str]]:
        assert self.spec.digest == self.digest, "its figures answer its own question"
        try:
            return damage.read_summary(self.path)
        except TROUBLES as error:
            raise self._damaged(error) from None

    def _damaged(self, error: Exception) -> NotFound:
        """Return the error for a failed read: the run was deleted, started again, or is damaged."""
        try:
            status = self.verify(self.digest)
        except OSError:  # the store cannot be written to, but the run is still damaged
            return Damaged(damage.damaged(self.status, str(error)).error or "")
        return Damaged(status.error or "") if status.damaged else NotFound("run", self.id)


def _take_exact(summary: dict[str, Any], bound: Bound) -> None:
    """Put the exact bound of the largest bounded stretch, or the reason for its absence, into a summary."""
    summary[EXACT] = {"status": bound.status, **({"error": bound.error} if bound.error else {})}
    if bound.value is not None:
        metrics = summary["metrics"]
        summary["bounds"]["max_bounded_stretch"] = bound.value
        summary["bound_names"]["max_bounded_stretch"] = "cut"
        metrics["degradation_from_bound"] = degradation_from_bound(metrics["max_bounded_stretch"], bound.value)
