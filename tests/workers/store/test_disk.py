"""A real small disk that is full or read-only: one sentence, nothing half, and deletion always works."""

from __future__ import annotations

import errno
import io
import os
import shutil
import sqlite3
import subprocess
import sys
import time
from pathlib import Path

import pytest

from shadowtime.workers import submit
from shadowtime.workers.records import database
from shadowtime.workers.records.database import DatabaseAway
from shadowtime.workers.store import disk, open_store, reserve
from shadowtime.workers.store.integrity import faults
from shadowtime.workers.sweeps import submission
from tests.conftest import FOUR_SWF
from tests.dashboard.api.conftest import make_site
from tests.dashboard.cli.conftest import shadowtime  # noqa: F401 (a fixture)
from tests.workers.lab import ROOT
from tests.workers.samples import fake_queue, spec, summary, tables
from tests.workers.sweeps.samples import asked

MEGABYTES = 24


@pytest.fixture
def small(tmp_path):
    """A folder that is a file system of its own."""
    folder = tmp_path / "disk"
    folder.mkdir()
    mounted = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", f"size={MEGABYTES}m", "tmpfs", str(folder)], capture_output=True, text=True
    )
    if mounted.returncode:
        pytest.skip(f"no file system can be mounted here: {mounted.stderr.strip()}")
    yield folder
    subprocess.run(["umount", "-l", str(folder)], check=True)


def fill(folder: Path) -> Path:
    """Take all the room that is left; the file that does."""
    path = folder / "filler"
    with open(path, "wb", buffering=0) as file:
        try:
            while True:
                file.write(b"x" * 65536)
        except OSError as error:
            assert error.errno == errno.ENOSPC
        try:
            while True:
                file.write(b"x")
        except OSError:
            pass
    assert shutil.disk_usage(folder).free == 0
    return path


def finished(store, seed: int) -> str:
    store.runs.accept(spec(seed))
    status = store.runs.begin(spec(seed).digest)
    assert store.runs.finish(spec(seed).digest, status.attempt, tables(), summary(spec(seed)))
    return spec(seed).digest


def test_whether_it_can_be_written_to_is_tried(small):
    store = open_store(small)
    assert store.check()
    filler = fill(small)
    assert not store.check()
    filler.unlink()
    assert store.check() and not list(small.glob("*/.tmp-*"))


def test_on_a_full_disk_nothing_is_accepted_and_runs_can_be_deleted(small):
    store, queue = open_store(small), fake_queue()
    store.workloads.add(io.BytesIO(FOUR_SWF.encode()), "four.swf")
    digests = [finished(store, seed) for seed in range(3)]
    assert (small / reserve.NAME).stat().st_size == (MEGABYTES << 20) // reserve.SHARE
    filler = fill(small)

    with pytest.raises(OSError, match="No space"):
        submit.admit(store, queue, spec(9), 10)
    assert {run.digest for run in store.runs.list().rows} == {*digests} and queue.waiting() == []
    for digest in digests:
        store.runs.delete(digest)
    assert store.runs.list().rows == []
    assert {store.runs.question(digest).digest for digest in digests} == {*digests}

    filler.unlink()
    assert submit.admit(store, queue, spec(9), 10)
    assert list(faults(open_store(small))) == [] and (small / reserve.NAME).exists()


def test_links_and_experiments_can_be_deleted_on_a_full_disk(small):
    store, queue = open_store(small), fake_queue()
    code = store.links.make("/runs")[0].code
    sweep = submission.accept(store, queue, asked(store))[0]
    submission.cancel(store, queue, sweep.id)
    fill(small)
    store.links.revoke(code)
    store.sweeps.delete(sweep.id)

    assert store.links.all() == [] and store.sweeps.list() == []


def test_prune_frees_a_full_disk(small, shadowtime):  # noqa: F811
    store = open_store(small)
    for seed in range(3):
        finished(store, seed)
    fill(small)
    answer = shadowtime("store", "prune", "--older-than", "0", "--store", small)

    assert answer.code == 0 and answer.err.startswith("3 runs deleted")
    assert shutil.disk_usage(small).free > 0


def test_each_way_in_says_in_one_sentence_that_there_is_no_room(small):
    with make_site(small, max_uploads=0) as site:
        run = site.ask().json["id"]
        site.finish(run)
        workload = site.store.workloads.list().rows[0].id
        filler = fill(small)
        refused = [
            site.upload("; MaxProcs: 4\n1 0 -1 10 1 -1 -1 1 10 -1 1 1 -1 -1 -1 -1 -1 -1\n"),
            site.client.post("/api/workloads", json={"generator": "uniform", "parameters": {"jobs": 50}}),
            site.client.post("/api/runs", json={"workload": workload, "algorithm": "fcfs"}),
            site.client.post("/api/links", json={"target": f"/runs/{run}"}),
        ]
        health = site.client.get("/healthz")

        assert [answer.status_code for answer in refused] == [507] * 4, [answer.json for answer in refused]
        assert {answer.json["error"] for answer in refused} == {
            "The disk of the store is full: nothing was kept. Deleting still works."
        }
        assert health.status_code == 503 and health.json["store"] is False
        assert site.client.get(f"/api/runs/{run}").status_code == 200
        assert site.client.delete(f"/api/runs/{run}").status_code == 204
        assert site.client.delete(f"/api/workloads/{workload}").status_code == 204
        filler.unlink()
        assert site.client.get("/healthz").json["store"] is True
        assert site.ask().status_code == 202


def test_a_file_on_its_way_in_lies_in_the_store_and_what_a_crash_left_is_swept(tmp_path, monkeypatch):
    lying: list[list[str]] = []
    with make_site(tmp_path, max_uploads=0) as site:
        intake = site.server.extensions["shadowtime"].intake
        asked = intake.ask

        def ask(question, **values):
            lying.append([path.name for path in tmp_path.iterdir() if path.name.startswith(disk.TEMPORARY)])
            return asked(question, **values)

        monkeypatch.setattr(intake, "ask", ask)
        assert site.upload().status_code == 201
    (left,) = lying[0]
    assert not (tmp_path / left).exists()

    (tmp_path / left).write_bytes(b"half of a file")
    open_store(tmp_path).tidy()
    assert (tmp_path / left).exists(), "it may still be on its way"
    os.utime(tmp_path / left, (0, time.time() - 2 * 86_400))
    open_store(tmp_path).tidy()
    assert not (tmp_path / left).exists()


def test_a_store_on_a_read_only_disk_is_read_and_says_so(small):
    made = (
        "import sys; from tests.workers.store.test_disk import *; store = open_store(sys.argv[1]); finished(store, 1)"
    )
    made += "; store.key()"
    subprocess.run([sys.executable, "-c", made, str(small)], check=True, cwd=ROOT)
    subprocess.run(["mount", "-o", "remount,ro", str(small)], check=True)
    assert not reserve.can_write(small)
    with make_site(small, max_uploads=0) as site:
        refused = [
            site.client.delete(f"/api/runs/{spec(1).id}"),
            site.client.post("/api/links", json={"target": f"/runs/{spec(1).id}"}),
        ]

        assert [(answer.status_code, answer.json["error"]) for answer in refused] == [
            (507, "The disk of the store is read-only: nothing was kept.")
        ] * 2
        assert site.client.get(f"/api/runs/{spec(1).id}").status_code == 200
        assert site.client.get("/healthz").json["store"] is False


def test_a_run_that_the_database_does_not_take_is_not_accepted(tmp_path, monkeypatch):
    monkeypatch.setattr(database, "PATIENCE", 0.2)
    store, queue = open_store(tmp_path), fake_queue()
    store.workloads.add(io.BytesIO(FOUR_SWF.encode()), "four.swf")
    other = sqlite3.connect(tmp_path / "records.sqlite", isolation_level=None)
    other.execute("BEGIN EXCLUSIVE")

    with pytest.raises(DatabaseAway, match="database does not answer"):
        submit.admit(store, queue, spec(1), 10)
    other.execute("ROLLBACK")

    assert store.runs.listed("queued") == [] and queue.waiting() == []
    assert submit.admit(store, queue, spec(1), 10) and store.runs.listed("queued") == [spec(1).digest]


def test_the_reserve_is_small_and_made_again(tmp_path):
    reserve.keep(tmp_path)
    size = (tmp_path / reserve.NAME).stat().st_size
    tried = []

    def delete():
        tried.append((tmp_path / reserve.NAME).exists())
        if len(tried) == 1:
            raise OSError(errno.ENOSPC, "full")

    reserve.with_room(tmp_path, delete)
    assert tried == [True, False]
    assert (tmp_path / reserve.NAME).stat().st_size == size == reserve.SIZE
    assert reserve.is_full(OSError(errno.ENOSPC, "")) and not reserve.is_full(OSError(errno.EIO, ""))
