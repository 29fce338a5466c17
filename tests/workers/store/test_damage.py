"""What was kept of a run and is not what was written is never shown, and can be computed again."""

from __future__ import annotations

import json
import os
from pathlib import Path

import numpy as np
import pytest

from shadowtime.engine.tables import BANDS, RATES, empty
from shadowtime.workers.errors import Damaged, NotFound
from shadowtime.workers.spec import RunSpec
from shadowtime.workers.store import Store, open_store
from tests.workers.samples import spec, summary, tables

NAMES = ("jobs", "segments", "events", "series", "rates", "bands")


def all_tables() -> dict:
    return {**tables(), "rates": empty(RATES, 3), "bands": empty(BANDS, 2)}


def finish(store: Store, one: RunSpec) -> None:
    begun = store.runs.begin(one.digest)
    assert begun is not None
    assert store.runs.finish(one.digest, begun.attempt, all_tables(), summary(one))


@pytest.fixture(params=["finish", "keep"])
def store(request, tmp_path) -> Store:
    """With one finished run, of a worker or of a sweep."""
    made = open_store(tmp_path)
    if request.param == "keep":
        made.runs.keep([(spec(), all_tables(), summary(spec()))])
    else:
        made.runs.accept(spec())
        finish(made, spec())
    return made


def folder(store: Store) -> Path:
    return store.runs.get(spec().id).path


def turn_bit(path: Path, place: int = -1) -> None:
    content = bytearray(path.read_bytes())
    content[place] ^= 4
    path.write_bytes(content)
    os.utime(path, ns=(0, 0))


def cut(path: Path) -> None:
    path.write_bytes(path.read_bytes()[:-1])


def first_column(folder: Path) -> Path:
    return min(folder.glob("*.npy"))


TROUBLES = {
    "a bit of a value": lambda table: turn_bit(first_column(table)),
    "a bit of a header": lambda table: turn_bit(first_column(table), 20),
    "a bit of the manifest": lambda table: turn_bit(table / "manifest.json", 12),
    "a column cut off": lambda table: cut(first_column(table)),
    "an empty column": lambda table: first_column(table).write_bytes(b""),
    "no column": lambda table: first_column(table).unlink(),
    "no manifest": lambda table: (table / "manifest.json").unlink(),
    "no folder": lambda table: table.rename(table.with_name("elsewhere")),
}


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("trouble", TROUBLES)
def test_a_damaged_table_is_never_shown_and_the_run_can_be_run_again(store, name, trouble):
    TROUBLES[trouble](folder(store) / name)
    with pytest.raises(Damaged, match=rf"damaged \({name}[/ ].*\); run it again"):
        store.runs.get(spec().id).table(name)
    run = store.runs.get(spec().id)

    assert (run.status.status, run.status.damaged) == ("failed", True)
    assert run.status.error.startswith(f"What was kept of this run is damaged ({name}")
    assert run.summary is None
    assert [one.status.status for one in store.runs.list().rows] == ["failed"]
    with pytest.raises(NotFound):
        run.table(name)

    assert store.runs.accept(spec())
    finish(store, spec())
    again = store.runs.get(spec().id)
    assert (again.status.damaged, again.summary) == (False, summary(spec()))
    for table, columns in all_tables().items():
        for column, values in columns.items():
            assert np.array_equal(again.table(table)[column], values, equal_nan=True)


@pytest.mark.parametrize("change", [lambda path: turn_bit(path, 40), cut, Path.unlink])
def test_a_damaged_summary_is_never_shown(store, change):
    change(folder(store) / "summary.json")
    with pytest.raises(Damaged, match=r"summary\.json"):
        _ = store.runs.get(spec().id).summary

    assert store.runs.get(spec().id).status.damaged


def test_a_listing_calls_a_run_failed_whose_summary_is_damaged(store):
    turn_bit(folder(store) / "summary.json", 40)

    assert [(run.status.status, run.status.damaged) for run in store.runs.list().rows] == [("failed", True)]
    assert [one.id for one in store.runs.list(status=["failed"]).rows] == [spec().id]
    assert not store.runs.list(status=["finished"]).rows


def nest(path):
    path.write_text("[" * 100_000)


@pytest.mark.parametrize("change", [lambda path: turn_bit(path, 0), cut, nest, Path.unlink])
def test_a_run_whose_status_nobody_can_read_has_failed_and_can_be_run_again(store, change):
    change(folder(store) / "status.json")
    status = store.runs.get(spec().id).status

    assert (status.status, status.damaged) == ("failed", True)
    assert "status.json is missing or no status" in status.error
    assert [one.id for one in store.runs.list().rows] == [spec().id]
    assert store.runs.accept(spec())
    finish(store, spec())
    assert store.runs.get(spec().id).status.is_finished


@pytest.mark.parametrize("change", [lambda path: turn_bit(path, 40), cut, Path.unlink])
def test_a_question_that_is_not_the_one_of_the_digest_is_not_shown_and_mended_by_asking_it(store, change):
    change(folder(store) / "spec.json")
    with pytest.raises(NotFound):
        _ = store.runs.get(spec().id).spec
    listed = store.runs.list().rows
    store.runs.accept(spec())

    assert not listed
    assert store.runs.get(spec().id).spec == spec()


def test_a_run_with_a_damaged_question_can_be_deleted(store):
    turn_bit(folder(store) / "spec.json", 40)
    store.runs.delete(spec().id)

    with pytest.raises(NotFound):
        store.runs.get(spec().id)


def test_verify_says_of_a_whole_run_that_it_is_whole(store):
    assert store.runs.verify(spec().id).is_finished


def test_a_store_that_cannot_be_written_to_shows_nothing_wrong_either(store, monkeypatch):
    turn_bit(first_column(folder(store) / "jobs"))

    def refuse(*_):
        raise OSError(30, "Read-only file system")

    monkeypatch.setattr(store.runs, "verify", refuse)
    with pytest.raises(Damaged, match="run it again"):
        store.runs.get(spec().id).table("jobs")


def test_runs_of_older_versions_without_checksums_still_open(store):
    path = folder(store)
    for file in [*path.glob("*/manifest.json"), path / "summary.json"]:
        said = json.loads(file.read_bytes())
        for key in ("digests", "crc32", "kept_tables"):
            said.pop(key, None)
        file.write_text(json.dumps(said))
    run = store.runs.get(spec().id)

    assert run.summary == summary(spec())
    assert [len(next(iter(run.table(name).values()))) for name in NAMES] == [4, 4, 4, 4, 3, 2]
    assert store.runs.verify(spec().id).is_finished
