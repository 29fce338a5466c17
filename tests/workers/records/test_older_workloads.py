"""Workloads that an older version kept in folders become rows and blobs, once and whole; on both databases."""

from __future__ import annotations

import gzip
import hashlib
import io
import json
import logging
import os
from pathlib import Path

import pytest

from shadowtime.engine.workload import reading
from shadowtime.engine.workload.generators.generate import generate
from shadowtime.workers.errors import Damaged
from shadowtime.workers.records.blobs import FolderBlobs
from shadowtime.workers.records.older import workloads as older_workloads
from shadowtime.workers.records.shelf import Shelf
from shadowtime.workers.records.workload_check import faults
from shadowtime.workers.records.workload_facts import with_facts
from shadowtime.workers.records.workloads import Workloads
from shadowtime.workers.spec import canonical
from shadowtime.workers.store import seal
from shadowtime.workers.store.base import WorkloadEntry
from tests.conftest import FOUR_SWF
from tests.workers.records.workload_samples import CASES

FOUR = FOUR_SWF.encode()
ADDED = "2025-03-01T12:00:00.000000Z"


def old(folder: Path, content: bytes, name: str, source: str, **changes: object) -> Path:
    """A workload's folder as version 0.1.0 wrote it."""
    path = folder / "workloads" / hashlib.sha256(content).hexdigest()
    (path / "parsed" / "0.1.0" / "whole").mkdir(parents=True)
    (path / source).write_bytes(gzip.compress(content, mtime=5))
    if b'"generator"' in content:
        workload, cases = generate(**{"slug" if k == "generator" else k: v for k, v in json.loads(content).items()}), []
    else:
        cases = reading.cases(io.BytesIO(content))
        workload = reading.read(io.BytesIO(content), name, cases[0] if cases else None)
    entry = WorkloadEntry(path.name, name, dict(workload.source), "", 0, tuple(cases), size=len(content), added=ADDED)
    values = {**with_facts(workload, entry).as_dict(), **changes}
    (path / "manifest.json").write_bytes(seal.sealed(values))
    os.utime(path / "manifest.json", (0, 0))
    return path


@pytest.fixture
def folder(tmp_path):
    """A store with a log, a file of cases and a generated workload."""
    old(tmp_path, FOUR, "four.swf", "source.swf.gz")
    old(tmp_path, CASES, "Jobs of May – größer.json", "source.json.gz")
    drawn = generate("uniform", {"jobs": 20}, 3)
    old(tmp_path, canonical(dict(drawn.source)).encode(), drawn.name, "source.json.gz")
    (tmp_path / "workloads" / ".tmp-1-ab").mkdir()
    return tmp_path


@pytest.fixture
def shelf(database, tmp_path):
    return Shelf(database, FolderBlobs(tmp_path / "blobs"))


@pytest.fixture
def taken(folder, database, shelf):
    """Takes the store over, and returns its workloads."""

    def take() -> Workloads:
        older_workloads.take_over(folder, database, shelf)
        return Workloads(database, shelf, folder)

    return take


def manifests(folder):
    return {path.parent.name: json.loads(path.read_bytes()) for path in folder.glob("*workloads/*/manifest.json")}


def test_folders_become_rows_and_blobs_and_are_kept(folder, taken):
    before = manifests(folder)
    workloads = taken()

    assert not (folder / "workloads").exists() and manifests(folder) == before
    for digest, said in before.items():
        said.pop(seal.KEY)
        assert json.loads(json.dumps(workloads.get(digest).as_dict())) == said
        assert hashlib.sha256(workloads.open_source(digest).read()).hexdigest() == digest
        assert len(workloads.load(digest, said["cases"][0] if said["cases"] else None)) == said["jobs"]
    assert [*faults(workloads)] == [] and len(workloads.digests()) == 3
    assert list((folder / "tmp").iterdir()) == [] and workloads.shelf.strays() == []


def test_a_source_is_one_file_with_its_blob(folder, taken):
    blobs = {path.stat().st_ino for path in taken().shelf.blobs.root.iterdir()}

    assert blobs == {path.stat().st_ino for path in folder.glob("older-workloads/*/source.*")}


def test_it_works_without_hard_links(folder, taken, monkeypatch):
    def refuse(*_):
        raise OSError(1, "Operation not permitted")

    monkeypatch.setattr(os, "link", refuse)
    workloads = taken()

    assert [*faults(workloads)] == [] and len(workloads.digests()) == 3
    assert len([*folder.glob("older-workloads/*/source.*")]) == 3


@pytest.mark.parametrize("content", [b"", b"{", b"[]", b"{}", b"[" * 50_000, b'{"digest": "x"}', "altered", None])
def test_a_torn_manifest_is_made_again_from_the_source(folder, taken, content):
    before = manifests(folder)
    for path in folder.glob("workloads/*/manifest.json"):
        if content is None:
            path.unlink()
            continue
        path.write_bytes(path.read_bytes().replace(b'"jobs": ', b'"jobs": 9') if content == "altered" else content)
        os.utime(path, (0, 0))
    workloads = taken()

    for digest, said in before.items():
        entry = workloads.get(digest)
        assert (entry.jobs, list(entry.cases), entry.size) == (said["jobs"], said["cases"], said["size"])
        assert entry.name == (said["name"] if "generator" in said["source"] else f"recovered-{digest[:8]}")
        assert content is None or entry.added == "1970-01-01T00:00:00.000000Z"
    assert [*faults(workloads)] == []


@pytest.mark.parametrize("change", ["cut", "altered", "missing"])
def test_a_damaged_source_becomes_a_damaged_workload(folder, taken, caplog, change):
    digest = hashlib.sha256(FOUR).hexdigest()
    path = folder / "workloads" / digest / "source.swf.gz"
    other = gzip.compress(FOUR.replace(b"10", b"11"))
    {"cut": lambda: path.write_bytes(path.read_bytes()[:40]), "altered": lambda: path.write_bytes(other),
     "missing": path.unlink}[change]()  # fmt: skip
    with caplog.at_level(logging.ERROR):
        workloads = taken()

    assert [f"workload {digest[:16]} is damaged" in record.message for record in caplog.records] == [True]
    assert workloads.damaged() == [digest[:16]] and len(workloads.list().rows) == 2
    with pytest.raises(Damaged, match=f"workload {digest[:16]} is damaged"):
        workloads.get(digest)
    assert digest in [one for one, _ in faults(workloads)]
    assert not workloads.add(io.BytesIO(FOUR), "four.swf")[1]
    assert workloads.get(digest).jobs == 4 and [*faults(workloads)] == []


@pytest.mark.parametrize("dies", [1, 2, 3, 4])
def test_a_process_that_dies_is_continued(folder, taken, monkeypatch, dies):
    calls, insert, rename = [], older_workloads._insert, Path.rename

    def dying(act):
        def done(*given):
            calls.append(given)
            if len(calls) == dies:
                raise KeyboardInterrupt
            return act(*given)

        return done

    monkeypatch.setattr(older_workloads, "_insert", dying(insert))
    monkeypatch.setattr(Path, "rename", dying(rename))
    with pytest.raises(KeyboardInterrupt):
        taken()
    monkeypatch.undo()
    assert (folder / "workloads").exists()
    workloads = taken()

    assert len(workloads.digests()) == 3 and [*faults(workloads)] == []
    assert not (folder / "workloads").exists()


def test_a_folder_that_an_older_version_makes_again_is_taken_over_too(folder, taken):
    assert len(taken().digests()) == 3
    old(folder, FOUR + b";\n", "five.swf", "source.swf.gz")
    assert len(taken().digests()) == 4
    assert sorted(path.name for path in folder.glob("*workloads*")) == ["older-workloads", "older-workloads-2"]
    assert len(taken().digests()) == 4


def test_a_file_that_may_not_be_read_stops_it(folder, taken, monkeypatch):
    def refuse(_):
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(older_workloads, "digest_of_content", refuse)
    with pytest.raises(PermissionError):
        taken()
    monkeypatch.undo()

    assert len(taken().list().rows) == 3
