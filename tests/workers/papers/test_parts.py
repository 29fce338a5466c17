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
from shadowtime.workers.papers.kept import CANCELLED, FAILED, FINISHED, QUEUED, Place
from shadowtime.workers.papers.parts import LOST, Part, Parts
from shadowtime.workers.papers.share import Share, ShiftOver
from shadowtime.workers.queue import RunQueue
from shadowtime.workers.settings import Settings
from tests.workers.lab import ROOT, Lab, wait_for
from tests.workers.papers import tiny
from tests.workers.samples import NAMES


@pytest.fixture(autouse=True)
def tiny_study():
    tiny.register()
    yield
    tiny.forget()


@pytest.fixture
def queue():
    return RunQueue(fakeredis.FakeRedis(), NAMES)


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


def test_asked_twice_is_asked_once(settings, queue):
    status, is_new = parts.submit(settings.store, queue, "tiny", "quick")
    again, is_newer = parts.submit(settings.store, queue, "tiny", "quick")

    assert (status.status, is_new, is_newer) == (QUEUED, True, False) and again == status
    assert queue.waiting() == ["paper-tiny-quick-0"]


def test_a_part_does_all_that_is_left(settings, queue):
    parts.submit(settings.store, queue, "tiny", "quick")
    place = Place(settings.store, "tiny", "quick")

    assert parts.run_part("paper-tiny-quick-0", settings, NAMES) == FINISHED
    assert place.status().status == FINISHED and place.result()["cells"] == tiny.CELLS
    assert not place.cells.exists() and parts.run_part("paper-tiny-quick-0", settings, NAMES) == "nothing to do"


def test_what_fails_is_said_in_one_sentence(settings, queue):
    parts.submit(settings.store, queue, "failing", "quick")

    assert parts.run_part("paper-failing-quick-0", settings, NAMES) == FAILED
    assert Place(settings.store, "failing", "quick").status().error == "internal error (ValueError)"


def test_a_stopped_study_goes_on_where_it_was(settings, queue, monkeypatch):
    parts.submit(settings.store, queue, "tiny", "quick")
    place = Place(settings.store, "tiny", "quick")
    monkeypatch.setattr("shadowtime.workers.papers.share.REPORT_EVERY", 0.0)
    share = Share(place, queue, 0, lambda: len(place.known()) >= 7, warmed=True)
    with share, pytest.raises(ShiftOver):
        share.run(tiny.slow_square, range(20), lambda sentence: None)
    assert parts.cancel(settings.store, "tiny", "quick").status == CANCELLED
    with pytest.raises(Conflict):
        parts.cancel(settings.store, "tiny", "quick")

    assert parts.submit(settings.store, queue, "tiny", "quick")[1]
    assert len(place.known()) == 7 and place.progress()["done"] == 0


def test_a_worker_steps_aside_for_a_run_that_waits(settings, queue, monkeypatch):
    monkeypatch.setattr(parts, "SHORTEST_SHIFT", -1.0)
    monkeypatch.setattr("shadowtime.workers.papers.share.REPORT_EVERY", 0.0)
    parts.submit(settings.store, queue, "tiny", "quick")
    queue.enqueue("0" * 64)

    assert parts.run_part("paper-tiny-quick-0", settings, NAMES) == "shift over"
    queue.remove("0" * 64)
    assert parts.run_part("paper-tiny-quick-0", settings, NAMES) == FINISHED


def test_a_part_that_nobody_holds_is_queued_again(settings, queue):
    parts.submit(settings.store, queue, "tiny", "quick")
    now = [0.0]
    look = Parts(settings.store, queue, clock=lambda: now[0])
    assert look.scan() == []
    queue.remove("paper-tiny-quick-0")

    assert look.scan() == ["paper-tiny-quick-0"] and queue.waiting() == ["paper-tiny-quick-0"]


def test_a_study_that_kills_its_workers_fails(settings, queue):
    parts.submit(settings.store, queue, "tiny", "quick")
    look = Parts(settings.store, queue)
    for _ in range(parts.MOST_LOST):
        look.lost("paper-tiny-quick-0")

    assert Place(settings.store, "tiny", "quick").status().error == LOST


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
    place = Place(lab.folder / "store", "tiny", "full")
    parts.submit(place.store, lab.queue, "tiny", "full")
    wait_for(lambda: len(place.known()) > 8, "answers")
    os.kill(workers[0].pid, signal.SIGKILL)
    wait_for(lambda: place.status().status == FINISHED, "result", 60.0)
    calls = (lab.folder / "calls").read_text().split()

    assert place.result()["cells"] == tiny.CELLS and place.result()["workers"] == 2
    assert len(calls) <= tiny.CELLS + 1, "a cell that was answered is not run again"
    wait_for(lambda: lab.queue.waiting() == [], "empty queue")


@pytest.mark.integration
def test_a_study_outlives_its_only_worker_and_redis(lab):
    first = start(lab)
    wait_for(lambda: lab.queue.health().workers == 1, "worker", 60.0)
    place = Place(lab.folder / "store", "tiny", "quick")
    parts.submit(place.store, lab.queue, "tiny", "quick")
    wait_for(lambda: len(place.known()) > 4, "answers")
    os.kill(first.pid, signal.SIGKILL)
    first.wait()
    lab.kill_redis()
    lab.start_redis()
    time.sleep(0.1)
    start(lab)

    wait_for(lambda: place.status().status == FINISHED, "result", 60.0)
    assert len((lab.folder / "calls").read_text().split()) <= tiny.CELLS + 2
