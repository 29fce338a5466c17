"""`shadowtime bound`: how good any schedule of a workload can possibly be."""

from __future__ import annotations

import argparse
import json

from shadowtime.dashboard.cli import question
from shadowtime.dashboard.cli.parser import add_json, add_platform, add_tau, add_workload

SUMMARY = "compute proven lower bounds for all schedules of a workload"
CRITERIA = ("makespan", "weighted-completion", "max-stretch")


def configure(parser: argparse.ArgumentParser) -> None:
    """The options of design's command line."""
    add_workload(parser)
    parser.add_argument("-c", "--criterion", required=True, choices=CRITERIA, help="criterion of the lower bound")
    add_platform(parser)
    add_tau(parser)
    add_json(parser)


def run(options: argparse.Namespace) -> int:
    """Print the best proven bound, and the others beside it."""
    from shadowtime.engine.bounds.registry import bound
    from shadowtime.engine.metrics.jobs import tau_of
    from shadowtime.engine.platform import Platform

    workload = question.load(options)
    platform = Platform.of(workload, question.platform(options))
    tau = options.tau or tau_of(workload)
    found = bound(workload, platform, options.criterion, tau)
    if options.json:
        print(json.dumps(found, ensure_ascii=False))
    else:
        from shadowtime.dashboard.cli.figures import of_bound

        print(of_bound(found, workload))
    return 0
