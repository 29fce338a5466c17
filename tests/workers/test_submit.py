"""The one path from a question to an accepted run."""

from __future__ import annotations

import io
from unittest.mock import Mock

import pytest

from shadowtime.engine.errors import InvalidParameter, InvalidPlatform, InvalidWorkload, QuestionError, UnknownName
from shadowtime.workers import submit
from shadowtime.workers.admission import Limits
from shadowtime.workers.connection import connect
from shadowtime.workers.errors import Conflict, NotFound, QueueAway, TooMuch
from shadowtime.workers.estimates import START, expected_seconds, turns
from shadowtime.workers.queue import RunQueue
from shadowtime.workers.redis_names import Names
from tests.workers.samples import FOUR_DIGEST

FOUR = {"workload": FOUR_DIGEST[:16], "algorithm": "easy"}


@pytest.fixture
def store(four_store):
    return four_store


def test_an_accepted_question_is_stored_and_queued(store, queue):
    spec, is_new = submit.accept(store, queue, FOUR)
    status = store.runs.get(spec.id).status

    assert is_new
    assert (status.status, status.progress["jobs"]) == ("queued", 4)
    assert queue.waiting() == [spec.digest]
    assert queue.position(spec.digest) == 0


def test_the_published_example_has_its_published_id(store, queue, monkeypatch):
    monkeypatch.setattr("shadowtime.workers.spec.engine_version", lambda: "0.1.0")

    assert submit.accept(store, queue, FOUR)[0].id == "13189c2c62a84589"


def test_the_same_question_is_found_and_queued_once(store, queue):
    first, _ = submit.accept(store, queue, FOUR)
    again, is_new = submit.accept(
        store, queue, {**FOUR, "seed": 0, "parameters": {"extra": "all"}, "conversions": [], "estimates": "requested"}
    )

    assert (again, is_new) == (first, False)
    assert queue.waiting() == [first.digest]


@pytest.mark.parametrize("end", ["failed", "cancelled"])
def test_one_that_failed_or_was_cancelled_is_queued_again(store, queue, end):
    spec, _ = submit.accept(store, queue, FOUR)
    if end == "failed":
        store.runs.fail(spec.digest, "it went wrong")
        queue.remove(spec.digest)
    else:
        submit.cancel(store, queue, spec.id)
    gone = queue.waiting()
    _, is_new = submit.accept(store, queue, FOUR)

    assert gone == []
    assert is_new
    assert queue.waiting() == [spec.digest]
    assert store.runs.get(spec.id).status.status == "queued"


def test_a_higher_priority_goes_first(store, queue):
    digests = [
        submit.accept(store, queue, {**FOUR, "seed": seed, "priority": priority})[0].digest
        for seed, priority in enumerate(["low", None, "high", "default"])
    ]

    assert queue.waiting() == [digests[2], digests[1], digests[3], digests[0]]


def test_conversions_and_platform_are_part_of_the_question(store, queue):
    spec, _ = submit.accept(
        store,
        queue,
        {**FOUR, "conversions": [{"name": "LOAD", "parameters": {"rho": 1}}], "platform": {"processors": 8}},
    )

    assert [dict(conversion) for conversion in spec.conversions] == [
        {"name": "load", "parameters": {"processors": 0, "rho": 1.0}}
    ]
    assert spec.platform == {"processors": 8}


def test_a_case_is_named_behind_the_id(store, queue):
    cases = b'{"kind": "rigid", "cases": [{"name": "a", "processors": 4, "jobs": [{"runtime": 5, "processors": 2}]}]}'
    entry, _ = store.workloads.add(io.BytesIO(cases), "cases.json")
    spec, _ = submit.accept(store, queue, {**FOUR, "workload": f"{entry.id}#a"})

    assert spec.workload == {"digest": entry.digest, "case": "a"}
    with pytest.raises(UnknownName):
        submit.accept(store, queue, {**FOUR, "workload": f"{entry.id}#b"})
    with pytest.raises(InvalidWorkload):
        submit.accept(store, queue, {**FOUR, "workload": f"{FOUR_DIGEST}#a"})


@pytest.mark.parametrize(
    ("changes", "error", "words"),
    [
        ({"workload": "0" * 16}, NotFound, "no workload '0000000000000000' is known here"),
        ({"workload": "../../etc/passwd"}, NotFound, "no workload"),
        ({"workload": None}, InvalidParameter, "workload must be given"),
        ({"workload": 7}, InvalidParameter, "workload must be given"),
        ({"algorithm": "eazy"}, UnknownName, "unknown algorithm 'eazy'; known: "),
        ({"algorithm": ""}, InvalidParameter, "algorithm must be given"),
        ({"parameters": ["extra"]}, InvalidParameter, "parameters must be an object"),
        ({"parameters": {"extra": "none"}}, InvalidParameter, "extra = 'none'"),
        ({"conversions": "week"}, InvalidParameter, "conversions must be a list"),
        ({"conversions": ["smooth"]}, UnknownName, "unknown conversion 'smooth'"),
        ({"conversions": [{"name": "week", "parameters": {"k": 9}}]}, QuestionError, "no job of four.swf"),
        ({"platform": "10"}, InvalidParameter, "platform must be an object"),
        ({"platform": {"processors": 0}}, InvalidPlatform, "processors = 0, but 1 is the least"),
        ({"estimates": "guessed"}, InvalidParameter, "guessed"),
        ({"estimates": 1}, InvalidParameter, "estimates must be a text"),
        ({"seed": "x"}, InvalidParameter, "seed = 'x'"),
        ({"seed": -1}, InvalidParameter, "seed"),
        ({"priority": "urgent"}, InvalidParameter, "priority = 'urgent', but it must be one of high, default, low"),
        ({"colour": "blue"}, InvalidParameter, "unknown key 'colour' of a run; known: workload, algorithm"),
        ({"parameters": {"extra": float("nan")}}, QuestionError, "values that JSON cannot hold"),
    ],
)
def test_a_wrong_question_is_one_sentence_and_nothing_is_stored(store, queue, changes, error, words):
    with pytest.raises(error) as refusal:
        submit.accept(store, queue, {**FOUR, **changes})

    assert words in str(refusal.value)
    assert not store.runs.list().rows
    assert not queue.waiting()


def test_a_deleted_workload_is_unknown_though_it_was_asked_of_before(store, queue):
    spec, _ = submit.accept(store, queue, FOUR)
    submit.cancel(store, queue, spec.id)
    store.runs.delete(spec.id)
    store.workloads.delete(FOUR_DIGEST)

    with pytest.raises(NotFound):
        submit.accept(store, queue, FOUR)


def test_a_client_has_so_many_unfinished_runs_and_no_more(store, queue):
    for seed in (1, 2):
        submit.accept(store, queue, {**FOUR, "seed": seed}, client="10.0.0.7", limits=Limits(runs=2))
    with pytest.raises(TooMuch, match="2 of your runs may be queued or running"):
        submit.accept(store, queue, {**FOUR, "seed": 3}, client="10.0.0.7", limits=Limits(runs=2))

    found = submit.accept(store, queue, {**FOUR, "seed": 1}, client="10.0.0.7", limits=Limits(runs=2))
    assert not found[1], "found costs nothing"
    assert submit.accept(store, queue, {**FOUR, "seed": 3}, client="10.0.0.8", limits=Limits(runs=2))[1]


def test_without_redis_a_question_is_accepted_and_taken_back(store, free_port):
    away = RunQueue(connect(f"redis://127.0.0.1:{free_port}/0"), Names(store.identity))
    first, is_new = submit.accept(store, away, FOUR)
    second, _ = submit.accept(store, away, {**FOUR, "seed": 2})
    status = submit.cancel(store, away, second.id)

    assert is_new
    assert store.runs.get(first.id).status.status == "queued"
    assert status.status == "cancelled"
    assert away.health().as_dict() == {"redis": False, "workers": 0, "waiting": 0, "start": None}
    with pytest.raises(QueueAway, match="saved runs resume when it is back"):
        away.waiting()


def test_a_run_that_is_asked_for_again_while_it_is_cancelled_goes_on(store, queue):
    spec, _ = submit.accept(store, queue, FOUR)
    store.runs.begin(spec.digest)
    submit.cancel(store, queue, spec.id)
    assert store.runs.is_cancel_requested(spec.digest)

    _, is_new = submit.accept(store, queue, FOUR)

    assert not is_new
    assert not store.runs.is_cancel_requested(spec.digest)
    assert not store.runs.cancelled(spec.digest)
    assert store.runs.get(spec.digest).status.status == "running"


def test_what_has_ended_or_is_unknown_cannot_be_taken_back(store, queue):
    spec, _ = submit.accept(store, queue, FOUR)
    submit.cancel(store, queue, spec.id)

    with pytest.raises(Conflict, match="has been cancelled already"):
        submit.cancel(store, queue, spec.id)
    with pytest.raises(NotFound):
        submit.cancel(store, queue, "0" * 16)


def test_waiting_runs_start_after_those_ahead(store, queue):
    digests = [submit.accept(store, queue, {**FOUR, "seed": seed})[0].digest for seed in range(3)]
    store.runs.begin(digests[0])
    queue.remove(digests[0])

    assert list(turns(store, queue)) == digests[1:]
    assert turns(store, queue)[digests[1]] == (1, pytest.approx(START, rel=0.01))
    assert turns(store, queue)[digests[2]] == (2, pytest.approx(2 * START, rel=0.01))
    assert expected_seconds(store, "easy", 200_000) == pytest.approx(1.75)


def test_a_waiting_run_starts_on_the_worker_that_is_free_first(store, queue, monkeypatch):
    """Two workers, with 100 s and 10 s of work left: the next run starts in 10 s, not in the mean of both."""
    digests = [submit.accept(store, queue, {**FOUR, "seed": seed})[0].digest for seed in range(4)]
    for digest, left in zip(digests, (100.0, 10.0), strict=False):
        status = store.runs.begin(digest)
        store.runs.report(digest, status.attempt, {**status.progress, "seconds_left": left})
        queue.remove(digest)
    monkeypatch.setattr(queue, "health", lambda: Mock(workers=2))

    first, second = (turns(store, queue)[digest] for digest in digests[2:])
    assert first == (1, pytest.approx(10.0)) and second == (2, pytest.approx(10.0 + START, rel=0.01))
    monkeypatch.setattr(queue, "health", lambda: Mock(workers=1))
    assert turns(store, queue)[digests[2]] == (1, pytest.approx(110.0))
