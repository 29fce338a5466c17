"""Two processes at one blob, step by step: the collector, and one that announces or uses it."""

from __future__ import annotations

import threading
import time
from concurrent.futures import ThreadPoolExecutor

import pytest
from sqlalchemy import delete, text

from shadowtime.workers.records import shelf as module
from shadowtime.workers.records.blobs import BlobsAway, FolderBlobs
from shadowtime.workers.records.schema import uses
from shadowtime.workers.records.shelf import BlobsCollected, Shelf, use
from tests.workers.records.shelves import CONTENTS, drafts_of, empty, forget, known, used, write_and_use


@pytest.fixture
def shelf(database, tmp_path):
    return Shelf(database, FolderBlobs(tmp_path / "blobs"))


def test_a_deleted_run_frees_its_blobs_at_once(shelf, tmp_path):
    write_and_use(shelf, tmp_path, "a", CONTENTS[:2])
    write_and_use(shelf, tmp_path, "b", CONTENTS[1:3])

    forget(shelf, "a")

    assert len(list(shelf.blobs.digests())) == 2
    assert used(shelf.database) == known(shelf.database) == sorted(shelf.blobs.digests())


def test_a_blob_that_another_process_has_announced_is_not_freed(shelf, tmp_path):
    write_and_use(shelf, tmp_path, "a", CONTENTS[:1])
    with ThreadPoolExecutor(1) as other:
        other.submit(shelf.put, drafts_of(tmp_path, CONTENTS[:1])).result()

    forget(shelf, "a")
    assert shelf.collect() == []
    assert len(list(shelf.blobs.digests())) == 1
    assert len(shelf.collect(-1.0)) == 1


def test_a_draft_that_was_collected_and_announced_again_is_written_again(shelf, tmp_path):
    """The other process has not written the file yet, and may never do so."""
    drafts = drafts_of(tmp_path, CONTENTS[:1])
    shelf.put(drafts)
    shelf.collect(-1.0)
    with ThreadPoolExecutor(1) as other, pytest.MonkeyPatch.context() as patch:
        patch.setattr(shelf.blobs, "put", lambda drafts: None)
        other.submit(shelf.put, drafts_of(tmp_path, CONTENTS[:1])).result()

    with pytest.raises(BlobsCollected), shelf.database.write() as connection:
        use(connection, "run", "a", [drafts[0].digest])
    assert write_and_use(shelf, tmp_path, "a", CONTENTS[:1])
    assert shelf.blobs.open(drafts[0].digest).read_bytes() == CONTENTS[0]


@pytest.mark.parametrize("url", ["postgresql"], indirect=True)  # where write transactions run at once
def test_the_collector_waits_for_no_transaction_that_uses_a_blob(shelf, tmp_path):
    shelf.put(drafts_of(tmp_path, CONTENTS[:1]))
    (digest,) = shelf.blobs.digests()
    forgotten()
    with ThreadPoolExecutor(1) as other, shelf.database.write() as connection:
        use(connection, "run", "a", [digest])
        assert other.submit(shelf.collect, -1.0).result(10.0) == []

    assert shelf.collect(-1.0) == []
    assert shelf.blobs.open(digest).exists()


@pytest.mark.parametrize("url", ["postgresql"], indirect=True)  # where write transactions run at once
def test_a_use_committed_after_the_collector_has_looked_is_seen(shelf, tmp_path):
    shelf.put(drafts_of(tmp_path, CONTENTS[:1]))
    (digest,) = shelf.blobs.digests()
    forgotten()
    with shelf.database.write() as connection:
        connection.execute(delete(uses))
    with ThreadPoolExecutor(1) as other:
        collected = other.submit(shelf._remove, [digest], text("pg_sleep(1.0) IS NOT NULL"))
        time.sleep(0.3)
        with shelf.database.write() as connection:
            use(connection, "run", "a", [digest])
        assert collected.result(10.0) == []

    assert shelf.blobs.open(digest).exists()


def test_a_use_that_waits_for_the_collector_is_told_that_the_blob_is_gone(shelf, tmp_path, monkeypatch):
    shelf.put(drafts_of(tmp_path, CONTENTS[:1]))
    (digest,) = shelf.blobs.digests()
    forgotten()
    waits, remove = threading.Event(), shelf.blobs.remove
    monkeypatch.setattr(shelf.blobs, "remove", lambda digest: (waits.set(), time.sleep(0.3), remove(digest)))
    with ThreadPoolExecutor(1) as other:
        collected = other.submit(shelf.collect, -1.0)
        assert waits.wait(10.0)
        with pytest.raises(BlobsCollected), shelf.database.write() as connection:
            use(connection, "run", "a", [digest])
        assert collected.result(10.0) == [digest]


def test_a_file_that_cannot_be_deleted_is_deleted_later(shelf, tmp_path, monkeypatch):
    shelf.put(drafts_of(tmp_path, CONTENTS))
    remove = shelf.blobs.remove

    def fail(digest: str) -> None:
        remove(digest)
        raise BlobsAway("away")

    with monkeypatch.context() as patch:
        patch.setattr(shelf.blobs, "remove", fail)
        with pytest.raises(BlobsAway):
            shelf.collect(-1.0)
    assert len(known(shelf.database)) == len(CONTENTS)

    shelf.collect(-1.0)
    assert known(shelf.database) == list(shelf.blobs.digests()) == []


def test_strays_are_listed_and_collected(shelf, tmp_path):
    shelf.put(drafts_of(tmp_path, CONTENTS))
    empty(shelf.database)

    strays = shelf.strays()
    assert strays == sorted(shelf.blobs.digests()) and len(strays) == len(CONTENTS)
    shelf.adopt(strays)
    assert shelf.strays() == [] and shelf.collect() == []
    assert sorted(shelf.collect(-1.0)) == strays
    assert list(shelf.blobs.digests()) == []


def forgotten() -> None:
    """Let this thread be one that has announced nothing."""
    module._leases().clear()
