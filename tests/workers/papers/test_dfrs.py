"""The studies of fractional scheduling: their arithmetic on made-up points, and real ones that are kept."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from shadowtime.workers.papers import find_paper, papers
from shadowtime.workers.papers.dfrs import instances, points, tables
from shadowtime.workers.papers.dfrs.answers import algorithms_of, theirs
from shadowtime.workers.papers.dfrs.instances import REAL, SCALED, UNSCALED, Instance
from shadowtime.workers.papers.dfrs.points import Point, Question, Task, run_task
from shadowtime.workers.papers.dfrs.tables import STUDIES

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


@pytest.fixture
def study(monkeypatch):
    monkeypatch.setattr(tables, "run_tasks", made_up)
    monkeypatch.setattr(instances, "has_log", lambda: True)
    monkeypatch.setattr(instances, "_log", lambda: None)
    return lambda name, scale="quick": find_paper(name).study(scale, lambda sentence: None)


def test_five_studies_and_all_names_of_the_paper_are_known():
    from shadowtime.engine.registry import find

    assert [name for name in papers() if name.startswith("dfrs")] == [*STUDIES]
    for table, rows in (("table2", 20), ("table3", 19), ("table4", 3), ("table5", 118)):
        assert len(theirs(table)) == rows
        assert all(find(tables.name_of(algorithm)) for algorithm in algorithms_of(table))


def test_table_2_puts_mean_deviation_and_maximum_beside_theirs(study):
    report = study("dfrs-table2")
    figure = report.figures[1]

    assert [f.title.partition(": ")[2] for f in report.figures] == [REAL, UNSCALED, SCALED]
    name, values = figure.rows[0]
    # Seeds 1 to 8: 4000.01 to 4000.08.
    assert name == "FCFS" and values[0] == pytest.approx(4000.045) and values[2] == pytest.approx(4000.08)
    assert values[1] == pytest.approx(0.0244949) and values[3:] == [5457.2, 2958.5, 15102.7]
    verdicts = {claim.claim: claim.agrees for claim in report.claims}
    assert all(verdicts["EASY is better than FCFS, but not by much"].values())
    assert json.loads(json.dumps(report.as_dict(), allow_nan=False))["paper"] == "dfrs-table2"


def test_costs_are_per_second_hour_and_job(study):
    figure = study("dfrs-table3").figures[0]
    values = dict(figure.rows)["GreedyP*/opt=min"]

    assert values[::2] == pytest.approx([2000 / 36_000, 1000 / 36_000, 10.0, 5.0, 0.1, 0.05])
    assert values[1::2] == [0.06, 0.0, 5.67, 0.0, 0.57, 0.0]


def test_every_study_is_a_page(study):
    for name in STUDIES:
        page = study(name).markdown()
        assert page.startswith("# DFRS") and "## Claims" in page


def test_scales_are_those_of_the_paper():
    full = instances.scaled("full")

    assert len(instances.unscaled("full")) == 100 and len(full) == 900
    assert len(instances.scaled("full", 0.7)) == 300
    assert len({one.key for one in full}) == 900


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
