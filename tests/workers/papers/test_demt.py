"""The study of DEMT: claims judged by their rules on made-up ratios, and a few points really run."""

from __future__ import annotations

import json

import numpy as np
import pytest

from shadowtime.engine.errors import SimulationError
from shadowtime.workers.papers import demt, find_paper
from shadowtime.workers.papers.demt_cells import ALGORITHMS, FAMILIES, Answers, Cell, Outcome, run_cell
from shadowtime.workers.papers.demt_draft import COMPARED, DRAFT
from shadowtime.workers.papers.demt_online import INSIDE, OnlineCell, OnlineOutcome, online_figure, run_online_cell


def made_up(cells):
    """What the draft has; on-line, 1.5 of every bound."""
    if isinstance(cells[0], OnlineCell):
        half = dict.fromkeys(INSIDE, 1.5)
        return [OnlineOutcome(half, half)] * len(cells)
    return from_draft(cells)


def from_draft(cells):
    """Outcomes whose ratios are those of the independent draft, all bounds being 1."""
    made = []
    for cell in cells:
        numbers = dict(zip(ALGORITHMS, DRAFT[cell.family, cell.jobs], strict=True))
        made.append(
            Outcome(
                {name: minsum for name, (minsum, _) in numbers.items()},
                {name: makespan for name, (_, makespan) in numbers.items()},
                plain=1.0,
                best=1.0,
                dual=1.0,
                slowest=0.01,
            )
        )
    return made


@pytest.fixture
def report(monkeypatch):
    monkeypatch.setattr(demt, "run_cells", lambda function, cells, tell: made_up(cells))
    monkeypatch.setattr(demt, "run_cell", lambda cell: None)
    return find_paper("DEMT").study("quick", lambda sentence: None)


def test_eleven_claims_are_judged_by_their_rules(report):
    verdicts = [[verdict for verdict in claim.agrees.values() if verdict is not None] for claim in report.claims]

    assert len(report.claims) == 11
    # The draft's own column "seen?": DEMT leads on weak at n = 25, Gang on high at n = 25, weak makespans exceed 2.
    assert verdicts == [
        [True], [True], [False], [False], [True], [True], [True], [True],
        [True] * 4, [False, True, True, True], [True] * 4,
    ]  # fmt: skip


def test_a_report_is_a_page_and_an_object(report):
    page = report.markdown()

    assert "| n = 25 | 2.35 | 3.56 | 8.52 | 2.73 | 2.84 | 2.93 | 2.54 | 2.52 |" in page
    assert "| Weakly parallel: **no** |" in page and "Weakly parallel: **no**; Highly parallel: yes" in page
    figures = json.loads(json.dumps(report.as_dict(), allow_nan=False))["figures"]
    assert figures[0]["low"][0][0] == figures[0]["high"][0][0] == 2.35
    assert len([f for f in figures if f["low"]]) == len(FAMILIES) * 2
    differences = [value for f in report.figures if "difference" in f.title for _, row in f.rows for value in row]
    assert differences and not any(differences)


def test_a_cell_is_the_same_twice_and_no_other():
    one, two = (run_cell(Cell("mixed", 25, 3)) for _ in range(2))

    assert (one.minsum, one.makespan, one.plain) == (two.minsum, two.makespan, two.plain)
    assert one.plain <= one.best <= min(one.minsum.values()) and one.dual <= min(one.makespan.values())
    assert len({Cell(f, n, run).seed for f in FAMILIES for n in demt.SIZES for run in range(41)}) == 4 * 6 * 41


@pytest.mark.parametrize(("family", "jobs"), [("weak", 100), ("high", 200), ("mixed", 200), ("cirne", 200)])
def test_ten_workloads_come_near_the_draft(family, jobs):
    """Within 5 % for what leaves little choice; ten workloads scatter Gang on mixed and Cirne jobs by some more."""
    answers = Answers({cell: run_cell(cell) for cell in (Cell(family, jobs, run) for run in range(1, 11))})
    theirs = dict(zip(ALGORITHMS, DRAFT[family, jobs], strict=True))

    for name in COMPARED:
        rel = 0.15 if name == "Gang" and family in ("mixed", "cirne") else 0.05
        assert answers.average("minsum", name, family, jobs) == pytest.approx(theirs[name][0], rel=rel), name
    ratios = answers.ratios("minsum", "DEMT", family, jobs)
    assert np.all(ratios > 1) and ratios.min() <= answers.average("minsum", "DEMT", family, jobs) <= ratios.max()


@pytest.mark.parametrize("family", FAMILIES)
def test_batches_of_two_shelves_stay_within_their_proof(family):
    outcome = run_online_cell(OnlineCell(family, 1.0, 1))

    assert 1 <= outcome.makespan["Two shelves"] <= 3 * 1.001 and outcome.makespan["DEMT"] >= 1
    assert min(outcome.minsum.values()) >= 1


def test_a_point_above_the_proof_fails_loudly():
    cells = {OnlineCell("weak", load, 1): OnlineOutcome(dict.fromkeys(INSIDE, 3.2), dict.fromkeys(INSIDE, 1.0))
             for load in (0.5, 1.0, 2.0)}  # fmt: skip
    with pytest.raises(SimulationError, match=r"3\.200 times a bound, above the proven 3"):
        online_figure({"weak": "Weakly parallel"}, cells)
