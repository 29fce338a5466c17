"""Define the studies: the questions of each about its instances, and the resulting tables."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from shadowtime.workers.papers.dfrs import claims, instances
from shadowtime.workers.papers.dfrs.answers import BEST, Answers, algorithms_of, name_of
from shadowtime.workers.papers.dfrs.instances import REAL, SCALED, UNSCALED, Instance
from shadowtime.workers.papers.dfrs.points import Point, Question, Task, run_tasks
from shadowtime.workers.papers.report import Claim, Figure, Report

SOURCE = "H. Casanova et al., Dynamic Fractional Resource Scheduling vs. Batch Scheduling, INRIA RR-7659, 2011"
PERIODS = (600.0, 900.0, 1800.0, 3600.0, 6000.0, 12_000.0)
COLUMN = {REAL: "real", UNSCALED: "unscaled", SCALED: "scaled"}


@dataclass(frozen=True)
class Study:
    """A table of the paper as a program."""

    name: str
    title: str
    algorithms: tuple[str, ...]
    groups: tuple[str, ...]
    figures: Callable[[Answers], list[Figure]]
    claims: Callable[[Answers], list[Claim]]
    periods: tuple[float, ...] = ()
    least_load: float = 0.0


def _degradations(answers: Answers) -> list[Figure]:
    """Mean, deviation (ddof 1) and maximum of the degradation, beside the paper's, by group."""
    made = []
    heads = ["mean", "deviation", "maximum", "theirs: mean", "deviation", "maximum"]
    for group in answers.groups:
        rows: list[tuple[str, Sequence[float]]] = []
        for algorithm in algorithms_of(answers.table):
            ours = answers.values("degradation", algorithm, group)
            spread = float(ours.std(ddof=1)) if len(ours) > 1 else float("nan")
            paper = [answers.theirs(algorithm, f"{COLUMN[group]}_{what}") for what in ("avg", "std", "max")]
            rows.append((algorithm, [float(ours.mean()), spread, float(ours.max()), *paper]))
        made.append(Figure(f"Degradation from the bound: {group}", "", heads, rows))
    return made


COSTS: dict[str, tuple[str, Callable[[Point], float]]] = {
    "GB/s saved": ("pmtn_gb_per_s_avg", lambda p: p.preempted / (3600 * p.hours)),
    "GB/s carried": ("mig_gb_per_s_avg", lambda p: p.migrated / (3600 * p.hours)),
    "preemptions/h": ("pmtn_per_hour_avg", lambda p: p.preemptions / p.hours),
    "migrations/h": ("mig_per_hour_avg", lambda p: p.migrations / p.hours),
    "preemptions/job": ("pmtn_per_job_avg", lambda p: p.preemptions / p.jobs),
    "migrations/job": ("mig_per_job_avg", lambda p: p.migrations / p.jobs),
}
"""Columns of table 3: the paper's name, and how a point gives it."""


def _costs(answers: Answers) -> list[Figure]:
    heads = [word for name in COSTS for word in (name, "theirs")]
    rows = []
    for algorithm in algorithms_of(answers.table):
        points = answers.of(algorithm, SCALED)
        values: list[float] = []
        for column, rate in COSTS.values():
            values += [float(np.mean([rate(point) for point in points])), answers.theirs(algorithm, column)]
        rows.append((algorithm, values))
    return [Figure("Mean costs of preemptions and migrations, loads from 0.7 on", "", heads, rows)]


def _idle(answers: Answers) -> list[Figure]:
    heads = [word for group in answers.groups for word in (group, "theirs")]
    rows = []
    for algorithm in algorithms_of(answers.table):
        values: list[float] = []
        for group in answers.groups:
            ours = answers.mean("underutilization", algorithm, group)
            values += [ours, answers.theirs(algorithm, COLUMN[group])]
        rows.append((algorithm, values))
    return [Figure("Mean normalized underutilization", "", heads, rows)]


def _sweep(answers: Answers) -> list[Figure]:
    heads = ["degradation, mean", "maximum", "underutilization", "GB/s"]
    rows = []
    for period in PERIODS:
        points = answers.of(BEST, UNSCALED, period)
        worst = [point.degradation for point in points]
        idle = [point.underutilization for point in points]
        carried = [(point.preempted + point.migrated) / (3600 * point.hours) for point in points]
        values = [float(np.mean(worst)), max(worst), float(np.mean(idle)), float(np.mean(carried))]
        rows.append((f"{period:,.0f} s", values))
    easy = answers.of("EASY", UNSCALED)
    values = [float(np.mean([p.degradation for p in easy])), max(p.degradation for p in easy)]
    rows.append(("EASY", [*values, float(np.mean([p.underutilization for p in easy])), 0.0]))
    return [Figure(f"{BEST} by period, {UNSCALED.lower()}", "", heads, rows)]


ALL = (REAL, UNSCALED, SCALED)

STUDIES = {
    study.name: study
    for study in (
        Study("dfrs-table2", "DFRS, table 2: degradation from the bound", algorithms_of("table2"), ALL,
              _degradations, claims.of_degradations),
        Study("dfrs-table3", "DFRS, table 3: costs of preemptions and migrations", algorithms_of("table3"), (SCALED,),
              _costs, claims.of_costs, least_load=0.7),
        Study("dfrs-table4", "DFRS, table 4: underutilization", algorithms_of("table4"), ALL, _idle, claims.of_idle),
        Study("dfrs-table5", "DFRS, table 5: 116 variants on a real log", algorithms_of("table5"), (REAL,),
              _degradations, claims.of_variants),
        Study("dfrs-period", "DFRS: the sweep of the period", ("EASY",), (UNSCALED,), _sweep, claims.of_periods,
              periods=PERIODS),
    )
}  # fmt: skip


def study(name: str, scale: str, tell: Callable[[str], None]) -> Report:
    """Run what is not stored yet and compare our tables with the paper's."""
    began = time.perf_counter()
    chosen = STUDIES[name]
    asked = tuple(Question(name_of(algorithm)) for algorithm in chosen.algorithms)
    asked += tuple(Question(BEST, period) for period in chosen.periods)
    by_group = {group: _instances(group, scale, chosen.least_load) for group in chosen.groups}
    tasks = [Task(instance, asked) for group in by_group.values() for instance in group]
    points = run_tasks(tasks, tell) if tasks else {}
    answers = Answers(points, by_group, name.removeprefix("dfrs-"))
    judged = chosen.claims(answers) if answers.groups else [claims.nothing(instances.HPC2N)]
    figures = chosen.figures(answers) if answers.groups else []
    method = _method(by_group)
    return Report(name, chosen.title, SOURCE, scale, method, judged, figures, time.perf_counter() - began)


def _instances(group: str, scale: str, least_load: float) -> list[Instance]:
    if group == REAL:
        return instances.real(scale)
    return instances.unscaled(scale) if group == UNSCALED else instances.scaled(scale, least_load)


def _method(by_group: dict[str, list[Instance]]) -> list[str]:
    numbers = ", ".join(f"{group}: {len(chosen)}" for group, chosen in by_group.items())
    said = [
        f"Instances: {numbers}; the paper took 182 weeks, 100 workloads as drawn and these at nine loads.",
        "Penalty 300 s, period 600 s, tau 10 s. Degradation is the largest bounded stretch over its proven bound, per "
        "instance; then mean, sample deviation and maximum over instances.",
        "Synthetic: 1,000 Lublin-Feitelson jobs of two classes on 128 nodes of 8 GB. Real: HPC2N, cleaned log 2.2, 120 "
        "nodes of 2 GB, by week.",
    ]
    if REAL in by_group and not by_group[REAL]:
        said.append(f"The log {instances.HPC2N} was not found (SHADOWTIME_TRACES): the real weeks are left out.")
    return said
