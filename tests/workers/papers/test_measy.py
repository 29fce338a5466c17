"""The study of the two-tier paper: its arithmetic on made-up points, and one real cell."""

from __future__ import annotations

import json

import pytest

from shadowtime.engine.errors import UnknownName
from shadowtime.workers.papers import find_paper, measy
from shadowtime.workers.papers.measy import Cell, Point, run_cell
from shadowtime.workers.papers.report import Claim, Figure, Report


def made_up(cells):
    """MEASY takes 60 % of EASY's response, KEASY 80, REASY 110; a migration second costs 0.05 %."""
    share = {"easy": 1.0, "keasy": 0.8, "reasy": 1.1, "measy": 0.6}
    points = []
    for cell in cells:
        cost = dict(cell.parameters).get("migration_cost", 20.0)
        factor = share[cell.algorithm] + (0.0005 * (cost - 20.0) if cell.algorithm == "measy" else 0.0)
        points.append(Point(1000.0 * factor, 10.0 * factor, int(100 * cell.load), 0.0))
    return points


@pytest.fixture
def report(monkeypatch):
    monkeypatch.setattr(measy, "run_cells", lambda function, cells, tell: made_up(cells))
    return find_paper("MEASY").study("quick", lambda sentence: None)


def test_claims_are_judged_by_their_rules(report):
    verdicts = {claim.claim: claim for claim in report.claims}

    gain = verdicts["MEASY improves on EASY in response"]
    assert gain.ours["Feitelson-like"] == "up to 40.0 %, 40.0 % on average"
    assert all(gain.agrees.values())
    cost = verdicts["MEASY beats KEASY in response while a migration costs less than"]
    # 0.6 + 0.0005 (c - 20) < 0.8 up to c = 420: between 240 and 480, not between the paper's costs.
    assert cost.ours["Jann-like"] == "up to a cost between 240 and 480 s"
    assert not any(cost.agrees.values())
    assert verdicts["REASY is worse than EASY in response on Jann"].agrees["Feitelson-like"] is None


def test_a_report_is_a_page_and_an_object(report):
    page = report.markdown()

    assert "| load 0.5 | 1,000 | 800 | 1,100 | 600 |" in page
    assert "**no**" in page and "not claimed" in page
    assert json.loads(json.dumps(report.as_dict(), allow_nan=False))["scale"] == "quick"


def test_one_cell_really_runs_and_the_same_cell_gives_the_same_point():
    cell = Cell("jann", 600, 0.7, 1, "measy")

    assert run_cell(cell) == run_cell(cell)
    assert run_cell(cell).flow > 0


def test_every_algorithm_of_a_point_sees_the_same_jobs():
    one, two = (Cell("feitelson", 300, 0.7, 1, slug).workload() for slug in ("easy", "measy"))

    assert (one.jobs["release"] == two.jobs["release"]).all() and (one.parts["usage"] == two.parts["usage"]).all()


def test_an_unknown_paper_is_refused_with_the_known_ones():
    with pytest.raises(UnknownName, match=r"unknown paper 'easy'; known: .*measy"):
        find_paper("easy")


def test_numbers_of_figures():
    figure = Figure("t", "", ["a"], [("x", [float("nan")]), ("y", [12345.6]), ("z", [1.23456])])
    claim = Claim("c", "t", {"w": "o"}, {"w": True}, "r")
    page = Report("p", "T", "S", "quick", [], [claim], [figure], 0.0).markdown()

    assert "| x |  |" in page and "| y | 12,346 |" in page and "| z | 1.23 |" in page
