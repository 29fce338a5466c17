"""What the store calls unfinished and nobody holds is queued again, and nothing else."""

from __future__ import annotations

import pytest

from shadowtime.workers.errors import QueueAway
from shadowtime.workers.queue import RunQueue
from shadowtime.workers.recover import LOST_AFTER, LOST_AFTER_ACCEPT, LOST_AFTER_START, Recovery
from tests.workers.samples import fake_queue, spec, summary, tables


class Clock:
    """Time that a test sets."""

    now = 1000.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def queue(monkeypatch):
    monkeypatch.setattr(RunQueue, "uptime", lambda self: 1e6)
    return fake_queue()


@pytest.fixture
def clock():
    return Clock()


@pytest.fixture
def recovery(store, queue, clock):
    return Recovery(store, queue, clock)


def running(store, queue, seed: int = 0) -> str:
    """A run that a worker has begun and says so."""
    store.runs.accept(spec(seed))
    store.runs.begin(spec(seed).digest)
    queue.heartbeat(spec(seed).digest, "worker")
    return spec(seed).digest


def test_accepted_run_that_redis_does_not_know_is_queued_at_the_second_look(store, queue, recovery, clock):
    store.runs.accept(spec(), priority="low")

    assert recovery.scan() == [], "whoever accepted it may be about to queue it"
    clock.now += LOST_AFTER_ACCEPT
    assert recovery.scan() == [spec().digest]
    assert queue.waiting() == [spec().digest]
    assert queue.queues["low"].job_ids == [queue.names.job(spec().digest)]
    assert recovery.scan() == []


def test_what_waits_or_is_held_is_left_alone(store, queue, recovery, clock):
    store.runs.accept(spec(1))
    queue.enqueue(spec(1).digest)
    running(store, queue, 2)
    recovery.scan()
    clock.now += 100

    assert recovery.scan() == []
    assert store.runs.get(spec(2).digest).status.attempt == 1


def test_run_whose_worker_is_silent_is_put_back_before_all_others(store, queue, recovery, clock):
    lost = running(store, queue, 1)
    store.runs.accept(spec(2))
    queue.enqueue(spec(2).digest)
    queue.clear_heartbeat(lost)
    first = recovery.scan()
    clock.now += LOST_AFTER
    second = recovery.scan()

    assert (first, second) == ([], [lost])
    assert queue.waiting() == [lost, spec(2).digest]
    status = store.runs.get(lost).status
    assert (status.status, status.attempt) == ("queued", 2)


def test_worker_that_was_silent_for_a_moment_keeps_its_run(store, queue, recovery, clock):
    digest = running(store, queue)
    queue.clear_heartbeat(digest)
    recovery.scan()
    queue.heartbeat(digest, "worker")
    clock.now += LOST_AFTER / 2
    recovery.scan()
    queue.clear_heartbeat(digest)
    clock.now += LOST_AFTER / 2

    assert recovery.scan() == [], "silence is counted anew"
    assert store.runs.get(digest).status.attempt == 1


def test_after_a_restart_of_redis_workers_have_longer_to_say_what_they_hold(store, queue, recovery, clock, monkeypatch):
    monkeypatch.setattr(RunQueue, "uptime", lambda self: 1.0)
    digest = running(store, queue)
    queue.clear_heartbeat(digest)
    recovery.scan()
    clock.now += LOST_AFTER
    early = recovery.scan()
    clock.now += LOST_AFTER_START - LOST_AFTER
    late = recovery.scan()

    assert (early, late) == ([], [digest])


def test_run_just_taken_from_the_queue_is_not_queued_twice(store, queue, recovery, clock):
    store.runs.accept(spec())
    queue.enqueue(spec().digest)
    queue.connection.lpop(queue.queues["default"].key)
    between = recovery.scan()
    clock.now += LOST_AFTER
    lost_between = recovery.scan()

    assert between == []
    assert lost_between == [spec().digest]
    assert queue.waiting() == [spec().digest]


def test_ended_runs_are_left_alone(store, queue, recovery, clock):
    for seed, end in enumerate(["finish", "fail", "cancel"]):
        store.runs.accept(spec(seed))
        if end == "cancel":
            store.runs.cancel(spec(seed).digest)
            continue
        store.runs.begin(spec(seed).digest)
        if end == "finish":
            store.runs.finish(spec(seed).digest, 1, tables(), summary(spec(seed)))
        else:
            store.runs.fail(spec(seed).digest, "it went wrong")
    clock.now += 100

    assert recovery.scan() == []
    assert queue.waiting() == []


def test_lost_run_that_was_to_be_cancelled_is_cancelled(store, queue, recovery, clock):
    digest = running(store, queue)
    store.runs.cancel(digest)
    queue.clear_heartbeat(digest)
    recovery.scan()
    clock.now += LOST_AFTER
    recovery.scan()

    assert store.runs.get(digest).status.status == "cancelled"
    assert queue.waiting() == []


def test_two_that_look_after_runs_put_back_once(store, queue, clock):
    lost = running(store, queue)
    queue.clear_heartbeat(lost)
    both = [Recovery(store, queue, clock), Recovery(store, queue, clock)]
    for recovery in both:
        recovery.scan()
    clock.now += LOST_AFTER
    back = [recovery.scan() for recovery in both]

    assert back == [[lost], []]
    assert store.runs.get(lost).status.attempt == 2


def test_without_redis_nothing_is_put_anywhere(store, queue, recovery):
    store.runs.accept(spec())
    queue.connection.connection_pool.connection_kwargs["server"].connected = False

    with pytest.raises(QueueAway):
        recovery.scan()
