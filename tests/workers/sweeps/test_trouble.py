"""Sweeps on a store that goes wrong: no room, a process that ends between two steps, runs that are forgotten."""

from __future__ import annotations

import errno
import itertools
import os
from datetime import UTC, datetime, timedelta

import numpy as np
import pytest

from shadowtime.engine.errors import QuestionError
from shadowtime.workers import execute
from shadowtime.workers.records.database import DatabaseAway
from shadowtime.workers.records.sweeps import FINISHED, RUNNING
from shadowtime.workers.store.integrity import faults
from shadowtime.workers.store.retention import forget, old_runs
from shadowtime.workers.sweeps import batch, submission
from shadowtime.workers.sweeps.batch import Piece, run_piece
from shadowtime.workers.sweeps.feed import Feed
from shadowtime.workers.sweeps.progress import ProgressCache, SweepProgress
from tests.workers.sweeps.samples import accepted, asked, expire, lines_of
from tests.workers.sweeps.test_sweeps import work


def full(*_):
    raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))


@pytest.mark.parametrize(
    ("number", "sentence"),
    [
        (errno.ENOSPC, "the store is full: the result could not be kept"),
        (errno.EIO, "the result could not be kept (Input/output error)"),
    ],
)
def test_what_cannot_be_kept_fails_after_a_few_tries_and_is_run_again_by_retry(
    store, queue, settings, monkeypatch, number, sentence
):
    tries = []

    def refused(done, experiment=""):
        if done:
            tries.append(len(done))
            raise OSError(number, os.strerror(number))

    monkeypatch.setattr(store.runs, "keep", refused)
    monkeypatch.setattr(batch, "KEEP_PAUSE", 0.0)
    monkeypatch.setattr(submission, "batch_size", lambda store, spec: 12)
    sweep = accepted(store, queue)
    taken = work(store, queue, settings, most=50)
    before = ProgressCache(store).get(store.sweeps.get(sweep.id)).outcomes
    reasons, state = set(before.errors.values()), store.sweeps.get(sweep.id).status.status
    monkeypatch.undo()
    submission.retry(store, queue, sweep.id)
    work(store, queue, settings)
    after = ProgressCache(store).get(store.sweeps.get(sweep.id)).outcomes

    assert (taken, tries) == (1, [12] * batch.KEEP_TRIES)
    assert before.counts() == {"pending": 0, "finished": 0, "failed": 12} and state == FINISHED
    assert reasons == {sentence}
    assert after.counts() == {"pending": 0, "finished": 12, "failed": 0}


def test_room_that_comes_back_in_time_costs_nothing(store, queue, settings, monkeypatch):
    keep, tries = store.runs.keep, []

    def refused_once(done, experiment=""):
        tries.append(1)
        if len(tries) == 1:
            full()
        keep(done, experiment)

    monkeypatch.setattr(store.runs, "keep", refused_once)
    monkeypatch.setattr(batch, "KEEP_PAUSE", 0.0)
    sweep = accepted(store, queue)
    work(store, queue, settings)

    assert SweepProgress(store, sweep).refresh(sweep).outcomes.counts()["finished"] == 12


def test_runs_that_were_found_do_not_fail_with_those_that_cannot_be_kept(store, queue, settings, monkeypatch):
    accepted(store, queue, seeds=[1])
    work(store, queue, settings)
    keep = store.runs.keep
    monkeypatch.setattr(store.runs, "keep", lambda done, experiment="": full() if done else keep(done))
    monkeypatch.setattr(batch, "KEEP_PAUSE", 0.0)
    monkeypatch.setattr(submission, "batch_size", lambda store, spec: 12)
    sweep = accepted(store, queue)
    work(store, queue, settings, most=50)

    assert SweepProgress(store, sweep).refresh(sweep).outcomes.counts() == {"pending": 0, "finished": 6, "failed": 6}


def test_a_sweep_whose_end_cannot_be_written_down_is_ended_later(store, queue, settings, monkeypatch):
    """The worker that was at its last batch goes on."""
    sweep = accepted(store, queue, seeds=[1])
    with monkeypatch.context() as patched:
        patched.setattr(store.sweeps, "change", lambda *_, **__: full())
        work(store, queue, settings)
        state = store.sweeps.get(sweep.id).status.status
    Feed(store, queue).scan()

    assert (state, store.sweeps.get(sweep.id).status.status) == (RUNNING, FINISHED)


class Killed(BaseException):
    """As if the process had gone: nothing after it happens."""


def test_a_retry_while_the_end_is_recorded_counts(store, queue, settings, monkeypatch):
    sweep = accepted(store, queue, seeds=[1], loads=[0.5])
    with monkeypatch.context() as changed:
        changed.setattr(batch.Bench, "execute", full)
        changed.setattr(Feed, "left", lambda *_: None)
        work(store, queue, settings)
    change = store.sweeps.change

    def late(digest, *states, **changes):
        monkeypatch.setattr(store.sweeps, "change", change)
        assert submission.retry(store, queue, digest).status.status == "running"
        return change(digest, *states, **changes)

    monkeypatch.setattr(store.sweeps, "change", late)
    Feed(store, queue).scan()
    status = store.sweeps.get(sweep.digest).status
    assert (status.status, status.round) == ("running", 2)


@pytest.mark.parametrize("value", [np.int64(1), float("inf"), float("nan"), {1, 2}], ids=repr)
def test_a_figure_that_cannot_be_stored_fails_its_runs_alone(store, queue, settings, monkeypatch, value):
    measured, calls = execute.measure, itertools.count()

    def measure(schedule, workload, *more, **options):
        metrics, bounds = measured(schedule, workload, *more, **options)
        return {**metrics, **({"odd": value} if next(calls) % 2 else {})}, bounds

    monkeypatch.setattr(execute, "measure", measure)
    sweep = accepted(store, queue, seeds=[1])
    work(store, queue, settings)

    outcomes = SweepProgress(store, sweep).refresh(sweep).outcomes
    assert outcomes.counts() == {"pending": 0, "finished": 3, "failed": 3}
    assert {line["error"] for line in lines_of(store, sweep) if line["status"] == "failed"} == {
        f"odd in the metrics of the run is {value}, which is no figure"
    }


def test_runs_that_were_stored_before_their_process_ended_are_found_by_the_next(store, queue, settings, monkeypatch):
    def killed(*_):
        raise Killed

    monkeypatch.setattr(submission, "batch_size", lambda store, spec: 12)
    sweep = accepted(store, queue)
    with monkeypatch.context() as patched:
        patched.setattr(store.sweeps.outcomes, "record", killed)  # between storing and recording
        with pytest.raises(Killed):
            run_piece(Piece(sweep.digest, 0), settings, store)
    stored, recorded = store.runs.counts(), lines_of(store, sweep)
    expire(store.database)
    monkeypatch.setattr(batch.Bench, "execute", lambda *_: pytest.fail("it is stored: nothing is to be computed"))
    run_piece(Piece(sweep.digest, 0), settings, store)

    assert (stored, recorded) == ({"finished": 12}, [])
    assert store.runs.counts() == {"finished": 12}
    assert SweepProgress(store, sweep).refresh(sweep).outcomes.counts() == {"pending": 0, "finished": 12, "failed": 0}


@pytest.mark.parametrize("part", ["status", "search", "record"])
def test_no_run_fails_because_the_database_does_not_answer_for_a_while(store, queue, settings, monkeypatch, part):
    """A shift that cannot go on ends without outcomes, and the next one finds or computes its runs."""

    def away(*_):
        raise DatabaseAway("the database does not answer: it restarts")

    monkeypatch.setattr(batch, "KEEP_PAUSE", 0.0)
    monkeypatch.setattr(batch, "LOOK_EVERY", 0.0)
    monkeypatch.setattr(submission, "batch_size", lambda store, spec: 12)
    sweep = accepted(store, queue)
    with monkeypatch.context() as patched:
        if part == "status":
            patched.setattr(store.sweeps, "state", away)
            assert run_piece(Piece(sweep.digest, 0), settings, store) == "through"
        else:
            patched.setattr(*((store.runs, "get") if part == "search" else (store.sweeps.outcomes, "record")), away)
            with pytest.raises(DatabaseAway):
                run_piece(Piece(sweep.digest, 0), settings, store)
            assert lines_of(store, sweep) == []
    run_piece(Piece(sweep.digest, 0), settings, store)

    assert SweepProgress(store, sweep).refresh(sweep).outcomes.counts() == {"pending": 0, "finished": 12, "failed": 0}


def forget_all(store):
    """As `store prune` does with all that has ended; gives how many runs went."""
    return sum(forget(store, old) for old in list(old_runs(store, datetime.now(UTC) + timedelta(days=1))))


def test_a_sweep_whose_runs_are_forgotten_keeps_its_figures_and_their_questions(store, queue, settings):
    sweep = accepted(store, queue, seeds=[1])
    work(store, queue, settings)
    before = ProgressCache(store).get(store.sweeps.get(sweep.id)).outcomes
    gone = forget_all(store)
    after = ProgressCache(store).get(store.sweeps.get(sweep.id)).outcomes
    _, is_new = submission.accept(store, queue, asked(store, seeds=[1]))

    assert gone == 6 and store.runs.counts() == {} and store.runs.digests() == []
    assert after.counts() == before.counts() == {"pending": 0, "finished": 6, "failed": 0}
    assert [after.of(index) for index in range(6)] == [before.of(index) for index in range(6)]
    assert [store.runs.question(str(run)).id for run in after.run] == [str(run) for run in before.run]
    assert not is_new and store.sweeps.get(sweep.id).status.status == FINISHED
    assert not list(faults(store))


def test_forgotten_runs_are_computed_again_by_another_sweep_with_the_same_figures(store, queue, settings):
    sweep = accepted(store, queue, seeds=[1])
    work(store, queue, settings)
    before = SweepProgress(store, sweep).refresh(sweep).outcomes
    forget_all(store)
    larger = accepted(store, queue, seeds=[1, 2])
    work(store, queue, settings)
    after = SweepProgress(store, larger).refresh(larger).outcomes

    assert store.runs.counts() == {"finished": 12}
    assert [after.of(index) for index in range(6)] == [before.of(index) for index in range(6)]


def test_runs_of_a_sweep_that_is_not_through_are_not_forgotten(store, queue, settings):
    sweep = accepted(store, queue)
    work(store, queue, settings, most=3)
    going = forget_all(store)
    submission.pause(store, queue, sweep.id)
    paused, there = forget_all(store), store.runs.counts()["finished"]
    submission.cancel(store, queue, sweep.id)
    cancelled = forget_all(store)
    submission.resume(store, queue, sweep.id)
    work(store, queue, settings)

    assert (going, paused) == (0, 0) and 0 < there < 12 and cancelled == there
    assert SweepProgress(store, sweep).refresh(sweep).outcomes.counts() == {"pending": 0, "finished": 12, "failed": 0}


def test_failures_whose_runs_are_forgotten_are_tried_again(store, queue, settings, monkeypatch):
    def broken(*_):
        raise QuestionError("it does not go")

    with monkeypatch.context() as patched:
        patched.setattr(batch.Bench, "execute", broken)
        sweep = accepted(store, queue, seeds=[1])
        work(store, queue, settings)
    gone = forget_all(store)
    submission.retry(store, queue, sweep.id)
    work(store, queue, settings)

    assert gone == 6
    assert SweepProgress(store, sweep).refresh(store.sweeps.get(sweep.id)).outcomes.counts()["finished"] == 6
    assert store.runs.counts() == {"finished": 6}
