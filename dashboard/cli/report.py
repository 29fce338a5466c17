"""`shadowtime report`: stored runs as one HTML file that opens without a server."""

from __future__ import annotations

import argparse
import sys
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from shadowtime.dashboard.cli import question
from shadowtime.dashboard.cli.parser import add_window_and_output
from shadowtime.dashboard.cli.stores import opened

if TYPE_CHECKING:
    from pathlib import Path

SUMMARY = "write stored runs to one HTML file that needs no server"
DESCRIPTION = """\
Write one run, or several on the same jobs compared, to one HTML file that needs no server and no network: the schedule
to zoom and click, metrics beside their bounds, histograms, and the command that repeats each run.
"""
EPILOG = """\
  shadowtime report 13189c2c62a84589 -o easy.html
  shadowtime report 13189c2c62a84589 6d0f9c2b1a3e4f57 -o fcfs-and-easy.html
  shadowtime report 13189c2c62a84589 --from 0 --to 604800 -o week.html
"""


def configure(parser: argparse.ArgumentParser) -> None:
    """Runs, window and file."""
    parser.add_argument(
        "run_ids",
        metavar="RUN",
        nargs="+",
        help="ids of one to six runs, as in their links; several are compared with the first one",
    )
    add_window_and_output(parser, " shown")


def run(options: argparse.Namespace) -> int:
    """Read the runs from the store and write the file."""
    target = None if options.output == "-" else question.output(options.output)
    store = opened("report", options.store)

    from shadowtime.dashboard.offline import stored
    from shadowtime.dashboard.offline.report import Report

    runs = stored.subjects([store.runs.get(run_id) for run_id in options.run_ids], store)
    write(Report(runs, datetime.now(UTC), options.start, options.end).html(), target)
    return 0


def write(text: str, target: Path | None) -> None:
    """Write the file, or to standard output."""
    if target is None:
        sys.stdout.buffer.write(text.encode())
    else:
        from shadowtime.workers import outputs

        outputs.write(target, text)
