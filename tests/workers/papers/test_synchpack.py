"""The study of SynchPack: its rules on made-up points, and small real cells."""

from __future__ import annotations

import json

import pytest

from shadowtime.workers.papers import find_paper, synchpack
from shadowtime.workers.papers.report import Grade
from shadowtime.workers.papers.synchpack_cells import (
    BARRIER,
    BOUND,
    JSQ,
    LP3,
    ONLINE,
    ONLINE_PLACED,
    PLACED,
    PREEMPTIVE,
    PSRS,
    RUN,
    SINGLE,
    SP2,
    SP3,
    SP3_CUTS,
    STAYING,
    TETRIS,
    VARIANTS,
    WAITING,
    Answer,
    Cell,
)
from shadowtime.workers.papers.synchpack_claims import claims
from shadowtime.workers.papers.synchpack_points import SCALES, Points, Scale, cells
from shadowtime.workers.papers.synchpack_rules import THREE, TWO
from shadowtime.workers.papers.synchpack_tables import BY_SIZE, FIGURE_2A, TABLE_1, tables

TINY = Scale((1, 2, 3, 4, 5), (10, 20, 30), (2, 4), 4, 20, (5, 8), (6, 8), 8, 3, 6)
NAMES = [*PREEMPTIVE, *STAYING, *BARRIER, *VARIANTS, SP3_CUTS, BOUND, LP3]
F1, F10 = TETRIS[1.0], TETRIS[10.0]


def world(cell, name):
    """Return a value with which every claim holds: rivals are worse, more so at higher loads."""
    if name in (BOUND, LP3):
        return 80.0
    if name.startswith("SP"):
        return 100.0
    return 150.0 * (1.0 + cell.load)


def made(**changes):
    """Return points where some algorithms (`psrs`, `f1`, ...) have other values, given by functions of a cell."""
    names = {"psrs": PSRS, "jsq": JSQ, "f1": F1, "f10": F10, "sp3": SP3, "sp2": SP2}
    other = {names[short]: value for short, value in changes.items()}

    def value(cell, name):
        found = other[name](cell) if name in other else None
        return (1.0 + 0.01 * cell.seed) * (world(cell, name) if found is None else found)

    found = {
        cell: Answer({name: value(cell, name) for name in NAMES}, dict.fromkeys(NAMES, 1.0)) for cell in cells(TINY)
    }
    return Points(found, TINY)


def grades_of(points, words):
    (found,) = [claim for claim in claims(points) if words in claim.claim]
    return found.grades[THREE], found.grades[TWO]


def noisy(cell, mean=105.0):
    """Return values above 100 in the mean, but not beyond noise."""
    return mean - 30.0 * (-1) ** cell.seed


def test_where_every_rival_is_worse_all_claims_hold():
    judged = claims(made())
    found = {claim.claim: set(claim.grades.values()) for claim in judged}

    assert [words for words, grades in found.items() if grades == {None}] == ["How much worse the rivals are, at most"]
    assert all(grades <= {Grade.SIZE, None} for grades in found.values())
    assert all(claim.section and claim.quote and claim.blocks == 5 for claim in judged)


@pytest.mark.parametrize(
    ("value", "expected"), [(150.0, Grade.SIZE), (170.0, Grade.DIRECTION), (330.0, Grade.NO)], ids=str
)
def test_ratios_are_small_below_half_of_the_factor_and_within_it(value, expected):
    one = made(sp3=lambda cell: value if cell.seed == 3 and cell.weights == "random" else 100.0)

    assert grades_of(one, "Ratios to the linear program") == (expected, Grade.SIZE)


def test_factor_24_has_the_same_rule():
    assert grades_of(made(sp2=lambda cell: 80.0 * 13), "Ratios to")[1] == Grade.DIRECTION
    assert grades_of(made(sp2=lambda cell: 80.0 * 25), "Ratios to")[1] == Grade.NO


def test_a_rival_that_is_worse_only_in_the_mean_gives_the_direction():
    words = "Off-line, PSRS and JSQ-MW"

    assert grades_of(made(psrs=noisy), words) == (Grade.DIRECTION, Grade.SIZE)
    assert grades_of(made(jsq=lambda cell: noisy(cell, 95.0)), words) == (Grade.SIZE, Grade.NO)


def test_one_weighting_is_enough_for_a_no():
    one = made(psrs=lambda cell: 90.0 if cell.weights == "random" and not cell.load else None)

    assert grades_of(one, "Off-line, PSRS") == (Grade.NO, Grade.SIZE)


def test_verdicts_on_tetris_take_f_1():
    off, on = "Off-line, Tetris", "On-line, Tetris"

    assert grades_of(made(f10=lambda cell: 50.0), off) == (Grade.SIZE, Grade.SIZE)
    assert grades_of(made(f1=lambda cell: 50.0), off) == (Grade.NO, Grade.NO)
    assert grades_of(made(f1=noisy), off) == (Grade.DIRECTION, Grade.DIRECTION)
    assert grades_of(made(f1=lambda cell: 50.0), on) == (Grade.NO, Grade.NO)


def test_every_remote_factor_counts_and_both_rivals():
    words = "at every remote factor"

    assert grades_of(made(jsq=lambda cell: 90.0 if cell.factor == 1.5 else None), words) == (None, Grade.NO)
    assert grades_of(made(f1=lambda cell: noisy(cell) if cell.factor == 5.0 else None), words)[1] == Grade.DIRECTION


def test_online_the_lowest_load_is_not_judged():
    words = "On-line, PSRS and JSQ-MW"

    assert grades_of(made(psrs=lambda cell: 50.0 if cell.load == 0.5 else None), words)[0] == Grade.SIZE
    assert grades_of(made(psrs=lambda cell: 50.0 if cell.load == 1.0 else None), words)[0] == Grade.NO
    assert grades_of(made(jsq=lambda cell: noisy(cell) if cell.load == 2.0 else None), words)[1] == Grade.DIRECTION


def test_the_poorest_rival_must_be_the_same_with_all_weights():
    one = made(psrs=lambda cell: 900.0 if cell.weights == "equal" else 120.0)

    assert grades_of(one, "the same rival")[0] == Grade.NO


def test_figure_3c_counts_every_load():
    words = "at every traffic intensity"

    assert grades_of(made(f1=lambda cell: 50.0 if cell.load == 0.5 else None), words)[0] == Grade.NO
    assert grades_of(made(f1=lambda cell: noisy(cell) if cell.load == 0.5 else None), words)[0] == Grade.DIRECTION


@pytest.mark.parametrize(
    ("by_load", "expected"),
    [((150, 160, 170, 180), Grade.SIZE), ((150, 170, 160, 180), Grade.DIRECTION), ((180, 160, 170, 180), Grade.NO)],
    ids=lambda value: value if isinstance(value, Grade) else None,
)
def test_gains_grow_from_load_to_load(by_load, expected):
    values = dict(zip((0.5, 1.0, 2.0, 4.0), by_load, strict=True))

    assert grades_of(made(psrs=lambda cell: values.get(cell.load)), "Gains grow")[0] == expected


def test_a_rise_within_noise_is_none():
    values = {0.5: 150.0, 1.0: 160.0, 2.0: 170.0}

    def psrs(cell):
        return 180.0 + 60.0 * (-1) ** cell.seed if cell.load == 4.0 else values.get(cell.load)

    assert grades_of(made(psrs=psrs), "Gains grow")[0] == Grade.NO


def test_behind_a_no_there_are_numbers():
    lost = made(**{name: lambda cell: 120.0 - 10.0 * cell.load for name in ("psrs", "jsq", "f1", "f10")},
                sp3=lambda cell: 400.0, sp2=lambda cell: 3000.0)  # fmt: skip

    refused = [claim for claim in claims(lost) if Grade.NO in claim.grades.values()]
    assert len(refused) >= 7
    assert all("%" in claim.sensitivity for claim in refused if "Ratios to" not in claim.claim)


def test_tables_have_intervals_and_leave_out_what_did_not_run():
    points = made(psrs=noisy)
    by_title = {table.title: table for table in tables(points)}

    assert by_title[FIGURE_2A].columns == [SP3, PSRS, *TETRIS.values()]
    assert all(len(table.low) == len(table.rows) for table in by_title.values() if table.low)
    (row,) = [values for name, values in by_title[BY_SIZE].rows if name == "4 machines, 30 jobs"]
    assert row[1] == pytest.approx(1.5)
    assert [name for name, _ in by_title[TABLE_1].rows] == ["equal", "random", "priority"]


def test_a_report_lists_every_figure_of_the_paper(monkeypatch):
    monkeypatch.setitem(SCALES, "quick", TINY)
    answers = made().answers
    monkeypatch.setattr(synchpack, "run_cells", lambda function, asked, tell: [answers[cell] for cell in asked])
    monkeypatch.setattr(synchpack, "run_single", lambda cell: None)
    report = find_paper("SynchPack").study("quick", lambda sentence: None)

    assert [one.figure for one in report.counterparts] == [
        "Figure 1", "Table 1", "Figure 2(a)", "Figure 2(b)", "Figure 2(c)", "Figure 3(a)", "Figure 3(b)",
        "Figure 3(c)", "Appendix A",
    ]  # fmt: skip
    assert {one.grade for one in report.counterparts} == {None, Grade.SIZE}
    assert json.loads(json.dumps(report.as_dict(), allow_nan=False))["scale"] == "quick"
    assert "## Figures and tables of the paper" in report.markdown()


@pytest.mark.parametrize(
    "cell",
    [
        Cell(SINGLE, 12, 3, "steep", 1),
        Cell(PLACED, 6, 6, "equal", 1, remote=3),
        Cell(ONLINE, 12, 3, "equal", 1, 0.9),
        Cell(ONLINE_PLACED, 5, 6, "random", 1, 0.9, remote=3),
        Cell(WAITING, 12, 3, "equal", 1, 0.9),
    ],
    ids=lambda cell: cell.plot,
)
def test_real_cells(cell):
    found = RUN[cell.plot](cell)

    assert found.values == RUN[cell.plot](cell).values and set(found.seconds) == set(found.values)
    assert all(value >= found.values.get(BOUND, 0.0) * (1 - 1e-9) for value in found.values.values())
