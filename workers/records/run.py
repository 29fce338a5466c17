"""One run as it stood when its row was read."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from typing import TYPE_CHECKING, Any

from shadowtime.engine.metrics.run import degradation_from_bound
from shadowtime.engine.tables import Table, empty
from shadowtime.workers.digest import Identified
from shadowtime.workers.errors import Damaged, NotFound
from shadowtime.workers.records import checksum, schema
from shadowtime.workers.records.bounds import Bound
from shadowtime.workers.records.marks import Marks
from shadowtime.workers.records.run_rows import OUTLINE, damaged, is_question, tables_of
from shadowtime.workers.records.tables import read_table
from shadowtime.workers.spec import RunSpec
from shadowtime.workers.store.base import EXTRA_TABLES, TABLES, Status

if TYPE_CHECKING:
    from shadowtime.workers.records.runs import Runs

EXACT = "exact_bound"
"""Key of the summary that holds the state of the proof of the exact bound."""
TROUBLES = (FileNotFoundError, ValueError)
"""Errors from reading a record or a blob that differs from what was written."""


KEPT = 500
"""Questions that are kept parsed: lists show the same runs to many visitors."""


@dataclass(frozen=True)
class RecordRun(Identified):
    """One run; its results are read when they are needed."""

    digest: str
    status: Status
    question: str = field(repr=False)
    """Its canonical question, as recorded."""
    runs: Runs = field(repr=False, compare=False)
    traceback: str = field(default="", repr=False, compare=False)
    """Of the unexpected error that ended it, for its owner alone; empty without one."""
    marks: Marks = field(default=Marks(), repr=False, compare=False)

    @property
    def is_private(self) -> bool:
        """Whether only its owner may see it. Of a damaged record its question decides; without a readable question,
        it is private."""
        if self.status.owner is not None or not self.status.damaged:
            return self.status.owner is not None
        try:
            return bool(self.spec.salt)
        except NotFound:
            return True

    @cached_property
    def spec(self) -> RunSpec:
        if not is_question(self.question, self.digest):
            raise Damaged(
                f"the configuration of run {self.id} is damaged (it is not what was submitted); submit it again"
            )
        return _spec_of(self.question)

    @cached_property
    def summary(self) -> dict[str, Any] | None:
        if not self.status.is_finished:
            return None
        assert self.spec.digest == self.digest, "its figures answer its own question"
        summary = {name: value for name, value in self._recorded.items() if name != OUTLINE}
        bound = self.runs.bounds.get(self.digest, is_requested=True) if EXACT in summary else None
        if bound is not None:
            _take_exact(summary, bound)
        return summary

    @property
    def outline(self) -> list[float] | None:
        return self._recorded.get(OUTLINE) if self.status.is_finished else None

    @cached_property
    def _recorded(self) -> dict[str, Any]:
        """The summary and the outline as they are recorded."""
        return dict(json.loads(self.result["summary"]))

    def table(self, name: str) -> Table:
        if name not in (*TABLES, *EXTRA_TABLES) or not self.status.is_finished:
            raise NotFound(f"table of run {self.id}", name)
        assert self.spec.digest == self.digest, "its tables answer its own question"
        digest = self.tables.get(name)
        if digest is None and name in EXTRA_TABLES:
            return empty(EXTRA_TABLES[name])
        try:
            if digest is None:
                raise FileNotFoundError(name)
            return read_table(self.runs.shelf.blobs.open(digest))
        except TROUBLES as error:
            raise self._damaged(of_table(name, error)) from None

    @property
    def tables(self) -> dict[str, str]:
        """Return the blob of each table by name."""
        return tables_of(self.result)

    @cached_property
    def result(self) -> Mapping[str, Any]:
        """The row of its results."""
        try:
            return checked(self.runs.result(self.digest))
        except TROUBLES as error:
            raise self._damaged(error) from None

    def with_result(self, row: Mapping[str, Any] | None) -> None:
        """Take the row of the results, which was read for several runs at once. Raises as `summary`."""
        if not self.status.is_finished:
            return
        try:
            vars(self)["result"] = checked(row)
        except ValueError as error:
            raise self._damaged(error) from None

    def _damaged(self, error: Exception) -> NotFound:
        """Return the error for a failed read: the run was deleted, started again, or is damaged."""
        try:
            status = self.runs.verify(self.digest)
        except OSError:  # the store cannot be written to, but the run is still damaged
            return Damaged(damaged(self.status, str(error)).error or "")
        return Damaged(status.error or "") if status.damaged else NotFound("run", self.id)


@lru_cache(KEPT)
def _spec_of(question: str) -> RunSpec:
    return RunSpec.from_json(question)


def checked(row: Mapping[str, Any] | None) -> Mapping[str, Any]:
    """Return a row of results; ValueError when it is missing, or not what was written."""
    if row is None:
        raise ValueError("its figures are missing")
    if not checksum.is_intact(schema.results, row):
        raise ValueError("its figures are not what was written")
    return row


def of_table(name: str, error: Exception) -> ValueError:
    """Return the error for a table whose blob is missing, or not what was written."""
    return ValueError(
        f"the table {name} {'is missing' if isinstance(error, FileNotFoundError) else 'is not what was written'}"
    )


def _take_exact(summary: dict[str, Any], bound: Bound) -> None:
    """Put the exact bound of the largest bounded stretch, or the reason for its absence, into a summary."""
    summary[EXACT] = {"status": bound.status, **({"error": bound.error} if bound.error else {})}
    if bound.value is not None:
        metrics = summary["metrics"]
        summary["bounds"]["max_bounded_stretch"] = bound.value
        summary["bound_names"]["max_bounded_stretch"] = "cut"
        metrics["degradation_from_bound"] = degradation_from_bound(metrics["max_bounded_stretch"], bound.value)
