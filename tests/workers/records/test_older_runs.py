"""Runs of a store of version 0.1.0 that are unfinished, or not what was written; on both databases."""

from __future__ import annotations

import errno
import json
import os
import resource
import shutil
import zlib
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from shadowtime.workers.errors import Damaged, NotFound
from shadowtime.workers.records.older import CannotTakeOver
from shadowtime.workers.records.older.tables import read_table
from shadowtime.workers.records.store import RecordStore
from shadowtime.workers.store import seal
from shadowtime.workers.store.integrity import faults
from tests.workers.records import old_answers
from tests.workers.records.old_answers import ANSWERS, SPECIAL

FINISHED = [
    digest
    for digest, said in ANSWERS["runs"].items()
    if said["tables"] and digest not in SPECIAL.values() and not json.loads(said["spec"]).get("salt")
]


@pytest.fixture
def folder(tmp_path):
    return old_answers.unpack(tmp_path / "store")


def change_status(folder, digest, **changes):
    path = folder / "runs" / digest / "status.json"
    path.write_text(json.dumps({**json.loads(path.read_bytes()), **changes}))


def whole(store):
    """The runs that are listed and not damaged."""
    return {run.digest for run in store.runs.list(limit=1000, owners=()).rows if not run.status.damaged}


def test_a_running_run_waits_again_or_is_cancelled_where_that_was_requested(folder, url):
    waits, cancelled = FINISHED[:2]
    for digest in (waits, cancelled):
        change_status(folder, digest, status="running", attempt=2, ended=None)
    (folder / "runs" / cancelled / "cancel").touch()
    store = RecordStore(folder, url)

    status = store.runs.get(waits).status
    assert (status.status, status.attempt, status.spared, status.started) == ("queued", 3, 1, None)
    status = store.runs.get(cancelled).status
    assert (status.status, status.attempt) == ("cancelled", 2) and status.ended > status.started


WRONG = [
    {"status": "asleep"}, {"status": None}, {"attempt": "1"}, {"attempt": 1 << 40}, {"accepted": None},
    {"accepted": "x" * 40}, {"ended": "yesterday"}, {"ended": "2026-11-22T01:10:11"}, {"progress": [3]},
    {"progress": {"jobs": "x"}}, {"client": 3}, {"client": "\0"}, {"client": "\ud800"}, {"owner": "ada"},
    {"damaged": "no"},
]  # fmt: skip


def test_a_status_that_is_none_gives_a_damaged_run_beside_the_others(folder, url):
    spoilt = dict(zip(FINISHED, WRONG, strict=False))
    for digest, changes in spoilt.items():
        change_status(folder, digest, **changes)
    store = RecordStore(folder, url)

    for digest, changes in spoilt.items():
        status = store.runs.get(digest).status
        assert (status.status, status.damaged) == ("failed", True) and "status.json" in status.error, changes
    assert whole(store) == {*ANSWERS["newest first, public"]} - {*spoilt, SPECIAL["damaged"]}
    assert len(spoilt) == len(WRONG)


SPOILT = [
    ("jobs/end.npy", b"x", "jobs/end.npy does not hold what was written"),
    ("jobs/manifest.json", b"{}", "jobs/manifest.json does not hold what was written"),
    ("events", None, "events/manifest.json is missing"),
    ("segments/job.npy", None, "segments/job.npy is missing"),
    ("summary.json", b"{", "summary.json is not what was written"),
    ("summary.json", b'{"kept_tables": ["../jobs"]}', "summary.json names other tables"),
    ("summary.json", b'{"kept_tables": 3}', "is damaged"),
    ("summary.json", None, "summary.json is missing"),
]


def spoil(path, content):
    if content is not None:
        path.write_bytes(content)
    elif path.is_dir():
        shutil.rmtree(path)
    else:
        path.unlink()


def test_a_damaged_result_is_named_and_never_shown(folder, url):
    spoilt = dict(zip(FINISHED, SPOILT, strict=False))
    for digest, (name, content, _) in spoilt.items():
        spoil(folder / "runs" / digest / name, content)
    store = RecordStore(folder, url)

    for digest, (name, _, sentence) in spoilt.items():
        run = store.runs.get(digest)
        assert (run.status.status, run.status.damaged) == ("failed", True) and sentence in run.status.error, name
        with pytest.raises(NotFound):
            run.table("series")
    assert len([*faults(store)]) == len(SPOILT) + 1
    assert whole(store) == {*ANSWERS["newest first, public"]} - {*spoilt, SPECIAL["damaged"]}


def test_a_run_whose_question_is_damaged_is_named_and_can_be_asked_again(folder, url):
    spoilt = dict(zip((SPECIAL["re-run"], *FINISHED), (b"", b"{}", b"\xff", None), strict=False))
    for digest, content in spoilt.items():
        spoil(folder / "runs" / digest / "spec.json", content)
    store = RecordStore(folder, url)

    assert spoilt.keys() <= {run.digest for run in store.runs.list(limit=1000).rows}
    assert whole(store) == {*ANSWERS["newest first, public"]} - {*spoilt, SPECIAL["damaged"]}
    assert not spoilt.keys() & {run.digest for run in store.runs.list(limit=1000, owners=()).rows}, "it may be private"
    assert {str(fault).split()[1].rstrip(":") for fault in faults(store)} == {
        digest[:16] for digest in (*spoilt, SPECIAL["damaged"])
    }, "so that what was set aside is not deleted"
    with pytest.raises(Damaged, match="submit it again"):
        _ = store.runs.get(SPECIAL["re-run"]).spec
    easy = json.loads(ANSWERS["runs"][SPECIAL["re-run"]]["spec"])
    asked = replace(store.runs.get(SPECIAL["re-run queued"]).spec, algorithm="easy", parameters=easy["parameters"])
    assert asked.digest == SPECIAL["re-run"] and store.runs.accept(asked, jobs=4)
    assert store.runs.get(SPECIAL["re-run"]).status.status == "queued"


@pytest.mark.parametrize("content", ["", "x" * 64, "\0"])
def test_a_key_that_is_none_is_made_again(tmp_path, content):
    (tmp_path / "key").write_text(content)

    assert len(RecordStore(tmp_path).key()) == 64
    assert (tmp_path / "older-key").read_text() == content


def test_a_file_that_the_disk_cannot_deliver_is_damaged_and_one_that_may_not_be_read_stops_it(folder, monkeypatch):
    usual, number = Path.read_bytes, errno.EACCES

    def read(path):
        if path.parent.name == FINISHED[0] and path.name == "summary.json":
            raise OSError(number, os.strerror(number), str(path))
        return usual(path)

    monkeypatch.setattr(Path, "read_bytes", read)
    with pytest.raises(CannotTakeOver, match="Permission denied"):
        RecordStore(folder)
    number = errno.EIO
    store = RecordStore(folder)

    assert "cannot be read from the disk" in store.runs.get(FINISHED[0]).status.error
    assert len([*faults(store)]) == 2


@pytest.mark.parametrize("n", [0, 1, 200_000])
def test_small_and_large_columns_are_read_to_the_last_bit(tmp_path, n):
    values, path = np.arange(n) / 7, tmp_path / "jobs"
    path.mkdir()
    np.save(path / "end.npy", values)
    digest = f"{zlib.crc32((path / 'end.npy').read_bytes()):08x}"
    manifest = {"rows": n, "columns": {"end": "<f8"}, "digests": {"end": digest}}
    (path / "manifest.json").write_bytes(seal.sealed(manifest))

    assert np.array_equal(read_table(path)["end"], values)
    with (path / "end.npy").open("r+b") as file:
        file.seek(-1, os.SEEK_END)
        file.write(b"\xff")
    with pytest.raises(ValueError, match=r"jobs/end\.npy does not hold what was written"):
        read_table(path)


def test_few_files_are_open_at_once(folder):
    limits = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (open_files() + 40, limits[1]))
    try:
        store = RecordStore(folder)
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, limits)

    assert len(store.runs.digests()) == len(ANSWERS["runs"])


def open_files() -> int:
    """The highest descriptor in use."""
    return max(int(name) for name in os.listdir("/proc/self/fd"))
