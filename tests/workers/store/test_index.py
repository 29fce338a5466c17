"""The index may be lost, torn or behind: the folders say what is there."""

from __future__ import annotations

import os
import sqlite3
import threading
from concurrent.futures import ThreadPoolExecutor
from multiprocessing import get_context

from shadowtime.workers.records.database import on_network
from shadowtime.workers.store.files import FileStore
from shadowtime.workers.store.index import MOST_FREE
from tests.workers.samples import rewrite, spec, summary, tables


def three_runs(path) -> FileStore:
    store = FileStore(path)
    for seed in range(3):
        store.runs.accept(spec(seed), jobs=4)
    store.runs.begin(spec(1).digest)
    store.runs.finish(spec(1).digest, 1, tables(), summary(spec(1)))
    return store


def listed(store) -> list[tuple[str, str]]:
    return [(run.digest, run.status.status) for run in store.runs.list().rows]


def test_a_deleted_index_is_written_again(tmp_path):
    store = three_runs(tmp_path)
    before = listed(store)
    for file in tmp_path.glob("index.sqlite*"):
        file.unlink()

    assert listed(store) == before, "by the process that had it open"
    for file in tmp_path.glob("index.sqlite*"):
        file.unlink()
    assert listed(FileStore(tmp_path)) == before, "by another one"


def test_a_torn_index_is_written_again(tmp_path):
    before = listed(three_runs(tmp_path))
    for file in tmp_path.glob("index.sqlite-*"):
        file.unlink()
    (tmp_path / "index.sqlite").write_bytes(b"this is no database, whatever its name says" * 100)

    assert listed(FileStore(tmp_path)) == before


def test_many_changes_at_once_find_a_torn_index_first(tmp_path):
    before = listed(three_runs(tmp_path))
    for file in tmp_path.glob("index.sqlite-*"):
        file.unlink()
    (tmp_path / "index.sqlite").write_bytes(b"this is no database, whatever its name says" * 100)
    store = FileStore(tmp_path)
    with store.runs.index.together():
        store.runs.accept(spec(3), jobs=4)

    assert listed(store) == [(spec(3).digest, "queued"), *before]


def test_an_index_of_another_layout_is_written_again(tmp_path):
    before = listed(three_runs(tmp_path))
    with sqlite3.connect(tmp_path / "index.sqlite") as base:
        base.execute("PRAGMA user_version = 99")

    assert listed(FileStore(tmp_path)) == before


def test_reindex_finds_what_another_machine_did(tmp_path):
    store = three_runs(tmp_path)
    status = tmp_path / "runs" / spec(0).digest / "status.json"
    elsewhere = tmp_path / "runs" / "elsewhere"
    status.rename(elsewhere)
    rewrite(elsewhere, status="failed", error="no more")
    status.write_bytes(elsewhere.read_bytes())
    elsewhere.unlink()
    os.rename(tmp_path / "runs" / spec(2).digest, tmp_path / "gone")
    store.reindex()

    assert sorted(listed(store)) == sorted([(spec(0).digest, "failed"), (spec(1).digest, "finished")])


def test_a_row_that_lags_behind_its_folder_is_put_right_when_read(tmp_path):
    store = three_runs(tmp_path)
    with sqlite3.connect(tmp_path / "index.sqlite") as base:
        base.execute("UPDATE runs SET status = 'running' WHERE digest = ?", [spec(1).digest])

    assert spec(1).digest not in dict(store.runs.unfinished())
    assert [run.digest for run in store.runs.list(status=["finished"]).rows] == [spec(1).digest]


def test_threads_share_a_store(tmp_path):
    store = FileStore(tmp_path)
    errors = []

    def work(first: int) -> None:
        try:
            for seed in range(first, first + 10):
                store.runs.accept(spec(seed))
                store.runs.list(limit=5)
        except Exception as error:
            errors.append(error)

    threads = [threading.Thread(target=work, args=(10 * number,)) for number in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    assert not errors
    assert len(store.runs.list(limit=100).rows) == 40


def test_many_threads_leave_few_connections_open(tmp_path):
    store = three_runs(tmp_path)
    at_once = threading.Barrier(40)
    with ThreadPoolExecutor(40) as asking:
        counted = list(asking.map(lambda _: (at_once.wait(), store.runs.counts()), range(40)))

    assert all(counts == counted[0][1] for _, counts in counted)
    assert 1 <= len(store.runs.index._free) <= MOST_FREE


def test_whoever_comes_while_a_new_index_is_written_waits(tmp_path):
    other = sqlite3.connect(tmp_path / "index.sqlite", isolation_level=None, check_same_thread=False)
    other.execute("CREATE TABLE begun (x)")
    other.execute("BEGIN IMMEDIATE")  # as another process that lays it out
    threading.Timer(0.3, lambda: other.execute("COMMIT")).start()

    assert listed(FileStore(tmp_path)) == []
    other.close()


def accept_some(path, first: int) -> None:
    store = FileStore(path)
    for seed in range(first, first + 10):
        store.runs.accept(spec(seed))
        store.runs.begin(spec(seed).digest)


def test_processes_share_a_store(tmp_path):
    three_runs(tmp_path)
    FileStore(tmp_path).runs.list()
    spawn = get_context("spawn")
    processes = [spawn.Process(target=accept_some, args=(tmp_path, 100 * number)) for number in (1, 2, 1)]
    for process in processes:
        process.start()
    for process in processes:
        process.join()

    assert [process.exitcode for process in processes] == [0, 0, 0]
    assert len(FileStore(tmp_path).runs.list(limit=100).rows) == 23


def test_a_forked_child_opens_its_own_index(tmp_path):
    store = three_runs(tmp_path)
    child = get_context("fork").Process(target=store.runs.accept, args=(spec(9),))
    child.start()
    child.join()

    assert child.exitcode == 0
    assert len(store.runs.list().rows) == 4


def test_temporary_names_of_crashed_processes_are_swept(tmp_path):
    store = three_runs(tmp_path)
    left = tmp_path / "runs" / ".tmp-123-abc"
    left.mkdir()
    (left / "spec.json").write_text("{}")
    young = tmp_path / "runs" / ".tmp-124-abc"
    young.mkdir()
    os.utime(left, (0, 0))
    store.reindex()

    assert not left.exists()
    assert young.exists()
    assert len(listed(store)) == 3


def test_a_local_path_is_not_on_a_network(tmp_path):
    assert not on_network(tmp_path)
