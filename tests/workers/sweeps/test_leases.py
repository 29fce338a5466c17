"""A worker and the lease on its batch: taken over when it is lost, and nothing recorded after that."""

from __future__ import annotations

import time
from types import SimpleNamespace

import pytest
from sqlalchemy import select

from shadowtime.workers.records import schema
from shadowtime.workers.records.database import DatabaseAway
from shadowtime.workers.sweeps import batch, lease, submission
from shadowtime.workers.sweeps.batch import Piece, run_piece
from shadowtime.workers.sweeps.feed import Feed
from shadowtime.workers.sweeps.lease import HeldBatch, shift_name
from shadowtime.workers.sweeps.progress import SweepProgress
from tests.workers.sweeps.samples import accepted, expire, lines_of
from tests.workers.sweeps.test_sweeps import work
from tests.workers.sweeps.test_trouble import Killed


@pytest.fixture
def sweep(store, queue, monkeypatch):
    """Twelve runs in one batch."""
    monkeypatch.setattr(submission, "batch_size", lambda store, spec: 12)
    return accepted(store, queue)


@pytest.fixture
def piece(sweep):
    return Piece(sweep.digest, 0)


def counts(store, sweep):
    return SweepProgress(store, sweep).refresh(sweep).outcomes.counts()


def row(store):
    """What is recorded of the batch."""
    with store.database.read() as connection:
        return dict(connection.execute(select(schema.batches)).mappings().one())


def at_run(monkeypatch, number, act):
    """Call `act` when the run of that number, from 0, is executed for the first time."""
    execute, calls = batch.Bench.execute, iter(range(1000))

    def executed(self, *given):
        if next(calls) == number:
            act()
        return execute(self, *given)

    monkeypatch.setattr(batch.Bench, "execute", executed)


def until(condition):
    deadline = time.monotonic() + 20.0
    while not condition():
        assert time.monotonic() < deadline
        time.sleep(0.01)


def taken_over(store, piece):
    """Let the lease of the batch expire, and return that of another worker; a renewal may come between."""
    taken = None
    while taken is None:
        expire(store.database)
        taken = store.sweeps.batches.take(piece.digest, 0, "another", 1)
    return taken


def test_a_batch_has_one_worker(store, settings, piece):
    taken = store.sweeps.batches.take(piece.digest, 0, "another", 1)
    assert run_piece(piece, settings, store) == "taken"
    store.sweeps.batches.release(taken)

    assert run_piece(piece, settings, store) == "through"
    assert row(store)["lease"] is None and not store.sweeps.batches.held(piece.digest)


def test_a_worker_that_lost_its_lease_stops_and_another_one_records_the_same(
    store, queue, settings, sweep, piece, monkeypatch
):
    """What the first one has computed is in the store: the second finds it, and computes the rest."""

    taken = []
    at_run(monkeypatch, 5, lambda: taken.append(taken_over(store, piece)))
    assert run_piece(piece, settings, store) == "taken"
    assert lines_of(store, sweep) == [] and store.runs.counts()["finished"] >= 6
    monkeypatch.undo()
    store.sweeps.batches.release(*taken)
    assert run_piece(piece, settings, store) == "through"
    alone = accepted(store, queue, seeds=[1, 2, 3])
    work(store, queue, settings)

    assert counts(store, sweep)["finished"] == 12
    assert {line["run"]: line["metrics"] for line in lines_of(store, sweep)}.items() <= {
        line["run"]: line["metrics"] for line in lines_of(store, alone)
    }.items()


def test_a_long_run_is_stopped_when_its_batch_has_another_worker(store, settings, sweep, piece, monkeypatch):
    def endless(self, question, on_piece, spool, most_segments):
        taken_over(store, piece)
        until(lambda: on_piece(SimpleNamespace(segments={})))

    monkeypatch.setattr(lease, "RENEW_EVERY", 0.02)
    monkeypatch.setattr(batch.Bench, "execute", endless)

    assert run_piece(piece, settings, store) == "taken" and lines_of(store, sweep) == []


def test_a_lasting_run_is_put_on_record_and_a_short_one_is_not(store, piece, monkeypatch):
    monkeypatch.setattr(lease, "RENEW_EVERY", 0.02)
    monkeypatch.setattr(lease, "LASTING", 0.1)
    taken = store.sweeps.batches.take(piece.digest, 0, shift_name(), 1)
    with HeldBatch(store.sweeps.batches, taken) as held:
        held.begin(3, is_recorded=False)
        assert row(store)["run"] is None
        until(lambda: row(store)["run"] == 3)
        held.end()
        held.begin(4, is_recorded=True)
        assert row(store)["run"] == 4
        before = row(store)["lease"]
        until(lambda: row(store)["lease"] > before)
    assert (row(store)["run"], row(store)["lease"]) == (None, None)


def test_a_lost_worker_counts_once_and_only_at_the_run_that_others_were_lost_at(
    store, settings, sweep, piece, monkeypatch
):
    def killed():
        raise Killed

    for number in (2, 0):  # of those that are open: the third of all, twice
        with monkeypatch.context() as patched:
            at_run(patched, number, killed)
            with pytest.raises(Killed):
                run_piece(piece, settings, store)
        expire(store.database)
    assert [line["index"] for line in lines_of(store, sweep)] == [0, 1]

    assert run_piece(piece, settings, store) == "through"
    assert counts(store, sweep)["finished"] == 12


def test_the_batch_of_a_dead_child_is_free_at_once_and_that_of_another_worker_is_not(
    store, queue, settings, sweep, piece, monkeypatch
):
    feed = Feed(store, queue)
    queue.remove(piece.id)
    store.sweeps.batches.take(piece.digest, 0, "another", 1)
    feed.lost(piece.id)
    feed.left(piece.id)
    assert queue.waiting() == [] and not feed.spare(piece.id), "it waits for the other worker"

    expire(store.database)
    taken = store.sweeps.batches.take(piece.digest, 0, shift_name(), 1)
    store.sweeps.batches.renew(taken, 3)
    feed.lost(piece.id)
    feed.left(piece.id)
    assert queue.waiting() == [piece.id]
    again = store.sweeps.batches.take(piece.digest, 0, shift_name(), 1)
    assert again.lost == {(1, None): 1, (1, 3): 1}

    store.sweeps.batches.renew(again, 4)
    assert feed.spare(piece.id)
    assert store.sweeps.batches.take(piece.digest, 0, shift_name(), 1).lost == again.lost, "a stop is no loss"


def test_a_database_that_is_away_ends_no_lease_and_stops_no_worker(store, queue, piece, monkeypatch):
    calls = []

    def away(*given):
        calls.append(given)
        raise DatabaseAway("the database does not answer: it restarts")

    monkeypatch.setattr(lease, "RENEW_EVERY", 0.02)
    taken = store.sweeps.batches.take(piece.digest, 0, shift_name(), 1)
    with monkeypatch.context() as patched:
        for name in ("renew", "release", "abandon", "spare"):
            patched.setattr(store.sweeps.batches, name, away)
        with HeldBatch(store.sweeps.batches, taken) as held:
            until(lambda: len(calls) > 2)
            assert not held.is_lost
        feed = Feed(store, queue)
        feed.lost(piece.id)
        assert feed.spare(piece.id) is False

    assert store.sweeps.batches.held(piece.digest) == {0}
