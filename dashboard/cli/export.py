"""`shadowtime export`: a stored run as a file for other programs."""

from __future__ import annotations

import argparse
import sys

from shadowtime.dashboard.cli import question
from shadowtime.dashboard.cli.parser import Refusal, add_window_and_output
from shadowtime.dashboard.cli.stores import opened
from shadowtime.dashboard.sharing import exporting

SUMMARY = "write a stored run to a file"
EPILOG = """\
  shadowtime export 13189c2c62a84589 --format csv --table segments -o segments.csv
  shadowtime export 13189c2c62a84589 --format perfetto --from 0 --to 86400 -o day.trace.json
  shadowtime export 13189c2c62a84589 --format command -o -
"""
NAMES = (*exporting.FORMS, *(f"{table}-{name}" for name in ("csv", "parquet") for table in exporting.TABLES))
"""What `--format` takes: `segments-csv` is `csv --table segments` in one word."""


def configure(parser: argparse.ArgumentParser) -> None:
    """The options of design's command line."""
    parser.add_argument("run_id", metavar="RUN", help="id of the run: 16 or 64 hexadecimal digits, as in its link")
    parser.add_argument(
        "--format", required=True, choices=NAMES, metavar="FORMAT", help=f"{', '.join(exporting.FORMS)}"
    )
    parser.add_argument(
        "--table",
        choices=exporting.TABLES,
        help="table to write, for csv and parquet (jobs); the format TABLE-csv names both",
    )
    add_window_and_output(parser, ", for perfetto")


def run(options: argparse.Namespace) -> int:
    """Read the run from the store and write it."""
    target = None if options.output == "-" else question.output(options.output)
    if options.table and options.format not in exporting.FORMS:
        raise Refusal(f"export: the format {options.format} names its table; --table is for csv and parquet")
    name, form, table = exporting.form_of(options.format, options.table or "")
    store = opened("export", options.store)
    chosen = exporting.Export(
        store, store.runs.get(options.run_id), table, exporting.window(name, form, options.start, options.end)
    )
    pieces = exporting.written(form, chosen)
    if target is None:
        sys.stdout.buffer.writelines(pieces)
    else:
        from shadowtime.workers.outputs import written

        with written(target) as stream:
            stream.writelines(pieces)
    return 0
