"""A backup of a store that is in use opens as a store in which nothing accepted before is missing."""

from __future__ import annotations

import threading

import pytest

from shadowtime.engine.errors import InvalidParameter
from shadowtime.workers.records.store import RecordStore
from shadowtime.workers.store import Store, open_store
from shadowtime.workers.store.backup import backup
from shadowtime.workers.store.integrity import faults
from tests.workers.samples import spec, summary, tables

BEFORE, AFTER = 10, 40
"""Runs that end before, and while, the copy is made."""


def run_to_its_end(store: Store, seed: int) -> None:
    one = spec(seed)
    store.runs.accept(one)
    begun = store.runs.begin(one.digest)
    assert begun is not None
    store.runs.finish(one.digest, begun.attempt, tables(value=seed), summary(one))


def test_a_copy_made_under_writers_loses_nothing_and_shows_nothing_wrong(tmp_path):
    store = open_store(tmp_path / "store")
    for seed in range(BEFORE):
        run_to_its_end(store, seed)
    for seed in range(BEFORE, AFTER):
        store.runs.accept(spec(seed))
    identity = store.identity
    begun = threading.Event()

    def write() -> None:
        for seed in range(BEFORE, AFTER):
            run_to_its_end(store, seed)
            begun.set()

    writer = threading.Thread(target=write)
    writer.start()
    begun.wait(30)
    blobs, size = backup(store, tmp_path / "copy")
    writer.join()
    copy = RecordStore(tmp_path / "copy")

    for seed in range(AFTER):
        run = copy.runs.get(spec(seed).digest)
        assert run.spec == spec(seed)
        if run.status.is_finished:
            assert set(run.table("series")["time"]) == {seed % 200}
            assert run.summary == summary(spec(seed))
        else:  # it had not come to its end, and is computed again
            assert seed >= BEFORE
            copy.runs.fail(run.digest, "its worker is elsewhere")
            run_to_its_end(copy, seed)
    assert not [str(fault) for fault in faults(copy)]
    assert {run.status.status for run in copy.runs.list(limit=AFTER).rows} == {"finished"}
    assert copy.identity == identity
    assert blobs >= 1 and size > 0


def test_a_backup_needs_a_new_folder(tmp_path):
    store = open_store(tmp_path / "store")
    with pytest.raises(InvalidParameter, match="not empty"):
        backup(store, tmp_path)
