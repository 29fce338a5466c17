"""What a worker does with a run, executed here and now."""

from __future__ import annotations

import errno
import json
import logging
from dataclasses import replace
from types import SimpleNamespace

import fakeredis
import numpy as np
import pytest

from shadowtime.engine.errors import SimulationError
from shadowtime.engine.runner.planner import Making
from shadowtime.engine.simulation import Simulation, simulate
from shadowtime.workers import processes, submit, tasks
from shadowtime.workers.live import Publisher
from shadowtime.workers.queue import RunQueue, TimedOut
from shadowtime.workers.redis_names import Names
from shadowtime.workers.settings import Settings
from shadowtime.workers.store import open_store
from shadowtime.workers.store.base import progress_of
from shadowtime.workers.store.live import LiveWriter
from tests.workers.samples import spec as another_spec


@pytest.fixture
def redis():
    return fakeredis.FakeRedis(server=fakeredis.FakeServer())


@pytest.fixture
def store(tmp_path, monkeypatch, redis):
    kept = open_store(tmp_path)
    monkeypatch.setattr(tasks, "environment", lambda: (Settings(store=tmp_path), kept))
    monkeypatch.setattr(tasks, "connection_to", lambda url: redis)
    return kept


@pytest.fixture
def often(monkeypatch):
    """Slices of a few acts, each with its news."""
    slices = Simulation.slices
    monkeypatch.setattr(Simulation, "slices", lambda self, budget=0, seconds=None: slices(self, 200))
    monkeypatch.setattr(tasks, "NEWS_EVERY", 0.0)
    monkeypatch.setattr(tasks, "CHECK_EVERY", 0.0)
    monkeypatch.setattr(tasks, "STATUS_EVERY", 0.0)
    monkeypatch.setattr(tasks.Reporter, "_is_free", lambda self: self._told is None or self._told.result() is None)


def ask(store, jobs: int = 1000, algorithm: str = "easy", **more) -> str:
    entry, _ = store.workloads.generate("uniform", {"jobs": jobs}, 3)
    spec, count = submit.question(store, {"workload": entry.id, "algorithm": algorithm, **more})
    store.runs.accept(spec, jobs=count)
    return spec.digest


def messages(redis) -> list[dict]:
    (stream,) = redis.keys("shadowtime:*:live")
    return [json.loads(fields[b"message"]) for _, fields in redis.xrange(stream)]


def test_a_run_is_executed_and_stored(store):
    digest = ask(store)
    said = tasks.run_task(digest)
    run = store.runs.get(digest)
    expected = simulate(store.workloads.load_source(run.spec.workload), "easy")

    assert said == "finished"
    assert np.array_equal(run.table("segments")["start"], expected.segments["start"])
    assert run.summary is not None
    assert run.summary["run"] == run.id
    assert run.summary["timing"]["load_s"] > 0


def test_the_queue_can_execute_in_this_process(store, redis):
    digest = ask(store)
    RunQueue(redis, Names(store.identity), is_async=False).enqueue(digest)

    assert store.runs.get(digest).status.status == "finished"


def test_news_grow_until_the_end(store, redis, often):
    digest = ask(store)
    tasks.run_task(digest)
    heard = messages(redis)

    assert len(heard) > 4
    assert {message["run"] for message in heard} == {digest[:16]}
    assert [message["status"] for message in heard] == ["running"] * (len(heard) - 1) + ["finished"]
    assert [message["seq"] for message in heard] == list(range(1, len(heard) + 1))
    for name in ("jobs_done", "segments", "fraction"):
        values = [message["progress"][name] for message in heard]
        assert values == sorted(values)
    assert heard[-1]["progress"] == progress_of(1000, 1000, len(store.runs.get(digest).table("segments")["job"]), 0.0)


def test_time_left_counts_from_the_first_instant_not_from_compiling(store, redis, often, monkeypatch):
    clock = SimpleNamespace(monotonic=lambda: clock.now, perf_counter=lambda: clock.now, now=0.0)
    monkeypatch.setattr(tasks, "time", clock)
    expect = tasks.Reporter.expect

    def expect_late(self, workload):
        clock.now += 100.0
        expect(self, workload)
        clock.now += 3.0

    monkeypatch.setattr(tasks.Reporter, "expect", expect_late)
    tasks.run_task(ask(store))
    progress = [message["progress"] for message in messages(redis) if message["progress"]["seconds_left"]]

    assert progress
    for one in progress:
        assert one["seconds_left"] == pytest.approx(3.0 * (1000 - one["jobs_done"]) / one["jobs_done"])


def test_a_plan_in_the_making_says_how_far_it_is(store, redis, often, monkeypatch):
    advance, calls = Making.advance, []

    def first_wait(self, seconds):
        calls.append(seconds)
        self.watch.share = 0.42
        return len(calls) > 1 and advance(self, None)

    monkeypatch.setattr(Making, "advance", first_wait)
    entry, _ = store.workloads.generate("multitask", {"jobs": 4, "machines": 2}, 3)
    spec, count = submit.question(store, {"workload": entry.id, "algorithm": "synchpack-3"})
    store.runs.accept(spec, jobs=count)
    assert tasks.run_task(spec.digest) == "finished"
    planned = [one["progress"].get("planned") for one in messages(redis)]

    assert 0.42 in planned and planned[-1] is None
    assert "planned" not in store.runs.get(spec.digest).status.progress


def test_what_is_seen_of_a_running_run_is_what_the_result_holds(store, often, monkeypatch):
    digest = ask(store, conversions=["load:rho=0.5"])
    seen = {}
    finish = type(store.runs).finish

    def look(self, *args):
        live = self.live(digest)
        seen.update(live.read("segments"), jobs=live.whole("jobs"))
        return finish(self, *args)

    monkeypatch.setattr(type(store.runs), "finish", look)
    tasks.run_task(digest)
    run = store.runs.get(digest)

    assert sorted(seen["start"]) == sorted(run.table("segments")["start"])
    assert (seen["jobs"]["release"] == run.table("jobs")["release"]).all()


def test_a_short_run_writes_nothing_but_its_result(store, monkeypatch):
    monkeypatch.setattr(type(store.runs), "write_live", None)

    assert tasks.run_task(ask(store, jobs=10)) == "finished"


def test_a_failure_of_the_simulation_is_the_runs_sentence(store, monkeypatch):
    def fail(*args, **kwargs):
        raise SimulationError("t=311.0: 'easy' placed job 12 on processor 3, which is not free")

    monkeypatch.setattr(tasks, "execute", fail)
    digest = ask(store)

    assert tasks.run_task(digest) == "failed"
    assert store.runs.get(digest).status.error == "t=311.0: 'easy' placed job 12 on processor 3, which is not free"


@pytest.mark.parametrize(
    ("error", "sentence"),
    [
        (KeyError("release"), "internal error (KeyError); the worker's log says where"),
        (MemoryError(), "needs more memory than a run may have here: 8 GB (SHADOWTIME_RUN_MEMORY)"),
        (OSError(errno.ENOSPC, "No space left on device"), "the store is full: the result could not be kept"),
        (TimedOut(), "stopped after 3,600 s, the limit of a run here (SHADOWTIME_RUN_TIMEOUT)"),
    ],
)
def test_what_nobody_expected_is_a_sentence_too(store, monkeypatch, caplog, error, sentence):
    def fail(*args, **kwargs):
        raise error

    monkeypatch.setattr(tasks, "execute", fail)
    digest = ask(store)
    with caplog.at_level(logging.CRITICAL):
        said = tasks.run_task(digest)

    assert said == "failed"
    assert store.runs.get(digest).status.error == sentence


def test_a_traceback_stays_in_the_log(store, monkeypatch, caplog):
    monkeypatch.setattr(tasks, "execute", lambda *args, **kwargs: {}["missing"])
    tasks.run_task(ask(store))

    assert "KeyError: 'missing'" in caplog.text


def test_a_run_that_takes_too_long_is_ended(store, often, monkeypatch, tmp_path):
    impatient = SimpleNamespace(**{**vars(Settings(store=tmp_path)), "run_timeout": 0.0})
    monkeypatch.setattr(tasks, "environment", lambda: (impatient, store))
    digest = ask(store)

    assert tasks.run_task(digest) == "failed"
    assert store.runs.get(digest).status.error == "stopped after 0 s, the limit of a run here (SHADOWTIME_RUN_TIMEOUT)"


def test_a_run_that_draws_too_much_has_its_figures(store, often, monkeypatch, tmp_path):
    digest = ask(store)
    tasks.run_task(digest)
    whole = store.runs.get(digest)
    monkeypatch.setattr(tasks, "environment", lambda: (Settings(store=tmp_path, max_segments=300), store))
    limited = ask(store, seed=2)

    assert tasks.run_task(limited) == "finished"
    run = store.runs.get(limited)
    assert len(run.table("segments")["job"]) == 0 and np.array_equal(
        run.table("jobs")["end"], whole.table("jobs")["end"]
    )
    assert run.summary["metrics"] == pytest.approx(whole.summary["metrics"], rel=1e-9)
    assert run.summary["bounds"] == whole.summary["bounds"]
    said = "Rectangles are not kept: they are more than 300, the limit here. All other tables and figures are whole."
    assert run.summary["report"][-1] == said


def test_a_cancelled_run_ends_at_its_next_slice(store, often, monkeypatch):
    digest = ask(store)
    write_live = type(store.runs).write_live

    def cancel_meanwhile(self, asked):
        self.cancel(asked)
        return write_live(self, asked)

    monkeypatch.setattr(type(store.runs), "write_live", cancel_meanwhile)

    assert tasks.run_task(digest) == "cancelled"
    assert store.runs.get(digest).status.progress["jobs_done"] < 1000
    assert store.runs.live(digest).rows("segments") > 0  # its partial results


def test_a_run_asked_for_again_after_its_worker_saw_the_cancellation_is_queued(store, monkeypatch):
    digest = ask(store)
    run = store.runs.get(digest)

    def be_cancelled(*args, **kwargs):
        store.runs.cancel(digest)
        store.runs.accept(run.spec)
        raise tasks.Cancelled

    monkeypatch.setattr(tasks, "execute", be_cancelled)

    assert tasks.run_task(digest) == "queued"
    assert (store.runs.get(digest).status.attempt, store.runs.get(digest).status.spared) == (2, 1)


def test_a_run_given_to_another_worker_is_left_to_it(store, often, monkeypatch):
    digest = ask(store)
    write_live = type(store.runs).write_live

    def lose(self, asked):
        self.requeue(asked, 1, "silence")
        return write_live(self, asked)

    monkeypatch.setattr(type(store.runs), "write_live", lose)

    assert tasks.run_task(digest) == "queued"
    assert store.runs.get(digest).status.attempt == 2


def test_a_run_is_executed_once(store):
    digest = ask(store)
    tasks.run_task(digest)
    ended = store.runs.get(digest).status

    assert tasks.run_task(digest) == "finished"
    assert store.runs.get(digest).status == ended


def test_an_unknown_run_is_no_error(store):
    assert tasks.run_task("0" * 64) == "unknown"
    assert tasks.run_task("../../etc/passwd") == "unknown"


def test_a_run_deleted_as_soon_as_it_has_ended_is_no_error(store, monkeypatch):
    finish = type(store.runs).finish

    def finish_and_delete(self, digest, *args):
        done = finish(self, digest, *args)
        self.delete(digest)
        return done

    monkeypatch.setattr(type(store.runs), "finish", finish_and_delete)

    assert tasks.run_task(ask(store)) == "unknown"


def test_a_question_to_another_engine_is_not_answered(store):
    store.runs.accept(another_spec(engine_version="0.0.9+00000000"))
    tasks.run_task(another_spec(engine_version="0.0.9+00000000").digest)
    (run,) = store.runs.list().rows

    assert run.status.status == "failed"
    assert "queued for engine 0.0.9+00000000, but this worker has" in run.status.error


def test_a_vanished_workload_fails_the_run_in_one_sentence(store):
    digest = ask(store)
    spec = store.runs.get(digest).spec
    vanished = replace(spec, workload={"digest": "0" * 64, "case": None})
    store.runs.accept(vanished)

    assert tasks.run_task(vanished.digest) == "failed"
    assert store.runs.get(vanished.digest).status.error == "no workload '" + "0" * 64 + "' is known here"


def test_redis_away_does_not_disturb_a_run(store, often, redis):
    redis.connection_pool.connection_kwargs["server"].connected = False
    digest = ask(store)

    assert tasks.run_task(digest) == "finished"


def test_rectangles_are_published_before_the_jobs_of_a_converted_workload(store, often, monkeypatch):
    """A first picture needs no jobs, and many jobs take long to write."""
    order = []
    write, publish = LiveWriter.replace, Publisher.publish
    monkeypatch.setattr(LiveWriter, "replace", lambda self, name, table: order.append(name) or write(self, name, table))
    monkeypatch.setattr(
        Publisher, "publish", lambda self, *given, **more: order.append("news") or publish(self, *given, **more)
    )

    digest = ask(store, algorithm="measy", conversions=["two_tier"])
    assert tasks.run_task(digest) == "finished"

    # A message that code is compiled may come first.
    assert "news" in order[order.index("open") : order.index("jobs")]
    assert order.count("jobs") == 1


class Uncompiled:
    """A process without compiled code that begins a run and does not end it."""

    def __init__(self, store, error=None):
        self.store, self.error = store, error

    def __call__(self, environment):
        return self

    def execute(self, digests):
        for digest in digests:
            assert self.store.runs.begin(digest, processes.worker_name())
        if self.error:
            raise self.error
        return False

    def close(self):
        pass


def test_a_run_that_exceeds_its_limit_without_compiled_code_fails_at_its_first_attempt(store, redis, monkeypatch):
    monkeypatch.setattr(tasks, "is_better_uncompiled", lambda *_: True)
    monkeypatch.setattr(tasks, "Interpreter", Uncompiled(store, TimedOut()))
    digest = ask(store)

    assert tasks.run_task(digest) == "failed"
    status = store.runs.get(digest).status
    assert (status.error, status.attempt) == (
        "stopped after 3,600 s, the limit of a run here (SHADOWTIME_RUN_TIMEOUT)",
        1,
    )
    assert messages(redis)[-1]["status"] == "failed"


def test_a_run_that_the_process_without_compiled_code_does_not_end_is_executed_here(store, monkeypatch):
    monkeypatch.setattr(tasks, "is_better_uncompiled", lambda *_: True)
    monkeypatch.setattr(tasks, "Interpreter", Uncompiled(store))
    digest = ask(store)

    assert tasks.run_task(digest) == "finished"
    status = store.runs.get(digest).status
    assert status.attempt - status.spared == 1
