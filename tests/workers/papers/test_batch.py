"""Batch policies: the verdicts on made-up cells, and small cells that really run, without any log."""

from __future__ import annotations

import numpy as np
import pytest

from shadowtime.engine.simulation import simulate
from shadowtime.workers.papers import find_paper
from shadowtime.workers.papers.batch import cells, growth, tables, workloads
from shadowtime.workers.papers.batch.anchors import ANCHORS, agree
from shadowtime.workers.papers.batch.cells import Outcome, Ran, Sequence, Week, Whole
from shadowtime.workers.papers.batch.growth import Cost, Growth
from shadowtime.workers.papers.batch.policies import LEARNED, ORDERS, POLICIES, SETTINGS, WHOLE
from shadowtime.workers.papers.report import Grade

SLOWDOWN = {"EASY": 20.0, "Conservative": 22.0, "EASY-SJBF": 15.0, "EASY++": 12.0}
LOG = """; MaxProcs: 8
; UnixStartTime: 0
1 0 -1 100 2 -1 -1 4 50 -1 1 7 1 1 1 -1 -1 -1
2 10 -1 0 2 -1 -1 2 600 -1 1 7 1 1 1 -1 -1 -1
3 20 -1 40 2 -1 -1 -1 -1 -1 1 7 1 1 1 -1 -1 -1
"""


def made_up(function, asked, tell):
    """Learned orders first; conservative better on even weeks; EASY++ < EASY-SJBF < EASY but on CTC."""
    return [answer(cell) for cell in asked]


def answer(cell):
    if isinstance(cell, Sequence):
        best = {order: 5.0 + at for at, order in enumerate(LEARNED)}
        if cell.workload == "CTC":
            best["F4"] = 100.0
        if cell.workload == "Lublin":
            best = {order: 100.0 for order in LEARNED}
        return {f"{order}, {one.title}": best.get(order, 50.0) + cell.number for order in ORDERS for one in SETTINGS}
    if isinstance(cell, Week):
        factor = 0.5 if cell.number % 2 and cell.workload == "KTH" else 1.0
        return Ran(
            {
                name: Outcome(
                    1.0 + cell.number + SLOWDOWN.get(name, 30.0 + at) * (factor if name == "Conservative" else 1.0),
                    1000.0, 0.7, 5000.0,
                )
                for at, name in enumerate(POLICIES)
            },
            100.0, 0.8,
        )  # fmt: skip
    if isinstance(cell, Growth):
        return Cost(cell.jobs / 10, cell.jobs, cell.jobs, 0.001 * cell.jobs)
    assert isinstance(cell, Whole)
    if cell.of_2007 and cell.log == "KTH":
        wait, slowdown, longest = ANCHORS[cell.log, cell.policy]
        return Outcome(slowdown, wait, 0.7, longest)
    worse = 10.0 if cell.log == "CTC" and cell.policy == "EASY++" else 0.0
    return Outcome(SLOWDOWN.get(cell.policy, 30.0) + worse, 1000.0 * SLOWDOWN.get(cell.policy, 30.0), 0.7, 86_400.0)


def report_of(monkeypatch, names):
    monkeypatch.setattr(tables, "run_cells", made_up)
    monkeypatch.setattr(tables, "run_week", lambda cell: None)
    monkeypatch.setattr(tables, "available", lambda: [*names, workloads.LUBLIN])
    monkeypatch.setattr(tables, "week_numbers", lambda name: list(range(20)))
    return find_paper("batch").study("quick", lambda sentence: None)


@pytest.fixture
def verdicts(monkeypatch):
    report = report_of(monkeypatch, ["KTH", "CTC"])
    return {claim.claim: claim for claim in report.claims}


def test_learned_orders_are_judged_in_each_setting(verdicts):
    found = [claim for words, claim in verdicts.items() if words.startswith("F1 to F4 beat")]

    assert len(found) == len(SETTINGS) == 3
    for claim in found:
        assert claim.grades == {"KTH": Grade.SIZE, "CTC": Grade.DIRECTION, "Lublin": Grade.NO}
        assert claim.sensitivity.startswith("Lublin: F1 over FCFS 1.9")


def test_the_order_of_easy_plus_plus_is_judged_on_two_logs(verdicts):
    claim = verdicts["EASY++ is better than EASY-SJBF, which is better than EASY"]

    assert claim.grades == {"KTH": Grade.SIZE, "CTC": Grade.NO, "Lublin": None}
    assert claim.ours["KTH"] == "slowdown 12 < 15 < 20; wait 12,000 < 15,000 < 20,000"


def test_conservative_is_mixed_only_where_each_is_better_often(verdicts):
    claim = verdicts["Neither conservative nor EASY backfilling is better throughout"]

    assert claim.grades["CTC"] == Grade.NO and "larger in 8 of 8" in claim.ours["CTC"]
    assert claim.grades["KTH"] in (Grade.SIZE, Grade.DIRECTION)


def test_each_claim_counts_its_own_blocks(verdicts):
    found = {words: claim.blocks for words, claim in verdicts.items()}

    assert {n for words, n in found.items() if words.startswith("F1 to F4")} == {10}
    assert found["EASY++ is better than EASY-SJBF, which is better than EASY"] == 1
    assert found["Neither conservative nor EASY backfilling is better throughout"] == 8


def test_a_figure_that_differs_from_the_simulator_is_named(verdicts):
    claim = verdicts["Whole logs give the figures of the simulator of 2007"]

    assert claim.grades == {"KTH": Grade.SIZE, "CTC": Grade.NO, "Lublin": None}
    assert "EASY++: 12,000.0000" in claim.sensitivity and "25.6406" in claim.sensitivity
    assert agree((1.0004, 2.00004, 3.4), (1.0, 2.0, 3.0)) and not agree((1.0006, 2.0, 3.0), (1.0, 2.0, 3.0))


def test_without_logs_the_generated_jobs_stand_alone(monkeypatch):
    report = report_of(monkeypatch, [])

    assert {name for claim in report.claims for name in claim.ours} == {"Lublin"}
    assert "KTH-SP2-1996-2.1-cln.swf.gz" in report.method[-1]
    assert not any(figure.title.startswith("Whole") for figure in report.figures)


def test_no_log_is_there_without_the_setting(monkeypatch):
    monkeypatch.delenv("SHADOWTIME_TRACES", raising=False)

    assert workloads.available() == ["Lublin"]


def test_a_week_runs_all_policies_and_none_beats_a_bound():
    found = cells.ran(workloads.drawn(60, 1), POLICIES)

    assert tuple(found.outcomes) == tuple(POLICIES)
    for name, one in found.outcomes.items():
        assert one.wait >= found.wait_bound - 1e-6 and one.utilization <= found.utilization_bound + 1e-9, name
        assert one.slowdown >= 1.0 and one.longest >= one.wait
    assert found.outcomes["EASY++"] == found.outcomes["EASY-SJBF"], "generated jobs have no users"


def test_a_sequence_has_each_order_in_each_setting(monkeypatch):
    monkeypatch.setattr(workloads, "DRAWN_SEQUENCE", 80)
    found = cells.run_sequence(Sequence("Lublin", 3))

    assert len(found) == len(ORDERS) * len(SETTINGS) and min(found.values()) >= 1.0
    assert found["SJF, actual run times"] != found["SJF, requested times"]


def test_a_log_is_cut_at_its_requests_and_read_as_in_2007(monkeypatch, tmp_path):
    import gzip

    with gzip.open(tmp_path / workloads.LOGS["KTH"], "wt") as file:
        file.write(LOG)
    monkeypatch.setenv("SHADOWTIME_TRACES", str(tmp_path))
    for cached in (workloads.log, workloads.log_of_2007):
        cached.cache_clear()
    ours, theirs = workloads.log("KTH").jobs, workloads.log_of_2007("KTH").jobs
    for cached in (workloads.log, workloads.log_of_2007):
        cached.cache_clear()

    assert ours["runtime"].tolist() == [50.0, 40.0] and ours["processors"].tolist() == [4, 2]
    assert theirs["runtime"].tolist() == [50.0, 1.0, 1.0] and theirs["processors"].tolist() == [2, 2, 2]
    assert theirs["requested"].tolist() == [100.0, 1.0, 40.0]


def test_the_queue_is_counted_at_ends():
    workload = workloads.drawn(50, 1, growth.OVERLOAD)
    jobs = simulate(workload, "conservative").jobs
    waiting = growth.queue_at_ends(jobs)
    at = float(np.sort(jobs["end"])[10])

    assert waiting[10] == ((jobs["release"] <= at) & (jobs["start"] > at)).sum()
    assert waiting[-1] == 0 and len(waiting) == 50


def test_every_policy_of_whole_logs_is_one_of_the_study():
    assert set(WHOLE["quick"]) <= set(POLICIES) and {policy for _, policy in ANCHORS} <= set(WHOLE["quick"])
