"""A worker of another engine version: it takes no work of the laboratory, and refuses what is not its own."""

from __future__ import annotations

import fakeredis
import pytest
from rq.exceptions import StopRequested

from shadowtime.workers import laboratory, recover, rerun, submit, tasks
from shadowtime.workers.kinds import RUN
from shadowtime.workers.papers import kept as paper_results
from shadowtime.workers.papers import parts
from shadowtime.workers.queue import SERIALIZER, RunQueue
from shadowtime.workers.records import facts
from shadowtime.workers.records.database import DatabaseAway
from shadowtime.workers.redis_names import Names
from shadowtime.workers.sweeps import batch, submission
from shadowtime.workers.sweeps.batch import Piece, run_piece
from shadowtime.workers.sweeps.feed import Feed
from shadowtime.workers.sweeps.progress import ProgressCache
from shadowtime.workers.version import engine_version
from shadowtime.workers.worker import RunWorker
from tests.workers.papers import tiny
from tests.workers.sweeps.samples import accepted

OTHER = "0.0.9+00000000"
ALL = (tasks, rerun, batch, paper_results)
"""Those that look at the version of the worker."""


@pytest.fixture
def queue(store, settings, monkeypatch):
    redis = fakeredis.FakeRedis(server=fakeredis.FakeServer())
    monkeypatch.setattr(tasks, "environment", lambda: (settings, store))
    monkeypatch.setattr(tasks, "connection_to", lambda url: redis)
    monkeypatch.setattr(parts, "connect", lambda url, timeout: redis)
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


@pytest.fixture
def stranger(store, settings, queue, monkeypatch):
    """A worker of the other version, in this process."""
    monkeypatch.setattr(laboratory, "engine_version", lambda: OTHER)
    made = RunWorker(store, queue.connection, settings)
    made.run_queue, made.handlers = queue, {RUN: recover.Recovery(store, queue)}
    return made


def test_a_laboratory_without_a_web_process_takes_every_worker(store, settings, stranger):
    laboratory.check(store, settings)
    stranger.run_maintenance_tasks()

    assert not stranger.is_refused()


def test_a_worker_of_another_engine_does_not_start(store, settings, monkeypatch):
    laboratory.record(store, settings)
    laboratory.check(store, settings)
    monkeypatch.setattr(laboratory, "engine_version", lambda: OTHER)

    with pytest.raises(laboratory.Misfit) as refusal:
        laboratory.wait(store, settings, 0.0)
    assert str(refusal.value) == (
        f"the laboratory has engine {engine_version()}, but this worker has {OTHER}: "
        "install the same version of Shadowtime"
    )


def test_a_worker_waits_at_its_start_for_a_web_process_of_its_version(store, settings, monkeypatch):
    with monkeypatch.context() as before:
        before.setattr(laboratory, "engine_version", lambda: OTHER)
        laboratory.record(store, settings)
    monkeypatch.setattr(laboratory.time, "sleep", lambda seconds: laboratory.record(store, settings))

    laboratory.wait(store, settings)


def test_a_worker_ends_when_the_laboratory_gets_another_engine(store, stranger):
    stranger.run_maintenance_tasks()
    facts.record(store.database, laboratory.ENGINE, engine_version())

    with pytest.raises(StopRequested):
        stranger.run_maintenance_tasks()
    assert isinstance(stranger.refusal, laboratory.Misfit)


def test_a_worker_that_executes_a_run_meanwhile_ends_after_it(store, stranger):
    facts.record(store.database, laboratory.ENGINE, engine_version())
    stranger._horse_pid = 1
    stranger.run_maintenance_tasks()

    assert stranger.refusal is None


def test_a_run_that_it_has_taken_already_is_left_to_the_others(store, queue, run, stranger):
    facts.record(store.database, laboratory.ENGINE, engine_version())
    taken = queue.queues["default"].dequeue_any(
        list(queue.queues.values()), None, queue.connection, serializer=SERIALIZER
    )
    with pytest.raises(StopRequested):
        stranger.execute_job(*taken)
    clock = iter((0.0, 2.0))
    right = recover.Recovery(store, queue, lambda: next(clock))

    assert store.runs.get(run).status.status == "queued" and queue.waiting() == []
    assert right.scan() == [] and right.scan() == [run] == queue.waiting()


def test_an_unknown_engine_refuses_nobody(stranger, monkeypatch):
    def away(store, settings):
        raise DatabaseAway("the database does not answer")

    monkeypatch.setattr(laboratory, "check", away)

    assert not stranger.is_refused()
