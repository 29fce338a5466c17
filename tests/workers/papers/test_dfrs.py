"""The studies of fractional scheduling: their arithmetic on made-up points, and real ones that are kept."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from shadowtime.workers.papers import find_paper, papers
from shadowtime.workers.papers.dfrs import extra, instances, points, rules, tables
from shadowtime.workers.papers.dfrs.answers import algorithms_of, theirs
from shadowtime.workers.papers.dfrs.extra import Timing, time_calls
from shadowtime.workers.papers.dfrs.instances import REAL, SCALED, UNSCALED, Instance
from shadowtime.workers.papers.dfrs.points import Point, Question, Task, run_task
from shadowtime.workers.papers.dfrs.tables import STUDIES
from shadowtime.workers.papers.report import Grade

POINT = Point(4.0, 0.5, 100, 50, 2000.0, 1000.0, 1000, 10.0)


def made_up(tasks, tell):
    """FCFS and EASY 4,000 and 1,000 above the bound, Greedy* 500, those with a limit 5, others 20."""

    def point(task, question):
        name = question.algorithm
        known = {"FCFS": 4000.0, "EASY": 1000.0, "Greedy*/opt=min": 500.0}
        value = known.get(name, 5.0 if "=600" in name else 20.0)
        return replace(
            POINT, degradation=value + task.instance.number / 100, migrations=50 + 400 * name.startswith("MCB8*")
        )

    return {(task.instance, q.key): point(task, q) for task in tasks for q in task.questions}


def made_up_cells(function, cells, tell):
    """A tenth of the whole log is idle with EASY; 100 instants of a millisecond each are timed."""
    if function is extra.whole_underutilization:
        return [0.08 + 0.02 * (cell.algorithm != "EASY") for cell in cells]
    return [Timing(100, 67, 60, 40, 0.1, 0.002) for _ in cells]


@pytest.fixture
def study(monkeypatch):
    monkeypatch.setattr(tables, "run_tasks", made_up)
    monkeypatch.setattr(instances, "has_log", lambda: True)
    monkeypatch.setattr(instances, "whole_log", lambda: None)
    monkeypatch.setattr(tables, "run_cells", made_up_cells)
    return lambda name, scale="quick": find_paper(name).study(scale, lambda sentence: None)


def test_all_studies_and_all_names_of_the_paper_are_known():
    from shadowtime.engine.registry import find

    assert [name for name in papers() if name.startswith("dfrs")] == [*STUDIES]
    for table, rows in (("table2", 20), ("table3", 19), ("table4", 3), ("table5", 118)):
        assert len(theirs(table)) == rows
        assert all(find(tables.name_of(algorithm)) for algorithm in algorithms_of(table))


def test_table_2_puts_mean_deviation_and_maximum_beside_theirs(study):
    report = study("dfrs-table2")
    figure = report.figures[1]

    assert [f.title.partition(": ")[2] for f in report.figures[:3]] == [REAL, UNSCALED, SCALED]
    name, values = figure.rows[0]
    # Seeds 1 to 8: 4000.01 to 4000.08.
    assert name == "FCFS" and values[0] == pytest.approx(4000.045) and values[2] == pytest.approx(4000.08)
    assert values[1] == pytest.approx(0.0244949) and values[3:] == [5457.2, 2958.5, 15102.7]
    verdicts = {claim.claim: claim.grades for claim in report.claims}
    assert set(verdicts["EASY is better than FCFS, but not by much"].values()) == {Grade.DIRECTION}
    assert json.loads(json.dumps(report.as_dict(), allow_nan=False))["paper"] == "dfrs-table2"


def test_costs_are_per_second_hour_and_job(study):
    figure = study("dfrs-table3").figures[0]
    values = dict(figure.rows)["GreedyP*/opt=min"]
    largest = dict(study("dfrs-table3").figures[1].rows)["GreedyP*/opt=min"]

    assert values[::2] == pytest.approx([2000 / 36_000, 1000 / 36_000, 10.0, 5.0, 0.1, 0.05])
    assert values[1::2] == [0.06, 0.0, 5.67, 0.0, 0.57, 0.0]
    assert largest[1::2] == [0.17, 0.0, 18.0, 0.0, 2.04, 0.0]


def test_every_study_is_a_page(study):
    for name in STUDIES:
        page = study(name).markdown()
        assert page.startswith("# DFRS") and "## Claims" in page


def test_scales_are_those_of_the_paper():
    full = instances.scaled("full")

    assert len(instances.unscaled("full")) == 100 and len(full) == 450
    assert {one.load for one in full} == set(instances.LOADS) and len(instances.scaled("full", 0.7)) == 150
    assert len({one.key for one in full}) == 450


def test_weeks_of_a_scale(monkeypatch):
    monkeypatch.setattr(instances, "has_log", lambda: True)
    monkeypatch.setattr(instances, "whole_log", lambda: None)

    assert [one.number for one in instances.real("full")] == list(range(182))
    assert len(instances.real("full", variants=True)) == 182
    assert instances.real("quick")[:8:2] == instances.real("quick", variants=True)


def test_without_the_log_the_real_weeks_are_left_out_and_said_so(study, monkeypatch):
    monkeypatch.setattr(instances, "has_log", lambda: False)

    page = study("dfrs-table2").markdown()
    assert "the real weeks are left out" in page and f"bound: {REAL}" not in page
    assert "not run" in study("dfrs-table5").markdown()


def test_points_are_kept_and_a_stopped_study_goes_on(monkeypatch, tmp_path):
    monkeypatch.setenv("SHADOWTIME_STORE", str(tmp_path))
    first = Task(Instance(UNSCALED, 3), (Question("EASY"),))
    both = Task(first.instance, (Question("EASY"), Question("GreedyP*/opt=min")))
    found = run_task(first)
    asked = []
    real = points.simulate
    monkeypatch.setattr(points, "simulate", lambda *a, **k: asked.append(a[1]) or real(*a, **k))

    again = run_task(both)

    assert asked == ["GreedyP*/opt=min"] and again["EASY"] == found["EASY"]
    assert again["GreedyP*/opt=min"].degradation >= 1.0 and again["EASY"].preemptions == 0


def test_every_figure_and_table_of_the_paper_is_listed(study):
    listed = [one for name in STUDIES for one in study(name, "full").counterparts]

    assert [one.figure for one in listed] == [
        "Table 1", "Table 2", "Figure 1", "Table 3", "Figure 2", "Table 4", "Section 6.4.2", "Table 5", "Figure 3(a)",
        "Figure 3(b)", "Figure 3(c)", "Figure 4", "Appendix B, bandwidth", "Appendix B, others", "Section 6.2",
    ]  # fmt: skip
    assert all(one.ours or one.why for one in listed)
    by_figure = {one.figure: one for one in listed}
    assert by_figure["Table 2"].blocks == 50 and by_figure["Figure 3(b)"].blocks == 100
    assert by_figure["Table 5"].blocks == 182 and by_figure["Section 6.4.2"].grade == Grade.SIZE


def test_a_no_stands_with_what_it_depends_on(study):
    claims = [claim for name in STUDIES for claim in study(name).claims]

    assert len(claims) == 15 + 5 + 2 + 5 + 5 + 2
    assert {claim.section for claim in claims} and all(claim.section and claim.rule for claim in claims)
    for claim in claims:
        assert bool(claim.sensitivity) == (Grade.NO in claim.grades.values()), claim.claim


def test_loads_of_one_seed_are_one_block(study):
    _, _, scaled, table, *against = study("dfrs-table2").figures

    assert table.title.startswith("Figure 1") and len(table.rows) == 5
    # Seeds 1 to 6 at five loads: 0.01 to 0.06 above 5; loads of a seed are alike, so both intervals are those of six.
    at = list(table.columns).index("GreedyPM*/per/opt=min/minvt=600")
    row = [name for name, _ in scaled.rows].index("GreedyPM*/per/opt=min/minvt=600")
    assert table.blocks == scaled.blocks == 6
    assert table.rows[0][1][at] == pytest.approx(5.035)
    assert scaled.low[row][0] == pytest.approx(table.low[0][at]) and scaled.high[row][0] == pytest.approx(
        table.high[0][at]
    )

    ratios = dict(against[-1].rows)["FCFS"]
    assert ratios[0] == pytest.approx(4000.0 / 5.0, rel=0.01) and ratios[2] == 1.0 and against[-1].blocks == 6
    assert ratios[1] == pytest.approx(19 / 2**5), "six blocks cannot show more after Holm for 19 comparisons"


CASES = [
    (rules.times_worse, (500.0, 5.0, 100.0), (50.0, 5.0, 100.0), (4.0, 5.0, 100.0)),
    (rules.smaller_as_theirs, (0.9, 1.0, 0.85, 1.2), (0.34, 1.0, 0.91, 1.2), (1.1, 1.0, 0.9, 1.2)),
    (rules.alike, (1.04, 1.0, 0.05), (1.15, 1.0, 0.05), (1.3, 1.0, 0.05)),
    (rules.all_below, ([1.0, 2.0], [3.0, 4.0]), None, ([1.0, 3.5], [3.0, 4.0])),
    (rules.heavier_tails, ([60.0, 90.0], [1.0, 1.0], [100.0, 100.0]), ([3.0, 90.0], [1.0, 1.0], [100.0, 100.0]),
     ([0.9, 90.0], [1.0, 1.0], [1.0, 1.0])),
    (rules.at_most, (7.0, 7.0), (13.0, 7.0), (15.0, 7.0)),
    (rules.all_at_most, ([0.7, 1.9], [0.8, 2.0]), ([0.7, 3.0], [0.8, 2.0]), ([0.7, 5.0], [0.8, 2.0])),
    (rules.poorer_above,
     ({0.1: {"a": 1.0, "b": 2.0, "c": 2.0}, 0.5: {"a": 3.0, "b": 2.0, "c": 2.0}, 0.9: {"a": 3.0, "b": 2.0, "c": 2.0}},
      "a", 0.3),
     ({0.1: {"a": 1.0, "b": 2.0, "c": 2.0}, 0.5: {"a": 1.0, "b": 2.0, "c": 2.0}, 0.9: {"a": 3.0, "b": 2.0, "c": 2.0}},
      "a", 0.3),
     ({0.1: {"a": 1.0, "b": 2.0, "c": 2.0}, 0.9: {"a": 1.0, "b": 2.0, "c": 2.0}}, "a", 0.3)),
    (rules.best_at_all, ({0.1: {"a": 1.0, "b": 2.0}, 0.9: {"a": 1.0, "b": 2.0}}, "a"),
     ({0.1: {"a": 3.0, "b": 2.0}, 0.9: {"a": 1.0, "b": 4.0}}, "a"), ({0.1: {"a": 3.0, "b": 2.0}}, "a")),
    (rules.rises, (3.5, 8.0, (3.0, 7.5)), (2.0, 14.0, (3.0, 7.5)), (7.5, 7.4, (3.0, 7.5))),
    (rules.never_worse, ([(1.0, 1.0), (1.0, 2.0)],), ([(1.1, 1.0), (1.0, 2.0)],), ([(1.1, 1.0), (2.0, 2.0)],)),
    (rules.falls_steadily, ([3.0, 2.0, 2.0],), ([3.0, 1.0, 2.0],), ([3.0, 2.0, 3.5],)),
    (rules.crosses, ({600.0: 3.0, 900.0: 2.1, 1800.0: 1.0}, 2.0, 900.0),
     ({600.0: 3.0, 1800.0: 2.5, 3600.0: 1.0}, 2.0, 900.0),
     ({600.0: 3.0, 900.0: 1.0, 1800.0: 2.1}, 2.0, 900.0)),
    (rules.stays_above, ({600.0: 0.3, 900.0: 0.12}, 0.06, 0.118), ({600.0: 0.3, 900.0: 0.2}, 0.06, 0.118),
     ({600.0: 0.3, 900.0: 0.05}, 0.06, 0.118)),
    (rules.grows_less, (5.0, 7.0, 1.5, 3.0), (5.6, 10.7, 1.5, 3.0), (5.0, 16.0, 1.5, 3.0)),
    (rules.cheaper, (0.6, 0.15, 4.0, 0.2), (0.6, 0.4, 4.0, 0.2), (0.6, 0.7, 4.0, 0.2)),
    (rules.near_both, ((0.08, 0.11), (0.08, 0.1), 0.02),
     ((0.03, 0.2), (0.08, 0.1), 0.02), ((0.2, 0.1), (0.08, 0.1), 0.02)),
    (rules.is_quick, (0.001, 0.1), None, (0.3, 1.0)),
]  # fmt: skip
"""A rule, and its arguments for "holds", "direction only" (None: a claim without a size) and "no"."""


@pytest.mark.parametrize(("rule", "holds", "direction", "no"), CASES, ids=[case[0].__name__ for case in CASES])
def test_each_rule_can_say_each_grade(rule, holds, direction, no):
    assert rule(*holds) == Grade.SIZE and rule(*no) == Grade.NO
    if direction is not None:
        assert rule(*direction) == Grade.DIRECTION


def test_every_rule_is_tested():
    public = {
        name
        for name in vars(rules)
        if callable(getattr(rules, name)) and getattr(rules, name).__module__ == rules.__name__
    }

    assert public - {"is_near", "mean_ratio"} == {case[0].__name__ for case in CASES}


def test_calls_of_mcb8_are_timed_at_each_instant():
    found = time_calls(Instance(UNSCALED, 2))

    assert found.observations >= 1000, "an arrival or a completion each"
    assert 0 <= found.fast <= found.few <= found.observations and found.jobs > 1
    assert 0.0 < found.longest < found.seconds
