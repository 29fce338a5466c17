"""The forms that a run can be exported to: one list for the command line and for the web, so that both write the same.

Nothing heavy is loaded before something is written.
"""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from shadowtime.workers.exports import Window
    from shadowtime.workers.store import Run, VisibleStore

TABLES = ("jobs", "segments", "events", "series")


@dataclass(frozen=True)
class Export:
    """What is to be written."""

    store: VisibleStore
    run: Run
    table: str
    """One of TABLES, for the forms that hold one."""
    window: Window

    @property
    def workload(self) -> str:
        """The workload by the name of its file, or of its generator."""
        from shadowtime.workers.errors import NotFound

        source = self.run.spec.workload
        if "generator" in source:
            return source["generator"]
        try:
            return self.store.workloads.get(source["digest"]).name
        except NotFound:
            return f"{source['digest'][:16]}.swf"


@dataclass(frozen=True)
class Form:
    """A way to write a run."""

    text: str
    suffix: str
    """Of the file's name."""
    media: str
    write: Callable[[Export], Iterable[str | bytes]]
    of_table: bool = False
    """It holds one table, which must be named."""
    of_window: bool = False
    """It can hold a part of the time alone."""
    of_question: bool = False
    """It is known before the run has finished."""
    is_small: bool = False
    """It is written of the question and the figures alone."""


def _csv(chosen: Export) -> Iterator[str]:
    from shadowtime.workers import export

    run = chosen.run
    match chosen.table:
        case "jobs":
            return export.jobs_csv(run.table("jobs"), run.table("segments"))
        case "segments":
            return export.segments_csv(run.table("jobs"), run.table("segments"))
        case "events":
            return export.events_csv(run.table("jobs"), run.table("segments"), run.table("events"))
    return export.series_csv(run.table("series"))


def _parquet(chosen: Export) -> Iterator[bytes]:
    from shadowtime.workers.exports.parquet import parquet

    return parquet(chosen.run, chosen.table)


def _trace(chosen: Export) -> Iterator[bytes]:
    from shadowtime.dashboard.viewer.facts import user_names
    from shadowtime.workers.exports.trace import trace

    title = f"{chosen.run.spec.algorithm} on {chosen.workload}"
    return trace(chosen.run, title, chosen.window, user_names(chosen.store, chosen.run.spec))


def _evalys(chosen: Export) -> Iterator[str]:
    from shadowtime.workers.exports.evalys import evalys

    return evalys(chosen.run.table("jobs"), chosen.run.table("segments"), chosen.workload)


def _command(chosen: Export) -> list[str]:
    from shadowtime.workers.exports.command import command

    return [command(chosen.run.spec, chosen.workload, names_samples=True), "\n"]


def _spec(chosen: Export) -> list[str]:
    return [chosen.run.spec.json]


def _json(chosen: Export) -> list[str]:
    document = {"spec": json.loads(chosen.run.spec.json), "summary": chosen.run.summary}
    return [json.dumps(document, indent=1, ensure_ascii=False), "\n"]


JSON = "application/json"
FORMS = {
    "csv": Form(
        "A table with the file's own job ids; jobs with Batsim's column names.", "csv", "text/csv; charset=utf-8",
        _csv, of_table=True,
    ),
    "parquet": Form(
        "A table in Apache Parquet, every float exact.", "parquet", "application/vnd.apache.parquet", _parquet,
        of_table=True,
    ),
    "perfetto": Form(
        "Trace events for ui.perfetto.dev or chrome://tracing, of a window or the whole run.", "trace.json", JSON,
        _trace, of_window=True,
    ),
    "evalys": Form("The jobs that ran, as evalys reads them.", "evalys.csv", "text/csv; charset=utf-8", _evalys),
    "spec": Form(
        "The configuration as canonical JSON; its SHA-256 is the run.", "spec.json", JSON, _spec, of_question=True,
        is_small=True,
    ),
    "command": Form(
        "The configuration as a command line.", "command.txt", "text/plain; charset=utf-8", _command,
        of_question=True, is_small=True,
    ),
    "json": Form("The configuration and its figures.", "run.json", JSON, _json, is_small=True),
}  # fmt: skip
"""By the names that `--format` and `?format=` take."""


def form_of(name: str, table: str = "") -> tuple[str, Form, str]:
    """Name, form and table of an export; `csv` and `parquet` may name the table: `segments-csv`.

    Raises InvalidParameter: for a form or table that is not known, listing those that are.
    """
    from shadowtime.engine.errors import InvalidParameter

    first, mark, second = name.partition("-")
    if mark and first in TABLES and not table:
        name, table = second, first
    if name not in FORMS:
        raise InvalidParameter(f"unknown format {name[:40]!r}; known: {', '.join(FORMS)}")
    form = FORMS[name]
    if form.of_table and (table or "jobs") not in TABLES:
        raise InvalidParameter(f"unknown table {table[:40]!r}; known: {', '.join(TABLES)}")
    if table and not form.of_table:
        raise InvalidParameter(f"format {name} holds no table: leave table away")
    return name, form, (table or "jobs") if form.of_table else ""


def window(name: str, form: Form, start: float | None, end: float | None) -> Window:
    """Return the time window of an export; the whole run by default.

    Raises InvalidParameter: for a window without a length, and of a form that has none.
    """
    from shadowtime.engine.errors import InvalidParameter
    from shadowtime.workers.exports import Window

    given = Window(
        -math.inf if start is None else start,
        math.inf if end is None else end,
    )
    if (start, end) != (None, None) and not form.of_window:
        windowed = ", ".join(known for known, one in FORMS.items() if one.of_window)
        raise InvalidParameter(f"format {name} holds the whole run; a window is for {windowed}")
    if not given.start < given.end:
        raise InvalidParameter(f"from = {given.start:g} must be before to = {given.end:g}")
    return given


def written(form: Form, chosen: Export) -> Iterator[bytes]:
    """The file, in pieces. Errors are raised at once, not at the first piece.

    Raises Conflict: for what only a finished run has.
    Raises Damaged: where what was kept of the run is not what was written.
    """
    from shadowtime.workers.errors import Conflict

    if not (form.of_question or chosen.run.status.is_finished):
        raise Conflict(f"run {chosen.run.id} is {chosen.run.status.status}; only a finished run can be exported")
    for table in () if form.of_question else TABLES:
        chosen.run.table(table)
    pieces = form.write(chosen)
    return (piece.encode() if isinstance(piece, str) else piece for piece in pieces)


def file_name(form: Form, chosen: Export) -> str:
    """`13189c2c62a84589-jobs.csv`: made of the id and our own words alone."""
    return f"{chosen.run.id}-{chosen.table}.{form.suffix}" if chosen.table else f"{chosen.run.id}-{form.suffix}"
