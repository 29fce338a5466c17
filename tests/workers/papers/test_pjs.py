"""The study of PJS: each rule can hold, hold in direction only, and say no; the arithmetic on made-up points."""

from __future__ import annotations

import json

import numpy as np
import pytest

from shadowtime.dashboard.papers import PAGES
from shadowtime.workers.papers import find_paper, pjs
from shadowtime.workers.papers import pjs_claims as claims
from shadowtime.workers.papers import pjs_priority_claims as levels
from shadowtime.workers.papers.pjs_answers import MIXES, RATES, Answers, cells
from shadowtime.workers.papers.pjs_axes import fits, middle
from shadowtime.workers.papers.pjs_cells import Call, Cell, Cost, Point, counts, run, workload_of
from shadowtime.workers.papers.report import Grade

SIZE, DIRECTION, NO = Grade.SIZE, Grade.DIRECTION, Grade.NO
THREE = {mix: [0.2, 0.1] for mix in MIXES}
ORDERED = {(mix, rate): (1.0, 2.0, 3.0) for mix in MIXES for rate in RATES}
SWAPPED = (2.0, 1.0, 3.0)
PENALTY = {"10/10/80": [0.3, 0, 0, 0, 0, 0], "25/25/50": [0, 0, 0, 0, 0.2, 0.1], "50/25/25": [0, 0, 0, 0, 0, 0.1]}


@pytest.mark.parametrize(
    ("rule", "found", "verdict"),
    [
        (lambda v: claims.growth(*v), (1.1, 0.9), SIZE),
        (lambda v: claims.growth(*v), (1.4, 0.6), DIRECTION),
        (lambda v: claims.growth(*v), (1.9, 1.0), NO),
        (lambda v: claims.growth(*v), (1.0, 0.3), NO),
        (claims.two_to_three, [2.0, 2.5, 3.0], SIZE),
        (claims.two_to_three, [1.5, 3.5, 2.5], DIRECTION),
        (claims.two_to_three, [0.9, 2.5, 4.1], NO),
        (claims.alike, [2.0, 2.4], SIZE),
        (claims.alike, [2.0, 2.8], DIRECTION),
        (claims.alike, [2.0, 3.2], NO),
        (claims.nearly_half, [0.0, 0.48], SIZE),
        (claims.nearly_half, [0.1, 0.85], DIRECTION),
        (claims.nearly_half, [0.0, 0.05], NO),
        (claims.scattered, [0.0, 0.02], SIZE),
        (claims.scattered, [0.0, 0.1], DIRECTION),
        (claims.scattered, [0.0, 0.3], NO),
        (claims.scattered, [0.0, 0.0], NO),
        (levels.better_everywhere, THREE, SIZE),
        (levels.better_everywhere, {**THREE, MIXES[1]: [0.2, -0.1]}, DIRECTION),
        (levels.better_everywhere, {**THREE, MIXES[1]: [0.1, -0.2]}, NO),
        (lambda v: levels.spike(v)[0], [(10, 0.0), (30, 0.2), (50, 0.0)], SIZE),
        (lambda v: levels.spike(v)[0], [(10, 0.2), (30, 0.0), (50, 0.0)], DIRECTION),
        (lambda v: levels.spike(v)[0], [(10, 0.0), (30, 0.2), (50, 0.2)], NO),
        (lambda v: levels.spike(v)[0], [(10, 0.0), (30, 0.05), (50, 0.0)], NO),
        (lambda v: levels.slightly_worse(dict(zip(MIXES, v, strict=True))), (-0.02, -0.01, 0.0), SIZE),
        (lambda v: levels.slightly_worse(dict(zip(MIXES, v, strict=True))), (-0.2, -0.01, 0.1), DIRECTION),
        (lambda v: levels.slightly_worse(dict(zip(MIXES, v, strict=True))), (-0.02, 0.01, 0.0), NO),
        (levels.slight, [0.05, 0.02, -0.01], SIZE),
        (levels.slight, [0.3, 0.02, -0.01], DIRECTION),
        (levels.slight, [-0.05, 0.02, -0.01], NO),
        (levels.close, [1.01, 0.99], SIZE),
        (levels.close, [1.04, 0.99], DIRECTION),
        (levels.close, [1.06, 0.99], NO),
        (levels.ordered, ORDERED, SIZE),
        (levels.ordered, {**ORDERED, (MIXES[0], 1.0): SWAPPED}, DIRECTION),
        (levels.ordered, {**ORDERED, (MIXES[0], 8.0): SWAPPED}, NO),
        (levels.rises, {"a": [1, 2, 3, 2.5, 4, 5]}, SIZE),
        (levels.rises, {"a": [1, 2, 1.5, 2, 1.8, 5]}, DIRECTION),
        (levels.rises, {"a": [5, 2, 3, 3.5, 4, 4.5]}, NO),
        (lambda v: levels.not_monotone(v)[0], {"up": np.array([4.0, 5.0]), "down": np.array([-5.0, -5.1, -4.9])}, SIZE),
        (lambda v: levels.not_monotone(v)[0], {"down": np.array([-9.0, 8.0])}, DIRECTION),
        (lambda v: levels.not_monotone(v)[0], {"up": np.array([4.0, 5.0])}, NO),
        (levels.shares_fall, {"a": [3, 2, 1]}, SIZE),
        (levels.shares_fall, {"a": [3, 1, 2]}, DIRECTION),
        (levels.shares_fall, {"a": [1, 2, 3]}, NO),
        (levels.shares_by_level, [(0.8, 0.7, 0.6), (0.7, 0.705, 0.1)], SIZE),
        (levels.shares_by_level, [(0.8, 0.5, 0.4), (0.5, 0.6, 0.1)], DIRECTION),
        (levels.shares_by_level, [(0.4, 0.5, 0.4)], NO),
        (lambda v: levels.contained(v, 700.0), 104.0, SIZE),
        (lambda v: levels.contained(v, 700.0), 210.0, DIRECTION),
        (lambda v: levels.contained(v, 700.0), 400.0, NO),
        (levels.reversal, {1.0: -0.2, 2.0: -0.1, 4.0: -0.1, 8.0: 0.1, 16.0: 0.1, 32.0: 0.2}, SIZE),
        (levels.reversal, {1.0: -0.2, 2.0: 0.1, 4.0: -0.1, 8.0: 0.1, 16.0: 0.1, 32.0: 0.2}, DIRECTION),
        (levels.reversal, {1.0: 0.2, 2.0: 0.1, 4.0: 0.1, 8.0: 0.1, 16.0: 0.1, 32.0: 0.2}, NO),
        (levels.where_dear, PENALTY, SIZE),
        (levels.where_dear, {**PENALTY, "50/25/25": [0.1, 0, 0, 0, 0, 0]}, DIRECTION),
        (levels.where_dear, {**PENALTY, "10/10/80": [0, 0, 0, 0, 0, 0.1]}, NO),
    ],
)
def test_each_rule_can_hold_hold_in_direction_and_say_no(rule, found, verdict):
    assert rule(found) is verdict


def made_up(asked):
    """PJS halves job times below 25 jobs; high jobs take 50 s and more; a call costs n m, PJS 2.5 times SJS."""
    points = []
    for cell in asked:
        if isinstance(cell, Call):
            more = 2.5 if cell.rule == "pjs" and cell.parallel else 1.0
            points.append(Cost(1e-6 * more * cell.jobs * cell.machines, 3 if more > 1 else 1))
            continue
        saves = cell.rule == "pjs" and cell.jobs < 25
        total = 100.0 * cell.jobs * {"olb": 5.0, "sjs": 1.0, "pjs": 0.5 if saves else 1.0}[cell.rule]
        level = (50.0 + cell.rate, 80.0 + cell.rate, 200.0 + cell.rate)
        share = (0.7 - 0.01 * cell.rate, 0.5 - 0.01 * cell.rate, 0.4 - 0.01 * cell.rate)
        scale = cell.time_scale / 3.0 * (1 + 0.01 * cell.rate)
        points.append(Point(total * scale, level, level, share, 0.5 - 0.01 * cell.rate, 3))
    return points


@pytest.fixture
def report(monkeypatch):
    monkeypatch.setattr(pjs, "run_cells", lambda function, asked, tell: made_up(asked))
    return find_paper("PJS").study("quick", lambda sentence: None)


def test_claims_are_judged_by_their_rules(report):
    found = {claim.claim: claim for claim in report.claims}

    assert "10.00 ms" in found["SJS plans 100 jobs on 100 machines in less than 0.2 s"].ours["Stand-in site"]
    assert found["SJS's time grows with jobs times machines"].ours["Stand-in site"].startswith("n^1.00 m^1.00")
    assert found["PJS costs two to three times SJS"].grades == {"Stand-in site": SIZE, "Stand-in with noise": None}
    assert found["PJS saves up to nearly half at light load"].ours["Stand-in site"] == "up to 50.0 % at 1 job"
    assert set(found["High jobs are faster than medium, medium than low"].grades.values()) == {SIZE}
    assert set(found["Job times do not rise with every rate"].grades.values()) == {NO}, "all of these curves rise"
    assert set(found["PJS serves high jobs better than SJS"].grades.values()) == {NO}, "no level differs by rule here"


def test_every_claim_has_its_place_and_every_no_its_numbers(report):
    for claim in report.claims:
        assert claim.section and claim.quote and claim.blocks, claim.claim
        if NO in claim.grades.values():
            assert any(letter.isdigit() for letter in claim.sensitivity), claim.claim


def test_every_figure_and_table_of_the_paper_has_a_counterpart(report):
    page = PAGES["pjs"]
    known = {drawing.key for drawing in page.drawings([report.as_dict()])} | {one.key for one in page.illustrations}
    names = [one.figure for one in report.counterparts]

    assert names == ["Figure 1", "Figure 2", "Figure 3", "Figure 4", "Figure 5(a)", "Figure 5(b)",
                     "Figure 6(a), (d), (g)", "Figure 6(b), (e), (h)", "Figure 6(c), (f), (i)", "Figure 7",
                     "Figure 8(a)", "Figure 8(b)", "Figure 8(c)", "Figure 9(a)", "Figure 9(b)", "Table 1"]  # fmt: skip
    for one in report.counterparts[2:]:
        assert set(one.ours) <= known and one.grade and one.seeds and one.blocks and one.why


def test_values_have_intervals_and_table_1_has_a_row_without_priorities(report):
    tables = {figure.title: figure for figure in report.figures}
    table = tables["Jobs in parallel by level and rate (Table 1), Stand-in site"]

    assert table.rows[-1][0] == "no priorities, all" and table.rows[-1][1][0] == pytest.approx(49.0)
    assert table.blocks == 5 and table.low[0][0] <= table.rows[0][1][0] <= table.high[0][0]
    assert [row[0] for row in tables["Time of one PJS call by number of jobs"].rows][-1] == "1000 jobs"


def test_a_report_is_a_page_and_an_object(report):
    page = report.markdown()

    assert "| 20 jobs | 10,000 | 2,000 | 1,000 |" in page
    assert json.loads(json.dumps(report.as_dict(), allow_nan=False))["paper"] == "pjs"


def test_the_factor_is_read_off_the_axes():
    asked = cells((1, 2), (1, 2))
    found = fits(Answers(dict(zip(asked, made_up(asked), strict=True)), (1, 2), (1, 2)))
    total_50 = found[0]

    assert total_50.ours == 5_000.0, "SJS, 50 jobs of 100 s"
    assert (total_50.low, total_50.high) == (pytest.approx(4.8), pytest.approx(6.0)), "8,000 to 10,000 s"
    assert not total_50.fits and min(fit.high for fit in found) < middle(found)


def test_cells_really_run_and_give_the_same_point_again():
    for rate in (0.0, 8.0):
        cell = Cell("noisy", "pjs", 30, 1, "10/10/80", rate)
        assert run(cell).total == run(cell).total > 0
    call = run(Call("pjs", 20, 40, 5, 0.5))
    assert call.sjs_calls >= 2 and call.seconds < 1.0


def test_without_arrivals_the_shares_of_priorities_are_exact():
    cell = Cell("standin", "sjs", 50, 3, "10/10/80")

    assert np.bincount(workload_of(cell).jobs["priority"]).tolist() == counts("10/10/80", 50) == [5, 5, 40]
    assert counts("50/25/25", 5) == [2, 1, 2]
    one, other = (workload_of(Cell("standin", "sjs", 50, seed, "10/10/80")).jobs["priority"] for seed in (1, 2))
    assert (one != other).any()
