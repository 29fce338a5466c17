"""`shadowtime sweep`: one question over a grid of workloads, seeds, loads, algorithms and parameters."""

from __future__ import annotations

import argparse
import json
import os
import signal
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from shadowtime.dashboard.cli.parser import Refusal, add_json, check_folders, reason
from shadowtime.dashboard.cli.progress import Progress

if TYPE_CHECKING:
    from shadowtime.workers.sweeps.extension import Goal, Precision
    from shadowtime.workers.sweeps.outcomes import Outcomes
    from shadowtime.workers.sweeps.reading import SweepQuestion

SUMMARY = "run an experiment over many workloads, seeds, loads, algorithms and parameters"
EPILOG = """\
A file like this one has 18 runs, in 6 points of 3 samples:

  workloads = ["lublin:jobs=1000"]
  seeds = [1, 2, 3]
  loads = [0.5, 0.7, 0.9]
  algorithms = ["fcfs", "easy"]

  shadowtime sweep loads.toml --out results
  shadowtime sweep loads.toml --json > loads.json
  shadowtime sweep loads.toml --until-width 5% --budget 40
"""
SHOWN = ("mean_wait", "mean_bounded_stretch", "max_bounded_stretch", "weighted_completion", "total_job_time")
"""Metrics in the table for people, of which it has the first three that there are."""
IN_FILE = "as `processors = N` in the file of the sweep"
"""How the size of a machine is given."""
BUDGET = 40
"""Seeds that --until-width may use unless --budget gives another number."""
METRIC = "mean_flow"
TERMINATED = 143
"""Exit code after SIGTERM."""


def configure(parser: argparse.ArgumentParser) -> None:
    """The file, and where results go."""
    parser.add_argument("file", metavar="FILE.toml", help="configuration of the experiment; - is standard input")
    parser.add_argument(
        "--out", metavar="DIR", help="also write the tables of runs and points to DIR, as CSV and Parquet"
    )
    parser.add_argument(
        "--until-width",
        metavar="WIDTH",
        help="add seeds until the 95 %% intervals of all ratios to the first algorithm are narrower, as 5%% or 0.05",
    )
    parser.add_argument("--budget", type=int, metavar="SEEDS", help="largest number of seeds, with --until-width (40)")
    parser.add_argument("--metric", metavar="NAME", help="metric whose ratios --until-width looks at (mean_flow)")
    add_json(parser)


def run(options: argparse.Namespace) -> int:
    """Run all of it on this machine, and print the points; nothing is kept in the store."""
    check_folders(options, "out")
    with _prints_as_errors(owns_process=options.owns_process):
        asked, outcomes, found = _computed(options)
    if options.out:
        from shadowtime.workers.sweeps.tables import write_directory

        write_directory(Path(options.out), outcomes, asked.workloads)
    _print(options, asked, outcomes, found)
    for sentence in _failures(outcomes):
        print(sentence, file=sys.stderr)
    return 1 if any(outcomes.failed()) or outcomes.errors else 0


def _computed(options: argparse.Namespace) -> tuple[SweepQuestion, Outcomes, Precision | None]:
    """Return the question of the file, its outcomes, and how precise they are with --until-width."""
    text, place, folder = _text(options.file)

    from shadowtime.engine.errors import InvalidPlatform
    from shadowtime.workers.settings import Settings
    from shadowtime.workers.sweeps.files import Files, check_machines
    from shadowtime.workers.sweeps.local import run_sweep
    from shadowtime.workers.sweeps.reading import read_toml

    settings = Settings.from_environment()
    files = Files([Path.cwd(), folder], settings)
    asked = read_toml(text, place, files.find, settings.max_sweep_runs)
    try:
        check_machines(asked, files.load, IN_FILE)
    except InvalidPlatform as error:
        raise Refusal(f"sweep: {error}") from None
    goal = _goal(options, asked, settings.max_sweep_runs)
    found: Precision | None = None
    progress = Progress()
    try:
        with _sigterm_as_exit(owns_process=options.owns_process):
            if goal is None:
                outcomes = run_sweep(asked.spec, files.load, progress.show)
            else:
                from shadowtime.workers.sweeps.extension import run_until

                outcomes, found = run_until(asked.spec, files.load, goal, progress.show)
                asked = replace(asked, spec=outcomes.spec)
    except (KeyboardInterrupt, SystemExit):
        done = progress.latest.partition(" runs")[0] or f"0 of {len(asked.spec):,}"
        progress.clear()
        print(f"stopped after {done} runs; nothing of the sweep was kept", file=sys.stderr)
        raise
    progress.end()
    return asked, outcomes, found


def _goal(options: argparse.Namespace, asked: SweepQuestion, most: int) -> Goal | None:
    """When to stop adding seeds; None for a sweep of the seeds in its file."""
    if options.until_width is None:
        if options.budget is not None or options.metric is not None:
            raise Refusal("--budget and --metric need --until-width")
        return None
    from shadowtime.dashboard.look.definitions import find_metric
    from shadowtime.engine.workload.words import count
    from shadowtime.workers.sweeps.extension import Goal

    budget = BUDGET if options.budget is None else options.budget
    if budget < len(asked.spec.seeds):
        raise Refusal(f"--budget {budget}, but the file has {count(len(asked.spec.seeds), 'seed')} already")
    if (runs := asked.spec.points * budget) > most:
        raise Refusal(f"--budget {budget} may need {runs:,} runs; {most:,} is the most here (SHADOWTIME_SWEEP_RUNS)")
    if len(asked.spec.variants) < 2:
        raise Refusal("--until-width compares algorithms, but the file has one")
    return Goal(find_metric(options.metric or METRIC).name, _width(options.until_width), budget)


def _width(text: str) -> float:
    """The share that `5%` or `0.05` means."""
    is_percent = text.endswith("%")
    try:
        width = float(text.rstrip("%").strip()) / (100.0 if is_percent else 1.0)
    except ValueError:
        width = 0.0
    if not 0.0 < width <= 10.0:
        raise Refusal(f"--until-width {text[:40]}: that is no width, such as 5% or 0.05")
    if width >= 1.0 and not is_percent:
        raise Refusal(f"--until-width {text[:40]}: a width of 1 or more has a %, as 5% or 150%")
    return width


def _text(name: str) -> tuple[str, str, Path]:
    """The file's text, what to call it, and the folder beside which its workloads may lie."""
    try:
        if name == "-":
            stream = getattr(sys.stdin, "buffer", None)  # None where a caller replaced stdin by a stream of text
            text = stream.read().decode("utf-8-sig") if stream else sys.stdin.read()
            return text, "standard input", Path.cwd()
        path = Path(name)
        return path.read_text(encoding="utf-8-sig"), path.name, path.absolute().parent
    except OSError as error:
        raise Refusal(f"{name} was not read: {reason(error)}") from error
    except UnicodeDecodeError:
        raise Refusal(f"{name} is no text in UTF-8") from None


def _print(options: argparse.Namespace, asked: SweepQuestion, outcomes: Outcomes, found: Precision | None) -> None:
    from shadowtime.workers.sweeps.points import points
    from shadowtime.workers.sweeps.report import report

    if options.json:
        whole = report(outcomes, asked.workloads, asked.name)
        if found is not None:
            whole["precision"] = found.as_dict()
        print(json.dumps(whole, ensure_ascii=False, allow_nan=False))
        return
    from shadowtime.dashboard.cli.figures import measure, plain, table
    from shadowtime.dashboard.look.definitions import metrics
    from shadowtime.engine.workload.words import count

    known = metrics()
    shown = [name for name in SHOWN if name in outcomes.names][:3]
    found_points = points(outcomes, asked.workloads, only=shown)
    rows: list[tuple[str, ...]] = [("workload", "load", "algorithm", "blocks", *(known[name].title for name in shown))]
    for point in found_points:
        figures = [_figure(point["metrics"].get(name), lambda v, n=name: measure(v, known[n].unit)) for name in shown]
        load = "" if point["load"] is None else f"{point['load']:g}"
        rows.append((point["workload"], load, point["name"], str(_blocks(point)), *figures))
    counts = outcomes.counts()
    title = f"{asked.name or 'Sweep'}: {count(counts['finished'], 'run')} finished, {counts['failed']:,} failed"
    note = f"Sweep {asked.spec.id}. In brackets: 95 % intervals over so many blocks (independent draws)."
    if found is not None:
        note += f"\n{known[found.goal.metric].title}: {found.decision.reason}."
    notes = "".join(f"\n{sentence}" for sentence in _notes(found_points))
    print(plain(f"{title}\n\n{table(rows, left=(0, 2))}\n\n{note}{notes}"))


def _notes(points: list[dict[str, Any]]) -> list[str]:
    """The warnings of points: each sentence once, with the points that it is about."""
    found: dict[str, list[str]] = {}
    for point in points:
        load = "" if point["load"] is None else f" at load {point['load']:g}"
        for sentence in point["warnings"]:
            found.setdefault(sentence, []).append(f"{point['name']} on {point['workload']}{load}")
    every = len(points)
    return [f"{'All points' if len(of) == every else '; '.join(of)}: {text}." for text, of in found.items()]


def _blocks(point: Mapping[str, Any]) -> int:
    """The independent draws of a point; 1 where the interval comes from batches of a single run."""
    return max(
        (1 if one["interval"] == "batch means" else one["blocks"] for one in point["metrics"].values()), default=0
    )


def _figure(one: Mapping[str, Any] | None, say: Any) -> str:
    if one is None:
        return ""
    interval = "" if one["low"] is None else f" ({say(one['low'])} .. {say(one['high'])})"
    return f"{say(one['mean'])}{interval}"


def _with_key(error: str) -> str:
    """Return a sentence with the key of the sweep's file that names the size of the machine."""
    from shadowtime.engine.platform import advise

    return advise(error, IN_FILE)


def _failures(outcomes: Outcomes) -> list[str]:
    """Each reason once, with how many runs it ended."""
    from shadowtime.workers.sweeps.report import reasons

    return [f"{entry['runs']:,} failed: {_with_key(entry['error'])}" for entry in reasons(outcomes)]


@contextmanager
def _prints_as_errors(*, owns_process: bool) -> Iterator[None]:
    """Send what policies print, here and in the processes of the sweep, to standard error: standard output is for the
    results."""
    if not owns_process:
        yield
        return
    sys.stdout.flush()
    output, errors = sys.stdout.fileno(), sys.stderr.fileno()
    kept = os.dup(output)
    os.dup2(errors, output)
    try:
        yield
    finally:
        try:
            sys.stdout.flush()  # what was printed before an error or Ctrl-C, too
        finally:
            os.dup2(kept, output)
            os.close(kept)


@contextmanager
def _sigterm_as_exit(*, owns_process: bool) -> Iterator[None]:
    """Raise SystemExit at SIGTERM, so that the processes of the sweep end and the command line says how far it is."""
    if not owns_process:
        yield
        return

    def stop(number: int, frame: object) -> None:
        raise SystemExit(TERMINATED)

    before = signal.signal(signal.SIGTERM, stop)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)
