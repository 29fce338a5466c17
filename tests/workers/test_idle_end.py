"""A worker ends after SHADOWTIME_IDLE_END seconds without work, never while work waits, and always on request."""

from __future__ import annotations

import time
from dataclasses import replace

import pytest
from rq.exceptions import StopRequested

from shadowtime.engine.errors import EngineError
from shadowtime.workers import worker as workers
from shadowtime.workers.errors import QueueAway
from shadowtime.workers.kinds import RUN
from shadowtime.workers.settings import Settings
from shadowtime.workers.worker import RunWorker
from tests.workers.lab import Lab
from tests.workers.samples import fake_queue, spec

ENDS_WITHIN = 60.0


@pytest.fixture
def worker(store, settings):
    """A worker that takes no work: its queue is a Redis of its own in this process, and it scans nothing."""
    queue = fake_queue()
    made = RunWorker(store, queue.connection, settings)
    made.run_queue, made.handlers = queue, {}
    return made


def test_nothing_waits_in_an_empty_laboratory(worker):
    assert not worker.is_work_waiting()


def test_a_run_in_the_queue_waits(worker, store):
    store.runs.accept(spec())
    worker.run_queue.enqueue(spec().digest)

    assert worker.is_work_waiting()


def test_a_run_that_redis_has_lost_waits(worker, store):
    store.runs.accept(spec())

    assert not worker.run_queue.waiting()
    assert worker.is_work_waiting()


def test_a_run_at_another_worker_does_not_wait(worker, store):
    store.runs.accept(spec())
    store.runs.begin(spec().digest)

    assert not worker.is_work_waiting()


def test_work_may_wait_while_redis_does_not_answer(worker, monkeypatch):
    def away():
        raise QueueAway

    monkeypatch.setattr(worker.run_queue, "waiting", away)

    assert worker.is_work_waiting()


def test_a_worker_that_never_reaches_redis_ends_with_an_error(store, settings, free_port):
    unreachable = replace(settings, redis_url=f"redis://127.0.0.1:{free_port}/0", idle_end=1)
    began = time.monotonic()

    with pytest.raises(QueueAway):
        workers.work(unreachable, store)

    assert 1.0 <= time.monotonic() - began < 15.0


def test_a_stop_request_that_a_scan_has_caught_stops_the_worker(worker):
    """RQ raises StopRequested in a signal handler, so wherever the worker is."""

    class Scanner:
        def scan(self):
            worker.stop_by = time.monotonic()
            raise EngineError("the database does not answer: (rq.exceptions.StopRequested)")

    worker.handlers = {RUN: Scanner()}

    with pytest.raises(StopRequested):
        worker.run_maintenance_tasks()


def test_the_default_is_never():
    assert Settings.from_environment({}).idle_end == 0
    assert Settings.from_environment({"SHADOWTIME_IDLE_END": "300"}).idle_end == 300


@pytest.mark.integration
def test_a_worker_finishes_its_run_and_ends_when_idle(lab: Lab, monkeypatch):
    monkeypatch.setenv("SHADOWTIME_IDLE_END", "5")  # longer than two scans apart
    process = lab.start_worker(by_command=True)
    digest = lab.ask()
    lab.wait_for_status(digest, "finished")
    finished = time.monotonic()

    assert process.wait(ENDS_WITHIN) == 0
    assert time.monotonic() - finished > 3.0
    assert lab.queue.health().workers == 0


@pytest.mark.integration
def test_a_run_that_is_only_in_the_store_is_executed_before_the_end(lab: Lab, monkeypatch):
    monkeypatch.setenv("SHADOWTIME_IDLE_END", "1")
    digest = lab.ask()
    lab.kill_redis()
    lab.start_redis()
    assert not lab.queue.waiting()
    process = lab.start_worker()

    assert process.wait(ENDS_WITHIN) == 0
    assert lab.status(digest) == "finished"


@pytest.mark.integration
def test_an_idle_worker_ends_beside_a_busy_one(lab: Lab, monkeypatch):
    busy = lab.start_worker(gated=True)
    digest = lab.ask()
    lab.wait_for_segments(digest)
    monkeypatch.setenv("SHADOWTIME_IDLE_END", "2")
    idle = lab.start_worker()

    assert idle.wait(ENDS_WITHIN) == 0
    assert lab.status(digest) == "running" and busy.poll() is None
    lab.open_gate()
    lab.wait_for_status(digest, "finished")
