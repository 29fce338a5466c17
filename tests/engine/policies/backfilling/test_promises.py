"""What reservations promise: events of random runs, and small cases by hand for each way to hold them."""

from __future__ import annotations

import numpy as np
import pytest

from shadowtime.engine import simulate
from shadowtime.engine.registry import find
from shadowtime.engine.tables import BACKFILL, CORRECT, PLAN, PROMISE, RESERVE, UNRESERVE
from tests.engine.policies.backfilling.questions import random_jobs, workload_of


def obedient(seed, n=40, processors=10):
    """Jobs that never exceed their requests."""
    rng = np.random.default_rng(seed)
    jobs = random_jobs(rng, n, processors)
    return [(release, min(run, request), request, size, user) for release, run, request, size, user in jobs]


def reservations(schedule):
    """Return the reservations of each job, in order of time."""
    events, found = schedule.events, {}
    for row in np.flatnonzero(events["kind"] == RESERVE):
        found.setdefault(int(events["job"][row]), []).append(float(events["value"][row]))
    return found


@pytest.mark.parametrize("seed", range(20))
@pytest.mark.parametrize("order", ["fcfs", "saf", "wfp3"])
def test_conservative_reservations_never_become_later(seed, order):
    schedule = simulate(workload_of(obedient(seed), 10), "conservative", {"order": order})

    assert (schedule.events["other"][schedule.events["kind"] == RESERVE] == PROMISE).all()
    for job, times in reservations(schedule).items():
        assert times == sorted(times, reverse=True)
        assert schedule.jobs["start"][job] <= times[-1]


@pytest.mark.parametrize("seed", range(20))
@pytest.mark.parametrize("name", ["batch", "easy-sjbf", "lookahead", "easy"])
def test_the_head_starts_by_its_reservation(seed, name):
    schedule = simulate(workload_of(obedient(seed), 10), name)

    found = reservations(schedule)
    assert all(schedule.jobs["start"][job] <= min(times) for job, times in found.items())


@pytest.mark.parametrize("seed", range(20))
def test_slack_delays_nobody_beyond_the_promise(seed):
    schedule = simulate(workload_of(obedient(seed), 10), "slack", {"factor": 0.5})

    for job, times in reservations(schedule).items():
        assert schedule.jobs["start"][job] <= times[0] + 0.5 * schedule.jobs["requested"][job]


def test_a_prediction_that_changes_and_changes_back_in_an_instant_moves_no_reservation():
    # At 4 two jobs end: after the first alone the prediction of the last job is 2 s, after both 3 s, as before.
    jobs = [(0, 4, 4, 1, 1), (0, 1, 1, 1, 1), (0, 3, 6, 1, 1), (0, 1, 1, 2, 1), (0, 1, 3, 1, 1)]
    schedule = simulate(workload_of(jobs, 2), "conservative", {"prediction": "user2"})

    assert schedule.jobs["start"].tolist() == [0, 0, 1, 5, 4]


def test_slack_starts_more_than_conservative():
    # Job 2 is reserved from 10 to 20; job 3 would delay it by 1 s, which its promise of 10 + 0.5 * 10 allows.
    jobs = [(0, 10, 10, 3, 0), (1, 10, 10, 4, 0), (2, 9, 9, 1, 0)]

    assert simulate(workload_of(jobs, 4), "conservative").jobs["start"].tolist() == [0.0, 10.0, 20.0]
    assert simulate(workload_of(jobs, 4), "slack", {"factor": 0.5}).jobs["start"].tolist() == [0.0, 11.0, 2.0]
    assert simulate(workload_of(jobs, 4), "slack", {"factor": 0.0}).jobs["start"].tolist() == [0.0, 10.0, 20.0]


def test_lookahead_fills_the_machine():
    # 3 of 4 processors are free until 10, when job 2 takes all. EASY takes job 3 (2 processors), then 5 (1, too long);
    # together jobs 3 and 4 do not fit, and 4 alone uses 3.
    jobs = [(0, 10, 10, 1, 0), (1, 5, 5, 4, 0), (2, 5, 5, 2, 0), (2, 5, 5, 3, 0)]

    assert simulate(workload_of(jobs, 4), "easy").jobs["start"].tolist() == [0.0, 10.0, 2.0, 15.0]
    assert simulate(workload_of(jobs, 4), "lookahead").jobs["start"].tolist() == [0.0, 10.0, 15.0, 2.0]


def test_two_reservations_protect_the_second_job():
    # Job 4 fits beside job 2 but would delay job 3, which holds the second reservation only with depth 2.
    jobs = [(0, 10, 10, 3, 0), (1, 10, 10, 3, 0), (2, 10, 10, 4, 0), (3, 30, 30, 1, 0)]

    assert simulate(workload_of(jobs, 4), "batch").jobs["start"].tolist() == [0.0, 10.0, 33.0, 3.0]
    deep = simulate(workload_of(jobs, 4), "batch:backfill=easy:depth=2")
    assert deep.jobs["start"].tolist() == [0.0, 10.0, 20.0, 30.0]


def test_a_starving_job_gets_a_reservation():
    # Under sjf the long wide job 1 is passed by each short one; after 30 s it is not any more.
    jobs = [(0, 10, 10, 4, 0), (1, 100, 100, 4, 0)] + [(2 + 8 * k, 10, 10, 4, 0) for k in range(8)]
    starved = simulate(workload_of(jobs, 4), "sjf").jobs["start"][1]
    guarded = simulate(workload_of(jobs, 4), "sjf", {"reserve_after": 30.0}).jobs["start"][1]

    assert (starved, guarded) == (90.0, 40.0)


def test_a_prediction_is_learned_and_corrected():
    # Jobs 1 and 2 of the user run 10 s; job 3, which runs 50, is predicted so, and outlives it at 30; so does job 5.
    jobs = [(0, 10, 100, 4, 7), (0, 10, 100, 4, 7), (20, 50, 100, 3, 7), (21, 10, 100, 4, 7), (22, 40, 100, 1, 7)]
    schedule = simulate(workload_of(jobs, 4), "easy++", {"correction": "double"})
    events = schedule.events
    corrected = events["kind"] == CORRECT

    assert schedule.jobs["predicted"].tolist()[:3] == [100.0, 100.0, 10.0]
    assert set(events["job"][corrected].tolist()) == {2, 4}
    assert events["value"][corrected].max() >= 70.0


def test_an_order_that_overtakes_takes_the_reservation_away():
    jobs = [(0, 50, 50, 3, 0), (1, 30, 30, 4, 0), (2, 5, 5, 4, 0)]
    events = simulate(workload_of(jobs, 4), "sjf").events

    rows = [(k, j) for k, j in zip(events["kind"].tolist(), events["job"].tolist(), strict=True) if k >= RESERVE]
    assert [row for row in rows if row[0] in (RESERVE, UNRESERVE)] == [
        (RESERVE, 1),
        (UNRESERVE, 1),
        (RESERVE, 2),
        (RESERVE, 1),
    ]
    assert (events["other"][events["kind"] == RESERVE] == PLAN).all()
    assert BACKFILL not in events["kind"]


@pytest.mark.parametrize(
    ("name", "given", "proven"),
    [
        ("conservative", {"prediction": "requested"}, "than the reservation that it gets at submission"),
        ("conservative", {"prediction": "user2"}, ""),
        ("easy++", {}, ""),
        ("slack", {"prediction": "actual"}, "than its promise"),
        ("batch", {"order": "fcfs", "backfill": "easy", "prediction": "requested"}, "The first job in the queue"),
        ("batch", {"order": "sjf", "backfill": "easy", "prediction": "requested"}, ""),
        ("batch", {}, ""),
    ],
)
def test_guarantee_follows_from_the_parameters(name, given, proven):
    found = find(name).guarantee(given)
    assert proven in found and bool(proven) == bool(found)
