"""A fork of a worker executes one short run after the other; what ends the fork concerns its last run alone."""

from __future__ import annotations

import os
import signal
import time
from dataclasses import replace

import pytest
from rq.job import Job
from rq.timeouts import HorseMonitorTimeoutException

from shadowtime.workers import submit, tasks, worker
from shadowtime.workers.connection import connect
from shadowtime.workers.kinds import BOUND
from shadowtime.workers.queue import SERIALIZER
from shadowtime.workers.settings import Settings
from tests.workers.lab import Lab, children, wait_for

pytestmark = pytest.mark.integration

SHORT, LONG = 10, 2_000
"""Jobs of a run that ends before the gate of `gated_worker`, and of one that halts there."""


@pytest.fixture
def one(lab: Lab, monkeypatch) -> worker.RunWorker:
    """A worker in this process, which has loaded compiled code and whose forks are real."""
    monkeypatch.setenv("SHADOWTIME_STORE", str(lab.folder / "store"))
    monkeypatch.setenv("REDIS_URL", lab.url)
    tasks.environment.cache_clear()
    tasks.environment()
    worker.warm()
    monkeypatch.setattr(worker, "SHARED_SECONDS", 60.0)  # a busy machine takes longer than a second for five short runs
    found = worker.RunWorker(lab.store, connect(lab.url), replace(Settings.from_environment(), run_memory=0))
    found.register_birth()
    yield found
    found.register_death()
    tasks.environment.cache_clear()


def take(lab: Lab):
    queues = list(lab.queue.queues.values())
    return queues[0].dequeue_any(queues, None, lab.queue.connection, serializer=SERIALIZER)


def test_one_fork_executes_all_short_runs_that_wait(lab: Lab, one):
    asked = [lab.ask(seed, SHORT) for seed in range(5)]
    one.execute_job(*take(lab))

    assert [lab.status(digest) for digest in asked] == ["finished"] * 5
    assert not lab.queue.waiting() and not lab.queue.held(asked)
    assert not any(lab.queue.knows(digest) for digest in asked), "nothing of them stays in Redis"


def test_a_run_that_is_cancelled_as_it_begins_is_no_error(lab: Lab, one, monkeypatch):
    digest, after = lab.ask(0, SHORT), lab.ask(1, SHORT)
    perform = Job.perform

    def cancelled(job):
        if digest in job.args:
            submit.cancel(lab.store, lab.queue, digest)
        return perform(job)

    monkeypatch.setattr(Job, "perform", cancelled)
    one.execute_job(*take(lab))

    assert lab.status(digest) == "cancelled" and not lab.queue.knows(digest)
    assert lab.status(after) == "finished"


def test_a_heartbeat_that_is_sent_as_the_fork_ends_does_not_stay(lab: Lab, one, monkeypatch):
    asked = [lab.ask(seed, SHORT) for seed in range(2)]
    ended = []

    def wait():
        if not ended:
            ended.append(worker.RunWorker.wait_for_horse(one))
            raise HorseMonitorTimeoutException
        return ended[0]

    monkeypatch.setattr(one, "wait_for_horse", wait)
    one.execute_job(*take(lab))

    assert [lab.status(digest) for digest in asked] == ["finished"] * 2
    assert not lab.queue.held(asked)


def test_the_runs_are_the_same_as_with_a_fork_each(lab: Lab, one, monkeypatch):
    first = [lab.ask(seed, SHORT, "fcfs") for seed in range(3)]
    one.execute_job(*take(lab))
    together = [lab.store.runs.get(digest).summary["metrics"] for digest in first]
    for digest in first:
        lab.store.runs.delete(digest)
    assert [lab.ask(seed, SHORT, "fcfs") for seed in range(3)] == first
    monkeypatch.setattr(worker, "SHARED_SECONDS", 0.0)
    for _ in first:
        assert lab.queue.waiting()
        one.execute_job(*take(lab))

    assert [lab.store.runs.get(digest).summary["metrics"] for digest in first] == together


def test_where_plugins_are_installed_each_run_has_its_fork(lab: Lab, one):
    one._has_plugins = True
    asked = [lab.ask(seed, SHORT) for seed in range(2)]
    one.execute_job(*take(lab))

    assert [lab.status(digest) for digest in asked] == ["finished", "queued"]


def test_a_process_without_compiled_code_executes_one_run(lab: Lab, one, monkeypatch):
    monkeypatch.setattr(worker, "has_compiled_code", lambda: False)
    asked = [lab.ask(seed, SHORT) for seed in range(2)]
    one.execute_job(*take(lab))

    assert [lab.status(digest) for digest in asked] == ["finished", "queued"]


def test_other_work_is_left_to_the_worker(lab: Lab, one):
    asked = [lab.ask(seed, SHORT) for seed in range(2)]
    taken = take(lab)
    lab.queue.enqueue(f"{BOUND.prefix}{asked[0]}", first=True)
    one.execute_job(*taken)

    assert lab.status(asked[0]) == "finished"
    assert lab.queue.waiting() == [f"{BOUND.prefix}{asked[0]}", asked[1]]


def second_halts(lab: Lab):
    """A worker whose fork has ended a run, and halts in the next."""
    first, second = lab.ask(1, SHORT), lab.ask(2, LONG)
    process = lab.start_worker(gated=True)
    lab.wait_for_segments(second)
    assert lab.status(first) == "finished"
    return process, first, second


def test_a_killed_fork_is_held_against_its_last_run_alone(lab: Lab):
    process, first, second = second_halts(lab)
    (fork,) = children(process.pid)
    os.kill(fork, signal.SIGKILL)
    wait_for(lambda: lab.store.runs.get(second).status.attempt == 2, "second attempt", 5.0)
    lab.open_gate()

    assert lab.wait_for_status(second, "finished").attempt == 2
    assert lab.store.runs.get(first).status.attempt == 1


def test_a_stop_requeues_the_last_run(lab: Lab):
    process, first, second = second_halts(lab)
    process.send_signal(signal.SIGTERM)

    assert process.wait(5.0) == 0
    assert lab.status(first) == "finished"
    assert lab.status(second) == "queued" and lab.queue.waiting() == [second]


def test_the_last_run_is_cancelled_at_once(lab: Lab):
    process, _, second = second_halts(lab)
    submit.cancel(lab.store, lab.queue, second)

    assert lab.wait_for_status(second, "cancelled", 5.0).attempt == 1
    assert process.poll() is None


def test_a_long_run_stays_with_the_fork_that_went_on_to_it(lab: Lab):
    _, _, second = second_halts(lab)
    time.sleep(8.0)  # longer than a lease and a heartbeat last
    assert lab.queue.held([second]) == {second}
    lab.open_gate()

    assert lab.wait_for_status(second, "finished").attempt == 1
