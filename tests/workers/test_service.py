"""Everything that was accepted is run, whatever is killed meanwhile: real Redis, real forking workers."""

from __future__ import annotations

import os
import signal
import time

import pytest

from shadowtime.engine.simulation import simulate
from shadowtime.workers import submit
from shadowtime.workers.errors import Conflict
from shadowtime.workers.live import Reader
from tests.workers.lab import Lab, children, wait_for

pytestmark = pytest.mark.integration


def test_an_accepted_run_is_executed_and_told_of(lab: Lab):
    heard, states = [], []
    reader = Reader(lab.url, lab.queue.names, lambda position, message: heard.append(message), states.append)
    reader.start()
    wait_for(lambda: states == [True], "reader")
    lab.start_worker(by_command=True)
    digest = lab.ask()
    status = lab.wait_for_status(digest, "finished")
    wait_for(lambda: heard and heard[-1]["status"] == "finished", "message of the end")
    reader.stop()

    run = lab.store.runs.get(digest)
    expected = simulate(lab.store.workloads.load_source(run.spec.workload), "easy")
    assert (run.table("jobs")["start"] == expected.jobs["start"]).all()
    assert run.summary is not None and run.summary["jobs"] == 2000
    assert status.attempt == 1 and status.started <= status.ended
    assert [message["status"] for message in heard][:2] == ["queued", "running"]
    assert {message["run"] for message in heard} == {digest[:16]}
    assert heard[-1]["progress"]["segments"] == len(run.table("segments")["start"])
    wait_for(lambda: not lab.queue.knows(digest), "an empty queue afterwards")


def test_segments_and_progress_are_there_before_the_end(lab: Lab):
    lab.start_worker(gated=True)
    digest = lab.ask()
    shown = lab.wait_for_segments(digest)
    live = lab.store.runs.live(digest)
    progress = wait_for(lambda: lab.queue.progress(digest), "progress")
    wait_for(lambda: lab.store.runs.get(digest).status.progress["jobs_done"], "progress in the status file")

    assert len(live.read("segments")["start"]) >= shown > 0
    assert live.rows("events") > 0
    assert len(live.whole("open")["start"]) > 0
    assert 0 < progress["fraction"] < 1
    assert lab.status(digest) == "running"
    lab.open_gate()
    lab.wait_for_status(digest, "finished")
    wait_for(lambda: lab.store.runs.live(digest).rows("segments") == 0, "end of what was only for watching")


def test_a_killed_worker_loses_nothing(lab: Lab):
    first = lab.start_worker(gated=True)
    running, waiting = lab.ask(1), lab.ask(2)
    lab.wait_for_segments(running)
    forks = children(first.pid)
    killed = time.monotonic()
    lab.kill(first)
    wait_for(lambda: not any(os.path.exists(f"/proc/{pid}/exe") for pid in forks), "end of its fork")
    lab.open_gate()
    wait_for(lambda: lab.queue.health().workers == 0, "word that it is gone", 12.0)
    noticed = time.monotonic() - killed
    lab.start_worker(gated=True)
    status = lab.wait_for_status(running, "finished")

    assert noticed < 10.0
    assert status.attempt == 2
    assert lab.wait_for_status(waiting, "finished").attempt == 1


def test_a_run_of_a_killed_worker_goes_on_at_another_one_within_seconds(lab: Lab):
    first = lab.start_worker(gated=True)
    digest = lab.ask()
    lab.wait_for_segments(digest)
    lab.start_worker(gated=True)
    lab.kill(first)
    lab.open_gate()
    began = time.monotonic()
    status = lab.wait_for_status(digest, "finished", 20.0)

    assert status.attempt == 2
    assert time.monotonic() - began < 15.0


def test_a_killed_fork_is_replaced_at_once(lab: Lab):
    worker = lab.start_worker(gated=True)
    digest = lab.ask()
    lab.wait_for_segments(digest)
    (fork,) = children(worker.pid)
    os.kill(fork, signal.SIGKILL)
    wait_for(lambda: lab.store.runs.get(digest).status.attempt == 2, "second attempt", 5.0)
    lab.open_gate()

    assert lab.wait_for_status(digest, "finished").attempt == 2
    assert worker.poll() is None


def test_a_worker_that_is_asked_to_stop_puts_its_run_back_and_that_is_not_held_against_it(lab: Lab):
    digest = lab.ask()
    for attempt in (1, 2, 3, 4):
        worker = lab.start_worker(gated=True)
        wait_for(
            lambda attempt=attempt: (
                lab.store.runs.get(digest).status.attempt == attempt and lab.status(digest) == "running"
            ),
            f"attempt {attempt}",
        )
        began = time.monotonic()
        worker.send_signal(signal.SIGTERM)

        assert worker.wait(5.0) == 0
        assert time.monotonic() - began < 5.0
        assert lab.status(digest) == "queued" and lab.queue.waiting() == [digest]
    lab.open_gate()
    lab.start_worker(gated=True)
    assert lab.wait_for_status(digest, "finished").attempt == 5


def test_a_run_that_ends_its_worker_each_time_fails(lab: Lab):
    worker = lab.start_worker(gated=True)
    digest = lab.ask()
    for attempt in (1, 2, 3):
        wait_for(
            lambda attempt=attempt: (
                lab.store.runs.get(digest).status.attempt == attempt and lab.status(digest) == "running"
            ),
            f"attempt {attempt}",
        )
        (fork,) = wait_for(lambda: children(worker.pid), "fork")
        os.kill(fork, signal.SIGKILL)
    status = lab.wait_for_status(digest, "failed")

    assert status.error is not None and status.error.startswith("given up after 3 attempts: the worker stopped")
    assert not lab.queue.waiting()


def test_a_running_run_is_cancelled_and_the_worker_goes_on(lab: Lab):
    lab.start_worker(gated=True)
    first, second = lab.ask(1), lab.ask(2)
    lab.wait_for_segments(first)
    submit.cancel(lab.store, lab.queue, first[:16])
    status = lab.wait_for_status(first, "cancelled", 5.0)
    with pytest.raises(Conflict):
        submit.cancel(lab.store, lab.queue, first)
    lab.wait_for_segments(second)
    lab.open_gate()

    assert status.attempt == 1
    lab.wait_for_status(second, "finished")
    assert lab.ask(1) == first, "asked again, it is queued again"
    lab.wait_for_status(first, "finished")


def test_a_waiting_run_is_cancelled_at_once(lab: Lab):
    lab.start_worker(gated=True)
    first, second, third = lab.ask(1), lab.ask(2), lab.ask(3)
    lab.wait_for_segments(first)
    place = [lab.queue.position(digest) for digest in (first, second, third)]
    status = submit.cancel(lab.store, lab.queue, second)

    assert place == [None, 0, 1]
    assert status.status == "cancelled"
    assert lab.queue.waiting() == [third]


def test_redis_killed_in_the_middle_and_back_empty_loses_nothing(lab: Lab):
    worker = lab.start_worker(gated=True)
    running, waiting = lab.ask(1), lab.ask(2)
    lab.wait_for_segments(running)
    lab.kill_redis()
    meanwhile = lab.ask(3)
    health = lab.queue.health()
    lab.open_gate()
    done = lab.wait_for_status(running, "finished")
    lab.start_redis()

    assert not health.redis
    assert done.attempt == 1, "it went on without Redis"
    assert lab.wait_for_status(waiting, "finished").attempt == 1
    assert lab.wait_for_status(meanwhile, "finished").attempt == 1
    assert worker.poll() is None
    wait_for(lambda: lab.queue.health().workers == 1, "the worker, known again")


def test_redis_emptied_under_a_running_run_does_not_start_it_twice(lab: Lab):
    lab.start_worker(gated=True)
    digest = lab.ask()
    lab.wait_for_segments(digest)
    lab.kill_redis()
    lab.start_redis()
    wait_for(lambda: lab.queue.health().workers == 1, "the worker, known again")
    lab.start_worker(gated=True)
    wait_for(lambda: lab.queue.held([digest]), "word from its worker")
    lab.open_gate()

    assert lab.wait_for_status(digest, "finished").attempt == 1


def test_a_reader_outlives_redis(lab: Lab):
    heard, states = [], []
    reader = Reader(
        lab.url, lab.queue.names, lambda position, message: heard.append((position, message)), states.append
    )
    reader.start()
    wait_for(lambda: states == [True], "reader")
    first = lab.ask(1)
    wait_for(lambda: heard, "message")
    lab.kill_redis()
    wait_for(lambda: states == [True, False], "word that it is away")
    lab.start_redis()
    wait_for(lambda: states == [True, False, True], "word that it is back")
    second = lab.ask(2)
    wait_for(lambda: len(heard) > 1, "message")
    reader.stop()

    assert [message["run"] for _, message in heard] == [first[:16], second[:16]]
    assert heard[0][0] < heard[1][0]


def test_what_somebody_else_put_into_the_queue_is_not_called(lab: Lab, tmp_path):
    worker = lab.start_worker()
    target = tmp_path / "called"
    from rq import Queue
    from rq.serializers import JSONSerializer

    foreign = Queue(lab.queue.names.queue("high"), connection=lab.queue.connection, serializer=JSONSerializer)
    foreign.enqueue_call("os.mkdir", args=(str(target),))
    digest = lab.ask()
    lab.wait_for_status(digest, "finished")

    assert not target.exists()
    assert worker.poll() is None


def test_a_worker_told_to_stop_finishes_what_it_runs(lab: Lab):
    worker = lab.start_worker(gated=True)
    digest = lab.ask()
    lab.wait_for_segments(digest)
    worker.send_signal(signal.SIGTERM)
    lab.open_gate()

    assert worker.wait(15.0) == 0
    assert lab.status(digest) == "finished"
    assert lab.queue.health().workers == 0


def test_a_client_that_queues_hundreds_of_runs_does_not_starve_another(lab: Lab):
    workload = lab.store.workloads.generate("uniform", {"jobs": 10}, 0)[0].id

    def ask(client: str, seeds: range) -> list[str]:
        asked = ({"workload": workload, "algorithm": "easy", "seed": seed} for seed in seeds)
        return [submit.accept(lab.store, lab.queue, one, client=client)[0].digest for one in asked]

    many, few = ask("anna", range(300)), ask("ben", range(300, 305))
    lab.start_worker()
    for digest in few:
        lab.wait_for_status(digest, "finished")
    others = lab.store.runs.counts()["finished"] - len(few)

    assert others <= 3 * len(few), f"{others} runs of the other client came before"
    assert len(many) == 300
