"""The quick model: plain EASY where nothing is fitted, and each parameter by hand."""

from __future__ import annotations

import numpy as np
import pytest

from shadowtime.engine.fidelity.evidence import Evidence, evidence, open_hours, queue_ranks
from shadowtime.engine.fidelity.loop import NEVER
from shadowtime.engine.fidelity.model import CLOSED, Values, waits
from shadowtime.engine.fidelity.split import Part
from shadowtime.engine.metrics.outages import Outage
from shadowtime.engine.workload.job import Clock, Workload, job_table
from tests.engine.fidelity.made import LANES, MONDAY, jobs, recorded, under

HOUR = 3600.0
ANY = np.full(168, NEVER)


def small(rows, **columns):
    """Rows of release, run time, processors and user; requests are run times, and nothing waited."""
    release, runtime, size, user = np.array(rows, "f8").T
    table = job_table(release, runtime, size, requested=runtime, user=user, recorded_start=release, **columns)
    return Workload("rigid", "small", table, clock=Clock(MONDAY), has_estimates=True)


def simulated(log, lanes, week=ANY, ranks=None, stops=(), **values):
    """The simulated waits of all jobs [s]."""
    seen = Evidence([week] * len(CLOSED), np.zeros(len(log)) if ranks is None else np.array(ranks, "f8"), stops)
    return waits(log, Part(0, 0, len(log)), lanes, seen, Values(**values)).tolist()


@pytest.mark.parametrize("seed", range(5))
def test_without_a_fit_it_is_easy(seed):
    log = jobs(400, seed)
    start = under(log, "easy")
    whole = Part(0, 0, len(log))
    seen = evidence(recorded(log, start), whole, LANES, CLOSED)

    found = waits(recorded(log, start), whole, LANES, seen, Values())
    assert found.tolist() == (start - log.jobs["release"]).tolist()


THREE = [(0, 100, 4, 1), (1, 100, 4, 1), (2, 10, 2, 2)]


def test_a_job_is_backfilled_where_it_delays_nobody():
    assert simulated(small(THREE), 6) == [0.0, 99.0, 0.0]


def test_a_limit_of_running_jobs_lets_other_users_pass():
    log = small([(0, 100, 1, 1), (1, 100, 1, 1), (2, 100, 1, 2)])

    assert simulated(log, 9, user_jobs=1) == [0.0, 99.0, 0.0]
    assert simulated(log, 9, user_share=0.2) == [0.0, 99.0, 0.0]
    assert simulated(log, 9, user_share=0.25) == [0.0, 0.0, 0.0]


def test_one_job_of_a_user_runs_however_large():
    assert simulated(small([(0, 100, 8, 1)]), 9, user_share=0.15) == [0.0]


def test_processors_that_are_held_out_take_no_jobs():
    log = small([(0, 100, 5, 1), (1, 100, 5, 2), (2, 7, 10, 3)])

    assert simulated(log, 10) == [0.0, 0.0, 99.0]
    assert simulated(log, 10, held_out=0.2) == [0.0, 99.0, 198.0], "the largest job takes all that is left"


def test_long_jobs_wait_for_an_open_hour_and_later_ones_do_not_delay_them():
    week = ANY.copy()
    week[:8] = 2 * HOUR
    log = small([(HOUR, 3 * HOUR, 4, 1), (HOUR + 1, 2 * HOUR, 4, 2), (7 * HOUR, 2 * HOUR, 4, 3)])

    assert simulated(log, 4, week) == [7 * HOUR, 0.0, 4 * HOUR]
    assert simulated(log, 8, week) == [7 * HOUR, 0.0, 0.0]


def test_nothing_starts_in_an_outage():
    log = small([(10, 60, 1, 1), (HOUR, 60, 1, 1)])
    stop = Outage(0.0, 3 * HOUR, 1, 1, 1)

    assert simulated(log, 4, stops=[stop]) == [0.0, 0.0]
    assert simulated(log, 4, stops=[stop], down_time=True) == [3 * HOUR - 10, 2 * HOUR]


def test_head_starts_change_the_order():
    rows = [(0, 100, 4, 1), (1, 50, 4, 1), (2, 20, 4, 2), (3, 20, 2, 2)]

    assert simulated(small(rows), 4) == [0.0, 99.0, 148.0, 167.0]
    assert simulated(small(rows), 4, ranks=[-1, -1, 0, -1], queue=10.0) == [0.0, 119.0, 98.0, 167.0]
    assert simulated(small(rows), 4, size=10.0) == [0.0, 119.0, 168.0, 97.0]
    assert simulated(small(rows), 4, length=1.0) == [0.0, 139.0, 98.0, 117.0]


def test_a_user_with_usage_goes_behind_one_without():
    rows = [(0, 4000, 4, 1), (1, 50, 4, 1), (2, 50, 4, 2)]

    assert simulated(small(rows), 4) == [0.0, 3999.0, 4048.0]
    assert simulated(small(rows), 4, fair_share=10.0) == [0.0, 4049.0, 3998.0]


def test_a_job_is_ready_when_it_is_eligible_and_waits_from_its_submission():
    log = small([(0, 10, 1, 1), (5, 10, 1, 1)], eligible=np.array([100.0, np.nan]))

    assert simulated(log, 1) == [100.0, 0.0]


def test_closed_hours_are_found_in_the_record():
    n = 4000
    rng = np.random.default_rng(3)
    hour = np.floor(rng.uniform(0, 24 * 7 * 8, n))
    long = hour % 24 < 8
    start = np.sort(hour) * HOUR + 1800.0
    asked = np.where(long[np.argsort(hour, kind="stable")], 5 * HOUR, 0.5 * HOUR)
    table = job_table(start - HOUR, asked, np.ones(n), requested=asked, recorded_start=start)
    log = Workload("rigid", "closed", table, clock=Clock(MONDAY), has_estimates=True)
    found = open_hours(log, Part(0, 0, n), 0.2).reshape(7, 24)

    assert (found[:, :8] == NEVER).all()
    assert (found[:, 8:] == 0.5 * HOUR).all()
    assert (open_hours(log, Part(0, 0, n), 0.0) == NEVER).all()


def test_queues_are_ranked_by_their_waits():
    queue = np.repeat([4, 2, 9, 7], [60, 60, 60, 3])
    wait = np.where(queue == 4, 500.0, np.where(queue == 2, 5.0, 50.0))
    release = np.arange(len(queue), dtype="f8")
    table = job_table(release, release + 1, release + 1, recorded_start=release + wait, partition=queue)
    ranks = queue_ranks(Workload("rigid", "queues", table), Part(0, 0, len(queue)))

    assert [ranks[queue == name][0] for name in (4, 2, 9, 7)] == [-1.0, 0.0, -0.5, 0.0]
