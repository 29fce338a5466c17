"""`shadowtime convert`: a workload, written in another format."""

from __future__ import annotations

import argparse
import sys

from shadowtime.dashboard.cli import question, writing
from shadowtime.dashboard.cli.parser import Refusal, add_workload, count

SUMMARY = "convert a workload to another file format"
EPILOG = """  shadowtime convert jobs.txt --processors 4096 -o jobs.swf.gz
  shadowtime convert KTH-SP2-1996-2.1-cln.swf.gz --convert week:k=3 -o kth.batsim.json
"""


def configure(parser: argparse.ArgumentParser) -> None:
    """The workload and the file."""
    add_workload(parser)
    parser.add_argument(
        "--processors", type=count, metavar="N", help="size of the machine that is written (default: from the workload)"
    )
    parser.add_argument("-o", "--output", required=True, metavar="FILE", help=writing.HELP)


def run(options: argparse.Namespace) -> int:
    """Read, apply the conversions and write."""
    from shadowtime.engine.platform import Platform
    from shadowtime.engine.workload.job import stated_lanes

    target = writing.check_output(options.output)
    source = question.file_of(options.workload)[0]
    if target is not None and source is not None:
        question.check_other(target, str(source), f"-o {options.output}")
    workload = question.load(options)
    if options.processors:
        if Platform.of(workload, {"processors": options.processors}).lanes_are_nodes:
            raise Refusal(f"convert: the machine of {workload.kind} jobs is stated in nodes, not in processors")
        workload = workload.with_(machine={**workload.machine, "processors": options.processors})
    elif not stated_lanes(workload):
        print(
            f"{workload.name} does not say how many processors its machine has: what is written has no size, or that "
            "of the largest job; --processors names it",
            file=sys.stderr,
        )
    writing.write(workload, target)
    return 0
