"""What a report says of several runs on the same jobs: metrics beside each other, and who is done sooner."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from shadowtime.dashboard.components import compare_jobs, compare_metrics, naming, results
from shadowtime.dashboard.components.compare_view import MOST, question
from shadowtime.dashboard.look import words
from shadowtime.dashboard.look.definitions import metrics as registered
from shadowtime.dashboard.offline.subject import Subject
from shadowtime.engine.errors import InvalidParameter
from shadowtime.workers.errors import Conflict


@dataclass(frozen=True)
class Cell:
    """One run's value of a metric."""

    value: str
    ratio: str
    change: str
    """Against the baseline."""
    is_best: bool


@dataclass(frozen=True)
class Row:
    """A metric and what each run made of it."""

    title: str
    text: str
    cells: Sequence[Cell]
    bound: str
    is_usual: bool


@dataclass(frozen=True)
class Outcome:
    """The jobs of one run against those of the baseline."""

    name: str
    sooner: int
    same: int
    later: int
    said: str
    """The mean difference, and jobs that are left out."""


def title(runs: Sequence[Subject]) -> str:
    """`FCFS, EASY and MEASY on KTH-SP2, week 20`."""
    algorithms = dict.fromkeys(naming.run_words(one.spec) for one in runs)
    return f"{words.joined(list(algorithms))} on {words.joined(list(dict.fromkeys(one.workload for one in runs)))}"


def facts(runs: Sequence[Subject], *, is_aligned: bool) -> list[str]:
    """The line under the title."""
    first = runs[0]
    machines = list(dict.fromkeys(one.machine for one in runs))
    if is_aligned:
        counts = words.joined([f"{len(one.jobs['job_id']):,}" for one in runs])
        return [f"aligned by job id, runs of {counts} jobs", "times from the start of each workload", *machines]
    return [words.count(len(first.jobs["job_id"]), "job"), *machines, "the same jobs for all"]


def check(runs: Sequence[Subject], *, is_aligned: bool = False) -> None:
    """Refuse runs that a report cannot compare.

    Raises
    ------
    InvalidParameter
        For too many runs, or one that is named twice.
    Conflict
        For runs on other jobs, unless they are aligned by job id; for an id of several jobs, where they are.
    """
    if len(runs) > MOST:
        raise InvalidParameter(f"a report compares at most {MOST} runs, but {len(runs)} are named")
    if len({one.run for one in runs}) < len(runs):
        raise InvalidParameter("a run is named twice; a report compares different runs")
    for one in runs if is_aligned else ():
        if sentence := compare_jobs.not_aligned(f"run {one.run}", one.jobs):
            raise Conflict(sentence)
    first, *others = runs
    for one in others:
        if is_aligned or question(one.spec) == question(first.spec) or compare_jobs.are_same(first.jobs, one.jobs):
            continue
        same, _ = compare_jobs.shared(first.jobs, one.jobs)
        counts = f"{same:,} of {len(first.jobs['job_id']):,} and {len(one.jobs['job_id']):,} jobs"
        raise Conflict(f"runs {first.run} and {one.run} share {counts}; a report compares runs on the same jobs")


def named(runs: Sequence[Subject], names: Sequence[str]) -> list[Subject]:
    """Return the runs by the names that distinguish them."""
    return [replace(one, name=name) for one, name in zip(runs, names, strict=True)]


def table(runs: Sequence[Subject], *, is_aligned: bool) -> list[Row]:
    """Return all metrics that any of the runs has; changes are against the first. Of other jobs, none is best."""
    figures = [(one.metrics, one.bounds) for one in runs]
    usual = {*results.SUMMARY, *compare_metrics.MORE}
    judged = {results.headline(*one, run.source.kind) for one, run in zip(figures, runs, strict=True)}
    alike, found = compare_jobs.ended_alike([one.jobs for one in runs]), []
    for name, known in registered().items():
        values = [metrics.get(name) for metrics, _ in figures]
        if all(value is None for value in values):
            continue
        is_ranked = not is_aligned and (name in compare_jobs.NOT_ENDED or alike)
        best = compare_metrics.best(name, values) if is_ranked else set()
        is_usual = name in usual and (name not in results.ONLY_OBJECTIVE or name in judged)
        is_usual &= name not in results.MOVES or any(values)
        cells = [
            Cell(
                results.written(name, value),
                words.ratio(results.ratio_of(name, *figures[at])),
                compare_metrics.change(value, values[0]) if at else "",
                at in best,
            )
            for at, value in enumerate(values)
        ]
        found.append(Row(known.title, known.text, cells, compare_metrics.bound(name, figures), is_usual))
    return found


def outcomes(runs: Sequence[Subject], *, is_aligned: bool) -> list[Outcome]:
    """Return how the jobs of each other run fared against those of the first."""
    base, *others = runs
    found = []
    for one in others:
        pair = compare_jobs.paired(base.jobs, one.jobs, one.source.tau, align=is_aligned)
        result = compare_jobs.outcome(pair)
        mean, left = result["mean_difference"], result["left_out"]
        said = []
        if mean is not None and abs(mean) > compare_jobs.SAME:
            said.append(f"{words.duration(abs(mean))} {'sooner' if mean < 0 else 'later'}")
        if left:
            said.append(f"{words.count(left, 'job')} did not end under both")
        found.append(Outcome(one.title, result["sooner"], result["same"], result["later"], "; ".join(said)))
    return found
