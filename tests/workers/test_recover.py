"""What the store calls unfinished and no one holds is queued again, and nothing else."""

from __future__ import annotations

import pytest

from shadowtime.workers import recover
from shadowtime.workers.errors import QueueAway
from shadowtime.workers.records.runs import LEASE
from shadowtime.workers.recover import LOST_AFTER, LOST_AFTER_ACCEPT, Recovery
from tests.workers.samples import fake_queue, spec, summary, tables


class Clock:
    """Time that a test sets."""

    now = 1000.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def queue():
    return fake_queue()


@pytest.fixture
def clock():
    return Clock()


@pytest.fixture
def recovery(store, queue, clock):
    return Recovery(store, queue, clock)


def running(store, seed: int = 0) -> str:
    """A run that a worker has begun."""
    store.runs.accept(spec(seed))
    store.runs.begin(spec(seed).digest, "worker")
    return spec(seed).digest


def test_accepted_run_that_redis_does_not_know_is_queued_at_the_second_look(store, queue, recovery, clock):
    store.runs.accept(spec(), priority="low")

    assert recovery.scan() == [], "the process that accepted it may be about to queue it"
    clock.now += LOST_AFTER_ACCEPT
    assert recovery.scan() == [spec().digest]
    assert queue.waiting() == [spec().digest]
    assert queue.queues["low"].job_ids == [queue.names.job(spec().digest)]
    assert recovery.scan() == []


def test_what_waits_or_is_held_is_left_alone(store, queue, recovery, clock):
    store.runs.accept(spec(1))
    queue.enqueue(spec(1).digest)
    running(store, 2)
    recovery.scan()
    clock.now += LEASE - 1

    assert recovery.scan() == []
    assert store.runs.get(spec(2).digest).status.attempt == 1


def test_run_whose_lease_has_expired_is_put_back_before_all_others(store, queue, recovery, clock):
    lost = running(store, 1)
    store.runs.accept(spec(2))
    queue.enqueue(spec(2).digest)
    first = recovery.scan()
    clock.now += LEASE
    second = recovery.scan()

    assert (first, second) == ([], [lost])
    assert queue.waiting() == [lost, spec(2).digest]
    status = store.runs.get(lost).status
    assert (status.status, status.attempt) == ("queued", 2)


def test_worker_that_renews_its_lease_keeps_its_run(store, recovery, clock):
    digest = running(store)
    recovery.scan()
    clock.now += LEASE - 1
    recovery.renew(digest, "worker")
    recovery.scan()
    clock.now += LEASE - 1
    kept = recovery.scan()
    clock.now += 1

    assert (kept, recovery.scan()) == ([], [digest])


def test_worker_that_lost_its_lease_neither_renews_nor_finishes(store, recovery, clock):
    digest = running(store)
    recovery.scan()
    clock.now += LEASE
    recovery.scan()
    store.runs.begin(digest, "another")

    assert not store.runs.renew(digest, "worker")
    assert store.runs.renew(digest, "another")
    assert not store.runs.finish(digest, 1, tables(), summary(spec()))
    assert store.runs.finish(digest, 2, tables(), summary(spec()))


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
    digest = running(store)
    store.runs.cancel(digest)
    recovery.scan()
    clock.now += LEASE
    recovery.scan()

    assert store.runs.get(digest).status.status == "cancelled"
    assert queue.waiting() == []


def test_two_that_look_after_runs_put_back_once(store, queue, clock):
    lost = running(store)
    both = [Recovery(store, queue, clock), Recovery(store, queue, clock)]
    for recovery in both:
        recovery.scan()
    clock.now += LEASE
    back = [recovery.scan() for recovery in both]

    assert back == [[lost], []]
    assert store.runs.get(lost).status.attempt == 2


def test_without_redis_nothing_is_put_anywhere(store, queue, recovery):
    store.runs.accept(spec())
    queue.connection.connection_pool.connection_kwargs["server"].connected = False

    with pytest.raises(QueueAway):
        recovery.scan()


def test_scans_of_a_long_queue_leave_time_for_runs(store, queue, monkeypatch):
    monkeypatch.setattr(recover, "MANY", 2)
    monkeypatch.setattr(recover, "SHARE", 1e-9)
    clock, seen = Clock(), []
    recovery = Recovery(store, queue, clock)
    monkeypatch.setattr(queue, "held", lambda queued: seen.append(len(queued)) or set(queued))
    for seed in range(3):
        store.runs.accept(spec(seed))
        recovery.scan()
    clock.now += 1e9 * 3600
    recovery.scan()

    assert seen == [1, 2, 3], "the second scan is followed by a pause"
