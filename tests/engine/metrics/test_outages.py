"""Outages: a made one is found, and neither schedules nor policies that hold jobs back make one."""

from __future__ import annotations

import numpy as np
import pytest

from shadowtime.engine.metrics.outages import outages
from shadowtime.engine.simulation import Simulation
from shadowtime.engine.workload.generators.generate import generate

HOUR = 3600.0


def log(**changed):
    """Ten processors. All stand still from 1 h to 4 h, while three jobs of two users wait for them."""
    table = {
        "release": [0.0, 1800.0, 2400.0, 2400.0],
        "recorded_start": [0.0, 4 * HOUR, 4 * HOUR, 5 * HOUR],
        "recorded_end": [HOUR, 5 * HOUR, 5 * HOUR, 6 * HOUR],
        "processors": [10, 4, 4, 4],
        "requested": [HOUR, HOUR, HOUR, np.nan],
        "runtime": [HOUR, HOUR, HOUR, HOUR],
        "user": [1, 1, 2, 2],
    }
    return {name: np.array(column) for name, column in {**table, **changed}.items()}


def test_an_idle_machine_with_waiting_jobs_is_an_outage():
    (found,) = outages(log(), 10)

    assert (found.start, found.end) == (HOUR, 4 * HOUR)
    assert (found.jobs, found.users, found.processors) == (3, 2, 12)


@pytest.mark.parametrize(
    "changed",
    [
        {"user": [1, 2, 2, 2]},  # one user's jobs may wait for each other
        {"requested": [HOUR, 4 * HOUR, 4 * HOUR, HOUR]},  # two of them would not end before the night
        {"release": [0.0, 2 * HOUR, 2 * HOUR, 2 * HOUR]},  # no job waited when it began
        {"processors": [10, 1, 1, 1]},  # little is asked for
        {"recorded_start": [0.0, 1.9 * HOUR, 1.9 * HOUR, 5 * HOUR]},  # shorter than an hour
    ],
)
def test_what_else_may_keep_a_machine_idle_is_none(changed):
    assert outages(log(**changed), 10) == []


def test_a_test_of_one_processor_does_not_end_an_outage():
    tested = log()
    more = {"release": 2 * HOUR, "recorded_start": 2 * HOUR, "recorded_end": 2.5 * HOUR, "processors": 5, "user": 9}
    tested = {name: np.append(column, more.get(name, 60.0)) for name, column in tested.items()}
    tested["processors"] *= np.array([10, 40, 40, 40, 1])

    assert [(one.start, one.end) for one in outages(tested, 100)] == [(HOUR, 4 * HOUR)]
    assert [one.start for one in outages(tested, 99)] == [HOUR, 2.5 * HOUR], "five are more than 5 % of 99"


def test_unknown_users_count_one_a_job():
    assert len(outages(log(user=[-1, -1, -1, -1]), 10)) == 1


def test_a_log_without_recorded_ends_has_none():
    known = log()
    assert outages({name: column for name, column in known.items() if name != "recorded_end"}, 10) == []
    assert outages(log(recorded_start=np.full(4, np.nan)), 10) == []


def test_easy_backfilling_leaves_no_outage():
    workload = generate("lublin", {"jobs": 3000, "load": 0.95}, seed=4)
    jobs = Simulation(workload, "easy").run().jobs
    replayed = {**workload.jobs, "recorded_start": jobs["start"], "recorded_end": jobs["end"]}

    assert outages(replayed, int(workload.machine["processors"])) == []
