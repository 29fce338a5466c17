"""`shadowtime paper`: run a paper's study again and print ours beside theirs."""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from shadowtime.dashboard.cli.parser import Refusal

if TYPE_CHECKING:
    from shadowtime.workers.papers.report import Report

SUMMARY = "run a paper's study again: its claims beside what comes out here"
EPILOG = "examples:\n  shadowtime paper measy --scale quick\n  shadowtime paper dfrs --keep"


def configure(parser: argparse.ArgumentParser) -> None:
    """Which paper, how large, and how to print it."""
    parser.add_argument(
        "name",
        metavar="NAME",
        help="demt, dfrs (or dfrs-table2 to -table5, dfrs-period), measy, one-workload, pjs or synchpack",
    )
    parser.add_argument(
        "--scale", choices=("quick", "full"), default="quick", help="quick takes about a minute (quick)"
    )
    parser.add_argument("--pictures", metavar="DIR", help="also write its figures to DIR as SVG")
    parser.add_argument("--keep", action="store_true", help="keep the result in the store: its page shows it")
    parser.add_argument("--ship", metavar="DIR", help="also write the result to DIR as the package holds it")
    parser.add_argument("--json", action="store_true", help="print one JSON object")


def run(options: argparse.Namespace) -> int:
    """Make the study; progress goes to standard error."""
    from shadowtime.workers.papers.groups import find_group, make

    for name in ("pictures", "ship"):
        folder = getattr(options, name)
        if folder and Path(folder).exists() and not Path(folder).is_dir():
            raise Refusal(f"--{name} {folder}: that is a file, not a folder")
    group = find_group(options.name)
    result, reports = make(group, options.scale, _tell)
    print(file=sys.stderr)
    if options.pictures:
        from shadowtime.workers.papers.pictures import pictures

        for report in reports:
            for name, text in pictures(report).items():
                _write(options.pictures, name, text)
    if options.ship:
        _write(options.ship, f"{group.name}-{options.scale}.json", json.dumps(result, allow_nan=False) + "\n")
    if options.keep:
        from shadowtime.workers.papers.kept import Place
        from shadowtime.workers.settings import Settings

        Place(Settings.from_environment().store, group.name, options.scale).finish(result)
    printed = [report.as_dict() for report in reports]
    print(json.dumps(printed[0] if len(printed) == 1 else result, allow_nan=False) if options.json else _page(reports))
    return 0


def _page(reports: list[Report]) -> str:
    return "\n".join(report.markdown() for report in reports)


def _write(folder: str, name: str, text: str) -> None:
    Path(folder).mkdir(parents=True, exist_ok=True)
    (Path(folder) / name).write_text(text, encoding="utf-8")


def _tell(sentence: str) -> None:
    print(f"\r\x1b[K{sentence}", end="", file=sys.stderr, flush=True)
