"""Define the studies: the questions of each about its instances, and what is made of the points."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from shadowtime.workers.papers.cells import run_cells
from shadowtime.workers.papers.dfrs import claims_costs, claims_stretch, counterparts, figures, instances
from shadowtime.workers.papers.dfrs.answers import BEST, PERIODS, Answers, algorithms_of, name_of, question_of
from shadowtime.workers.papers.dfrs.extra import WholeLog, time_calls, whole_underutilization
from shadowtime.workers.papers.dfrs.instances import REAL, SCALED, SIZES, UNSCALED, Instance
from shadowtime.workers.papers.dfrs.judging import no_log
from shadowtime.workers.papers.dfrs.points import Question, Task, run_tasks
from shadowtime.workers.papers.report import Claim, Counterpart, Figure, Report

SOURCE = "H. Casanova et al., Dynamic Fractional Resource Scheduling vs. Batch Scheduling, INRIA RR-7659, 2011"
TIMES = "dfrs-times"
Tell = Callable[[str], None]


@dataclass(frozen=True)
class Study:
    """A table of the paper as a program."""

    name: str
    title: str
    algorithms: tuple[str, ...]
    groups: tuple[str, ...]
    figures: Callable[[Answers], list[Figure]]
    claims: Callable[[Answers], list[Claim]]
    counterparts: Callable[[Answers, Sequence[Claim]], list[Counterpart]]
    periods: tuple[float, ...] = ()
    least_load: float = 0.0
    has_variants: bool = False
    has_whole_log: bool = False


ALL = (REAL, UNSCALED, SCALED)

_TABLES = (
    Study("dfrs-table2", "DFRS, table 2 and figure 1: degradation from the bound", algorithms_of("table2"), ALL,
          figures.stretch_figures, claims_stretch.of_degradations, counterparts.of_degradations),
    Study("dfrs-table3", "DFRS, table 3: costs of preemptions and migrations", algorithms_of("table3"), (SCALED,),
          figures.cost_figures, claims_costs.of_costs, counterparts.of_costs, least_load=0.7),
    Study("dfrs-table4", "DFRS, table 4: underutilization", algorithms_of("table4"), ALL, figures.idle_figures,
          claims_costs.of_idle, counterparts.of_idle, has_whole_log=True),
    Study("dfrs-table5", "DFRS, table 5: 116 variants on a real log", algorithms_of("table5"), (REAL,),
          figures.degradations, claims_stretch.of_variants, counterparts.of_variants, has_variants=True),
    Study("dfrs-period", "DFRS, figures 3 and 4: the period", ("EASY",), ALL, figures.period_figures,
          claims_costs.of_periods, counterparts.of_periods, periods=PERIODS),
)  # fmt: skip
TABLES = {study.name: study for study in _TABLES}

STUDIES = {**{name: one.title for name, one in TABLES.items()}, TIMES: "DFRS, section 6.2: running times"}
"""Titles of all studies by name."""


def study(name: str, scale: str, tell: Tell) -> Report:
    """Run what is not stored yet and compare our tables with the paper's."""
    began = time.perf_counter()
    if name == TIMES:
        return _times(scale, tell, began)
    chosen = TABLES[name]
    asked = tuple(Question(name_of(algorithm)) for algorithm in chosen.algorithms)
    asked += tuple(question_of(BEST, period) for period in chosen.periods)
    by_group = {group: _instances(group, scale, chosen) for group in chosen.groups}
    tasks = [Task(instance, asked) for group in by_group.values() for instance in group]
    points = run_tasks(tasks, tell) if tasks else {}
    whole = _whole_log(scale, tell) if chosen.has_whole_log else {}
    answers = Answers(points, by_group, name.removeprefix("dfrs-"), whole)
    judged = chosen.claims(answers) if answers.groups else [no_log(instances.HPC2N)]
    made = chosen.figures(answers) if answers.groups else []
    stand = chosen.counterparts(answers, judged) if answers.groups else []
    method = _method(by_group)
    return Report(name, chosen.title, SOURCE, scale, method, judged, made, time.perf_counter() - began, stand)


def _instances(group: str, scale: str, chosen: Study) -> list[Instance]:
    if group == REAL:
        return instances.real(scale, chosen.has_variants)
    return instances.unscaled(scale) if group == UNSCALED else instances.scaled(scale, chosen.least_load)


def _whole_log(scale: str, tell: Tell) -> dict[str, float]:
    """Return the underutilization of one run of all weeks; none at quick scale or without the log."""
    if not (SIZES[scale].has_whole_log and instances.has_log()):
        return {}
    cells = [WholeLog("EASY"), WholeLog(BEST)]
    found = run_cells(whole_underutilization, cells, tell)
    return {cell.algorithm: value for cell, value in zip(cells, found, strict=True)}


def _times(scale: str, tell: Tell, began: float) -> Report:
    chosen = instances.unscaled(scale)[: SIZES[scale].timed]
    timings = run_cells(time_calls, chosen, tell)
    method = [
        f"MCB8*/opt=min on {len(chosen)} workloads as drawn; the paper took 100.",
        "An observation is an instant of the run: one or two calls of MCB8, and the yields after them. Times are of "
        "the computer that made this result, beside other work.",
    ]
    return Report(
        TIMES, STUDIES[TIMES], SOURCE, scale, method, claims_costs.of_times(timings), figures.time_figures(timings),
        time.perf_counter() - began,
        [Counterpart("Section 6.2", "Time of MCB8", [figures.TIMES], f"{len(chosen)} of 100 workloads",
                     [one.number for one in chosen], len(chosen), None, "another computer, 15 years later")],
    )  # fmt: skip


def _method(by_group: dict[str, list[Instance]]) -> list[str]:
    numbers = ", ".join(f"{group}: {len(chosen)}" for group, chosen in by_group.items())
    said = [
        f"Instances: {numbers}; the paper took 182 weeks, 100 workloads as drawn and these at nine loads.",
        "Penalty 300 s, period 600 s, tau 10 s. Degradation is the largest bounded stretch over its proven bound, per "
        "instance; then mean, sample deviation and maximum over instances.",
        "A block is a week of the log, or a seed: loads of one seed are averaged first. Intervals are at 95 %, log-t "
        "above the least possible value. Comparisons: geometric mean ratio over blocks, Wilcoxon's signed-rank test "
        "after Holm, and the matched-pairs rank-biserial correlation.",
        "Synthetic: 1,000 Lublin-Feitelson jobs of two classes on 128 nodes of 8 GB. Real: HPC2N, cleaned log 2.2, 120 "
        "nodes of 2 GB, by week.",
    ]
    if REAL in by_group and not by_group[REAL]:
        said.append(f"The log {instances.HPC2N} was not found (SHADOWTIME_TRACES): the real weeks are left out.")
    return said
