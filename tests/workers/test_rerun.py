"""The same question once more: the same bits, or the tables that differ are named."""

from __future__ import annotations

import io
from dataclasses import replace

import numpy as np
import pytest

from shadowtime.workers import rerun, tasks
from shadowtime.workers.errors import QueueAway, TooMuch
from shadowtime.workers.execute import execute, load_workload
from shadowtime.workers.records.links import LinkedRun
from shadowtime.workers.settings import Settings
from shadowtime.workers.spec import RunSpec
from shadowtime.workers.store import open_store
from tests.conftest import FOUR_SWF

NAMES = ("jobs", "segments", "events", "series", "rates")


class Quiet:
    """A queue that remembers what it was given; `lost` is true when no worker holds anything."""

    connection = None

    def __init__(self):
        self.given: list[str] = []
        self.lost = False

    def enqueue(self, digest, priority="default", client=None):
        self.given.append(digest)
        raise QueueAway  # it goes no further; the store has it

    def held(self, digests):
        return set() if self.lost else set(digests)


@pytest.fixture
def store(tmp_path):
    return open_store(tmp_path / "store")


@pytest.fixture
def worker(store, monkeypatch):
    """What a worker does with a digest that the queue gave it."""
    monkeypatch.setattr(
        tasks, "environment", lambda: (Settings(store=store.path, redis_url="redis://127.0.0.1:1"), store)
    )
    return tasks.run_task


def finished(store, spoil=False, **more) -> LinkedRun:
    entry, _ = store.workloads.add(io.BytesIO(FOUR_SWF.encode()), "four.swf")
    spec = replace(RunSpec.of(store.workloads.load(entry.digest), "easy"), **more)
    store.runs.accept(spec, jobs=4)
    status = store.runs.begin(spec.digest)
    outcome = execute(spec, load_workload(spec, store))
    tables = {name: dict(getattr(outcome.schedule, name)) for name in NAMES}
    if spoil:
        tables["segments"]["end"] = np.nextafter(tables["segments"]["end"], np.inf)
    store.runs.finish(spec.digest, status.attempt, tables, outcome.summary)
    return rerun.linked(store, store.runs.get(spec.digest))


def test_a_rerun_gives_the_same_bits_and_leaves_the_run_alone(store, worker):
    kept, queue = finished(store), Quiet()
    before = store.runs.get(kept.id).status

    assert rerun.answer_of(store, queue, kept).status is None
    assert rerun.request(store, queue, kept).status == "queued" and queue.given == [kept.digest]
    assert worker(kept.digest) == "finished"

    answer = rerun.answer_of(store, queue, kept)
    assert (answer.id, answer.status, answer.same, answer.differs) == (kept.id, "finished", True, ())
    assert store.runs.get(kept.id).status == before


def test_one_bit_in_one_table_is_found_and_named(store, worker):
    kept, queue = finished(store, spoil=True), Quiet()
    rerun.request(store, queue, kept)
    worker(kept.digest)

    answer = rerun.answer_of(store, queue, kept)
    assert (answer.status, answer.same, answer.differs) == ("finished", False, ("segments",))


def test_a_run_of_another_engine_is_asked_of_this_one(store, worker):
    kept, queue = finished(store, engine_version="0.0.9+00000000"), Quiet()
    asked = rerun.request(store, queue, kept)

    assert asked.id != kept.id and (asked.made_by, asked.status) == ("0.0.9+00000000", "queued")
    worker(store.runs.get(asked.id).digest)
    assert rerun.answer_of(store, queue, kept).same is True


def test_a_deleted_run_is_computed_and_compared_with_what_the_link_kept(store, worker):
    kept, queue = finished(store), Quiet()
    store.runs.delete(kept.id)
    asked = rerun.request(store, queue, kept)

    assert (asked.id, asked.status, asked.same) == (kept.id, "queued", None)
    worker(kept.digest)
    assert rerun.answer_of(store, queue, kept).same is True


def test_a_link_to_a_run_that_had_not_finished_has_nothing_to_compare_with(store, worker):
    kept, queue = replace(finished(store, engine_version="0.0.9+00000000"), tables={}), Quiet()
    asked = rerun.request(store, queue, kept)
    worker(store.runs.get(asked.id).digest)

    answer = rerun.answer_of(store, queue, kept)
    assert (answer.status, answer.same) == ("finished", None)


def test_a_rerun_that_fails_says_why(store, worker, monkeypatch):
    kept, queue = finished(store), Quiet()
    rerun.request(store, queue, kept)
    monkeypatch.setattr(rerun, "execute", lambda *_, **__: (_ for _ in ()).throw(MemoryError()))
    worker(kept.digest)

    answer = rerun.answer_of(store, queue, kept)
    assert (answer.status, answer.same) == ("failed", None) and "more memory" in answer.error
    assert store.runs.get(kept.id).status.is_finished


def test_a_lost_rerun_is_queued_again_and_given_up_after_three_attempts(store):
    kept, queue = finished(store), Quiet()
    rerun.request(store, queue, kept)
    queue.lost = True

    assert [rerun.answer_of(store, queue, kept).status for _ in range(4)] == ["queued", "queued", "failed", "failed"]
    assert len(queue.given) == 3
    assert rerun.request(store, queue, kept).status == "queued"


def test_a_lost_rerun_is_queued_again_by_a_scan(store):
    kept, queue, now = finished(store), Quiet(), [0.0]
    rerun.request(store, queue, kept)
    scanner = rerun.RerunFeed(store, queue, lambda: now[0])
    assert scanner.scan() == [] and len(queue.given) == 1, "a worker may hold it"

    queue.lost = True
    for now[0] in (10.0, 12.0):
        assert scanner.scan() == [], "a worker may just be taking it"
    for now[0] in (13.0, 14.0, 15.0):
        assert scanner.scan() == [kept.digest]
    assert len(queue.given) == 3 and store.reruns.get(kept.digest).status == "failed"
    assert scanner.scan() == []


def test_a_rerun_goes_with_its_run(store):
    kept, queue = finished(store), Quiet()
    rerun.request(store, queue, kept)
    store.runs.delete(kept.id)

    assert store.reruns.waiting() == 0 and store.reruns.get(kept.digest) is None


def test_only_so_many_wait_at_once(store, monkeypatch):
    kept, queue = finished(store), Quiet()
    monkeypatch.setattr(rerun, "MOST_WAITING", 0)

    with pytest.raises(TooMuch, match="0 re-runs wait"):
        rerun.request(store, queue, kept)


def test_digests_tell_names_types_and_every_bit():
    table = {"b": np.array([1.0, 2.0]), "a": np.array([1, 2])}
    same = rerun.digest_of({name: table[name] for name in ("a", "b")})

    assert rerun.digest_of(table) == same
    others = [
        {"a": table["a"], "c": table["b"]}, {"a": table["a"].astype("i4"), "b": table["b"]},
        {"a": table["a"], "b": -table["b"]}, {"a": table["a"][:1], "b": table["b"][:1]}, {},
    ]  # fmt: skip
    assert len({rerun.digest_of(other) for other in others} | {same}) == 6
