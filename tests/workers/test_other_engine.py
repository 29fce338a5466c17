"""A worker of another engine version among the others: it refuses what is not its own, and loses nothing of it."""

from __future__ import annotations

import fakeredis
import pytest

from shadowtime.workers import rerun, submit, tasks
from shadowtime.workers.papers import kept as paper_results
from shadowtime.workers.papers import parts
from shadowtime.workers.queue import RunQueue
from shadowtime.workers.redis_names import Names
from shadowtime.workers.sweeps import batch, submission
from shadowtime.workers.sweeps.batch import Piece, run_piece
from shadowtime.workers.sweeps.feed import Feed
from shadowtime.workers.sweeps.progress import ProgressCache
from shadowtime.workers.version import engine_version
from tests.workers.papers import tiny
from tests.workers.sweeps.samples import accepted

OTHER = "0.0.9+00000000"
ALL = (tasks, rerun, batch, paper_results)
"""Whoever looks at the version of the worker."""


@pytest.fixture
def queue(store, settings, monkeypatch):
    redis = fakeredis.FakeRedis(server=fakeredis.FakeServer())
    monkeypatch.setattr(tasks, "environment", lambda: (settings, store))
    for room in (tasks, parts):
        monkeypatch.setattr(room, "connect", lambda url, timeout: redis)
    return RunQueue(redis, Names(store.identity))


@pytest.fixture
def elsewhere(monkeypatch):
    """`elsewhere(task, id)`: what a worker of the other version does with it."""

    def act(task, *args):
        with monkeypatch.context() as other:
            for room in ALL:
                other.setattr(room, "engine_version", lambda: OTHER)
            return task(*args)

    return act


@pytest.fixture
def run(store, queue) -> str:
    entry, _ = store.workloads.generate("uniform", {"jobs": 20}, 1)
    return submit.accept(store, queue, {"workload": entry.id, "algorithm": "easy"})[0].digest


def test_a_run_fails_in_a_sentence_and_is_run_by_the_next_right_worker(store, queue, run, elsewhere):
    assert elsewhere(tasks.run_task, run) == "failed"
    said = store.runs.get(run).status
    assert said.error == (f"queued for engine {engine_version()}, but this worker has {OTHER}: submit it again")
    assert store.runs.accept(store.runs.get(run).spec, jobs=20)
    assert tasks.run_task(run) == "finished"


def test_a_rerun_fails_in_a_sentence_and_leaves_the_run_alone(store, queue, run, elsewhere):
    tasks.run_task(run)
    store.reruns.request(run)

    assert elsewhere(tasks.run_task, run) == "finished"
    assert store.reruns.get(run).error == f"made by engine {engine_version()}, but this worker has {OTHER}"
    store.reruns.request(run)
    tasks.run_task(run)
    assert store.reruns.get(run).status == "finished"


def test_runs_of_a_sweep_fail_in_a_sentence_and_can_be_tried_again(store, queue, settings, elsewhere):
    sweep = accepted(store, queue, seeds=[1], loads=[0.5])

    def work():
        for piece in queue.waiting():
            queue.remove(piece)
            yield run_piece, Piece.parse(piece), settings, store

    for step in work():
        elsewhere(*step)
    outcomes = ProgressCache(store).get(store.sweeps.get(sweep.id)).outcomes
    assert outcomes.counts()["failed"] == 2
    assert {outcomes.of(index)["error"] for index in outcomes.failed()} == {
        f"queued for engine {engine_version()}, but this worker has {OTHER}: submit it again"
    }
    submission.retry(store, queue, sweep.id)
    for task, *args in work():
        task(*args)
    Feed(store, queue).scan()
    assert store.sweeps.get(sweep.id).status.counts["finished"] == 2


def test_a_part_of_a_paper_is_left_to_the_right_workers(store, queue, settings, elsewhere):
    tiny.register()
    try:
        parts.submit(store, queue, "tiny", "quick")
        [part] = queue.waiting()
        queue.remove(part)

        assert elsewhere(tasks.part_task, part) == "nothing to do"
        assert parts.Parts(store, queue).scan() == [part]
        assert tasks.part_task(part) == "finished"
    finally:
        tiny.forget()
