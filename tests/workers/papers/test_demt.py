"""The study of DEMT: every rule on made-up ratios, the report as a whole, and a few points really run."""

from __future__ import annotations

import json

import numpy as np
import pytest

from shadowtime.engine.errors import SimulationError
from shadowtime.workers.papers import demt, find_paper
from shadowtime.workers.papers.demt_cells import (
    FAMILIES,
    RUN_ON_EACH,
    Answers,
    Cell,
    Outcome,
    ratio_interval,
    run_cell,
)
from shadowtime.workers.papers.demt_claims import claims
from shadowtime.workers.papers.demt_counterparts import counterparts, worst
from shadowtime.workers.papers.demt_draft import COMPARED, DRAFT, DRAFTED
from shadowtime.workers.papers.demt_figures import figures, gains
from shadowtime.workers.papers.demt_online import INSIDE, OnlineCell, OnlineOutcome, online_figure, run_online_cell
from shadowtime.workers.papers.demt_time import Times, Timing, time_figure, time_planning
from shadowtime.workers.papers.report import Grade

SIZES = demt.SIZES
FEW_TO_MANY = np.linspace(0.0, 1.0, len(SIZES))
HOLDS, DIRECTION, NO = Grade.SIZE, Grade.DIRECTION, Grade.NO

IDEAL = {
    # (criterion, family): values with the fewest and the most jobs, by name; "" for all others.
    ("minsum", "weak"): {"DEMT": (2.3, 2.3), "Gang": (10, 30), "": (2.0, 2.0)},
    ("minsum", "high"): {"DEMT": (2.0, 2.0), "Gang": (2.15, 4), "Sequential": (8, 3), "": (2.6, 2.6)},
    ("minsum", "mixed"): {"DEMT": (2.1, 2.1), "List-SAF": (2.0, 2.0), "": (3, 6)},
    ("minsum", "cirne"): {"DEMT": (2.1, 2.1), "": (3, 6)},
    ("makespan", "weak"): {"DEMT": (1.9, 1.9), "Gang": (10, 30), "": (1.3, 1.3)},
    ("makespan", "high"): {"DEMT": (1.8, 1.8), "Gang": (2, 4), "Sequential": (6, 1.3), "": (1.4, 1.4)},
    ("makespan", "mixed"): {"DEMT": (1.8, 1.8), "": (1.5, 1.5)},
    ("makespan", "cirne"): {"DEMT": (1.5, 1.5), "": (1.5, 1.5)},
}
"""Ratios with which every claim holds in size."""


def answers_of(changes=None, runs=2):
    """Answers with the ratios of IDEAL, all bounds being 1; `changes`: (criterion, family, name) -> two values."""
    given = {}
    for criterion, family in IDEAL:
        for name in RUN_ON_EACH:
            known = IDEAL[criterion, family]
            ends = known.get("DEMT" if name.startswith(("DEMT", "shuffle")) else name, known[""])
            if name == "shuffle none":
                ends = tuple(1.02 * end for end in ends)
            given[criterion, family, name] = (changes or {}).get((criterion, family, name), ends)
    outcomes = {}
    for family in FAMILIES:
        for jobs, share in zip(SIZES, FEW_TO_MANY, strict=True):
            values = {
                criterion: {
                    name: given[criterion, family, name][0] * (1 - share) + given[criterion, family, name][1] * share
                    for name in RUN_ON_EACH
                }
                for criterion in ("minsum", "makespan")
            }
            for run in range(1, runs + 1):
                outcomes[Cell(family, jobs, run)] = Outcome(**values, plain=1.0, best=1.0, dual=1.0)
    return Answers(outcomes)


def times_of(seconds=0.01):
    return Times({Timing(family, n, run): seconds for family in FAMILIES for n in SIZES for run in (1, 2)})


def judged(start, changes=None, seconds=0.01):
    """The grades of the one claim that begins so."""
    (found,) = [one for one in claims(answers_of(changes), times_of(seconds)) if one.claim.startswith(start)]
    return found


def test_every_claim_can_hold_in_size():
    for claim in claims(answers_of(), times_of()):
        graded = {grade for grade in claim.grades.values() if grade is not None}
        assert graded == {HOLDS}, claim.claim
        assert claim.section and claim.quote and claim.blocks == 2


WEAK, HIGH, MIXED, CIRNE = FAMILIES.values()
LISTS = ("List-shelf", "List-LPTF", "List-SAF")


@pytest.mark.parametrize(
    ("start", "workload", "changes", "grade"),
    [
        ("Shuffles", WEAK, {("minsum", "weak", "shuffle none"): (2.5, 2.5)}, DIRECTION),
        ("Shuffles", WEAK, {("minsum", "weak", "shuffle none"): (3, 3)}, NO),
        ("Gang is out", WEAK, {("minsum", "weak", "Gang"): (4, 30)}, DIRECTION),
        ("Gang is out", WEAK, {("minsum", "weak", "Gang"): (2.2, 30)}, NO),
        ("DEMT's makespan is the worst but Gang's on weakly parallel jobs (weighted", WEAK,
         {("makespan", "weak", "DEMT"): (1.9, 2.1)}, DIRECTION),
        ("DEMT's makespan is the worst but Gang's on weakly parallel jobs (weighted", WEAK,
         {("makespan", "weak", "Sequential"): (1.3, 1.7)}, DIRECTION),
        ("DEMT's makespan is the worst but Gang's on weakly parallel jobs (makespan", WEAK,
         {("makespan", "weak", "DEMT by makespan"): (1.9, 1.2)}, NO),
        ("Others have smaller", WEAK, {("minsum", "weak", "DEMT"): (1.9, 2.3)}, NO),
        ("DEMT is clearly the best on highly", HIGH, {("minsum", "high", "Gang"): (2.05, 4)}, DIRECTION),
        ("DEMT is clearly the best on highly", HIGH, {("minsum", "high", "Gang"): (1.95, 4)}, NO),
        ("Gang is good", HIGH, {("minsum", "high", "Gang"): (2.5, 4)}, DIRECTION),
        ("Gang is good", HIGH, {("makespan", "high", "Sequential"): (6, 2)}, DIRECTION),
        ("Gang is good", HIGH, {("makespan", "high", "Gang"): (4, 2)}, NO),
        ("The list algorithms", HIGH, {("makespan", "high", "List-SAF"): (1.4, 2)}, NO),
        ("The lists are stable", HIGH, {("minsum", "high", "List-SAF"): (4, 2.6)}, DIRECTION),
        ("The lists are stable", HIGH, {("minsum", "high", "List-SAF"): (2.6, 1.9)}, NO),
        ("On mixed jobs DEMT", MIXED, {("minsum", "mixed", "DEMT"): (2.6, 2.6)}, DIRECTION),
        ("On mixed jobs DEMT", MIXED, {("makespan", "mixed", "DEMT"): (1.6, 2.4)}, NO),
        ("On mixed jobs SAF", MIXED, {("minsum", "mixed", "List-SAF"): (2.2, 1.5)}, NO),
        ("On mixed jobs the two", MIXED, {("minsum", "mixed", "List-shelf"): (3, 4)}, DIRECTION),
        ("On mixed jobs the two", MIXED, {("minsum", "mixed", "List-LPTF"): (3, 3)}, NO),
        ("DEMT is clearly the best on Cirne", CIRNE, {("minsum", "cirne", "List-SAF"): (2.15, 6)}, DIRECTION),
        ("DEMT is clearly the best on Cirne", CIRNE, {("minsum", "cirne", "List-SAF"): (3, 2)}, NO),
        ("DEMT is the only stable", CIRNE, {("minsum", "cirne", "List-SAF"): (3, 3.6)}, DIRECTION),
        ("DEMT is the only stable", CIRNE, {("minsum", "cirne", "DEMT"): (2.1, 5)}, NO),
        ("DEMT's weighted completion is about 2 on average (weighted", CIRNE,
         {("minsum", "cirne", "DEMT"): (2.8, 2.8)}, DIRECTION),
        ("DEMT's weighted completion is about 2 on average (weighted", CIRNE,
         {("minsum", "cirne", "DEMT"): (1, 4)}, NO),
        ("DEMT's weighted completion is about 2 on average (the product", WEAK,
         {("minsum", "weak", "DEMT by product"): (3.2, 3.2)}, NO),
        ("DEMT's makespan is almost always below 2 (weighted", HIGH,
         {("makespan", "high", "DEMT"): (1.0, 2.1)}, DIRECTION),
        ("DEMT's makespan is almost always below 2 (makespan", HIGH,
         {("makespan", "high", "DEMT by makespan"): (2, 2.2)}, NO),
        ("DEMT performs better", HIGH, {("minsum", "high", "DEMT"): (2.4, 2.0)}, DIRECTION),
        ("DEMT performs better", HIGH, {("makespan", "high", "DEMT"): (1.95, 1.95)}, NO),
        ("DEMT's weighted completion is insensitive", "All four", {("minsum", "weak", "DEMT"): (2.6, 2.6)}, DIRECTION),
        ("DEMT's weighted completion is insensitive", "All four", {("minsum", "weak", "DEMT"): (2, 9)}, NO),
    ],
)  # fmt: skip
def test_rules_can_say_direction_only_and_no(start, workload, changes, grade):
    found = judged(start, changes)

    assert found.grades[workload] == grade
    assert found.sensitivity


def test_lists_above_two_in_single_runs_hold_in_direction_only():
    outcomes = {}
    for cell, outcome in _outcomes(answers_of(runs=10)):
        lists = dict.fromkeys(LISTS, 2.1 if cell.run == 1 else 1.4)
        outcomes[cell] = Outcome(outcome.minsum, {**outcome.makespan, **lists}, 1.0, 1.0, 1.0)
    (found,) = [one for one in claims(Answers(outcomes), times_of()) if one.claim.startswith("The list algorithms")]

    assert found.grades[HIGH] == DIRECTION


def _outcomes(answers):
    for (family, jobs, minimum), found in answers._of.items():
        for run, outcome in enumerate(found, 1):
            yield Cell(family, jobs, run, minimum), outcome


def test_planning_above_two_seconds_is_a_no():
    assert set(judged("DEMT takes", seconds=2.5).grades.values()) == {NO, None}


def test_a_figure_of_the_paper_has_the_worst_verdict_on_its_family():
    found = claims(answers_of({("minsum", "mixed", "List-SAF"): (2.2, 1.5)}), times_of())

    assert worst(found, MIXED, ("On mixed jobs",)) == NO
    assert worst(found, MIXED, ("On mixed jobs DEMT",)) == HOLDS
    assert worst(found, WEAK, ("On mixed jobs",)) is None
    (figure,) = [one for one in counterparts(found, SIZES, 2) if one.figure == "Figure 5"]
    assert figure.grade == NO and figure.why.endswith(": On mixed jobs SAF is better than DEMT.")


def test_gains_of_shuffles_are_never_negative():
    answers = answers_of({("minsum", "weak", "shuffle batches"): (2.5, 2.5)})

    assert gains(answers, "neighbours", "weak", 25) == pytest.approx(100 * (1 - 1 / 1.02))
    assert gains(answers, "batches", "weak", 25).tolist() == [0.0, 0.0]


def test_intervals_of_ratios_cover_the_ratio_and_narrow_with_the_blocks():
    rng = np.random.default_rng(5)
    widths = []
    for n in (10, 160):
        bounds = rng.uniform(50.0, 150.0, n)
        low, high = ratio_interval(bounds * rng.lognormal(0.7, 0.1, n), bounds)
        widths.append(high - low)
        assert 1.8 < low < 2.02 < high < 2.3
    assert widths[1] < 0.5 * widths[0]
    assert np.isnan(ratio_interval(np.ones(1), np.ones(1))).all()


def made_up(function, cells):
    """Ratios of the draft for what it has, 2 for everything else; on-line, 1.5 of every bound."""
    if isinstance(cells[0], OnlineCell):
        half = dict.fromkeys(INSIDE, 1.5)
        return [OnlineOutcome(half, half)] * len(cells)
    if isinstance(cells[0], Timing):
        return [0.01] * len(cells)
    found = []
    for cell in cells:
        numbers = dict(zip(DRAFTED, DRAFT[cell.family, cell.jobs], strict=True))
        both = [{name: numbers.get(name, numbers["DEMT"])[at] for name in RUN_ON_EACH} for at in (0, 1)]
        found.append(Outcome(*both, plain=1.0, best=1.0, dual=1.0))
    return found


@pytest.fixture
def report(monkeypatch):
    monkeypatch.setattr(demt, "run_cells", lambda function, cells, tell: made_up(function, cells))
    monkeypatch.setattr(demt, "run_cell", lambda cell: None)
    return find_paper("DEMT").study("quick", lambda sentence: None)


def test_a_report_is_a_page_and_an_object(report):
    page = report.markdown()

    assert "| n = 25 | 2.35 | 2.35 | 2.35 | 2.35 | 3.56 | 8.52 | 2.73 | 2.84 | 2.93 | 2.54 | 2.52 |" in page
    assert "Weakly parallel: **no**" in page
    found = json.loads(json.dumps(report.as_dict(), allow_nan=False))
    assert [found["figures"][0][end][0][0] for end in ("low", "high")] == pytest.approx([2.35, 2.35])
    differences = [value for f in report.figures if "difference" in f.title for _, row in f.rows for value in row]
    assert differences and not any(differences)
    assert [one["figure"] for one in found["counterparts"]] == [f"Figure {n}" for n in range(1, 8)]
    assert all(one["why"] for one in found["counterparts"])


def test_each_table_has_its_rows_and_intervals(report):
    titles = [figure.title for figure in report.figures]
    assert len(set(titles)) == len(titles)
    for figure in report.figures:
        assert all(len(values) == len(figure.columns) for _, values in figure.rows)
        assert not figure.low or np.shape(figure.low) == (len(figure.rows), len(figure.columns))
        assert figure.spread == "95 % interval" or not figure.low
    paired = [figure for figure in report.figures if figure.title.startswith("DEMT over each rival")]
    assert len(paired) == 2 and paired[0].rows[0][1][0] == pytest.approx(
        np.exp(np.mean([np.log(DRAFT["weak", n][0][0] / DRAFT["weak", n][2][0]) for n in SIZES]))
    )


def test_minimums_take_the_cells_that_have_them():
    outcomes = dict(_outcomes(answers_of()))
    for share in (0.25, 0.5, 1.0):
        for run in (1, 2):
            plain = outcomes[Cell("mixed", 100, run)]
            outcomes[Cell("mixed", 100, run, share)] = Outcome(
                {name: 10 * share for name in plain.minsum}, plain.makespan, 1.0, 2.0, 1.0
            )
    (table,) = [
        one for one in figures(Answers(outcomes)) if one.title.startswith("Share of the jobs with a minimum: w")
    ]

    assert [point for point, _ in table.rows] == ["0%", "25%", "50%", "100%"]
    assert [values[0] for _, values in table.rows] == [pytest.approx(2.1), 1.25, 2.5, 5.0]


def test_a_cell_is_the_same_twice_and_no_other():
    one, two = (run_cell(Cell("mixed", 25, 3)) for _ in range(2))

    assert (one.minsum, one.makespan, one.plain) == (two.minsum, two.makespan, two.plain)
    assert one.plain <= one.best <= min(one.minsum.values()) and one.dual <= min(one.makespan.values())
    assert one.makespan["DEMT by makespan"] <= one.makespan["DEMT"] and one.minsum["DEMT"] <= one.minsum["shuffle none"]
    assert len({Cell(f, n, run).seed for f in FAMILIES for n in demt.SIZES for run in range(41)}) == 4 * 6 * 41


@pytest.mark.parametrize(("family", "jobs"), [("weak", 100), ("high", 200), ("mixed", 200), ("cirne", 200)])
def test_ten_workloads_come_near_the_draft(family, jobs):
    """Within 5 % for what leaves little choice; ten workloads scatter Gang on mixed and Cirne jobs by some more."""
    answers = Answers({cell: run_cell(cell) for cell in (Cell(family, jobs, run) for run in range(1, 11))})
    theirs = dict(zip(DRAFTED, DRAFT[family, jobs], strict=True))

    for name in COMPARED:
        rel = 0.15 if name == "Gang" and family in ("mixed", "cirne") else 0.05
        assert answers.average("minsum", name, family, jobs) == pytest.approx(theirs[name][0], rel=rel), name
    ratios = answers.ratios("minsum", "DEMT", family, jobs)
    low, high = answers.interval("minsum", "DEMT", family, jobs)
    assert np.all(ratios > 1) and ratios.min() <= low <= answers.average("minsum", "DEMT", family, jobs) <= high


@pytest.mark.parametrize("family", FAMILIES)
def test_batches_of_two_shelves_stay_within_their_proof(family):
    outcome = run_online_cell(OnlineCell(family, 1.0, 1))

    assert 1 <= outcome.makespan["Two shelves"] <= 3 * 1.001 and outcome.makespan["DEMT"] >= 1
    assert min(outcome.minsum.values()) >= 1


def test_planning_is_timed():
    seconds = time_planning(Timing("weak", 50, 1))
    table = time_figure(Times({Timing(f, 50, run): run * seconds for f in FAMILIES for run in (1, 2)}))

    assert 0 < seconds < 2
    assert table.rows[0][1] == pytest.approx([1500 * seconds] * 4)
    assert 0 < table.low[0][0] < table.rows[0][1][0] < table.high[0][0]


def test_a_point_above_the_proof_fails_loudly():
    cells = {OnlineCell("weak", load, 1): OnlineOutcome(dict.fromkeys(INSIDE, 3.2), dict.fromkeys(INSIDE, 1.0))
             for load in (0.5, 1.0, 2.0)}  # fmt: skip
    with pytest.raises(SimulationError, match=r"3\.200 times a bound, above the proven 3"):
        online_figure({"weak": "Weakly parallel"}, cells)
