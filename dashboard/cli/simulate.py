"""`shadowtime simulate`: one workload under one algorithm, its figures and the bounds beside them."""

from __future__ import annotations

import argparse
import json
import os
import sys
import tempfile
import time
from datetime import UTC, datetime
from pathlib import Path

from shadowtime.dashboard.cli import question
from shadowtime.dashboard.cli.parser import (
    add_algorithm,
    add_json,
    add_platform,
    add_tau,
    add_workload,
    check_folders,
)

SUMMARY = "simulate a workload under an algorithm and print the metrics"
EPILOG = """\
A four-job example: 10 processors, exact estimates; submit, runtime, processors:
0,100,6 - 1,10,10 - 2,1000,4 - 3,50,4. FCFS starts them at 0, 100, 110, 110. EASY starts them
at 0, 100, 110, 3: job 4 fits beside job 1 and ends at 53, before job 2 can start at 100. As a file:

  ; MaxProcs: 10
  1 0 -1 100 6 -1 -1 6 100 -1 1 -1 -1 -1 -1 -1 -1 -1
  2 1 -1 10 10 -1 -1 10 10 -1 1 -1 -1 -1 -1 -1 -1 -1
  3 2 -1 1000 4 -1 -1 4 1000 -1 1 -1 -1 -1 -1 -1 -1 -1
  4 3 -1 50 4 -1 -1 4 50 -1 1 -1 -1 -1 -1 -1 -1 -1

  shadowtime simulate four.swf -a easy
  shadowtime simulate lublin:jobs=1000,load=0.8 -a easy -p extra=first --seed 7 --json
  shadowtime simulate four.swf -a easy --report easy.html
"""


def configure(parser: argparse.ArgumentParser) -> None:
    """The options of design's command line."""
    add_workload(parser)
    add_algorithm(parser, "as `shadowtime list algorithms` shows it")
    add_platform(parser)
    parser.add_argument(
        "--estimates",
        choices=("requested", "actual"),
        help="run times that the scheduler knows (requested, where the workload has them)",
    )
    add_tau(parser)
    parser.add_argument(
        "--out", metavar="DIR", help="also write jobs.csv, segments.csv, events.csv, series.csv, summary.json"
    )
    parser.add_argument("--report", metavar="FILE", help="also write a report: one HTML file that needs no server")
    add_json(parser)


def run(options: argparse.Namespace) -> int:
    """Simulate, and print figures; nothing is kept in the store."""
    check_folders(options, "out")
    target = question.output(options.report, "--report") if options.report else None

    from shadowtime.engine import registry as policies

    entry = policies.find(options.algorithm)  # a wrong name is refused before a long log is read
    began = time.perf_counter()
    workload = question.load(options)
    loaded = time.perf_counter() - began
    if options.owns_process:
        from shadowtime.workers.small import interpret

        interpret(workload, options.algorithm)
        if sys.stderr.isatty() and "NUMBA_DISABLE_JIT" not in os.environ:
            _announce_compiler(entry.runner.compile_seconds(entry.parameters_for(workload, options.parameter)))

    from shadowtime.engine.errors import SimulationError
    from shadowtime.workers.execute import execute
    from shadowtime.workers.spec import RunSpec
    from shadowtime.workers.spool import FileSpool

    given = question.platform(options) or None
    spec = RunSpec.of(workload, options.algorithm, options.parameter, given, options.estimates, options.seed)
    with tempfile.TemporaryDirectory(prefix="shadowtime-") as folder:  # stays empty where all can be held
        try:
            outcome = execute(spec, workload, tau=options.tau, load_s=loaded, spool=FileSpool(Path(folder) / "spool"))
        except SystemExit as error:  # code 0 would look like a result
            raise SimulationError(f"{options.algorithm} ended the process (SystemExit); there is no result") from error
        if options.out:
            from shadowtime.workers.export import write_directory

            write_directory(Path(options.out), outcome.schedule, outcome.summary)
        if target:
            from shadowtime.dashboard.cli.report import write
            from shadowtime.dashboard.offline.report import Report
            from shadowtime.dashboard.offline.subject import simulated

            now = datetime.now(UTC)
            more = f" --tau {options.tau:g}" if options.tau else ""
            write(Report([simulated(spec, workload, outcome, now, more)], now).html(), target)
    if options.json:
        print(json.dumps(outcome.summary, ensure_ascii=False))
    else:
        from shadowtime.dashboard.cli.figures import of_run

        print(of_run(outcome.summary, spec, workload))
    return 0


def _announce_compiler(seconds: float) -> None:
    """Say why the first run of an algorithm takes long."""
    if seconds:
        print(f"compiling, once for this version: about {seconds:.0f} s on an idle processor", file=sys.stderr)
