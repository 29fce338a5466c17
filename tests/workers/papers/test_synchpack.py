"""The study of SynchPack: its arithmetic on made-up points, and small real cells."""

from __future__ import annotations

import json

import pytest

from shadowtime.workers.papers import find_paper, synchpack
from shadowtime.workers.papers.synchpack import BOUND, ONLINE, PLACED, PREEMPTIVE, SINGLE, STAYING, Cell, run_cell


def made_up(cells):
    """SynchPack at 1.5 times the bound, rivals at twice, more of it at higher loads; Tetris with f = 10 at 1.4."""
    points = []
    for cell in cells:
        point = {name: 200.0 * (1.0 + cell.load) for name in (STAYING if cell.placed else PREEMPTIVE)}
        point |= {name: 150.0 for name in point if name.startswith("SP")}
        points.append({**point, "f=10": 140.0, BOUND: 100.0})
    return points


@pytest.fixture
def report(monkeypatch):
    monkeypatch.setattr(synchpack, "run_cells", lambda function, cells, tell: made_up(cells))
    return find_paper("SynchPack").study("quick", lambda sentence: None)


def test_claims_are_judged_by_their_rules(report):
    far, best, gains, traffic = report.claims

    assert far.ours[SINGLE] == "at most 1.50" and far.agrees == {SINGLE: True, PLACED: True, ONLINE: None}
    assert best.ours[SINGLE] == "in 16 of 16 workloads; against Tetris with f = 10 in 0" and all(best.agrees.values())
    assert gains.ours[PLACED] == "JSQ-MW 33 %, Tetris 33 % (f = 1)" and set(gains.agrees.values()) == {None}
    assert traffic.agrees == {SINGLE: None, PLACED: None, ONLINE: True}
    assert traffic.ours[ONLINE].startswith("PSRS 100 %, 167 %, 300 %, 567 %; JSQ-MW")


def test_a_report_is_a_page_and_an_object(report):
    page = report.markdown()

    assert "| 30 machines, equal | 1.5 | 1.5 | 2 | 2 | 2 | 1.4 |" in page
    assert json.loads(json.dumps(report.as_dict(), allow_nan=False))["scale"] == "quick"


@pytest.mark.parametrize(
    "cell",
    [
        Cell(SINGLE, 12, 3, "steep", 1),
        Cell(PLACED, 6, 6, "equal", 1, placed=True),
        Cell(ONLINE, 12, 3, "equal", 1, 0.9),
    ],
    ids=lambda cell: cell.study,
)
def test_real_cells(cell):
    found = run_cell(cell)

    assert found == run_cell(cell)
    assert all(value >= found.get(BOUND, 0.0) * (1 - 1e-9) for value in found.values())
