"""A worker that keeps its results elsewhere than the web process is refused, before it takes any work."""

from __future__ import annotations

from dataclasses import replace

import pytest

from shadowtime.workers import laboratory
from shadowtime.workers.records.blobs import FolderBlobs
from shadowtime.workers.settings import Settings
from shadowtime.workers.store import open_store

BUCKET = "s3://bucket/prefix"


@pytest.fixture
def shared(store, monkeypatch):
    """A store whose database is a server."""
    monkeypatch.setattr(store.database, "is_sqlite", False)
    return store


@pytest.fixture
def elsewhere(store, tmp_path, monkeypatch):
    """Another place for the blobs of a store that has one workload."""
    store.workloads.generate("uniform", {"jobs": 4}, 1)
    there, found = store.shelf.blobs, FolderBlobs(tmp_path / "elsewhere")
    monkeypatch.setattr(store.shelf, "blobs", found)
    return there, found


def test_a_web_process_whose_blobs_were_left_behind_is_refused(store, settings, elsewhere):
    laboratory.record(store, settings)

    with pytest.raises(laboratory.Misfit) as refusal:
        laboratory.require_blobs(store, replace(settings, blobs=BUCKET))
    assert str(refusal.value) == (
        f"the laboratory keeps blobs in a folder, and 1 of them is not in {BUCKET}: copy them there, or set "
        "SHADOWTIME_BLOBS as it was"
    )
    laboratory.require_blobs(store, settings)


def test_a_web_process_whose_blobs_were_copied_is_taken(store, settings, elsewhere):
    laboratory.record(store, settings)
    there, here = elsewhere
    for digest in there.digests():
        (here.root / digest).write_bytes((there.root / digest).read_bytes())

    laboratory.require_blobs(store, replace(settings, blobs=BUCKET))


def test_every_worker_fits_a_laboratory_without_a_web_process(shared, settings):
    laboratory.check(shared, settings)
    laboratory.check(shared, replace(settings, blobs=BUCKET))


@pytest.mark.parametrize(("web", "worker"), [("", BUCKET), (BUCKET, ""), (BUCKET, f"{BUCKET}-2")])
def test_another_place_for_blobs_is_refused_in_a_sentence(store, settings, web, worker):
    laboratory.record(store, replace(settings, blobs=web))
    laboratory.check(store, replace(settings, blobs=f"{web}/" if web else ""))

    with pytest.raises(laboratory.Misfit) as refusal:
        laboratory.check(store, replace(settings, blobs=worker))
    assert str(refusal.value) == (
        f"the laboratory keeps blobs in {web or 'a folder'}, but this worker keeps them in {worker or 'a folder'}: "
        "SHADOWTIME_BLOBS must be the same"
    )


def test_another_folder_is_refused_where_the_database_is_shared(shared, settings, tmp_path):
    elsewhere = replace(settings, store=tmp_path / "elsewhere")
    laboratory.record(shared, settings)
    laboratory.check(shared, settings)

    with pytest.raises(laboratory.Misfit, match=r"in another folder than .*elsewhere: share"):
        laboratory.check(shared, elsewhere)


def test_a_folder_of_another_laboratory_is_another_folder(shared, settings, tmp_path, monkeypatch):
    other = open_store(tmp_path / "other")
    monkeypatch.setattr(other.database, "is_sqlite", False)
    place = Settings(store=other.path)
    laboratory.record(other, place)
    laboratory.record(shared, settings)

    with pytest.raises(laboratory.Misfit):
        laboratory.check(shared, place)


def test_the_last_web_process_says_where_blobs_lie(store, settings):
    laboratory.record(store, settings)
    laboratory.record(store, replace(settings, blobs=BUCKET))

    laboratory.check(store, replace(settings, blobs=BUCKET))
