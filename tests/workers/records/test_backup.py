"""A backup of a store that is in use opens as a store in which nothing accepted before is missing."""

from __future__ import annotations

import errno
import os
import shutil
import sqlite3
import threading

import pytest

from shadowtime.engine.errors import InvalidParameter
from shadowtime.workers.records.store import RecordStore
from shadowtime.workers.store import Store, disk, open_store
from shadowtime.workers.store.backup import NotCopied, backup
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


@pytest.mark.parametrize("place", ["file", "file/copy", "/proc/copy"])
def test_a_place_where_no_folder_can_be_made_is_one_sentence(tmp_path, place):
    store = open_store(tmp_path / "store")
    (tmp_path / "file").touch()

    with pytest.raises(InvalidParameter, match=r"is no folder|cannot be made"):
        backup(store, tmp_path / place)


@pytest.mark.parametrize("part", ["blobs", "records", "flush"])
@pytest.mark.parametrize("is_there", [False, True])
def test_a_backup_that_fails_is_removed_and_can_be_repeated(tmp_path, monkeypatch, part, is_there):
    store, target = open_store(tmp_path / "store"), tmp_path / "copy"
    run_to_its_end(store, 1)
    if is_there:
        target.mkdir()

    def full(*_: object, **__: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device", "copy")

    with monkeypatch.context() as patch:
        if part == "blobs":
            patch.setattr(os, "link", full)
            patch.setattr(shutil, "copyfile", full)
        elif part == "flush":
            patch.setattr(disk, "sync_all", full)
        else:
            patch.setattr(sqlite3, "connect", _limited(sqlite3.connect))
        with pytest.raises(NotCopied, match=r"failed, and was removed: .*(no space left|disk is full)"):
            backup(store, target)

    assert list(target.iterdir()) == [] if is_there else not target.exists()
    assert backup(store, target)[0] >= 1
    assert not list(faults(RecordStore(target)))


def _limited(connect):
    """Return `sqlite3.connect` with files of two pages at most, as on a full disk."""

    def opened(place, *more, **named):
        made = connect(place, *more, **named)
        made.execute("PRAGMA max_page_count = 2")
        return made

    return opened
