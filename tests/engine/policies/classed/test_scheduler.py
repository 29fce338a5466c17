"""The scheduler as an object of its own: calls and orders, failures, learning, levels, and replay."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from shadowtime.engine import simulate
from shadowtime.engine.families.classed.policies.driver import SiteDriver
from shadowtime.engine.families.classed.policies.recording import replay
from shadowtime.engine.families.classed.policies.scheduler import Order, Request, Rules, SiteScheduler
from shadowtime.engine.families.classed.site.description import QueuePolicy
from shadowtime.engine.families.classed.site.site import Outage, make_site
from shadowtime.engine.families.classed.workload import classed
from shadowtime.engine.tables import FINISHED, KILL
from tests.engine.invariants import check_schedule
from tests.engine.policies.classed.sites import burst, random_classed, random_site

HIGH, MEDIUM, LOW = range(3)
NO_CLUSTERS = np.zeros((1, 0))


def pair(**rules):
    """Two machines, one class of 10 s, and a cluster of both where it takes 4 s."""
    return SiteScheduler(make_site(np.full((1, 2), 10.0), np.array([[4.0]]), [(0, 1)]), Rules(**rules))


def test_orders_follow_what_happens():
    scheduler = pair(rule="sjs")
    for job in range(3):
        assert scheduler.submit(Request(job, 0))

    assert scheduler.tick(0.0) == [Order("run", 0, 0), Order("run", 1, 1)]
    assert scheduler.tick(5.0) == [] and scheduler.next_tick() is None
    assert scheduler.completed(1, 1, 9.0)  # sooner than expected, on a machine that job 2 was not planned on
    assert scheduler.tick(9.0) == []
    assert scheduler.completed(0, 0, 10.0)
    assert scheduler.tick(10.0) == [Order("run", 2, 0)]


def test_a_job_that_nothing_can_run_is_not_kept():
    scheduler = SiteScheduler(make_site(np.array([[np.nan]]), np.zeros((1, 0)), []), Rules())

    assert not scheduler.submit(Request(0, 0))
    assert scheduler.tick(0.0) == []


def test_a_machine_that_fails_gives_its_job_back():
    scheduler = pair(rule="pjs")
    scheduler.submit(Request(0, 0))

    assert scheduler.tick(0.0) == [Order("run", 0, 2)]  # on the cluster
    scheduler.machine_down(1)
    assert scheduler.tick(2.0) == [Order("stop", 0, 2), Order("run", 0, 0)]
    assert not scheduler.completed(0, 2, 4.0), "what was stopped cannot complete"
    assert scheduler.completed(0, 0, 10.0)
    scheduler.machine_up(1)
    scheduler.submit(Request(1, 0, arrival=12.0))
    assert scheduler.tick(12.0) == [Order("run", 1, 2)]
    assert scheduler.counters["failures"] == 1


def test_a_job_waits_while_all_its_machines_are_away():
    scheduler = pair(rule="sjs")
    scheduler.machine_down(0)
    scheduler.machine_down(1)
    scheduler.submit(Request(0, 0))

    assert scheduler.tick(0.0) == []
    scheduler.machine_up(1)
    assert scheduler.tick(30.0) == [Order("run", 0, 1)]


def test_plans_are_made_at_multiples_of_the_quantum_only():
    scheduler = pair(rule="sjs", quantum=10.0)
    scheduler.submit(Request(0, 0, arrival=0.0))

    assert scheduler.tick(0.0) == [] and scheduler.next_tick() == 10.0
    assert scheduler.tick(10.0) == [Order("run", 0, 0)]
    assert scheduler.next_tick() is None
    scheduler.submit(Request(1, 0, arrival=13.0))
    assert scheduler.tick(13.0) == [] and scheduler.tick(20.0) == []  # planned behind job 0, which may end any moment
    scheduler.submit(Request(2, 0, arrival=30.0))
    assert scheduler.tick(30.0) == [Order("run", 2, 1)], "what arrives at a multiple is planned there"


@pytest.mark.parametrize(("quantum", "quanta"), [(0.7, 15), (0.7, 30), (0.1, 3), (0.1, 29), (0.3, 7)])
def test_what_arrives_at_a_multiple_but_for_rounding_is_planned_there(quantum, quanta):
    arrival = round(quantum * quanta, 1)
    scheduler = pair(rule="sjs", quantum=quantum)
    scheduler.submit(Request(0, 0, arrival=arrival))

    assert scheduler.tick(arrival) == [Order("run", 0, 0)]


def test_a_cluster_whose_machines_become_available_one_by_one_is_woken_for():
    site = make_site(np.full((1, 2), 9.0), np.array([[2.0]]), [(0, 1)], available=np.array([0.0, 5.0]))
    scheduler = SiteScheduler(site, Rules(rule="pjs"))
    scheduler.submit(Request(0, 0))

    assert scheduler.tick(0.0) == [] and scheduler.next_tick() == 5.0
    assert scheduler.tick(5.0) == [Order("run", 0, 2)] and scheduler.next_tick() is None


@pytest.mark.parametrize("seed", range(40))
def test_pjs_is_no_worse_than_sjs_on_machines_that_become_available_one_by_one(seed):
    rng = np.random.default_rng(seed)
    site = random_site(seed)
    mean, width = site.experience.mean, len(site.machines)
    available = rng.integers(0, 60, width).astype(float)
    site = make_site(mean[:, :width], mean[:, width:], site.clusters, available=available)
    workload = burst(site, rng.integers(0, 6, 2 + seed % 5))
    parallel, alone = (simulate(workload, slug) for slug in ("pjs", "sjs"))

    check_schedule(parallel)
    assert (parallel.jobs["state"] == FINISHED).all()
    assert parallel.jobs["end"].sum() <= alone.jobs["end"].sum() * (1 + 1e-12)


def alone(**rules):
    """One machine, a low job on it since 0, a high one submitted at 6; orders at 6, and the scheduler."""
    scheduler = SiteScheduler(make_site(np.full((1, 1), 10.0), NO_CLUSTERS, []), Rules(rule="sjs", **rules))
    scheduler.submit(Request(0, 0, LOW))
    scheduler.tick(0.0)
    scheduler.submit(Request(1, 0, HIGH, arrival=6.0))
    return scheduler, scheduler.tick(6.0)


def test_a_high_job_stops_a_low_one_unless_it_is_nearly_done():
    assert alone()[1] == [Order("stop", 0, 0), Order("run", 1, 0)]
    assert alone(preempt="never")[1] == []
    assert alone(threshold=0.7)[1] == [Order("stop", 0, 0), Order("run", 1, 0)]
    assert alone(threshold=0.6)[1] == [], "it has done 6 of 10 s"


def two_high(**rules):
    """Two machines with a low job each, 9 and 2 s from their ends; at 1 a high job of 10 s comes."""
    times = np.array([[10.0, 10.0], [3.0, 3.0], [10.0, 10.0]])
    scheduler = SiteScheduler(make_site(times, np.zeros((3, 0)), []), Rules(rule="sjs", **rules))
    scheduler.submit(Request(0, 0, LOW))
    scheduler.submit(Request(1, 1, LOW))
    assert len(scheduler.tick(0.0)) == 2
    scheduler.submit(Request(2, 2, HIGH, arrival=1.0))
    return scheduler.tick(1.0)


def test_a_low_job_is_stopped_only_if_the_high_ones_gain_more_than_the_threshold():
    # The short job runs on machine 0 until 3, the long one on machine 1 until 10.
    assert two_high() == [Order("stop", 1, 0), Order("run", 2, 0)], "the machine of the lowest number"
    assert two_high(gain=1.9) == [Order("stop", 0, 1), Order("run", 2, 1)], "the job closest to its end is held first"
    assert two_high(gain=2.0) == [], "the high job gains just 2 s: it waits for machine 0"


def test_a_gain_above_every_wait_is_the_same_as_never():
    assert alone(gain=3.9)[1] == [Order("stop", 0, 0), Order("run", 1, 0)]
    assert alone(gain=4.0)[1] == [], "it would wait from 6 to 10"
    workload, rules = random_classed(7, 60, impossible=False), [{"gain": 1e9}, {"preempt": "never"}]
    assert np.array_equal(*(simulate(workload, "pjs", {"quantum": 8.0, **rule}).jobs["end"] for rule in rules))


def four(least, **rules):
    """A cluster of four machines on which a job takes 4 s, and alone 20; machine 3 is down."""
    site = make_site(np.full((1, 4), 20.0), np.array([[4.0]]), [range(4)]).with_(least=(least,))
    scheduler = SiteScheduler(site, Rules(rule="pjs", **rules))
    scheduler.machine_down(3)
    scheduler.submit(Request(0, 0))
    return scheduler


def test_a_cluster_with_enough_members_runs_jobs_on_those():
    assert four(1.0).tick(0.0) == [Order("run", 0, 0)], "all members are needed"
    scheduler = four(0.75, learn=True)

    assert scheduler.tick(0.0) == [Order("run", 0, 4)]
    assert scheduler.held[0] == (0, 1, 2) and scheduler.running[0].end == pytest.approx(4.0 * 4 / 3)
    scheduler.machine_up(3)
    scheduler.submit(Request(1, 0, arrival=1.0))
    assert scheduler.tick(1.0) == [], "the next job waits for the whole cluster"
    assert scheduler.completed(0, 4, 16 / 3)
    assert scheduler.experience.mean[0, 4] == pytest.approx(4.0), "learnt as the time on all members"
    assert scheduler.tick(16 / 3) == [Order("run", 1, 4)] and scheduler.held[1] == (0, 1, 2, 3)


def test_a_failure_of_a_second_member_ends_the_membership():
    scheduler = four(0.75)
    scheduler.tick(0.0)
    scheduler.machine_down(2)

    assert scheduler.tick(1.0) == [Order("stop", 0, 4), Order("run", 0, 0)]


def test_jobs_run_on_the_members_of_a_cluster_that_are_up():
    site = make_site(np.full((1, 4), 20.0), np.array([[4.0]]), [range(4)])
    site = site.with_(least=(0.5,), outages=(Outage(1, 0.0, 30.0), Outage(2, 2.0, 30.0)))
    schedule = simulate(classed(site, np.zeros(2, int)), "pjs")

    check_schedule(schedule)
    assert schedule.jobs["processors"].tolist() == [2, 2] and (schedule.jobs["cluster"] == 0).all()
    assert schedule.jobs["executed"].tolist() == [8.0, 8.0] and schedule.jobs["end"].tolist() == [10.0, 18.0]
    assert schedule.counters["kills"] == 1, "its third member failed at 2"


def queued(*policies, rule="pjs"):
    """Orders at 1 s of a site with these queues: a low job since 0 on the cluster or machine 0, a high one at 1."""
    site = make_site(np.full((1, 2), 10.0), np.array([[4.0]]), [(0, 1)]).with_(queues=policies)
    scheduler = SiteScheduler(site, Rules(rule=rule))
    scheduler.submit(Request(0, 0, LOW))
    (first,) = scheduler.tick(0.0)
    scheduler.submit(Request(1, 0, HIGH, arrival=1.0))
    return first.resource, scheduler.tick(1.0)


def test_each_queue_has_a_policy():
    assert queued() == (2, [Order("stop", 0, 2), Order("run", 1, 2)])
    assert queued(QueuePolicy("urgent", HIGH, preempts=False)) == (2, [])
    assert queued(QueuePolicy("idle", LOW, preemptable=False)) == (2, [])
    assert queued(QueuePolicy("idle", LOW, algorithm="sjs")) == (0, [Order("stop", 0, 0), Order("run", 1, 2)])
    assert queued(QueuePolicy("urgent", HIGH, algorithm="pjs"), rule="olb")[1][-1] == Order("run", 1, 2)


def test_medium_jobs_neither_stop_nor_are_stopped():
    scheduler = SiteScheduler(make_site(np.full((1, 1), 10.0), NO_CLUSTERS, []), Rules(rule="sjs"))
    scheduler.submit(Request(0, 0, MEDIUM))
    scheduler.tick(0.0)
    scheduler.submit(Request(1, 0, HIGH, arrival=1.0))

    assert scheduler.tick(1.0) == []
    scheduler.completed(0, 0, 10.0)
    scheduler.submit(Request(2, 0, LOW, arrival=10.0))
    assert scheduler.tick(10.0) == [Order("run", 1, 0)]


def test_the_gentle_option_waits_until_the_slot_is_near():
    # Machine 1 holds a medium job until 30, machine 0 a low one until 50; the high job wants both from 30 on.
    site = make_site(
        np.array([[30.0, 30.0], [50.0, 50.0], [np.nan, np.nan]]), np.array([[np.nan], [np.nan], [5.0]]), [(0, 1)]
    )
    orders = {}
    for preempt in ("overlap", "quantum"):
        scheduler = SiteScheduler(site, Rules(rule="pjs", quantum=10.0, preempt=preempt))
        scheduler.submit(Request(1, 1, LOW))
        scheduler.submit(Request(0, 0, MEDIUM))
        scheduler.tick(0.0)
        assert scheduler.tick(10.0) == [Order("run", 0, 0), Order("run", 1, 1)]
        scheduler.submit(Request(2, 2, HIGH, arrival=11.0))
        orders[preempt] = [(now, order) for now in (11.0, 20.0, 30.0, 40.0) for order in _at(scheduler, now)]

    assert (20.0, Order("stop", 1, 1)) in orders["overlap"]
    assert (40.0, Order("stop", 1, 1)) in orders["quantum"], "only where its slot begins before the next plan"
    assert (40.0, Order("run", 2, 2)) in orders["overlap"] and (40.0, Order("run", 2, 2)) in orders["quantum"]


def _at(scheduler, now):
    if now == 40.0:
        scheduler.completed(0, 0, 30.0)
    return scheduler.tick(now)


def test_aging_lifts_a_job_that_waits():
    scheduler = SiteScheduler(make_site(np.full((1, 1), 10.0), NO_CLUSTERS, []), Rules(rule="sjs", aging=4.0))
    scheduler.submit(Request(0, 0, MEDIUM))
    scheduler.submit(Request(1, 0, LOW))
    scheduler.tick(0.0)
    scheduler.submit(Request(2, 0, MEDIUM, arrival=9.0))
    scheduler.completed(0, 0, 10.0)

    assert scheduler.tick(10.0) == [Order("run", 1, 0)], "two levels up after 8 s, before the medium job"


def test_learning_changes_the_next_plan():
    def second(learn):
        scheduler = SiteScheduler(make_site(np.array([[10.0, 12.0]]), NO_CLUSTERS, []), Rules(rule="sjs", learn=learn))
        scheduler.submit(Request(0, 0))
        assert scheduler.tick(0.0) == [Order("run", 0, 0)]
        scheduler.completed(0, 0, 30.0)  # 20 s on average now
        scheduler.submit(Request(1, 0, arrival=30.0))
        return scheduler.tick(30.0)[0].resource

    assert second(learn=False) == 0 and second(learn=True) == 1


@settings(max_examples=60, deadline=None)
@given(st.integers(0, 2**31), st.sampled_from(["olb", "sjs", "pjs"]), st.sampled_from([0.0, 8.0]))
def test_a_failure_in_mid_run_loses_no_job(seed, rule, quantum):
    workload = random_classed(seed, 25, quantum=quantum, impossible=False)
    rng = np.random.default_rng(seed)
    outages = [Outage(int(m), float(t), float(t + rng.integers(1, 60)))
               for m, t in zip(rng.integers(0, 7, 6), rng.integers(0, 150, 6), strict=True)]  # fmt: skip
    outages = [o for i, o in enumerate(outages) if o.machine not in [other.machine for other in outages[:i]]]
    workload = workload.with_(site=workload.site.with_(outages=tuple(outages)))
    schedule = simulate(workload, rule)

    ran = schedule.jobs["state"] == FINISHED
    usable = workload.site.experience.mean if rule == "pjs" else workload.site.experience.mean[:, :7]
    assert (ran == np.isfinite(usable).any(axis=1)[workload.jobs["job_class"]]).all()
    check_schedule(schedule)
    for outage in outages:
        here = (schedule.segments["first"] <= outage.machine) & (outage.machine <= schedule.segments["last"])
        over = (schedule.segments["start"] < outage.up) & (schedule.segments["end"] > outage.down)
        assert not (here & over).any(), "nothing runs on a machine that is away"


@pytest.mark.parametrize(
    "away",
    [
        [Outage(0, 5.0, 100.0), Outage(0, 20.0, 30.0)],
        [Outage(0, 5.0, 40.0), Outage(0, 40.0, 100.0)],
        [Outage(0, 5.0, 40.0), Outage(0, 30.0, 100.0)],
        [Outage(0, 5.0, 100.0), Outage(0, 5.0, 100.0)],
    ],
)
def test_a_machine_is_away_while_any_of_its_outages_lasts(away):
    site = make_site(np.full((1, 1), 20.0), NO_CLUSTERS, []).with_(outages=tuple(away))
    schedule = simulate(classed(site, np.zeros(1, int)), "sjs")

    check_schedule(schedule)
    assert schedule.jobs["end"].tolist() == [120.0] and schedule.counters["kills"] == 1


def test_drawn_times_are_the_same_for_all_algorithms_and_hidden_from_the_scheduler():
    site = make_site(np.full((1, 3), 10.0), NO_CLUSTERS, [], sd=np.full((1, 3), 3.0))
    deviate = np.random.default_rng(1).standard_normal(12)
    deviate[0] = -9.0
    workload = classed(site, np.zeros(12, int), deviate=deviate)

    for slug in ("olb", "sjs"):
        jobs = simulate(workload, slug).jobs
        assert jobs["executed"] == pytest.approx(np.maximum(1.0, 10 + 3 * deviate))
        assert jobs["runtime"] == pytest.approx(jobs["executed"])
    driver = SiteDriver("sjs")
    simulate(workload, driver)
    assert driver.scheduler.experience.mean.tolist() == [[10.0, 10.0, 10.0]]


def recorded(seed, rule, **parameters):
    """Question and calls of a simulated run with arrivals, levels and an outage."""
    workload = random_classed(seed, 40)
    workload = workload.with_(site=workload.site.with_(outages=(Outage(2, 30.0, 90.0),)))
    driver = SiteDriver(rule, record=True, quantum=8.0, **parameters)
    schedule = simulate(workload, driver)
    assert (schedule.events["kind"] == KILL).any() or rule == "olb"
    return driver.scheduler.question, driver.scheduler.calls


@pytest.mark.parametrize("rule", ["olb", "sjs", "pjs"])
def test_replaying_the_calls_gives_the_same_orders(rule):
    question, calls = recorded(3, rule, learn=True)

    assert replay(question, calls) == calls


def test_replaying_in_another_process_gives_the_same_orders():
    question, calls = recorded(5, "pjs")
    program = (
        "import json, sys; from shadowtime.engine.families.classed.policies.recording import replay;"
        "print(json.dumps(replay(*json.load(sys.stdin))))"
    )
    root = Path(__file__).parents[4]
    done = subprocess.run(
        [sys.executable, "-c", program], input=json.dumps([question, calls]), cwd=root, text=True,
        env={**os.environ, "PYTHONHASHSEED": "7", "PYTHONPATH": str(root)}, capture_output=True, check=True,
        timeout=120,
    )  # fmt: skip

    assert json.loads(done.stdout) == json.loads(json.dumps(calls))
    assert sum(len(call[-1]) for call in calls if call[0] == "tick") > 40
