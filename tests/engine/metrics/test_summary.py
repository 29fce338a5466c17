"""The metrics of whole runs, against numbers worked out by hand."""

from types import SimpleNamespace

import numpy as np
import pytest

from shadowtime.engine.metrics.registry import metrics
from shadowtime.engine.metrics.summary import summarize
from shadowtime.engine.tables import KILL, MIGRATE, PAUSE, REJECTED, RESUME, SERIES, START, SWAP
from shadowtime.engine.workload.job import Workload, job_table
from tests.engine.metrics.examples import FOUR, columns, events, finished, four_under_easy, schedule

TEN = SimpleNamespace(lanes=10)


def test_four_jobs_under_easy_come_out_as_in_the_contract():
    values = summarize(four_under_easy(), FOUR, TEN)

    printed = {
        "makespan": 1110.0, "mean_wait": 51.75, "mean_flow": 341.75, "total_job_time": 1367.0,
        "mean_bounded_stretch": 3.502, "max_bounded_stretch": 10.9, "weighted_completion": 1373.0,
        "mean_utilization": 0.44144144144144143, "preemptions": 0, "unfinished": 0, "rejected": 0,
    }  # fmt: skip
    assert {name: values[name] for name in printed} == pytest.approx(printed, rel=1e-12)
    assert values["max_wait"] == 108.0
    assert values["max_flow"] == 1108.0
    assert values["offered_load"] == 4900 / (10 * 3)
    # idle despite demand: 4 on [0, 3) is 4 + 8 once demand exceeds 6, then 4 on [53, 100)
    assert values["underutilization"] == 2 * 4 + 47 * 4
    assert values["normalized_underutilization"] == 196 / 4900


def test_a_metric_that_a_family_does_not_have_is_left_out():
    values = summarize(four_under_easy(), FOUR, TEN)

    assert not {"kills", "swaps", "background_starts", "mean_cpu_utilization", "waste_by_kills"} & set(values)


def test_every_summary_uses_the_names_and_order_of_the_registry():
    values = summarize(four_under_easy(), FOUR, TEN)

    known = [name for name in metrics() if name in values]
    assert sorted(known) == sorted(values)
    assert set(known) == {name for name, metric in metrics().items() if not metric.kinds or "rigid" in metric.kinds} - {
        "degradation_from_bound"
    }


def test_rejected_and_unfinished_jobs_are_counted_and_left_out_of_means():
    run = four_under_easy()
    run.jobs["start"][1] = run.jobs["end"][1] = np.nan
    run.jobs["state"][1] = REJECTED
    run.jobs["end"][2] = np.nan
    run.jobs["state"][2] = 0

    values = summarize(run, FOUR, TEN)

    assert (values["rejected"], values["unfinished"]) == (1, 1)
    assert values["mean_flow"] == (100.0 + 50.0) / 2
    assert values["makespan"] == 100.0
    assert values["mean_utilization"] == 800 / (10 * 100)


def test_a_run_in_which_nothing_ended_has_counts_only():
    run = four_under_easy()
    run.jobs["end"][:] = np.nan

    values = summarize(run, FOUR, TEN)

    assert set(values) == {"preemptions", "offered_load", "unfinished", "rejected"}


def test_fractional_job_that_was_paused_and_stalled():
    """golden/dfrs memory_conflict: job 1 is paused at 100, resumed at 200, stands still until 500.

    1 1 1 1 1 | 2 2 2 | (stall) | 1 1 1 1 ...
    0        100     200       500         1400
    """
    jobs = job_table(
        release=np.array([0.0, 100.0]), runtime=np.array([1000.0, 100.0]), processors=np.array([1, 1]),
        cpu_need=np.array([1.0, 1.0]), memory=np.array([0.6, 0.6]),
    )  # fmt: skip
    workload = Workload("fractional", "memory_conflict", jobs)
    series = columns(SERIES, time=[0, 100, 200, 500, 1400], utilization=[1, 1, 0, 1, 0], demand=[1, 2, 1, 1, 0])
    happenings = events([START, PAUSE, START, RESUME], [0, 0, 1, 0], [0, 100, 100, 200])
    run = schedule(workload, 1, finished(workload, [0, 100], [1400, 200]), series=series, events=happenings)

    values = summarize(run, workload, SimpleNamespace(lanes=1))

    printed = {
        "makespan": 1400.0, "mean_flow": 750.0, "mean_wait": 0.0, "mean_bounded_stretch": 1.2,
        "max_bounded_stretch": 1.4, "preemptions": 1, "migrations": 0, "underutilization": 300.0,
        "normalized_underutilization": 0.2727272727272727,
    }  # fmt: skip
    assert {name: values[name] for name in printed} == pytest.approx(printed, rel=1e-12)


def test_two_tier_counts_and_both_utilizations():
    jobs = job_table(release=np.array([0.0, 0.0]), runtime=np.array([10.0, 6.0]), processors=np.array([2, 1]))
    usage = {"usage": np.array([0.5, 0.25, 1.0])}
    workload = Workload("two_tier", "pair", jobs, usage)
    happenings = events(
        kind=[START, START, KILL, START, SWAP, MIGRATE, MIGRATE],
        job=[0, 1, 1, 1, 1, 0, 0],
        time=[0, 0, 2, 2, 4, 5, 5],
        tier=[0, 1, 1, 1, 0, 0, 0],
        value=[np.nan, np.nan, 0.8, np.nan, np.nan, 0.5, 0.5],
    )
    run = schedule(workload, 2, finished(workload, [0, 0], [10, 20]), events=happenings)

    values = summarize(run, workload, SimpleNamespace(lanes=2))

    assert values["kills"] == 1
    assert values["waste_by_kills"] == 0.8
    assert values["swaps"] == 1
    assert values["background_starts"] == 2
    assert values["migrations"] == 1  # two tasks of one job in one instant
    assert values["mean_utilization"] == (2 * 10 + 6) / (2 * 20)
    assert values["mean_cpu_utilization"] == pytest.approx((0.75 * 10 + 6) / (2 * 20))
    assert "preemptions" not in values
    assert "underutilization" not in values


def test_processors_chosen_by_the_scheduler_are_read_from_segments():
    jobs = job_table(release=np.zeros(1), runtime=np.array([4.0]), processors=np.array([3]))
    workload = Workload("moldable", "one", jobs)
    run = four_under_easy()
    run.jobs = finished(workload, [0], [1110])

    values = summarize(run, workload, TEN)

    assert values["mean_utilization"] == 4900 / (10 * 1110)
