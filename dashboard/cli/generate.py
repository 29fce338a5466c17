"""`shadowtime generate`: what a generator draws, as a file."""

from __future__ import annotations

import argparse

from shadowtime.dashboard.cli import question, writing
from shadowtime.dashboard.cli.parser import whole

SUMMARY = "generate a workload and write it to a file"
EPILOG = "  shadowtime generate lublin:jobs=10000,load=0.8,seed=7 -o busy.swf.gz\n"


def configure(parser: argparse.ArgumentParser) -> None:
    """The options of design's command line."""
    parser.add_argument(
        "generator",
        metavar="GENERATOR[:name=value,...]",
        help="as `shadowtime list generators` shows it; seed= is allowed, too",
    )
    parser.add_argument(
        "-o",
        "--output",
        required=True,
        metavar="FILE",
        help=writing.HELP,
    )
    parser.add_argument("--seed", type=whole, default=0, metavar="S", help="random seed, where seed= is not given (0)")


def run(options: argparse.Namespace) -> int:
    """Draw and write."""
    target = writing.check_output(options.output)
    writing.write(question.draw(options.generator, options.seed), target)
    return 0
