"""Several stores on one Redis server have nothing to do with each other, even with the same questions."""

from __future__ import annotations

import fakeredis
import pytest

from shadowtime.workers import submit
from shadowtime.workers.live import STREAM
from shadowtime.workers.queue import RunQueue, open_queue
from shadowtime.workers.redis_names import Names
from shadowtime.workers.settings import Settings
from shadowtime.workers.store import open_store
from tests.workers.lab import Lab

DIGEST = "d" * 64


@pytest.fixture
def two():
    """The queues of two stores on one server."""
    redis = fakeredis.FakeRedis(server=fakeredis.FakeServer())
    return [RunQueue(redis, Names(identity)) for identity in ("aaaaaaaaaaaa", "bbbbbbbbbbbb")]


def test_a_store_keeps_its_identity_and_no_two_share_one(tmp_path):
    first, again, other = (open_store(tmp_path / name) for name in ("one", "one", "two"))

    assert first.identity == again.identity != other.identity
    assert len(first.identity) == 12 and first.identity not in first.key().decode()
    assert open_queue(Settings(), first).names == Names(first.identity)


def test_the_same_run_waits_in_both_and_leaves_one_alone(two):
    one, other = two
    one.enqueue(DIGEST, "high", client="anna")
    other.enqueue(DIGEST, "low", client="anna")
    one.heartbeat(DIGEST, "worker")
    one.note_progress(DIGEST, {"jobs_done": 1})
    assert one.waiting() == other.waiting() == [DIGEST]
    one.remove(DIGEST)

    assert one.waiting() == [] and other.waiting() == [DIGEST]
    assert not one.knows(DIGEST) and other.knows(DIGEST) and other.progress(DIGEST) is None
    assert one.held([DIGEST]) == {DIGEST} and other.position(DIGEST) == 0


@pytest.mark.integration
def test_two_laboratories_with_one_server_answer_the_same_question_each(lab: Lab, tmp_path):
    other = Lab(tmp_path / "other", lab.port)
    with other:
        workers = [lab.start_worker(), other.start_worker()]
        asked = [(one, one.ask(seed=seed)) for seed in range(4) for one in (lab, other)]
        for one, digest in asked:
            one.wait_for_status(digest, "finished")
        redis = lab.queue.connection

        assert {digest for one, digest in asked if one is lab} == {digest for one, digest in asked if one is other}
        assert [one.queue.health().workers for one in (lab, other)] == [1, 1]
        assert all(redis.xlen(one.queue.names.key(STREAM)) >= 8 for one in (lab, other))
        assert all(worker.poll() is None for worker in workers)
        assert all(one.store.runs.get(digest).status.attempt == 1 for one, digest in asked)


@pytest.mark.integration
def test_a_laboratory_without_workers_keeps_its_runs_beside_a_busy_one(lab: Lab, tmp_path):
    idle_store = open_store(tmp_path / "idle")
    idle = RunQueue(lab.queue.connection, Names(idle_store.identity))
    entry, _ = idle_store.workloads.generate("uniform", {"jobs": 10}, 1)
    waiting = submit.accept(idle_store, idle, {"workload": entry.id, "algorithm": "easy"})[0].digest
    lab.start_worker()
    lab.wait_for_status(lab.ask(), "finished")

    assert idle.waiting() == [waiting] and idle_store.runs.get(waiting).status.status == "queued"
    assert idle.health().workers == 0
