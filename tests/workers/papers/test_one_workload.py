"""All families on one workload: the arithmetic on made-up points, and a small week that really runs."""

from __future__ import annotations

import io

import pytest

from shadowtime.engine.errors import InvalidParameter
from shadowtime.engine.workload.conversions.convert import convert
from shadowtime.engine.workload.reading import read
from shadowtime.workers.papers import find_paper, one_workload
from shadowtime.workers.papers.one_workload_cells import ALGORITHMS, Outcome, outcomes
from shadowtime.workers.papers.report import Grade

SWF = "; MaxProcs: 8\n" + "".join(
    f"{n} {60 * n} -1 {100 + 37 * (n % 7)} {1 + n % 4} -1 2048 {1 + n % 4} 900 2048 1 1 1 1 1 -1 -1 -1\n"
    for n in range(1, 41)
)
SLOWDOWN = {"EASY": 100.0, "GreedyP*": 2.0}
FLOW = {"EASY": 1000.0, "MEASY": 800.0, "DEMT": 3000.0}


def made_up(function, cells, tell):
    """EASY a hundred, GreedyP* two, all others ten; MEASY a fifth sooner than EASY."""
    return [
        {
            name: Outcome(FLOW.get(name, 1200.0), 500.0, 3.0, SLOWDOWN.get(name, 10.0), 2500.0, 1000.0)
            for name in ALGORITHMS
        }
        for _ in cells
    ]


@pytest.fixture
def report(monkeypatch):
    monkeypatch.setattr(one_workload, "run_cells", made_up)
    monkeypatch.setattr(one_workload, "run_cell", lambda cell: None)
    monkeypatch.setattr(one_workload, "has_log", lambda name: name == "KTH")
    monkeypatch.setattr(one_workload, "log", lambda name: None)
    monkeypatch.setattr(one_workload, "_has_jobs", lambda whole, week: True)
    return find_paper("one-workload").study("quick", lambda sentence: None)


def test_what_papers_say_is_asked_of_the_logs(report):
    verdicts = {claim.claim: claim for claim in report.claims}

    assert verdicts["Two tiers end jobs sooner than EASY, on average"].ours == {"KTH": "20.0 %"}
    worst = verdicts["Sharing CPU brings the largest slowdown down by orders of magnitude"]
    assert worst.ours["KTH"].startswith("50 times") and worst.grades["KTH"] == Grade.SIZE
    assert verdicts["DEMT's makespan is almost always below twice the best"].grades["KTH"] == Grade.NO
    assert verdicts["What sharing costs in mean turnaround"].grades["KTH"] is None


def test_a_log_that_is_not_here_is_left_out_and_said_so(report):
    assert any("HPC2N-2002-2.2-cln.swf.gz" in sentence for sentence in report.method)
    assert {figure.title.rpartition(", ")[2] for figure in report.figures} == {"KTH"}


def test_without_any_log_the_question_says_what_it_needs(monkeypatch):
    monkeypatch.delenv("SHADOWTIME_TRACES", raising=False)

    with pytest.raises(InvalidParameter, match="SHADOWTIME_TRACES"):
        find_paper("one-workload").study("quick", lambda sentence: None)


def test_all_families_run_the_same_jobs_and_none_beats_its_bound():
    week = convert(read(io.BytesIO(SWF.encode()), "small"), "week", {"k": 0})
    found = outcomes(week)

    assert tuple(found) == ALGORITHMS
    for name, outcome in found.items():
        assert outcome.flow >= outcome.flow_bound - 1e-6 and outcome.makespan >= outcome.makespan_bound - 1e-6, name
        assert outcome.worst >= outcome.slowdown >= (1.0 if name in ("FCFS", "EASY") else 0.99)
    assert found["MEASY"].slowdown != found["EASY"].slowdown
