"""The studies of PJS: their arithmetic on made-up points, and cells that really run."""

from __future__ import annotations

import json

import pytest

from shadowtime.workers.papers import find_paper, pjs
from shadowtime.workers.papers.pjs_cells import Call, Cell, Cost, Point, run


def made_up(cells):
    """PJS halves job times below 25 jobs, high jobs take 50 s and others more; a call costs 3 SJS."""
    points = []
    for cell in cells:
        if isinstance(cell, Call):
            points.append(Cost(1e-6 * cell.jobs * cell.machines, 3 if cell.rule == "pjs" and cell.parallel else 1))
            continue
        saves = cell.rule == "pjs" and cell.jobs < 25
        total = 100.0 * cell.jobs * {"olb": 5.0, "sjs": 1.0, "pjs": 0.5 if saves else 1.0}[cell.rule]
        level = (50.0 + cell.rate, 80.0 + cell.rate, 200.0 + cell.rate)
        share = (0.7 - 0.01 * cell.rate, 0.5, 0.1)
        points.append(Point(total * (1 + 0.01 * cell.rate), level, level, share, 0.4, 3))
    return points


@pytest.fixture
def report(monkeypatch):
    monkeypatch.setattr(pjs, "run_cells", lambda function, cells, tell: made_up(cells))
    return find_paper("PJS").study("quick", lambda sentence: None)


def test_claims_are_judged_by_their_rules(report):
    claims = {claim.claim: claim for claim in report.claims}

    assert "10.00 ms" in claims["SJS plans 100 jobs on 100 machines in"].ours["Stand-in site"]
    assert claims["SJS's time grows with jobs times machines"].ours["Stand-in site"].startswith("n^1.0")
    assert claims["PJS costs two to three times SJS"].agrees == {"Stand-in site": True, "Stand-in with noise": None}
    assert claims["PJS saves nearly half at light load"].ours["Stand-in site"] == "up to 50.0 %"
    assert all(claims["High jobs are much faster than medium, medium than low"].agrees.values())
    assert claims["Priorities cost little in all"].ours["Stand-in site"] == "0.0 % to 0.0 %"
    assert not any(claims["PJS serves high jobs better than SJS"].agrees.values()), "no level differs by rule here"


def test_a_report_is_a_page_and_an_object(report):
    page = report.markdown()

    assert "| 20 jobs | 10,000 | 2,000 | 1,000 | 50 |" in page
    assert json.loads(json.dumps(report.as_dict(), allow_nan=False))["paper"] == "pjs"


def test_cells_really_run_and_give_the_same_point_again():
    for rate in (0.0, 8.0):
        cell = Cell("noisy", "pjs", 30, 1, "10/10/80", rate)
        assert run(cell).total == run(cell).total > 0
    call = run(Call("pjs", 20, 40, 5, 0.5))
    assert call.sjs_calls >= 2 and call.seconds < 1.0
