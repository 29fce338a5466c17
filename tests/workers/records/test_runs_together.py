"""Requests for runs that come together, and a deletion that ends halfway."""

from __future__ import annotations

import errno
import threading
from concurrent.futures import ThreadPoolExecutor

import pytest

from shadowtime.workers.errors import NotFound
from shadowtime.workers.store import Store, open_store
from tests.workers.records.test_runs import finish
from tests.workers.samples import spec


@pytest.fixture
def store(tmp_path, url) -> Store:
    """A store on each kind of database."""
    return open_store(tmp_path, url)


def test_two_that_ask_for_the_same_runs_in_another_order_do_not_stop_each_other(store):
    specs = [spec(seed) for seed in range(40)]
    start = threading.Barrier(2)

    def ask(order: int) -> int:
        start.wait()
        asked = [[(one, 4) for one in specs[at : at + 8]][::order] for at in range(0, 40, 8)]
        return sum(sum(store.runs.accept_all(some)) for some in asked)

    with ThreadPoolExecutor(2) as pool:
        forwards, backwards = pool.map(ask, (1, -1))
    assert forwards + backwards == 40


def test_runs_are_listed_in_the_order_of_the_questions(store):
    specs = [spec(n) for n in range(12)]
    store.runs.accept_all([(one, 4) for one in specs])
    assert [run.digest for run in store.runs.list().rows] == [one.digest for one in reversed(specs)]


def test_answers_stand_in_the_order_of_the_questions(store):
    store.runs.accept(spec(1))
    assert store.runs.accept_all([(spec(n), 4) for n in (0, 1, 2, 0, 1)]) == [True, False, True, False, False]


def test_a_run_whose_tables_cannot_be_deleted_now_is_deleted_all_the_same(store, monkeypatch):
    store.runs.accept(spec())
    finish(store, spec())

    def away(*_):
        raise OSError(errno.EIO, "the bucket is away")

    monkeypatch.setattr(store.shelf.blobs, "remove", away)
    store.runs.delete(spec().digest)
    with pytest.raises(NotFound):
        store.runs.get(spec().digest)
    monkeypatch.undo()
    assert list(store.shelf.blobs.digests())
    store.shelf.collect(grace=-1.0)
    assert not list(store.shelf.blobs.digests())
