"""Rules of a site under Slurm on small, hand-worked cases."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from shadowtime.engine import Simulation, simulate
from shadowtime.engine.errors import InvalidPlatform
from shadowtime.engine.families.rigid.policies.slurm.history import Known, history
from shadowtime.engine.families.rigid.policies.slurm.jobs import size_factor
from shadowtime.engine.families.rigid.policies.slurm.site import site_of
from shadowtime.engine.families.rigid.policies.slurm.usage import set_factors
from shadowtime.engine.kernel.cache import compiled
from shadowtime.engine.registry import find
from shadowtime.engine.tables import FINISHED
from shadowtime.engine.workload.job import Clock, Workload, job_table
from shadowtime.engine.workload.slurm.cluster import Association, Cluster, Limits, Outage, Partition, Qos
from tests.engine.conformance import random_rigid
from tests.engine.invariants import check_schedule

FAST = {"bf_interval": 1.0, "sched_interval": 1.0, "bf_resolution": 1.0, "calc_period": 5.0}


def cluster(nodes: int = 4, cores: int = 4, **others: Any) -> Cluster:
    """Nodes of equal size, all in one partition unless others are given."""
    given = {"partitions": (Partition("all", np.arange(nodes), is_default=True),), "memory": np.full(nodes, 100.0),
             "gpus": np.zeros(nodes, "i8")} | others  # fmt: skip
    return Cluster(tuple(f"n{z}" for z in range(nodes)), np.full(nodes, cores), **given)


def jobs(rows: Sequence[tuple[float, float, int]], site: Cluster, **columns: Any) -> Workload:
    """Jobs of (submission, runtime, cores); the limit is the runtime in whole minutes."""
    release, runtime, size = (np.array(values, float) for values in zip(*rows, strict=True))
    texts = {name: tuple(dict.fromkeys(values)) for name, values in columns.items() if isinstance(values[0], str)}
    codes = {name: [texts[name].index(value) for value in values] if name in texts else values
             for name, values in columns.items()}  # fmt: skip
    table = job_table(release, runtime, size, requested=np.ceil(runtime / 60.0) * 60.0, **codes)
    return Workload("rigid", "case", table, machine={"processors": int(site.cores.sum())}, has_estimates=True,
                    texts=texts, cluster=site, clock=Clock(1_000_000_020.0))  # fmt: skip


def starts(log: Workload, **parameters: Any) -> list[float]:
    """Return the starts of all jobs."""
    schedule = simulate(log, "slurm", {**FAST, **parameters})
    check_schedule(schedule)
    return schedule.jobs["start"].tolist()


def nodes_of(log: Workload, job: int, cores: int = 4, **parameters: Any) -> list[int]:
    """Return the nodes of a job."""
    schedule = simulate(log, "slurm", {**FAST, **parameters})
    mine = schedule.segments["job"] == job
    lanes = [lane for first, last in zip(schedule.segments["first"][mine], schedule.segments["last"][mine], strict=True)
             for lane in range(first, last + 1)]  # fmt: skip
    return sorted({int(lane) // cores for lane in lanes})


def test_a_job_starts_in_the_first_pass_after_its_submission():
    (start,) = starts(jobs([(0, 60, 1)], cluster()), batch_sched_delay=0.0)

    assert 0 <= start <= 1


def test_the_single_node_with_the_fewest_free_cores_is_taken():
    log = jobs([(0, 600, 3), (10, 600, 2), (20, 60, 2), (30, 60, 1)], cluster())

    assert nodes_of(log, 1) == [1]
    assert nodes_of(log, 2) == [1]
    assert nodes_of(log, 3) == [0]


def test_a_run_of_neighbouring_nodes_that_suffices_with_the_fewest_cores_is_taken():
    log = jobs([(0, 600, 4), (10, 60, 4), (20, 600, 4), (30, 600, 4), (90, 60, 8)], cluster(nodes=6))

    assert nodes_of(log, 4) == [4, 5]  # node 1 is free too, but its run has one node only


def test_a_request_for_nodes_spreads_the_job():
    log = jobs([(0, 60, 4), (0, 60, 4)], cluster(), min_nodes=[0.0, 3.0])

    assert len(nodes_of(log, 0)) == 1
    assert len(nodes_of(log, 1)) == 3


def test_whole_nodes_are_held_whole():
    log = jobs([(0, 120, 1), (5, 60, 3)], cluster(nodes=1), whole_nodes=[1.0, 0.0])

    assert starts(log)[1] > 119


def test_memory_is_held_where_the_site_tracks_it():
    rows = [(0, 120, 1), (5, 60, 1)]
    heavy = [60 * 1024.0, 60 * 1024.0]

    assert starts(jobs(rows, cluster(nodes=1), memory_kb=heavy))[1] < 10
    assert starts(jobs(rows, cluster(nodes=1, tracks_memory=True), memory_kb=heavy))[1] > 119


def test_gpus_are_held():
    site = cluster(nodes=2, gpus=np.array([2, 0]))
    log = jobs([(0, 120, 1), (5, 60, 1), (5, 60, 1)], site, gpus=[2.0, 1.0, 0.0])
    found = starts(log)

    assert found[1] > 119 and found[2] < 10
    assert nodes_of(log, 0) == nodes_of(log, 1) == [0]


def test_a_job_that_fits_no_node_is_rejected():
    site = cluster(nodes=2, gpus=np.array([1, 0]), tracks_memory=True)
    log = jobs([(0, 60, 1), (0, 60, 1), (0, 60, 1)], site, gpus=[3.0, 0.0, 0.0], memory_kb=[0.0, 300 * 1024.0, 1.0])
    schedule = simulate(log, "slurm", FAST)

    assert (schedule.jobs["state"] == FINISHED).tolist() == [False, False, True]
    assert "2 jobs fit no node of their partition: rejected." in schedule.notes


def test_a_blocked_partition_does_not_stop_one_on_other_nodes():
    parts = (Partition("left", np.arange(2), is_default=True), Partition("right", np.arange(2, 4)))
    rows = [(0, 300, 8), (5, 60, 8), (10, 60, 8)]
    log = jobs(rows, cluster(partitions=parts), partition=["left", "left", "right"])

    found = starts(log, backfill_loop=False)
    assert found[1] > 299 and found[2] < 15


def test_a_partition_on_the_same_nodes_stops_too_and_tiers_go_first():
    nodes = np.arange(4)
    parts = (Partition("slow", nodes, is_default=True), Partition("first", nodes, tier=2))
    rows = [(0, 300, 16), (5, 60, 16), (6, 60, 1)]

    same = jobs(rows, cluster(partitions=parts), partition=["slow", "slow", "slow"])
    first = jobs(rows, cluster(partitions=parts), partition=["slow", "slow", "first"])
    assert starts(same, backfill_loop=False)[2] > 355
    assert starts(first, backfill_loop=False)[2] < 305


def test_backfilling_delays_no_reservation():
    rows = [(0, 300, 8), (5, 120, 16), (10, 240, 8), (10, 600, 8)]
    found = starts(jobs(rows, cluster()))

    assert found[2] < 20  # ends before the wide job may start
    assert 299 < found[1] < 310
    assert found[3] > found[1]


def test_bf_window_bounds_how_far_reservations_look():
    rows = [(0, 7200, 12), (5, 60, 16), (10, 10_000, 4)]
    log = jobs(rows, cluster())

    assert starts(log, bf_window=1440.0)[2] > 7200
    assert starts(log, bf_window=60.0)[2] < 20


def test_bf_max_job_user_bounds_the_jobs_tried():
    rows = [(0, 300, 8), (5, 60, 16), (10, 60, 16), (15, 60, 4)]
    log = jobs(rows, cluster(), user=[0, 1, 1, 1])

    assert starts(log)[3] < 25
    assert starts(log, bf_max_job_user=2)[3] > 299


def test_default_queue_depth_is_what_a_short_pass_looks_at():
    parts = (Partition("left", np.arange(2), is_default=True), Partition("right", np.arange(2, 4)))
    rows = [(0, 500, 8), *[(5, 60, 8)] * 4, (20, 60, 8)]
    log = jobs(rows, cluster(partitions=parts), partition=["left"] * 5 + ["right"])
    slow = {"sched_interval": 200.0, "backfill_loop": False}

    assert starts(log, **slow, default_queue_depth=3)[5] > 30
    assert starts(log, **slow, default_queue_depth=4)[5] < 30


@pytest.mark.parametrize(
    "limits, of_user",
    [
        (Limits(user_jobs=1), False),
        (Limits(user_cores=4), False),
        (Limits(group_jobs=1), True),
        (Limits(group_cores=4), True),
    ],
)
def test_limits_of_a_qos_hold_jobs_and_let_others_pass(limits, of_user):
    site = cluster(qos=(Qos("normal", limits=limits), Qos("free")))
    rows = [(0, 120, 4), (5, 60, 4), (6, 60, 4), (7, 60, 4)]
    log = jobs(rows, site, user=[0, 0, 1, 0], qos=["normal", "normal", "normal", "free"])
    found = starts(log)

    assert found[1] > 119
    assert (found[2] > 119) == of_user
    assert found[3] < 12


def test_limits_of_an_account_hold_its_jobs():
    tree = (Association("root"), Association("a", parent=0, limits=Limits(group_cores=4)), Association("a", "ann", 1))
    site = cluster(associations=tree)
    log = jobs([(0, 120, 4), (5, 60, 1)], site, user=["ann", "ann"], account=["a", "a"])

    assert starts(log)[1] > 119


def test_jobs_wait_for_those_that_they_depend_on():
    log = jobs([(0, 120, 4), (5, 60, 4), (5, 60, 4)], cluster(), job_id=[11, 12, 13],
               dependency=["", "afterok:11", "afterany:11:12"])  # fmt: skip
    found = starts(log)

    assert 119 < found[1] < 126
    assert found[2] >= found[1] + 60


def test_a_job_that_depends_on_a_rejected_one_runs():
    log = jobs([(0, 60, 99), (5, 60, 4)], cluster(), job_id=[11, 12], dependency=["", "afterany:11"])
    schedule = simulate(log, "slurm", FAST)

    assert np.isnan(schedule.jobs["start"]).tolist() == [True, False]
    assert "1 job fit no node of their partition: rejected." in schedule.notes


def test_nodes_of_the_platform_are_those_of_the_site():
    log = Workload("rigid", "plain", job_table(np.zeros(2), np.full(2, 100.0), np.full(2, 3)))
    for platform, first in (({"nodes": 2, "cores_per_node": 4}, [0, 4]), ({"processors": 8}, [0, 3])):
        assert simulate(log, "slurm", FAST, platform=platform).segments["first"].tolist() == first


def test_a_drained_node_lets_its_job_end_and_takes_no_other():
    base = 1_000_000_020.0
    site = cluster(nodes=1, outages=(Outage((0,), base + 10, base + 300, "drain"),))
    found = starts(jobs([(0, 60, 2), (20, 60, 1)], site))

    assert found[0] < 5 and 299 < found[1] < 306


def test_jobs_that_would_reach_into_a_maintenance_do_not_start():
    base = 1_000_000_020.0
    site = cluster(nodes=1, outages=(Outage((0,), base + 200, base + 300, "maintenance"),))
    found = starts(jobs([(0, 100, 2), (100, 150, 1), (100, 50, 1)], site))

    assert found[0] < 5
    assert 299 < found[1] < 306
    assert found[2] < 110


@compiled
def rank(q):
    """Set the factors of a memory."""
    set_factors(q)


def factors(tree: Sequence[Association], **parameters: Any) -> list[float]:
    """Return the fair-share factors of the users of a tree, in its order."""
    site = cluster(associations=tuple(tree))
    log = jobs([(0, 60, 1)], site, user=[tree[-1].user], account=[tree[-1].account])
    defaults = find("slurm").resolve(parameters, "rigid")
    q = site_of(log, defaults, 16, np.random.default_rng(0)).memory
    rank(q)
    return [float(q.group["factor"][at]) for at, one in enumerate(tree) if one.user]


def test_tied_accounts_are_walked_one_after_the_other():
    """As a real controller did: users of the second account that tie with its first take the rank given last."""
    tree = [Association("root", usage=8.0), Association("a", parent=0, shares=3, usage=4.0),
            Association("b", parent=0, shares=3, usage=4.0),
            *[Association("a", name, 1, 1, usage) for name, usage in (("a1", 0.0), ("a2", 1.0), ("a3", 3.0))],
            *[Association("b", name, 2, 1, usage) for name, usage in (("b1", 0.0), ("b2", 0.0), ("b3", 4.0))],
    ]  # fmt: skip

    assert factors(tree) == pytest.approx(np.array([6, 5, 4, 4, 4, 1]) / 6)


def test_before_any_usage_all_factors_are_one_and_shares_without_usage_win():
    tree = [Association("root"), Association("a", parent=0), Association("a", "x", 1), Association("a", "y", 1)]
    used = [replace(tree[0], usage=9.0), replace(tree[1], usage=9.0), tree[2], replace(tree[3], usage=9.0)]

    assert factors(tree) == [1.0, 1.0]
    assert factors(used) == [1.0, 0.5]


def test_classic_fair_share_is_two_to_the_usage_over_shares():
    tree = [Association("root", usage=10.0), Association("root", "x", 0, 1, 2.0), Association("root", "y", 0, 3, 8.0)]

    assert factors(tree, fair_share="classic") == pytest.approx([2 ** (-0.2 / 0.25), 2 ** (-0.8 / 0.75)])


@pytest.mark.parametrize(
    "flags, factor",
    [
        ({}, (1 / 4 + 2 / 16) / 2),
        ({"favor_small": True}, (3 / 4 + 14 / 16) / 2),
        ({"size_relative_to_time": True}, max(1 * 16 / 4, 2) / 5 / 16),
        ({"size_relative_to_time": True, "favor_small": True}, 1 - max(1 * 16 / 4, 2) / 5 / 16),
    ],
)
def test_size_factors(flags, factor):
    parameters = find("slurm").resolve(flags, "rigid")
    found = size_factor(np.array([2]), np.ones(1), np.array([300.0]), cluster(), parameters)

    assert found == pytest.approx([factor])


def test_priority_orders_the_queue():
    site = cluster(qos=(Qos("normal", 1.0), Qos("urgent", 10.0)))
    rows = [(0, 300, 16), (5, 60, 16), (6, 60, 16)]
    log = jobs(rows, site, qos=["normal", "normal", "urgent"])

    assert starts(log)[1] < starts(log)[2]
    assert starts(log, weight_qos=1000.0)[1] > starts(log, weight_qos=1000.0)[2]
    nice = jobs(rows, cluster(), nice=[0.0, 500.0, 0.0])
    found = starts(nice, weight_job_size=1000.0)
    assert found[2] < 310 and found[1] > 360


def test_a_platform_that_is_not_the_site_is_refused():
    log = jobs([(0, 60, 1)], cluster())
    with pytest.raises(InvalidPlatform, match="the nodes of the site have 16 cores, the platform has 20"):
        simulate(log, "slurm", platform={"processors": 20})


@pytest.mark.parametrize("seed", range(6))
def test_a_pass_that_is_passed_over_would_have_started_nothing(seed):
    """Passes of an unchanged state are left out, and a pass stops where no later job could start: with all passes made
    in full, each job starts in the same second."""
    log = random_rigid(seed, n=200, processors=32).with_(machine={"processors": 32, "cores_per_node": 4})
    given = {"bf_interval": 4.0, "calc_period": 30.0, "weight_age": 1000.0, "weight_fair_share": 2000.0}
    quick = simulate(log, "slurm", {**given, "weight_job_size": 100.0}, seed=seed)
    whole = Simulation(log, "slurm", {**given, "weight_job_size": 100.0}, seed=seed)

    assert np.array_equal(quick.jobs["start"], all_passes(whole, log, seed), equal_nan=True)


def all_passes(run: Simulation, log: Workload, seed: int) -> np.ndarray:
    """Return the starts where each pass looks at all jobs."""
    from shadowtime.engine.families.rigid.policies.slurm.planner import run as run_site
    from shadowtime.engine.families.rigid.policies.slurm.state import ENDED
    from shadowtime.engine.runner.watch import Watch

    site = site_of(log, run.parameters, run.platform.lanes, np.random.default_rng(seed))
    site.memory.m["asks_all"] = 1
    run_site(site, Watch())
    return np.where(np.asarray(site.memory.job["state"]) == ENDED, site.memory.job["start"], np.nan)


def test_the_history_of_a_job_adds_up_to_its_priority():
    site = cluster(qos=(Qos("normal", 1.0),))
    log = jobs([(0, 300, 16), (5, 60, 16), (6, 60, 4)], site, user=[0, 1, 2], qos=["normal"] * 3)
    given = {**FAST, "weight_age": 1000.0, "weight_fair_share": 100.0, "weight_job_size": 50.0, "weight_qos": 7.0}
    run = Simulation(log, "slurm", given)
    schedule = run.run()
    known = Known.of(schedule.jobs["start"], schedule.jobs["end"])
    found = history(log, run.parameters, 16, 0, known, 1)

    total = sum(found[name] for name in ("age", "fair_share", "job_size", "partition", "qos", "other", "nice"))
    assert len(found["time"]) > 50
    assert np.array_equal(np.maximum(1, np.floor(total)), found["priority"])
    assert (np.diff(found["age"]) >= 0).all() and found["age"][-1] > 0
    assert (found["before"] == 0).all() or (found["before"] <= 1).all()
    assert np.nanmin(found["expected"]) >= 299


def test_plan_at_the_end_of_the_window() -> None:
    """A job that could start only at the very end of the window, which another has reserved, gets no reservation.

    Job 1 holds node 0 for its limit of 300 s, the length of the window; 2 is planned to follow it, from second 300 on,
    since reservations begin at whole minutes; 3 could only follow it too, at second 307. Job 4, on both nodes, keeps
    the pass going: two cores of node 1 are free."""
    rows = [(0, 900, 2), (7, 300, 4), (7, 60, 4), (7, 60, 4), (7, 60, 2)]
    log = jobs(rows, cluster(nodes=2), min_nodes=[1, 1, 1, 1, 2])
    _, first, second, third, _ = starts(log, bf_window=5.0, bf_resolution=60.0, bf_interval=0.3)
    assert first == 7
    assert second >= 307
    assert third >= second + 60
