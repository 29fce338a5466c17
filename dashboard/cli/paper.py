"""`shadowtime paper`: run a paper's study again and print ours beside theirs."""

from __future__ import annotations

import argparse
import json
import sys

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
    parser.add_argument("--json", action="store_true", help="print one JSON object")


def run(options: argparse.Namespace) -> int:
    """Make the study; progress goes to standard error."""
    from workers.papers import find_paper

    paper = find_paper(options.name)
    report = paper.study(options.scale, _tell)
    print(file=sys.stderr)
    print(json.dumps(report.as_dict(), allow_nan=False) if options.json else report.markdown())
    return 0


def _tell(sentence: str) -> None:
    print(f"\r\x1b[K{sentence}", end="", file=sys.stderr, flush=True)
