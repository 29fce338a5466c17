"""`shadowtime store` with blobs whose records are missing, empty or in another database deletes none of them."""

from __future__ import annotations

import io
import os

import pytest

from shadowtime.workers import laboratory
from shadowtime.workers.records import shelf
from shadowtime.workers.settings import Settings
from shadowtime.workers.store import open_store
from tests.dashboard.cli.test_store import FOUR, store  # noqa: F401
from tests.workers.samples import spec, summary, tables

PRUNE = ("store", "prune", "--older-than", "0")


def blobs(path):
    return sorted(os.listdir(path / "blobs"))


@pytest.fixture
def elsewhere(tmp_path, monkeypatch):
    """A store whose records are not in its folder, as with PostgreSQL; its web process has marked the folder."""
    url = f"sqlite:///{tmp_path / 'elsewhere.sqlite'}"
    made = open_store(tmp_path / "store", url)
    made.workloads.add(io.BytesIO(FOUR), "one.swf")
    made.runs.keep([(spec(), tables(), summary(spec()))])
    laboratory.record(made, Settings(store=made.path, database=url))
    monkeypatch.setenv("SHADOWTIME_DATABASE", url)
    return made


@pytest.mark.parametrize("act", [PRUNE, ("store", "check"), ("links", "list"), ("token", "list")])
def test_a_folder_whose_records_are_elsewhere_is_refused(shadowtime, elsewhere, monkeypatch, act):
    before = blobs(elsewhere.path)
    monkeypatch.delenv("SHADOWTIME_DATABASE")
    for _ in range(2):
        answer = shadowtime(*act, "--store", elsewhere.path)
        assert (answer.code, answer.out) == (2, "") and "belong to another database" in answer.err
        assert len(answer.err.splitlines()) == 1
        assert blobs(elsewhere.path) == before
    assert not (elsewhere.path / "records.sqlite").exists()


def test_the_records_that_a_folder_names_are_taken(shadowtime, elsewhere):
    assert shadowtime("store", "check", "--store", elsewhere.path).code == 0
    assert shadowtime(*PRUNE, "--store", elsewhere.path).code == 0


def test_another_database_is_refused(shadowtime, elsewhere, monkeypatch, tmp_path):
    url = f"sqlite:///{tmp_path / 'other.sqlite'}"
    open_store(tmp_path / "other", url).workloads.add(io.BytesIO(FOUR), "one.swf")
    monkeypatch.setenv("SHADOWTIME_DATABASE", url)

    answer = shadowtime(*PRUNE, "--store", elsewhere.path)
    assert answer.code == 2 and "belong to another database" in answer.err


def test_records_that_were_made_beside_the_blobs_of_others_are_refused(shadowtime, elsewhere, monkeypatch):
    monkeypatch.delenv("SHADOWTIME_DATABASE")
    open_store(elsewhere.path)

    answer = shadowtime(*PRUNE, "--store", elsewhere.path)
    assert answer.code == 2 and "belong to another database" in answer.err


@pytest.mark.parametrize("act", [PRUNE, ("store", "backup", "copy")])
def test_a_folder_without_its_records_is_refused(shadowtime, store, act):  # noqa: F811
    before = blobs(store.path)
    store.database.close()
    for one in store.path.glob("records.sqlite*"):
        one.unlink()

    answer = shadowtime(*act, "--store", store.path)
    assert answer.code == 2 and f"{len(before)} blobs but no records" in answer.err
    assert blobs(store.path) == before and not (store.path / "records.sqlite").exists()


def test_new_records_delete_no_blob(shadowtime, store, monkeypatch):  # noqa: F811
    monkeypatch.setattr(shelf.Shelf.collect, "__defaults__", (-1.0,))
    before = blobs(store.path)
    store.database.close()
    for one in store.path.glob("records.sqlite*"):
        one.unlink()
    fresh = open_store(store.path)

    answer = shadowtime(*PRUNE, "--store", store.path)
    assert answer.code == 2 and f"{len(before)} blobs but no records" in answer.err

    fresh.shelf.adopt(fresh.shelf.strays())  # as an earlier version did
    fresh.tidy()
    assert blobs(store.path) == before


def test_blobs_without_records_are_a_fault(shadowtime, store):  # noqa: F811
    n = len(blobs(store.path))
    store.database.close()
    for one in store.path.glob("records.sqlite*"):
        one.unlink()

    answer = shadowtime("store", "check", "--store", store.path)
    assert answer.code == 1 and f"{n} blobs but no records" in answer.out
    assert not (store.path / "records.sqlite").exists()

    open_store(store.path).database.close()
    answer = shadowtime("store", "check", "--store", store.path)
    assert answer.code == 1 and answer.out == f"database records.sqlite: {n} blobs but no records\n"


def test_a_new_store_has_no_fault(shadowtime, tmp_path):
    open_store(tmp_path / "new").database.close()

    assert shadowtime("store", "check", "--store", tmp_path / "new").code == 0


def test_few_records_delete_no_blobs_of_others(shadowtime, store):  # noqa: F811
    before = blobs(store.path)
    store.database.close()
    for one in store.path.glob("records.sqlite*"):
        one.unlink()
    fresh = open_store(store.path)
    fresh.workloads.add(io.BytesIO(FOUR.replace(b"100", b"200")), "two.swf")

    answer = shadowtime(*PRUNE, "--store", store.path)
    assert answer.code == 0 and f"{len(before)} blobs without a record: not deleted" in answer.err
    assert fresh.shelf.strays() == before and set(before) <= set(blobs(store.path))


def test_a_few_blobs_that_a_crash_left_are_adopted(shadowtime, store):  # noqa: F811
    stray = store.path / "blobs" / ("0" * 64)
    stray.write_bytes(b"left")
    assert store.shelf.strays() == ["0" * 64]

    assert shadowtime(*PRUNE, "--store", store.path).code == 0
    assert store.shelf.strays() == [] and stray.exists()
