"""Jobs that lose their nodes, usage from before the first second, and passes after a pass that started jobs."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from shadowtime.engine import simulate
from shadowtime.engine.tables import FINISHED, KILL, LOST, REJECTED, RUN
from shadowtime.engine.workload.slurm.cluster import Association, Limits, Outage, Partition, Qos
from tests.engine.invariants import check_schedule
from tests.engine.policies.slurm.test_cases import FAST, cluster, jobs, starts


def test_a_failed_node_kills_its_jobs_which_run_again_from_zero_or_a_checkpoint():
    base = 1_000_000_020.0
    site = cluster(nodes=2, outages=(Outage((0,), base + 100, base + 200),))
    log = jobs([(0, 180, 4)], site)
    zero, checkpoint = (simulate(log, "slurm", {**FAST, "requeue": how})
                        for how in ("zero", "checkpoint:interval=60"))  # fmt: skip

    for schedule, left, kinds in ((zero, 180.0, [LOST, RUN]), (checkpoint, 120.0, [RUN, LOST, RUN])):
        check_schedule(schedule)
        assert schedule.counters["requeues"] == 1
        segments, events = schedule.segments, schedule.events
        assert segments["kind"].tolist() == kinds
        assert segments["end"][:-1].tolist() == [60.0, 100.0][-len(kinds) + 1 :]
        assert segments["first"].tolist() == [0] * (len(kinds) - 1) + [4]
        again = float(segments["start"][-1])
        assert 100 <= again < 106
        assert float(schedule.jobs["end"][0]) == again + left
        assert schedule.jobs["runtime"].tolist() == [180.0], "lost work is no part of the job"
        assert events["value"][events["kind"] == KILL].tolist() == [220.0 - 60.0 * len(kinds)]
        assert "1 job lost a node and ran again." in schedule.notes


@pytest.mark.parametrize("requeue", ["zero", "checkpoint:interval=7", "checkpoint:interval=1"])
def test_a_job_whose_node_never_comes_back_has_not_ended(requeue):
    """Also where it has just made a checkpoint, so that no work is lost."""
    site = cluster(nodes=1, outages=(Outage((0,), 1_000_000_120.0, np.inf),))
    schedule = simulate(jobs([(0, 50, 2), (0, 180, 2), (110, 60, 2)], site), "slurm", {**FAST, "requeue": requeue})

    assert schedule.jobs["state"].tolist() == [FINISHED, REJECTED, REJECTED]
    assert np.isnan(schedule.jobs["end"][1:]).all() and schedule.jobs["start"][1] < 5
    assert schedule.series["queued"].min() == 0
    assert schedule.notes[-2:] == ("1 job fit no node of their partition: rejected.",
                                   "1 job lost a node, and found none later: rejected.")  # fmt: skip


def test_a_job_with_whole_nodes_may_run_again_on_nodes_of_another_size():
    site = cluster(nodes=2, outages=(Outage((0,), 1_000_000_120.0, np.inf),))
    site = replace(site, cores=np.array([4, 8]))
    schedule = simulate(jobs([(0, 180, 2)], site, whole_nodes=[1.0]), "slurm", FAST)

    check_schedule(schedule)
    segments = schedule.segments
    assert (segments["last"] - segments["first"] + 1).tolist() == [4, 8] and segments["kind"].tolist() == [LOST, RUN]
    assert schedule.jobs["processors"].tolist() == [8] and schedule.jobs["runtime"].tolist() == [180.0]


def test_usage_before_the_first_second_counts_at_once():
    tree = (Association("root", usage=100.0), Association("a", parent=0, usage=100.0),
            Association("a", "ann", 1, usage=100.0), Association("a", "bob", 1))  # fmt: skip
    log = jobs([(0, 60, 4), (0, 60, 4)], cluster(nodes=1, associations=tree), user=["ann", "bob"], account=["a", "a"])

    first, second = starts(log, calc_period=300.0, weight_fair_share=1000)
    assert second < first, "bob has used nothing"


def test_a_pass_that_started_jobs_is_followed_by_another():
    log = jobs([(0, 300, 1)] * 3, cluster(nodes=4, cores=1))

    found = starts(log, backfill_loop=False, default_queue_depth=1, sched_interval=5.0)
    assert max(found) < 10


def test_a_start_that_makes_the_first_job_wait_for_a_limit_lets_others_pass():
    parts = (Partition("low", np.arange(1, 4), is_default=True), Partition("high", np.array([0]), tier=2))
    site = cluster(cores=2, partitions=parts, qos=(Qos("normal"), Qos("one", limits=Limits(user_jobs=1))))
    log = jobs([(0, 1000, 1), (10, 50, 2), (10, 50, 1), (10, 500, 1)], site, user=["ann", "bob", "ann", "bob"],
               partition=["high", "high", "high", "low"], qos=["normal", "one", "normal", "one"])  # fmt: skip

    found = starts(log, backfill_loop=False)
    assert found[3] < 16 and found[2] < 20, "job 2 is passed over as soon as job 4 runs"


def test_a_job_that_is_killed_again_and_again_is_followed_to_the_end():
    """More killed starts than the heap of ends has rows."""
    outages = tuple(Outage((0,), 1_000_000_020.0 + 1000 * k, 1_000_000_020.0 + 1000 * k + 10) for k in range(1, 60))
    schedule = simulate(jobs([(0, 100_000, 1)], cluster(nodes=1, outages=outages)), "slurm", FAST)

    check_schedule(schedule)
    assert schedule.counters["requeues"] == 59
    assert schedule.jobs["start"].tolist() == [0.0] and schedule.jobs["end"][0] == pytest.approx(159_011, abs=10)


@pytest.mark.parametrize("seed", range(6))
def test_a_job_that_only_the_backfill_loop_can_start_is_not_given_up(seed):
    base = 1_000_000_020.0
    site = cluster(nodes=2, cores=1, outages=(Outage((1,), base + 50, np.inf),))
    schedule = simulate(jobs([(100, 60, 2), (100, 60, 1)], site), "slurm", seed=seed)

    assert schedule.jobs["state"].tolist() == [REJECTED, FINISHED]


def test_a_maintenance_that_comes_into_the_window_is_planned_around_at_once():
    base = 1_000_000_020.0
    site = cluster(nodes=2, cores=1, outages=(Outage((0,), base + 640, base + 5000, "maintenance"),))
    log = jobs([(0, 600, 1), (10, 60, 2), (20, 700, 1)], site)

    assert 40 < simulate(log, "slurm", {"bf_window": 10.0}).jobs["start"][2] < 100


def test_limits_of_a_user_count_the_jobs_in_all_accounts():
    tree = (Association("root"), Association("a", parent=0), Association("a", "ann", 1),
            Association("b", parent=0), Association("b", "ann", 3))  # fmt: skip
    rows = [(0, 300, 8), (5, 60, 16), (10, 60, 16), (15, 60, 4)]
    tried = [
        starts(jobs(rows, cluster(associations=tree), user=["ann"] * 4, account=accounts), bf_max_job_user=2)[3]
        for accounts in (["a"] * 4, ["a", "a", "a", "b"])
    ]
    assert tried[0] == tried[1] > 300

    site = cluster(associations=tree, qos=(Qos("q", limits=Limits(user_jobs=1)),))
    log = jobs([(0, 300, 1), (0, 300, 1)], site, user=["ann"] * 2, account=["a", "b"], qos=["q", "q"])
    assert sorted(starts(log))[1] >= 300


def test_true_runtimes_as_estimates_are_the_limits_whatever_the_partition_states():
    nodes = (Partition("all", np.arange(2), is_default=True, default_time=36_000.0),)
    log = jobs([(0, 600, 1), (10, 600, 2), (20, 120, 1)], cluster(nodes=2, cores=1, partitions=nodes))
    log = log.with_(jobs={**log.jobs, "requested": np.full(3, 1200.0)})
    exact = log.with_(jobs={**log.jobs, "requested": log.jobs["runtime"]})

    actual = simulate(log, "slurm", FAST, estimates="actual")
    assert actual.jobs["start"].tolist() == simulate(exact, "slurm", FAST).jobs["start"].tolist()
    assert actual.jobs["start"][2] < 100


@pytest.mark.parametrize("seed", range(6))
def test_a_job_that_only_a_backfill_pass_after_the_last_maintenance_can_start_is_not_given_up(seed):
    base = 1_000_000_020.0
    site = cluster(
        nodes=2,
        cores=1,
        outages=(Outage((1,), base + 10, np.inf), Outage((0,), base + 20, base + 110, "maintenance")),
    )
    given = {"bf_interval": 30.0, "sched_interval": 1.0}
    schedule = simulate(jobs([(15, 60, 2), (15, 60, 1)], site), "slurm", given, seed=seed)

    assert schedule.jobs["state"].tolist() == [REJECTED, FINISHED]
    assert 110 <= schedule.jobs["start"][1] < 141


def test_a_maintenance_that_takes_no_time_takes_no_node():
    base = 1_000_000_020.0
    site = cluster(nodes=1, outages=(Outage((0,), base + 50, base + 50, "maintenance"),))

    assert starts(jobs([(0, 60, 4)], site), backfill_loop=False)[0] < 10
    assert starts(jobs([(0, 60, 4)], site))[0] < 10


@pytest.mark.parametrize("requeue", ["zero", "checkpoint:interval=1", "checkpoint:interval=7"])
@pytest.mark.parametrize("seed", range(4))
def test_a_job_that_has_run_its_time_when_its_node_goes_down_has_ended(requeue, seed):
    """It ends in the second in which the outage begins; before, it ran again in the plan, but not in the schedule."""
    base = 1_000_000_020.0
    log = jobs([(0, 60, 4), (0, 60, 4)], cluster(nodes=1))
    end = float(simulate(log, "slurm", FAST, seed=seed).jobs["end"][0])
    gone = replace(log, cluster=cluster(nodes=1, outages=(Outage((0,), base + end, base + end + 20),)))
    schedule = simulate(gone, "slurm", {**FAST, "requeue": requeue}, seed=seed)

    check_schedule(schedule)
    assert schedule.counters["requeues"] == 0 and "ran again" not in " ".join(schedule.notes)
    assert schedule.jobs["end"][0] == end and schedule.jobs["runtime"].tolist() == [60.0, 60.0]
    assert end + 20 <= schedule.jobs["start"][1] < end + 24


def test_a_job_runs_no_longer_from_its_last_checkpoint_than_the_log_says():
    base = 1_000_000_020.0
    site = cluster(nodes=1, outages=(Outage((0,), base + 60, base + 70),))
    log = jobs([(0, 60.5, 4)], site)
    start = int(simulate(replace(log, cluster=cluster(nodes=1)), "slurm", FAST).jobs["start"][0])
    site = cluster(nodes=1, outages=(Outage((0,), base + start + 60, base + start + 70),))
    schedule = simulate(replace(log, cluster=site), "slurm", {**FAST, "requeue": "checkpoint:interval=1"})

    check_schedule(schedule)
    assert schedule.counters["requeues"] == 1 and schedule.jobs["runtime"].tolist() == [60.5]


@pytest.mark.parametrize("seed", range(8))
def test_a_job_that_loses_its_node_in_the_second_of_its_start_has_done_nothing(seed):
    base = 1_000_000_020.0
    site = cluster(nodes=1, outages=(Outage((0,), base + 0.95, base + 10.0),))
    schedule = simulate(jobs([(0.5, 60, 4)], site), "slurm", {**FAST, "requeue": "checkpoint:interval=30"}, seed=seed)

    check_schedule(schedule)
    assert schedule.jobs["runtime"].tolist() == [60.0]
