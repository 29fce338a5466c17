"""What was kept of a run and is not what was written is never shown, and can be computed again."""

from __future__ import annotations

import json
import os
from pathlib import Path

import numpy as np
import pytest
from sqlalchemy import delete

from shadowtime.engine.tables import BANDS, RATES, empty
from shadowtime.workers.errors import Damaged, NotFound
from shadowtime.workers.records import schema
from shadowtime.workers.records.checksum import covered
from shadowtime.workers.spec import RunSpec
from shadowtime.workers.store import Store, open_store
from tests.workers.samples import spec, summary, tables
from tests.workers.spoiling import spoil_row

NAMES = ("jobs", "segments", "events", "series", "rates", "bands")


def all_tables() -> dict:
    return {**tables(), "rates": empty(RATES, 3), "bands": empty(BANDS, 2)}


def finish(store: Store, one: RunSpec) -> None:
    begun = store.runs.begin(one.digest)
    assert begun is not None
    assert store.runs.finish(one.digest, begun.attempt, all_tables(), summary(one))


@pytest.fixture(params=["finish", "keep"])
def store(request, tmp_path, url) -> Store:
    """With one finished run, of a worker or of a sweep."""
    made = open_store(tmp_path, url)
    if request.param == "keep":
        made.runs.keep([(spec(), all_tables(), summary(spec()))])
    else:
        made.runs.accept(spec())
        finish(made, spec())
    return made


def blob(store: Store, name: str) -> Path:
    """The file of a table."""
    return store.shelf.blobs.open(store.runs.get(spec().id).tables[name])


def turn_bit(path: Path, place: int = -1) -> None:
    content = bytearray(path.read_bytes())
    content[place] ^= 4
    path.write_bytes(content)
    os.utime(path, ns=(0, 0))


TROUBLES = {
    "a bit of a value": turn_bit,
    "a bit of the layout": lambda path: turn_bit(path, 20),
    "cut off": lambda path: path.write_bytes(path.read_bytes()[:-1]),
    "empty": lambda path: path.write_bytes(b""),
    "gone": Path.unlink,
}


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("trouble", TROUBLES)
def test_a_damaged_table_is_never_shown_and_the_run_can_be_run_again(store, name, trouble):
    TROUBLES[trouble](blob(store, name))
    with pytest.raises(Damaged, match=rf"damaged \(the table {name} .*\); run it again"):
        store.runs.get(spec().id).table(name)
    run = store.runs.get(spec().id)

    assert (run.status.status, run.status.damaged) == ("failed", True)
    assert run.status.error.startswith(f"What was kept of this run is damaged (the table {name} ")
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


SUMMARIES = {
    "another figure": {"summary": json.dumps(summary(spec(), makespan=1.0))},
    "torn": {"summary": "{"},
    "another's table": {"tables": "{}"},
    "another checksum": {"checksum": "0" * 64},
}


@pytest.mark.parametrize("trouble", SUMMARIES)
def test_damaged_figures_are_never_shown(store, trouble):
    spoil_row(store, "results", spec().digest, **SUMMARIES[trouble])
    with pytest.raises(Damaged, match="its figures are not what was written"):
        _ = store.runs.get(spec().id).summary

    assert store.runs.get(spec().id).status.damaged


def test_figures_that_are_gone_are_missed(store):
    with store.database.write() as connection:
        connection.execute(delete(schema.results))
    with pytest.raises(Damaged, match="its figures are missing"):
        _ = store.runs.get(spec().id).summary


def test_a_listing_calls_a_run_failed_whose_figures_are_damaged(store):
    spoil_row(store, "results", spec().digest, **SUMMARIES["another figure"])

    assert [(run.status.status, run.status.damaged) for run in store.runs.list().rows] == [("failed", True)]
    assert [one.id for one in store.runs.list(status=["failed"]).rows] == [spec().id]
    assert not store.runs.list(status=["finished"]).rows


ROWS = {
    "status": {"status": "running"},
    "attempt": {"attempt": 3},
    "owner": {"owner": "user:anna"},
    "algorithm": {"algorithm": "fcfs"},
    "ended": {"ended": None},
    "took": {"took": 0.5},
    "jobs": {"jobs": 5},
    "label": {"label": "another"},
    "accepted": {"accepted": "2020-01-01T00:00:00.000000Z"},
}


@pytest.mark.parametrize("column", ROWS)
def test_a_run_whose_record_was_altered_has_failed_and_can_be_run_again(store, column):
    spoil_row(store, "runs", spec().digest, **ROWS[column])
    status = store.runs.get(spec().id).status

    assert (status.status, status.damaged) == ("failed", True)
    assert "its record is not what was written" in status.error
    assert [one.status.damaged for one in store.runs.list().rows] == [True]
    assert store.runs.leases() == [] or store.runs.requeue(spec().digest, 1, "lost") is None
    assert store.runs.accept(spec())
    finish(store, spec())
    again = store.runs.get(spec().id)
    assert again.status.is_finished and again.summary == summary(spec())
    assert [one.status.status for one in store.runs.list(algorithm="easy").rows] == ["finished"]


def test_every_column_of_a_record_is_guarded_but_those_of_the_work(store):
    assert set(ROWS) <= set(covered(schema.runs))
    has_its_own = {"traceback", "checksum"}
    assert {"progress", "lease", "worker", "is_cancel_requested", *has_its_own} == {
        column.name for column in schema.runs.columns
    } - set(covered(schema.runs))


def test_a_question_that_is_not_the_one_of_the_digest_is_not_shown_and_mended_by_asking_it(store):
    spoil_row(store, "runs", spec().digest, spec=spec(1).json)
    with pytest.raises(Damaged, match="the configuration of run"):
        _ = store.runs.get(spec().id).spec
    listed = store.runs.list().rows
    store.runs.accept(spec())

    assert [(one.id, one.status.damaged) for one in listed] == [(spec().id, True)], "by its name"
    assert store.runs.get(spec().id).spec == spec()


def test_a_run_with_a_damaged_question_can_be_deleted(store):
    spoil_row(store, "runs", spec().digest, spec="{")
    store.runs.delete(spec().id)

    for look in (store.runs.get, store.runs.question):
        with pytest.raises(NotFound):
            look(spec().id)


def test_a_damaged_question_of_a_deleted_run_is_not_asked(store):
    store.runs.delete(spec().id)
    spoil_row(store, "questions", spec().digest, spec=spec(1).json)

    with pytest.raises(NotFound):
        store.runs.question(spec().id)
    assert store.runs.damaged_questions() == [spec().digest]


def test_verify_says_of_a_whole_run_that_it_is_whole(store):
    assert store.runs.verify(spec().id).is_finished


def test_a_store_that_cannot_be_written_to_shows_nothing_wrong_either(store, monkeypatch):
    turn_bit(blob(store, "jobs"))

    def refuse(*_):
        raise OSError(30, "Read-only file system")

    monkeypatch.setattr(store.runs, "verify", refuse)
    with pytest.raises(Damaged, match="run it again"):
        store.runs.get(spec().id).table("jobs")


def test_a_traceback_that_is_not_what_was_written_is_not_shown(store):
    spoil_row(store, "runs", spec().digest, traceback="Traceback: another one")

    assert store.runs.get(spec().id).traceback == ""
