"""The queue of runs, without workers."""

from __future__ import annotations

import json
import random
import zlib
from collections import Counter

import fakeredis
import pytest
from rq.job import Job

from shadowtime.workers.compiling import Start
from shadowtime.workers.queue import LOADING, SERIALIZER, RunQueue
from tests.workers.samples import NAMES

ONE, TWO, THREE = ("1" * 64, "2" * 64, "3" * 64)


@pytest.fixture
def queue() -> RunQueue:
    return RunQueue(fakeredis.FakeRedis(server=fakeredis.FakeServer()), NAMES, timeout=60.0)


def test_enqueuing_twice_is_enqueuing_once(queue):
    for _ in range(3):
        queue.enqueue(ONE)
    queue.enqueue(TWO)

    assert queue.waiting() == [ONE, TWO]
    assert [queue.position(digest) for digest in (ONE, TWO, THREE)] == [0, 1, None]


def test_what_a_worker_holds_is_not_enqueued_again(queue):
    queue.enqueue(ONE)
    queue.connection.lpop(queue.queues["default"].key)
    queue.heartbeat(ONE, "worker")
    queue.enqueue(ONE)

    assert queue.waiting() == []
    assert queue.held([ONE, TWO]) == {ONE}


def test_what_nobody_holds_is_enqueued_though_a_record_is_left(queue):
    queue.enqueue(ONE)
    queue.connection.lpop(queue.queues["default"].key)
    left = queue.knows(ONE)
    queue.enqueue(ONE, first=True)

    assert left
    assert queue.waiting() == [ONE]


def test_a_run_put_back_goes_before_all_others(queue):
    queue.enqueue(ONE)
    queue.enqueue(TWO, first=True)

    assert queue.waiting() == [TWO, ONE]


def test_what_goes_over_the_wire_is_json(queue):
    queue.enqueue(ONE)
    job = Job.fetch(NAMES.job(ONE), queue.connection, SERIALIZER)
    raw = queue.connection.hget(job.key, "data")

    assert (job.func_name, list(job.args)) == ("shadowtime.workers.tasks.run_task", [ONE])
    assert job.timeout == 90
    assert json.loads(zlib.decompress(raw)) == ["shadowtime.workers.tasks.run_task", None, [ONE], {}]


def test_removed_runs_leave_nothing_behind(queue):
    queue.enqueue(ONE)
    queue.remove(ONE)
    queue.remove(TWO)

    assert queue.waiting() == []
    assert not queue.knows(ONE)


def test_progress_is_noted_where_there_is_a_record(queue):
    queue.enqueue(ONE)
    queue.note_progress(ONE, {"fraction": 0.5})
    queue.note_progress(TWO, {"fraction": 0.5})

    assert queue.progress(ONE) == {"fraction": 0.5}
    assert queue.progress(TWO) is None
    assert not queue.knows(TWO), "a note makes no record"


def test_health_counts_who_is_alive_and_what_waits(queue):
    queue.enqueue(ONE)
    queue.connection.sadd(f"rq:workers:{NAMES.queue('high')}", "rq:worker:alive", "rq:worker:dead")
    queue.connection.hset("rq:worker:alive", "birth", "now")

    assert queue.health().as_dict() == {"redis": True, "workers": 1, "waiting": 1, "start": None}


def test_workers_that_start_are_seen_for_some_seconds(queue):
    start = Start(2, 4, 4.0)
    queue.announce(start)

    assert queue.health().start == start
    assert 0 < queue.connection.ttl(NAMES.key("start")) <= 5

    queue.announce(start, LOADING)
    assert 5 < queue.connection.ttl(NAMES.key("start")) <= LOADING


def test_stopping_what_nobody_runs_is_no_error(queue):
    queue.enqueue(ONE)
    queue.stop(ONE)
    queue.stop(TWO)

    assert queue.waiting() == [ONE]


def named(client: str, n: int) -> list[str]:
    """n digests of one client."""
    return [f"{client}{number:063}" for number in range(n)]


def test_a_client_with_a_thousand_runs_starves_nobody(queue):
    many, few = named("a", 1000), named("b", 3)
    for digest in many:
        queue.enqueue(digest, client="anna")
    for digest in few:
        queue.enqueue(digest, client="ben")

    assert [queue.position(digest) for digest in few] == [1, 3, 5]
    assert [digest for digest in queue.waiting() if digest in set(many)] == many, "one's own stay in their order"


def test_clients_are_served_in_turn_whoever_comes_when(queue):
    anna, ben, carl = named("a", 4), named("b", 3), named("c", 1)
    for digest in anna:
        queue.enqueue(digest, client="anna")
    for digest in ben:
        queue.enqueue(digest, client="ben")
    queue.connection.lpop(queue.queues["default"].key)
    queue.enqueue(carl[0], client="carl")

    assert "".join(digest[0] for digest in queue.waiting()) == "bacbaba"


def test_who_comes_again_and_again_waits_for_one_of_each_other(queue):
    for digest in named("a", 20):
        queue.enqueue(digest, client="anna")
    served = ""
    for digest in named("b", 6):
        queue.enqueue(digest, client="ben")
        taken = [queue.connection.lpop(queue.queues["default"].key).decode() for _ in range(2)]
        served += "".join(NAMES.work(job)[0] for job in taken)

    assert served == "ab" * 6


def test_a_run_put_back_goes_before_all_clients(queue):
    for digest in named("a", 3):
        queue.enqueue(digest, client="anna")
    queue.enqueue(ONE, first=True, client="anna")
    queue.enqueue(TWO, client="ben")

    assert [digest[0] for digest in queue.waiting()] == ["1", "2", "a", "a", "a"]


def test_priorities_go_before_turns(queue):
    queue.enqueue(ONE, "low", client="ben")
    for digest in named("a", 3):
        queue.enqueue(digest, client="anna")
    queue.enqueue(TWO, "high", client="anna")

    assert [digest[0] for digest in queue.waiting()] == ["2", "a", "a", "a", "1"]


def test_a_record_of_whose_it_is_goes_with_the_run(queue):
    queue.enqueue(ONE, client="anna")
    queue.remove(ONE)

    assert queue.connection.keys("*" + ONE) == []


def in_turn(waiting: list[tuple[str, str]], digest: str, client: str) -> list[tuple[str, str]]:
    """The queue with a run of a client behind the runs that go before it, by looking at all of them."""
    of: Counter[str] = Counter()
    mine = sum(one == client for _, one in waiting)
    for place, (_, one) in enumerate(waiting):
        if of[one] > mine:
            return [*waiting[:place], (digest, client), *waiting[place:]]
        of[one] += 1
    return [*waiting, (digest, client)]


@pytest.mark.parametrize("seed", range(4))
def test_places_are_those_found_by_looking_at_all_that_wait(queue, seed):
    chance = random.Random(seed)
    expected: list[tuple[str, str]] = []
    for number in range(300):
        digest, client = f"{number:064}", chance.choice("aaaabbc") * chance.randrange(2)
        act = chance.random()
        if act < 0.6:
            queue.enqueue(digest, client=client)
            expected = in_turn(expected, digest, client)
        elif act < 0.65:
            queue.enqueue(digest, client=client, first=True)
            expected = [(digest, client), *expected]
        elif act < 0.9:
            queue.connection.lpop(queue.queues["default"].key)
            expected = expected[1:]
        elif act < 0.95 and expected:
            removed = chance.choice(expected)
            queue.remove(removed[0])
            expected.remove(removed)
        elif act < 0.96:
            queue.connection.delete(NAMES.key("clients:default"))
        assert queue.waiting() == [one for one, _ in expected]


def test_a_run_that_is_being_appended_takes_no_place_of_another(queue):
    key, other = queue.queues["default"].key, NAMES.job("9" * 64)
    for digest in named("a", 3):
        queue.enqueue(digest, client="anna")
    queue.connection.rpush(key, other)
    queue.connection.hset(Job.key_for(other), "data", "")
    queue.enqueue(ONE, client="anna")
    queue._in_turn((key, Job.key_for(other), NAMES.key("clients:default")), (other, "ben", "rq:job:", 0))

    assert queue.waiting() == [named("a", 3)[0], "9" * 64, *named("a", 3)[1:], ONE]
    assert queue.connection.lrange(NAMES.key("clients:default"), 0, -1) == [b"anna", b"ben", b"anna", b"anna", b"anna"]
