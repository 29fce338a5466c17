"""`shadowtime waits`: who waited, in a log, in a simulation of it, or in a stored run."""

from __future__ import annotations

import argparse
import json
import re
import sys
from typing import TYPE_CHECKING, Any

from shadowtime.dashboard.cli import question
from shadowtime.dashboard.cli.parser import (
    Refusal,
    add_algorithm,
    add_json,
    add_platform,
    add_store,
    add_workload,
    whole,
)

if TYPE_CHECKING:
    from shadowtime.dashboard.sharing.waits import Groups, Subject
    from shadowtime.engine.workload.job import Workload

SUMMARY = "print waits by user, account, partition, size, hour or weekday"
DESCRIPTION = """\
Print waits and usage of groups of jobs: as the log recorded them, and as simulated if an algorithm or a stored run is
given. A line above the table compares both. With --outages: the times at which the log shows an outage."""
EPILOG = """\
  shadowtime waits KTH-SP2-1996-2.1-cln.swf.gz --by user -a easy
  shadowtime waits 13189c2c62a84589 --by hour --csv > hours.csv
  shadowtime waits jobs.txt --processors 4096 --outages
"""
WAYS = ("user", "account", "partition", "size", "hour", "weekday")
OF_TABLES, OF_SIMULATIONS = ("by", "most", "algorithm"), ("parameter", "estimates")
"""Options of the table, and of the simulation."""
OF_RUNS = ("by", "most", "outages", "csv", "json", "store")
"""Options that a stored run takes, too."""
ID = re.compile(r"[0-9a-f]{16}(?:[0-9a-f]{48})?")


def configure(parser: argparse.ArgumentParser) -> None:
    """The options of the command."""
    add_workload(parser, "; or the id of a stored run, which has its own algorithm, machine and jobs")
    parser.add_argument("--by", choices=WAYS, default="user", help="how jobs are grouped (user)")
    parser.add_argument(
        "--most",
        type=whole,
        default=20,
        metavar="N",
        help="number of groups listed singly (20), the others as one row; 0: all singly",
    )
    add_algorithm(parser, "also simulate the log under this algorithm", default="")
    add_platform(parser)
    parser.add_argument(
        "--estimates", choices=("requested", "actual"), help="run times that the scheduler knows (requested)"
    )
    parser.add_argument("--outages", action="store_true", help="list the outages that the log shows, and nothing else")
    parser.add_argument("--csv", action="store_true", help="print all groups as CSV, times in seconds")
    add_json(parser)
    add_store(parser)


def run(options: argparse.Namespace) -> int:
    """Print the table, or the outages."""
    from shadowtime.dashboard.sharing import waits

    check(options)
    log, schedules, lanes = stored(options) if is_run(options.workload) else simulated(options)
    what = waits.subject(log, schedules)
    if options.outages:
        if not {"recorded_start", "recorded_end"} <= log.jobs.keys():
            raise Refusal(f"waits: {log.name} has no recorded starts, so that it shows no outages")
        return print_outages(log, lanes, options.json, options.csv)
    if not what.columns:
        raise Refusal(f"waits: {log.name} has no recorded starts; name an algorithm (-a easy) to simulate it")
    if options.by not in what.groupings:
        known = ", ".join(what.groupings)
        raise Refusal(f"waits: the jobs of {log.name} have no {options.by}; known: {known}")
    most = 0 if options.csv else options.most
    groups = waits.grouped(what, options.by, most)
    if options.csv:
        sys.stdout.write(waits.as_csv(what, groups))
    elif options.json:
        print(json.dumps(waits.as_json(what, groups), ensure_ascii=False))
    else:
        from shadowtime.dashboard.cli.figures import plain

        print(plain(text(what, groups)))
    return 0


def check(options: argparse.Namespace) -> None:
    """Refuse options that would have no effect."""
    given = {name: option for option, name in options.given.items()}
    if is_run(options.workload) and (idle := [option for name, option in given.items() if name not in OF_RUNS]):
        raise Refusal(
            f"waits: no effect on a stored run, which has its own algorithm, machine and jobs: {', '.join(idle)}"
        )
    if options.csv and options.json:
        raise Refusal("waits: --csv and --json are two forms of one answer; give one of them")
    if options.outages and (idle := [given[name] for name in OF_TABLES if name in given]):
        raise Refusal(f"waits: no effect with --outages, which prints no table: {', '.join(idle)}")
    if not options.algorithm and (idle := [given[name] for name in OF_SIMULATIONS if name in given]):
        raise Refusal(f"waits: no effect without an algorithm to simulate, such as -a easy: {', '.join(idle)}")


def is_run(reference: str) -> bool:
    """Whether a text is the id of a run, and names no file."""
    return bool(ID.fullmatch(reference)) and question.file_of(reference)[0] is None


def stored(options: argparse.Namespace) -> tuple[Workload, list[Any], int]:
    """Jobs, schedule and lanes of a stored run."""
    from shadowtime.dashboard.cli.stores import opened
    from shadowtime.engine.platform import Platform
    from shadowtime.engine.registry import find
    from shadowtime.workers.errors import Conflict
    from shadowtime.workers.execute import load_workload

    store = opened("waits", options.store)
    found = store.runs.get(options.workload)
    if not found.status.is_finished:
        raise Conflict(f"run {found.id} is {found.status.status}; only finished runs have waits")
    log = load_workload(found.spec, store)
    lanes = Platform.from_dict(found.spec.platform, log.kind).lanes
    return log, [("simulated", find(found.spec.algorithm).title, found.table("jobs"))], lanes


def simulated(options: argparse.Namespace) -> tuple[Workload, list[Any], int]:
    """Jobs and lanes of a log, and its schedule where an algorithm is named."""
    from shadowtime.engine.registry import find
    from shadowtime.engine.simulation import Simulation

    if options.algorithm:
        find(options.algorithm)  # a wrong name is refused before a long log is read
    log = question.load(options)
    given = question.platform(options)
    if not options.algorithm:
        return log, [], size(log, given)
    from shadowtime.workers.spec import RunSpec

    spec = RunSpec.of(log, options.algorithm, options.parameter, given or None, options.estimates, options.seed)
    made = Simulation(
        log, spec.algorithm, spec.parameters, platform=spec.platform, estimates=spec.estimates, seed=spec.seed
    )
    return log, [("simulated", find(spec.algorithm).title, made.run().jobs)], made.platform.lanes


def size(log: Workload, given: dict[str, Any]) -> int:
    """Lanes of a machine that is not simulated: those given, those of the log, or the most in use."""
    from shadowtime.engine.metrics.busy import in_use
    from shadowtime.engine.platform import Platform

    if given or {"processors", "nodes"} & log.machine.keys():
        return Platform.of(log, given).lanes
    if not {"recorded_start", "recorded_end"} <= log.jobs.keys():
        return 1
    used = in_use(log.jobs["recorded_start"], log.jobs["recorded_end"], log.jobs["processors"])
    return max(1, int(used.value.max(initial=1)))


def text(what: Subject, groups: Groups) -> str:
    """The table for a terminal, under a line on how alike both columns are."""
    from shadowtime.dashboard.cli.figures import table
    from shadowtime.dashboard.look import words
    from shadowtime.dashboard.sharing import waits

    heads = [f"{measure} {one.key}" for measure in waits.MEASURES for one in what.columns]
    lines = [(groups.by, "jobs", "proc.-hours", "share", *heads)]
    for line in waits.records(what, groups):
        columns = range(len(what.columns))
        shown = [words.duration(line[f"{measure}{n}"]) for measure in waits.MEASURES for n in columns]
        share = words.percent(line["share"])
        lines.append((line["group"], f"{line['jobs']:,}", words.number(line["hours"]), share, *shown))
    alike = [
        waits.likeness_words(one.name, waits.likeness_as_json(found))
        for one, found in zip(what.schedules, what.likeness(), strict=False)
    ]
    return "\n\n".join([*alike, table(lines, left=(0,))])


def print_outages(log: Workload, lanes: int, as_json: bool, as_csv: bool) -> int:
    """Print the outages, one a line."""
    from shadowtime.dashboard.cli.figures import plain
    from shadowtime.dashboard.look import words
    from shadowtime.dashboard.sharing import busy

    stops = busy.stops(log, lanes)
    if as_json:
        print(json.dumps({"processors": lanes, "outages": stops}, ensure_ascii=False))
        return 0
    if as_csv:
        columns = ("start", "end", "jobs", "users", "processors")
        rows = [",".join(f"{stop[name]:.15g}" for name in columns) for stop in stops]
        print("\n".join([",".join(columns), *rows]))
        return 0
    hours = sum(stop["end"] - stop["start"] for stop in stops) / words.HOUR
    print(plain(f"{words.count(len(stops), 'outage')}, {words.number(hours)} h, on {words.count(lanes, 'processor')}."))
    for stop in stops:
        print(plain(busy.stop_words(stop, log.clock)))
    return 0
