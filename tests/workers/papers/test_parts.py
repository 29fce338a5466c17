"""Recomputing on the workers: shared cells, a worker that is killed, and what is said of it."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time

import fakeredis
import pytest

from shadowtime.workers.errors import Conflict, NotFound
from shadowtime.workers.kinds import kind_of
from shadowtime.workers.papers import parts
from shadowtime.workers.papers.kept import study_of
from shadowtime.workers.papers.packed import packed
from shadowtime.workers.papers.parts import LATER, LOST, Part, Parts
from shadowtime.workers.papers.share import Share, ShiftOver
from shadowtime.workers.queue import RunQueue
from shadowtime.workers.records import schema
from shadowtime.workers.records.database import DatabaseAway
from shadowtime.workers.records.papers import CANCELLED, FAILED, FINISHED, QUEUED, Study
from shadowtime.workers.redis_names import Names
from shadowtime.workers.settings import Settings
from tests.workers.lab import ROOT, Lab, wait_for
from tests.workers.papers import tiny


@pytest.fixture(autouse=True)
def tiny_study():
    tiny.register()
    yield
    tiny.forget()


@pytest.fixture
def queue(store):
    return RunQueue(fakeredis.FakeRedis(), Names(store.identity))


@pytest.fixture
def settings(tmp_path, monkeypatch, queue):
    monkeypatch.setattr(parts, "connect", lambda url, timeout: queue.connection)
    monkeypatch.setenv("SHADOWTIME_STORE", str(tmp_path))
    return Settings(store=tmp_path)


def test_a_part_has_an_id_that_says_all():
    part = Part("tiny", "quick", 3)

    assert Part.parse(part.id) == part and kind_of(part.id).task == "shadowtime.workers.tasks.part_task"
    for text in (
        "paper-unknown-quick-0",
        "paper-tiny-huge-0",
        "paper-tiny-quick-x",
        "paper-tiny-quick-\u00b2",
        "0" * 64,
    ):
        with pytest.raises(NotFound):
            Part.parse(text)


def test_asked_twice_is_asked_once(store, settings, queue):
    status, is_new = parts.submit(store, queue, "tiny", "quick")
    again, is_newer = parts.submit(store, queue, "tiny", "quick")

    assert (status.status, is_new, is_newer) == (QUEUED, True, False) and again == status
    assert queue.waiting() == ["paper-tiny-quick-0"]


def test_a_part_does_all_that_is_left(store, settings, queue):
    parts.submit(store, queue, "tiny", "quick")
    study = study_of(store.papers, "tiny", "quick")

    assert parts.run_part("paper-tiny-quick-0", settings, store) == FINISHED
    assert study.status().status == FINISHED and study.result()["cells"] == tiny.CELLS
    assert not study.known() and parts.run_part("paper-tiny-quick-0", settings, store) == "nothing to do"


def test_what_fails_is_said_in_one_sentence(store, settings, queue):
    parts.submit(store, queue, "failing", "quick")

    assert parts.run_part("paper-failing-quick-0", settings, store) == FAILED
    assert study_of(store.papers, "failing", "quick").status().error == "internal error (ValueError)"


def test_a_stopped_study_goes_on_where_it_was(store, settings, queue, monkeypatch):
    parts.submit(store, queue, "tiny", "quick")
    study = study_of(store.papers, "tiny", "quick")
    monkeypatch.setattr("shadowtime.workers.papers.share.REPORT_EVERY", 0.0)
    share = Share(study, queue, 0, lambda: len(study.known()) >= 7, warmed=True)
    with share, pytest.raises(ShiftOver):
        share.run(tiny.slow_square, range(20), lambda sentence: None)
    assert parts.cancel(store, "tiny", "quick").status == CANCELLED
    with pytest.raises(Conflict):
        parts.cancel(store, "tiny", "quick")

    assert parts.submit(store, queue, "tiny", "quick")[1]
    assert len(study.known()) == 7 and study.progress()["done"] == 0


def test_a_worker_steps_aside_for_a_run_that_waits(store, settings, queue, monkeypatch):
    monkeypatch.setattr(parts, "SHORTEST_SHIFT", -1.0)
    monkeypatch.setattr("shadowtime.workers.papers.share.REPORT_EVERY", 0.0)
    parts.submit(store, queue, "tiny", "quick")
    queue.enqueue("0" * 64)

    assert parts.run_part("paper-tiny-quick-0", settings, store) == "shift over"
    queue.remove("0" * 64)
    assert parts.run_part("paper-tiny-quick-0", settings, store) == FINISHED


def test_a_part_that_nobody_holds_is_queued_again(store, settings, queue):
    parts.submit(store, queue, "tiny", "quick")
    now = [0.0]
    look = Parts(store, queue, clock=lambda: now[0])
    assert look.scan() == []
    queue.remove("paper-tiny-quick-0")

    assert look.scan() == ["paper-tiny-quick-0"] and queue.waiting() == ["paper-tiny-quick-0"]


def test_a_study_that_kills_its_workers_fails(store, settings, queue):
    parts.submit(store, queue, "tiny", "quick")
    look = Parts(store, queue)
    for _ in range(parts.MOST_LOST):
        look.lost("paper-tiny-quick-0")

    assert study_of(store.papers, "tiny", "quick").status().error == LOST


def test_a_damaged_answer_is_computed_again(store, settings, queue):
    parts.submit(store, queue, "tiny", "quick")
    study = study_of(store.papers, "tiny", "quick")
    with Share(study, queue, 0, lambda: False, warmed=True) as share:
        first = share.run(tiny.slow_square, range(20), lambda sentence: None)
        with store.database.write() as connection:
            altered = schema.cells.update().where(schema.cells.c.key.in_(sorted(study.known())[:3]))
            connection.execute(altered.values(answer='{"seconds": 0.0, "value": 7.0}'))

        assert share.run(tiny.slow_square, range(20), lambda sentence: None) == first
    assert len(study.known()) == 20


def test_a_cell_that_another_worker_ended_just_before_the_claim_is_not_run_again(
    store, settings, queue, monkeypatch, tmp_path
):
    parts.submit(store, queue, "tiny", "quick")
    study, claim = study_of(store.papers, "tiny", "quick"), Share._claim

    def late(share, key):
        study.keep(key, 0.0, packed(49.0))
        return claim(share, key)

    monkeypatch.setattr(Share, "_claim", late)
    monkeypatch.setenv("SHADOWTIME_TEST_CALLS", str(tmp_path / "calls"))
    with Share(study, queue, 0, lambda: False, warmed=True) as share:
        assert share.run(tiny.slow_square, [7], lambda sentence: None) == [49.0]
    assert not (tmp_path / "calls").exists()


def test_a_study_that_another_worker_finished_meanwhile_is_left(store, settings, queue):
    parts.submit(store, queue, "tiny", "quick")
    study = study_of(store.papers, "tiny", "quick")

    def finishing(cell):
        if cell == 9:
            study.finish({"made": "2025"})
        return tiny.slow_square(cell)

    share = Share(study, queue, 0, lambda: not study.status().is_unfinished, warmed=True)
    with share, pytest.raises(ShiftOver):
        share.run(finishing, range(10), lambda sentence: None)


def test_a_part_waits_for_a_database_that_is_away(store, settings, queue, monkeypatch):
    parts.submit(store, queue, "tiny", "quick")
    part, look = "paper-tiny-quick-0", Parts(store, queue, clock=lambda: 10.0)
    queue.remove(part)

    def away(study, *rest):
        raise DatabaseAway("the database does not answer")

    for method in ("keep", "lose", "status"):
        with monkeypatch.context() as outage:
            outage.setattr(Study, method, away)
            if method != "lose":
                assert parts.run_part(part, settings, store) == LATER
            look.left(part)
            look.lost(part)
    assert study_of(store.papers, "tiny", "quick").status().is_unfinished
    queue.remove(part)
    assert look.scan() == [part] and parts.run_part(part, settings, store) == FINISHED


def start(lab: Lab) -> subprocess.Popen:
    calls = {"SHADOWTIME_TEST_CALLS": str(lab.folder / "calls")}
    command = [sys.executable, "-m", "tests.workers.papers.tiny"]
    worker = subprocess.Popen(command, cwd=ROOT, env={**lab.environment(), **calls}, start_new_session=True)
    lab.workers.append(worker)
    return worker


@pytest.mark.integration
def test_two_workers_share_a_study_and_one_may_be_killed(lab):
    workers = [start(lab), start(lab)]
    wait_for(lambda: lab.queue.health().workers == 2, "workers", 60.0)
    study = study_of(lab.store.papers, "tiny", "full")
    parts.submit(lab.store, lab.queue, "tiny", "full")
    wait_for(lambda: len(study.known()) > 8, "answers")
    os.kill(workers[0].pid, signal.SIGKILL)
    wait_for(lambda: study.status().status == FINISHED, "result", 60.0)
    calls = (lab.folder / "calls").read_text().split()

    assert study.result()["cells"] == tiny.CELLS and study.result()["workers"] == 2
    assert len(calls) <= tiny.CELLS + 1, "a cell that was answered is not run again"
    wait_for(lambda: lab.queue.waiting() == [], "empty queue")


@pytest.mark.integration
def test_a_study_outlives_its_only_worker_and_redis(lab):
    first = start(lab)
    wait_for(lambda: lab.queue.health().workers == 1, "worker", 60.0)
    study = study_of(lab.store.papers, "tiny", "quick")
    parts.submit(lab.store, lab.queue, "tiny", "quick")
    wait_for(lambda: len(study.known()) > 4, "answers")
    os.kill(first.pid, signal.SIGKILL)
    first.wait()
    lab.kill_redis()
    lab.start_redis()
    time.sleep(0.1)
    start(lab)

    wait_for(lambda: study.status().status == FINISHED, "result", 60.0)
    assert len((lab.folder / "calls").read_text().split()) <= tiny.CELLS + 2
