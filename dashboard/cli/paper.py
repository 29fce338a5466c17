"""`shadowtime paper`: run a paper's study again and print ours beside theirs."""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path

from dashboard.cli.parser import Refusal

SUMMARY = "run a paper's study again: its claims beside what comes out here"
EPILOG = "example:\n  shadowtime paper measy --scale quick"


def configure(parser: argparse.ArgumentParser) -> None:
    """Which paper, how large, and how to print it."""
    parser.add_argument(
        "name", metavar="NAME", help="demt, dfrs-table2 to -table5, dfrs-period, measy, pjs or synchpack"
    )
    parser.add_argument(
        "--scale", choices=("quick", "full"), default="quick", help="quick takes about a minute (quick)"
    )
    parser.add_argument("--pictures", metavar="DIR", help="also write its figures to DIR as SVG")
    parser.add_argument("--json", action="store_true", help="print one JSON object")


def run(options: argparse.Namespace) -> int:
    """Make the study; progress goes to standard error."""
    from workers.papers import find_paper

    if options.pictures and Path(options.pictures).exists() and not Path(options.pictures).is_dir():
        raise Refusal(f"--pictures {options.pictures}: that is a file, not a folder")
    paper = find_paper(options.name)
    report = paper.study(options.scale, _tell)
    print(file=sys.stderr)
    if options.pictures:
        from workers.papers.pictures import pictures

        folder = Path(options.pictures)
        folder.mkdir(parents=True, exist_ok=True)
        for name, text in pictures(report).items():
            (folder / name).write_text(text, encoding="utf-8")
    print(json.dumps(report.as_dict(), allow_nan=False) if options.json else report.markdown())
    return 0


def _tell(sentence: str) -> None:
    print(f"\r\x1b[K{sentence}", end="", file=sys.stderr, flush=True)
