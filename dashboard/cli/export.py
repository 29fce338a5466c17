"""`shadowtime export`: a stored run as a file for other programs."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from dashboard.cli import question
from dashboard.cli.parser import Refusal

if TYPE_CHECKING:
    from workers.store import Run

SUMMARY = "write a stored run to a file"
TABLES = ("jobs", "segments", "events", "series")


def as_csv(table: str) -> Callable[[Run], Iterator[bytes]]:
    """Writes a table as CSV, in pieces; job ids are the file's own."""

    def write(run: Run) -> Iterator[bytes]:
        from workers import export

        pieces = {
            "jobs": lambda: export.jobs_csv(run.table("jobs"), run.table("segments")),
            "segments": lambda: export.segments_csv(run.table("jobs"), run.table("segments")),
            "events": lambda: export.events_csv(run.table("jobs"), run.table("segments"), run.table("events")),
            "series": lambda: export.series_csv(run.table("series")),
        }
        return (piece.encode() for piece in pieces[table]())

    return write


def as_parquet(table: str) -> Callable[[Run], Iterator[bytes]]:
    """Writes a table as it is stored: `job` is the row of `jobs`, kinds and states are numbers."""

    def write(run: Run) -> Iterator[bytes]:
        import pyarrow
        from pyarrow import parquet

        sink = pyarrow.BufferOutputStream()
        parquet.write_table(pyarrow.table(run.table(table)), sink)
        yield sink.getvalue().to_pybytes()

    return write


def as_json(run: Run) -> Iterator[bytes]:
    """The question and its figures, without the tables."""
    document = {"spec": json.loads(run.spec.json), "summary": run.summary}
    yield (json.dumps(document, indent=1, ensure_ascii=False) + "\n").encode()


@dataclass(frozen=True)
class Form:
    """A way to write a run."""

    write: Callable[[Run], Iterator[bytes]]
    text: str


FORMATS = {
    "jobs-csv": Form(as_csv("jobs"), "One row a job, with Batsim's column names."),
    "segments-csv": Form(as_csv("segments"), "One row a rectangle of the Gantt chart."),
    "events-csv": Form(as_csv("events"), "One row a happening, with the reason."),
    "series-csv": Form(as_csv("series"), "Utilization, demand and queue as step functions."),
    "json": Form(as_json, "The run's question and its figures."),
    **{
        f"{table}-parquet": Form(as_parquet(table), f"The table {table} as it is stored, in Apache Parquet.")
        for table in TABLES
    },
}


def configure(parser: argparse.ArgumentParser) -> None:
    """The options of design's command line."""
    parser.add_argument("run_id", metavar="RUN", help="its id: 16 or 64 hexadecimal digits, as in its link")
    parser.add_argument("--format", required=True, choices=tuple(FORMATS), help="see: shadowtime list formats")
    parser.add_argument("-o", "--output", required=True, metavar="FILE", help="where to; - is standard output")
    parser.add_argument(
        "--store", metavar="DIR", help="where results are kept ($SHADOWTIME_STORE or ~/.local/share/shadowtime)"
    )


def run(options: argparse.Namespace) -> int:
    """Read the run from the store and write it."""
    target = None if options.output == "-" else question.output(options.output)
    found = find(options.run_id, options.store)
    if not found.status.is_finished:
        raise Refusal(f"export: run {found.id} is {found.status.status}; only a finished run can be exported")
    pieces = FORMATS[options.format].write(found)
    if target is None:
        sys.stdout.buffer.writelines(pieces)
    else:
        with target.open("wb") as stream:
            stream.writelines(pieces)
    return 0


def find(run_id: str, folder: str | None) -> Run:
    """The run of that id in the store; a folder that is no store is not made one."""
    from workers.settings import Settings
    from workers.store import open_store

    place = Path(folder).expanduser() if folder else Settings.from_environment().store
    if not place.is_dir():
        raise Refusal(f"export: there is no store at {place}")
    return open_store(place).runs.get(run_id)
