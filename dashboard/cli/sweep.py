"""`shadowtime sweep`: one question over a grid of workloads, seeds, loads, algorithms and parameters."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from shadowtime.dashboard.cli.parser import Refusal, add_json

if TYPE_CHECKING:
    from shadowtime.workers.sweeps.outcomes import Outcomes
    from shadowtime.workers.sweeps.reading import Asked

SUMMARY = "ask one question over many workloads, seeds, loads, algorithms and parameters"
EPILOG = """\
A file like this one has 18 runs, in 6 points of 3 samples:

  workloads = ["lublin:jobs=1000"]
  seeds = [1, 2, 3]
  loads = [0.5, 0.7, 0.9]
  algorithms = ["fcfs", "easy"]

  shadowtime sweep loads.toml --out results
  shadowtime sweep loads.toml --json > loads.json
"""
SHOWN = ("mean_wait", "mean_bounded_stretch", "max_bounded_stretch", "weighted_completion", "total_job_time")
"""Metrics in the table for people, of which it has the first three that there are."""


def configure(parser: argparse.ArgumentParser) -> None:
    """The file, and where results go."""
    parser.add_argument("file", metavar="FILE.toml", help="what to run; - is standard input")
    parser.add_argument("--out", metavar="DIR", help="also write runs and points there, as CSV and Parquet")
    add_json(parser)


def run(options: argparse.Namespace) -> int:
    """Run all of it on this machine, and print the points; nothing is kept in the store."""
    if options.out and Path(options.out).exists() and not Path(options.out).is_dir():
        raise Refusal(f"--out {options.out}: that is a file, not a folder")
    text, place, folder = _text(options.file)

    from shadowtime.workers.settings import Settings
    from shadowtime.workers.sweeps.files import Files
    from shadowtime.workers.sweeps.local import run_sweep
    from shadowtime.workers.sweeps.reading import read_toml

    settings = Settings.from_environment()
    files = Files([Path.cwd(), folder], settings.store)
    asked = read_toml(text, place, files.find, settings.max_sweep_runs)
    outcomes = run_sweep(asked.spec, files.load, _tell)
    print(file=sys.stderr)
    if options.out:
        from shadowtime.workers.sweeps.tables import write_directory

        write_directory(Path(options.out), outcomes, asked.workloads)
    _print(options, asked, outcomes)
    for sentence in _failures(outcomes):
        print(sentence, file=sys.stderr)
    return 1 if any(outcomes.failed()) or outcomes.errors else 0


def _text(name: str) -> tuple[str, str, Path]:
    """The file's text, what to call it, and the folder beside which its workloads may lie."""
    try:
        if name == "-":
            return sys.stdin.read(), "standard input", Path.cwd()
        path = Path(name)
        return path.read_text(encoding="utf-8-sig"), path.name, path.absolute().parent
    except OSError as error:
        raise Refusal(f"{name} was not read: {(error.strerror or str(error)).lower()}") from error
    except UnicodeDecodeError:
        raise Refusal(f"{name} is no text in UTF-8") from None


def _print(options: argparse.Namespace, asked: Asked, outcomes: Outcomes) -> None:
    from shadowtime.workers.sweeps.points import points
    from shadowtime.workers.sweeps.report import report

    if options.json:
        print(json.dumps(report(outcomes, asked.workloads, asked.name), ensure_ascii=False, allow_nan=False))
        return
    from shadowtime.dashboard.cli.report import measure, plain, table
    from shadowtime.engine.metrics.registry import metrics

    known = metrics()
    shown = [name for name in SHOWN if name in outcomes.names][:3]
    rows: list[tuple[str, ...]] = [("workload", "load", "algorithm", "n", *(known[name].title for name in shown))]
    for point in points(outcomes, asked.workloads, only=shown):
        figures = [_figure(point["metrics"].get(name), lambda v, n=name: measure(v, known[n].unit)) for name in shown]
        load = "" if point["load"] is None else f"{point['load']:g}"
        rows.append((point["workload"], load, point["name"], str(point["n"]), *figures))
    counts = outcomes.counts()
    title = f"{asked.name or 'Sweep'}: {counts['finished']:,} runs finished, {counts['failed']:,} failed"
    print(plain(f"{title}\n\n{table(rows, left=(0, 2))}\n\nSweep {asked.spec.id}. In brackets: 95 % intervals."))


def _figure(one: Mapping[str, Any] | None, say: Any) -> str:
    if one is None:
        return ""
    interval = "" if one["low"] is None else f" ({say(one['low'])} .. {say(one['high'])})"
    return f"{say(one['mean'])}{interval}"


def _failures(outcomes: Outcomes) -> list[str]:
    """Each reason once, with how many runs it ended."""
    from shadowtime.workers.sweeps.report import reasons

    return [f"{entry['runs']:,} failed: {entry['error']}" for entry in reasons(outcomes)]


def _tell(sentence: str) -> None:
    print(f"\r\x1b[K{sentence}", end="", file=sys.stderr, flush=True)
