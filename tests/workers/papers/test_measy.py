"""The study of the two-tier paper: its rules on made-up points, its examples, and one real cell."""

from __future__ import annotations

import json
from dataclasses import replace

import numpy as np
import pytest

from shadowtime.engine.errors import UnknownName
from shadowtime.workers.papers import find_paper, measy
from shadowtime.workers.papers import measy_examples as examples
from shadowtime.workers.papers.measy import claims_of
from shadowtime.workers.papers.measy_cells import (
    BLIND,
    CONTINUE,
    COSTS,
    FULL,
    LOADS,
    NAMES,
    Cell,
    Point,
    Shape,
    ShapeCell,
    cells_of,
    run_cell,
    run_shape,
)  # fmt: skip
from shadowtime.workers.papers.measy_claims import sized
from shadowtime.workers.papers.measy_moves import borne, limits, little_worse
from shadowtime.workers.papers.measy_points import Answers
from shadowtime.workers.papers.measy_tables import worst
from shadowtime.workers.papers.report import Claim, Figure, Grade, Report

PAPER = "MEASY"
SHARE = {"easy": 1.0, "keasy": 0.8, "reasy": 1.1, "measy": 0.77}
"""Of EASY's means: as the paper says, 23 % on average."""
COUNT = {"feitelson": 0.2, "jann": 0.15}


def point(cell):
    """Return a point that agrees with the paper in all but the slowdown's size."""
    parameters = dict(cell.parameters)
    cost = parameters.get("migration_cost", 20.0)
    limit = {"feitelson": 1200.0, "jann": 690.0}[cell.model]
    factor = SHARE[cell.algorithm]
    if cell.algorithm == "measy":
        factor += 0.03 * (cost - 20.0) / (limit - 20.0) - (0.17 if cell.load == LOADS[-1] else 0.0)
    base = (100.0 + cell.seed) * cell.load
    moves = COUNT[cell.model] * (1.0 + (1.0 if cell.model == "jann" else 0.1) * (cell.load - LOADS[0])) * cell.jobs
    return Point(1000.0 * base * factor, 10.0 * base * factor, int(moves), 7, 0.0)


def made_up(cells):
    return [Shape((0.2,) + (0.1,) * 8, 10.0, 99.0) if isinstance(cell, ShapeCell) else point(cell) for cell in cells]


def judge(change=lambda cell, made: made):
    """Return the claims by name on made-up points that `change` alters."""
    points = {cell: change(cell, point(cell)) for cell in cells_of("quick")}
    return {claim.claim: claim for claim in claims_of({model: Answers(model, "quick", points) for model in NAMES})}


def scaled(factor, is_it):
    """Return a change that multiplies both means of the cells for which `is_it` holds."""

    def change(cell, made):
        return replace(made, flow=made.flow * factor, stretch=made.stretch * factor) if is_it(cell) else made

    return change


def judged(claim):
    return {name: found for name, found in claim.grades.items() if found is not None}


GAIN = "MEASY improves on EASY in response"
ALWAYS = "MEASY is always better than KEASY"
BLIND_ALWAYS = f"{ALWAYS} with no usage information"
BEARS = "MEASY is better than KEASY while a migration costs less than a limit"
LITTLE = "MEASY is a little worse than KEASY from a second limit on"
MOVES = "More migrations on Jann than on Feitelson at high load, fewer at low load"
BLIND_EASY = "KEASY and MEASY are better than EASY with no usage information"
FULL_EASY = "KEASY and MEASY are better than EASY with all usages at 100 %"


def test_points_as_the_paper_has_them_hold_in_size():
    claims = judge()

    assert set(judged(claims[GAIN]).values()) == {Grade.SIZE}
    assert set(judged(claims["MEASY improves on EASY in bounded slowdown"]).values()) == {Grade.DIRECTION}
    for name in (ALWAYS, BEARS, MOVES, BLIND_EASY, FULL_EASY, "REASY is the worst of the three"):
        assert set(judged(claims[name]).values()) == {Grade.SIZE}, name
    assert claims[ALWAYS].ours["Jann-like"].startswith("at 10 of 10 points, 50 of 50 pairs of runs")
    assert all(claim.blocks == 5 and claim.quote and claim.section for claim in claims.values())


def test_a_gain_of_another_size_is_direction_only_and_one_loss_is_a_no():
    gains = np.array([[0.2, 0.3], [0.1, 0.2]])

    assert sized(gains, (0.25, 0.2)) == Grade.SIZE
    assert sized(gains, (0.25, 0.5)) == Grade.DIRECTION
    assert sized(gains, (0.9, 0.2)) == Grade.DIRECTION
    assert sized(gains - np.array([[0.2, 0.0]]), (0.25, 0.2)) == Grade.NO


REASY_EASY = "REASY is worse than EASY on Jann"
REASY_WORST = "REASY is the worst of the three"
FULL_ALWAYS = f"{ALWAYS} with all usages at 100 %"
EVERYWHERE = LOADS


@pytest.mark.parametrize(
    ("name", "factor", "loads", "is_it", "expected"),
    [
        (GAIN, 2.0, (0.6,), lambda cell: cell.algorithm == "measy", Grade.NO),
        (ALWAYS, 1.05, (0.5,), lambda cell: cell.algorithm == "measy", Grade.DIRECTION),
        (ALWAYS, 1.3, EVERYWHERE, lambda cell: cell.algorithm == "measy", Grade.NO),
        (BLIND_ALWAYS, 1.05, (0.5,), lambda cell: cell.algorithm == "measy" and cell.parameters == BLIND,
         Grade.DIRECTION),
        (BLIND_ALWAYS, 1.3, EVERYWHERE, lambda cell: (cell.algorithm, cell.parameters) == ("measy", BLIND), Grade.NO),
        (FULL_ALWAYS, 1.3, EVERYWHERE, lambda cell: (cell.algorithm, cell.drawn) == ("measy", FULL), Grade.NO),
        (REASY_WORST, 0.7, (0.9,), lambda cell: cell.algorithm == "reasy", Grade.DIRECTION),
        (REASY_WORST, 0.7, EVERYWHERE, lambda cell: cell.algorithm == "reasy", Grade.NO),
        (REASY_EASY, 0.9, (0.7,), lambda cell: cell.algorithm == "reasy", Grade.DIRECTION),
        (REASY_EASY, 0.9, EVERYWHERE, lambda cell: cell.algorithm == "reasy", Grade.NO),
        (BLIND_EASY, 1.3, (0.9,), lambda cell: cell.parameters == BLIND, Grade.DIRECTION),
        (BLIND_EASY, 1.5, EVERYWHERE, lambda cell: cell.parameters == BLIND, Grade.NO),
        (FULL_EASY, 1.5, EVERYWHERE, lambda cell: cell.drawn == FULL and cell.algorithm == "keasy", Grade.NO),
        (BEARS, 1.06, (0.6,), lambda cell: cell.algorithm == "measy", Grade.NO),
        (LITTLE, 0.7, EVERYWHERE, lambda cell: cell.algorithm == "measy", Grade.NO),
    ],
)  # fmt: skip
def test_each_rule_can_say_less_and_then_gives_what_it_depends_on(name, factor, loads, is_it, expected):
    claim = judge(scaled(factor, lambda cell: cell.load in loads and is_it(cell)))[name]

    assert set(judged(claim).values()) == {expected}
    assert any(character.isdigit() for character in claim.sensitivity)


def test_a_single_workload_can_fail():
    claim = judge(scaled(2.0, lambda cell: cell.algorithm == "measy" and cell.model == "jann"))[ALWAYS]

    assert claim.grades == {"Feitelson-like": Grade.SIZE, "Jann-like": Grade.NO, "both together": None}
    assert "Jann-like, response at load 0.5" in claim.sensitivity


def test_reasy_against_easy_is_not_claimed_on_feitelson():
    assert list(judged(judge()["REASY is worse than EASY on Jann"])) == ["Jann-like"]


def test_migrations_are_judged_for_each_job_with_the_raw_counts_beside():
    claim = judge()[MOVES]
    fewer = judge(lambda cell, made: replace(made, migrations=made.migrations // 3) if cell.model == "jann" else made)

    assert judged(claim) == {"both together": Grade.SIZE}
    assert "0.150 (0.150 to 0.150) for each job at load 0.5, 750 in all" in claim.ours["Jann-like"]
    assert "raw counts, of half as many jobs: 0.38" in claim.sensitivity
    assert judged(fewer[MOVES]) == {"both together": Grade.NO}


def test_costs_that_are_borne_up_to_the_papers_limit():
    points = {cell: point(cell) for cell in cells_of("quick")}
    found = limits(Answers("jann", "quick", points))

    # 0.77 + 0.03 (c - 20) / 670 reaches 0.8 at 690; at the highest load much later.
    assert found[0].tolist() == [480.0] * 4 + [3000.0]
    assert borne(np.array([[480.0, 900.0]]), 480.0) == Grade.SIZE
    assert borne(np.array([[20.0, 900.0]]), 480.0) == Grade.DIRECTION
    assert borne(np.array([[0.0, 900.0]]), 480.0) == Grade.NO


def test_a_little_worse_means_worse_and_by_little():
    assert little_worse([1.02, 1.1]) == Grade.SIZE
    assert little_worse([1.02, 1.2]) == Grade.DIRECTION
    assert little_worse([1.02, 0.99]) == Grade.NO


def test_a_lower_limit_on_jann_can_fail():
    name = "A migration may cost less on Jann than on Feitelson"
    cheap = judge(scaled(0.5, lambda cell: cell.algorithm == "measy" and cell.model == "jann"))

    assert judged(judge()[name]) == {"both together": Grade.SIZE}
    assert judged(cheap[name]) == {"both together": Grade.NO}
    assert "3,000 s" in cheap[name].sensitivity


def test_every_figure_of_the_paper_has_a_counterpart(report):
    numbers = ["Table 1", "Figure 1(a)", "Figure 1(b)", *(f"Figure {number}" for number in range(2, 15))]
    by_figure = {one.figure: one for one in report.counterparts}

    assert list(by_figure) == numbers
    assert all(one.ours and (one.grade is not None or one.why) for one in report.counterparts)
    assert by_figure["Figure 13"].grade == worst([judge()[name].grades["Feitelson-like"] for name in (BEARS, LITTLE)])
    assert worst([]) is None and worst([Grade.SIZE, Grade.NO, Grade.DIRECTION]) == Grade.NO


def test_tables_hold_every_load_and_their_intervals(report):
    tables = {figure.title: figure for figure in report.figures}

    assert [row for row, _ in tables["Mean response, Jann-like"].rows] == [f"load {load}" for load in LOADS]
    assert tables["Mean response, Jann-like"].columns[-1] == "REASY, step 1 continues"
    assert len(tables["Mean response by the cost of a migration, Jann-like"].columns) == len(COSTS) + 2
    for figure in report.figures:
        for (_, values), low, high in zip(figure.rows, figure.low, figure.high, strict=bool(figure.low)):
            assert all(a <= value <= b for a, value, b in zip(low, values, high, strict=True))


def test_a_report_is_a_page_and_an_object(report):
    page = report.markdown()

    assert "| load 0.5 | 51,500 | 41,200 | 56,650 | 39,655 | 56,650 |" in page
    assert "not claimed" in page and "| Figure 14 |" in page
    assert json.loads(json.dumps(report.as_dict(), allow_nan=False))["scale"] == "quick"


def test_the_papers_examples():
    assert examples.meets_figure_1a() and examples.meets_figure_1b() and examples.meets_figure_5()
    assert [examples.run(one, "keasy").jobs["end"].tolist() for one in (examples.FIGURE_2, examples.FIGURE_4)] == [
        [1.0, 2.0, 3.0], [3.0, 4.0, 1.0],
    ]  # fmt: skip
    assert all(examples.gains(one) > 0.1 for one in (examples.FIGURE_2, examples.FIGURE_3, examples.FIGURE_4))
    assert examples.gains(examples.FOUR_WAYS) == 0.0
    assert [round(float(examples.run(examples.FOUR_WAYS, name).jobs["end"][3]), 6) for name in ("reasy", "measy")] == [
        12.0, 11.3,
    ]  # fmt: skip


def test_one_cell_really_runs_and_the_same_cell_gives_the_same_point():
    cell = Cell("jann", 600, 0.7, 1, "measy")

    assert run_cell(cell) == run_cell(cell)
    assert run_cell(cell).flow > 0
    assert run_cell(Cell("feitelson", 600, 0.9, 1, "reasy")) != run_cell(
        Cell("feitelson", 600, 0.9, 1, "reasy", CONTINUE)
    )


def test_sizes_of_drawn_jobs_add_up():
    shape = run_shape(ShapeCell("jann", 2_000, 1))

    assert sum(shape.shares) == pytest.approx(1.0) and 0.3 < shape.shares[0] < 0.5


def test_every_algorithm_of_a_point_sees_the_same_jobs():
    one, two = (Cell("feitelson", 300, 0.7, 1, slug).workload() for slug in ("easy", "measy"))

    assert (one.jobs["release"] == two.jobs["release"]).all() and (one.parts["usage"] == two.parts["usage"]).all()


def test_an_unknown_paper_is_refused_with_the_known_ones():
    with pytest.raises(UnknownName, match=r"unknown paper 'easy'; known: .*measy"):
        find_paper("easy")


def test_numbers_of_figures():
    figure = Figure("t", "", ["a"], [("x", [float("nan")]), ("y", [12345.6]), ("z", [1.23456])])
    claim = Claim("c", "t", {"w": "o"}, {"w": Grade.SIZE}, "r")
    page = Report("p", "T", "S", "quick", [], [claim], [figure], 0.0).markdown()

    assert "| x |  |" in page and "| y | 12,346 |" in page and "| z | 1.23 |" in page


@pytest.mark.parametrize(
    ("spread", "seeds", "state"), [(0.001, 5, "reached"), (0.05, 6, "reached"), (0.9, 12, "budget")]
)
def test_seeds_are_added_until_the_intervals_are_narrow_or_the_budget_is_spent(monkeypatch, spread, seeds, state):
    ran = []

    def made(function, cells, progress):
        ran.extend(cells)
        noise = [1.0 + spread * (cell.seed % 2 - 0.5) * (cell.algorithm == "measy") for cell in cells]
        return [replace(one, flow=one.flow * by) for one, by in zip(map(point, cells), noise, strict=True)]

    monkeypatch.setattr(measy, "run_cells", made)
    answers, decision = measy.sampled("full", lambda sentence: None)

    assert (len(answers["jann"].seeds), decision.state) == (seeds, state)
    assert sorted(ran, key=repr) == sorted(cells_of("full", range(1, seeds + 1)), key=repr), "each run is made once"
    assert str(decision.blocks) in decision.reason
