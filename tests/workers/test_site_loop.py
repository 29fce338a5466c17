"""The loop with real processes: Redis, a forking worker a machine, small computations, and a machine that is killed."""

from __future__ import annotations

import json
import os
import signal
import threading
import time

import numpy as np
import pytest

from shadowtime.engine import generate, simulate
from shadowtime.engine.errors import InvalidParameter
from shadowtime.engine.families.classed.policies.recording import replay
from shadowtime.engine.families.classed.policies.scheduler import Rules
from shadowtime.engine.tables import LOST
from shadowtime.engine.workload.samples import find_sample
from shadowtime.workers import site_tasks
from shadowtime.workers.connection import connect
from shadowtime.workers.redis_server import Server
from shadowtime.workers.site_loop import SiteLoop, report_of
from shadowtime.workers.site_schedule import measured_schedule
from tests.engine.invariants import check_schedule
from tests.ports import unused_port


@pytest.fixture
def url():
    server = Server(unused_port(), quiet=True).start()
    yield server.url
    server.stop()


def test_every_computation_gives_a_number_again_and_again():
    for computation in site_tasks.COMPUTATIONS:
        assert np.isfinite(computation()) and computation() == computation()
    assert all(0 < seconds < 0.1 for seconds in site_tasks.seconds_per_unit(1, 3))


def test_a_site_that_is_too_large_is_refused():
    with pytest.raises(InvalidParameter, match="the site has 142 machines; a loop on one computer takes 16"):
        SiteLoop(generate("classed", {"jobs": 3}), Rules(), "redis://127.0.0.1:1/0")
    with pytest.raises(InvalidParameter, match="a loop dispatches classed jobs"):
        SiteLoop(generate("uniform", {"jobs": 3}), Rules(), "redis://127.0.0.1:1/0")


@pytest.mark.integration
def test_real_processes_run_the_plan_and_are_measured(url, capsys):
    workload = generate("classed", {"site": "bench", "jobs": 8})
    outcome = SiteLoop(workload, Rules(rule="pjs", learn=True), url).run()
    report = report_of(outcome, simulate(workload, "pjs"), workload)

    assert [m.job for m in outcome.measured] == list(range(8)) and outcome.failures == 0
    check_schedule(measured_schedule(outcome, workload))
    known = outcome.recorder.experience
    assert (known.count - workload.site.experience.count).sum() == 8, "each measured time was learnt"
    # On a free computer about 1; on a busy one everything takes longer, never less than half of what was asked.
    assert report["makespan"]["measured"] > 0.5 * report["makespan"]["planned"]
    assert replay(outcome.recorder.question, outcome.recorder.calls) == outcome.recorder.calls
    with capsys.disabled():
        print(f"\nloop: {json.dumps({k: report[k] for k in ('makespan', 'total_job_time', 'dispatch_s')})}")


@pytest.mark.integration
def test_parts_of_a_cluster_run_together_and_a_high_job_stops_a_low_one(url):
    workload = find_sample("takeover").read()
    outcome = SiteLoop(workload, Rules(rule="pjs"), url, scale=2.0).run()
    low, high, medium = outcome.measured
    (stopped,) = outcome.stopped

    assert (stopped.job, stopped.machines) == (0, (0, 1)), "the low job lost the cluster"
    assert (high.job, high.machines) == (1, (0, 1)) and medium.machines == (2,)
    assert stopped.start < high.ordered <= stopped.end <= high.start < low.start, "it waits and begins anew"
    for run in (stopped, high):
        (one, began, ended), (other, joined, left) = run.parts
        assert {one, other} == {0, 1} and abs(began - joined) < 0.5 and max(began, joined) < min(ended, left)
    schedule = measured_schedule(outcome, workload)
    check_schedule(schedule)
    assert (schedule.segments["kind"] == LOST).sum() == 1 and (schedule.jobs["cluster"] == 0).sum() >= 1
    assert report_of(outcome, simulate(workload, "pjs"), workload)["stopped"] == 1
    assert replay(outcome.recorder.question, outcome.recorder.calls) == outcome.recorder.calls


@pytest.mark.integration
def test_a_part_waits_until_all_have_joined(url):
    connection = connect(url)
    order = []

    def part(name, after):
        time.sleep(after)
        order.append(f"{name} came")
        site_tasks.join(connect(url), "place", 2)
        order.append(f"{name} went")

    threads = [threading.Thread(target=part, args=one) for one in (("a", 0.0), ("b", 0.3))]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(10.0)

    assert order[:2] == ["a came", "b came"] and sorted(order[2:]) == ["a went", "b went"]
    assert connection.llen("place:gate") == 0


@pytest.mark.integration
def test_a_machine_that_is_killed_loses_no_job(url):
    workload = generate("classed", {"site": "bench", "jobs": 6})
    loop = SiteLoop(workload, Rules(rule="sjs"), url)
    killed = []

    def kill_the_fast_one(sentence):
        if not killed:
            killed.append(loop.machines.workers[0].pid)
            os.kill(killed[0], signal.SIGKILL)

    loop.on_progress = kill_the_fast_one
    outcome = loop.run()

    assert killed and outcome.failures >= 1
    assert [m.job for m in outcome.measured] == list(range(6))
    check_schedule(measured_schedule(outcome, workload))
