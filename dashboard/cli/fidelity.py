"""`shadowtime fidelity`: how true a simulation is to a log."""

from __future__ import annotations

import argparse
import json
import sys
from typing import TYPE_CHECKING

from shadowtime.dashboard.cli import question
from shadowtime.dashboard.cli.parser import Refusal, add_algorithm, add_json, add_platform, add_workload, count
from shadowtime.dashboard.cli.progress import Progress

if TYPE_CHECKING:
    from shadowtime.engine.fidelity.answer import Answer

SUMMARY = "fit a model to the first half of a log and test it on the second"
DESCRIPTION = """\
Test how well a simulation predicts a log with recorded starts. A few parameters are fitted to its first half; mean
wait, rank correlation of waits and utilization per day are compared on the second half, beside plain EASY. The groups
of jobs with the largest errors are listed."""
EPILOG = """\
  shadowtime fidelity KTH-SP2-1996-2.1-cln.swf.gz
  shadowtime fidelity sacct.psv --machine slurm.conf --associations assoc.psv --qos qos.psv -a slurm --draws 20
  shadowtime fidelity log.swf.gz -a easy++ --json
"""
WAYS = ("user", "size", "partition")


def configure(parser: argparse.ArgumentParser) -> None:
    """The options of the command."""
    add_workload(parser)
    add_algorithm(
        parser,
        "model to test: fitted (the quick model), slurm (the same fit as a cluster, or the log's own), or another "
        "algorithm as it is",
        default="fitted",
    )
    parser.add_argument(
        "--draws",
        type=count,
        default=1,
        metavar="N",
        help="number of simulations of a randomised algorithm, each with its own seed (1)",
    )
    parser.add_argument("--by", choices=WAYS, default="user", help="groups whose errors are listed (user)")
    add_platform(parser)
    add_json(parser)


def run(options: argparse.Namespace) -> int:
    """Print the answer."""
    from shadowtime.dashboard.sharing import fidelity
    from shadowtime.engine.errors import UnknownName
    from shadowtime.engine.fidelity.answer import FITTED, SLURM, assess
    from shadowtime.engine.platform import Platform
    from shadowtime.engine.registry import find
    from shadowtime.engine.workload.words import count as count_of

    algorithm, parameters = options.algorithm, dict(options.parameter)
    if algorithm == FITTED:
        if parameters:
            raise Refusal("fidelity: the parameters of the fitted model are found, not given; -p is for algorithms")
        if options.draws > 1:
            raise Refusal("fidelity: the fitted model draws nothing; --draws is for randomised algorithms")
    else:
        try:
            known = find(algorithm)
        except UnknownName as error:
            raise Refusal(f"fidelity: {error}; or {FITTED}, the quick model that is fitted") from None
        algorithm, parameters = known.slug, {**(known.preset or {}), **parameters}
        if "rigid" not in known.kinds:
            raise Refusal(f"fidelity: {known.slug} takes {known.kinds[0]} jobs; logs with recorded starts are rigid")
    log = question.load(options)
    lanes = Platform.of(log, question.platform(options)).lanes
    progress = Progress()

    def watch(what: str, done: int) -> None:
        progress.show(f"{what}: {count_of(done, 'simulation')}")

    answer = assess(log, lanes, algorithm, parameters, draws=options.draws, seed=options.seed, watch=watch)
    progress.clear()
    if options.json:
        print(json.dumps(fidelity.as_json(answer), ensure_ascii=False))
    else:
        if algorithm == SLURM and options.draws == 1:
            print("One draw of a controller's phases: --draws 20 shows how far draws differ.", file=sys.stderr)
        from shadowtime.dashboard.cli.figures import plain

        print(plain(text(answer, options.by)))
    return 0


def text(answer: Answer, by: str) -> str:
    """The answer for a terminal."""
    from shadowtime.dashboard.cli.figures import table
    from shadowtime.dashboard.sharing import fidelity

    head = ("", "recorded", "EASY", fidelity.title(answer))
    parts = [
        fidelity.halves(answer),
        "\n".join(fidelity.fitted(answer)),
        table([head, *fidelity.rows(answer)], left=(0,)),
        fidelity.verdict(answer),
    ]
    if by in answer.missed:
        parts.append("Largest sums of errors:\n" + table(fidelity.missed(answer, by), left=(0,)))
    return "\n\n".join(parts)
