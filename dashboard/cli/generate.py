"""`shadowtime generate`: what a generator draws, as a file."""

from __future__ import annotations

import argparse
import gzip
import io
import sys

from shadowtime.dashboard.cli import question
from shadowtime.dashboard.cli.parser import Refusal, whole

SUMMARY = "write what a generator draws to a file"
EPILOG = "  shadowtime generate lublin:jobs=10000,load=0.8,seed=7 -o busy.swf.gz\n"


def configure(parser: argparse.ArgumentParser) -> None:
    """The options of design's command line."""
    parser.add_argument(
        "generator",
        metavar="GENERATOR[:name=value,...]",
        help="see: shadowtime list generators; seed= may be among them",
    )
    parser.add_argument(
        "-o",
        "--output",
        required=True,
        metavar="FILE",
        help="ending .swf or .json says how, .gz after it compresses; - is standard output, as SWF",
    )
    parser.add_argument("--seed", type=whole, default=0, metavar="S", help="of the draws, where seed= is not given (0)")


def run(options: argparse.Namespace) -> int:
    """Draw and write."""
    from shadowtime.engine.workload.writers import write_json, write_swf

    target = None if options.output == "-" else question.output(options.output)
    name = options.output.lower().removesuffix(".gz")
    if target and not name.endswith((".swf", ".json")):
        raise Refusal(f"-o {options.output}: the name must end in .swf or .json, and .gz after it to compress")
    workload = question.draw(options.generator, options.seed)
    write = write_json if name.endswith(".json") else write_swf
    text = io.BytesIO()
    write(workload, text)
    if target is None:
        sys.stdout.buffer.write(text.getbuffer())
        return 0
    # No date in the archive: equal jobs give equal bytes.
    target.write_bytes(gzip.compress(text.getvalue(), mtime=0) if target.suffix.lower() == ".gz" else text.getbuffer())
    print(f"{workload.name}: {len(workload):,} jobs in {target}")
    return 0
