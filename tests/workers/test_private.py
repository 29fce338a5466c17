"""Private runs: salted ids, owners, and what a store says to whom."""

from __future__ import annotations

import json
import stat
from dataclasses import replace

import pytest
from sqlalchemy import select

from shadowtime.engine.errors import InvalidParameter, QuestionError
from shadowtime.workers import submit
from shadowtime.workers.errors import NotFound
from shadowtime.workers.private import salted
from shadowtime.workers.records import schema
from shadowtime.workers.records.database import rows
from shadowtime.workers.spec import RunSpec
from shadowtime.workers.store import open_store
from tests.workers.samples import FOUR_DIGEST, spec, summary, tables
from tests.workers.spoiling import spoil_row

KEY = b"k" * 64
FOUR = {"workload": FOUR_DIGEST[:16], "algorithm": "easy"}
PRIVATE = {**FOUR, "private": True}


@pytest.fixture
def store(four_store):
    return four_store


def ids(page):
    return [run.id for run in page.rows]


def test_a_question_without_a_salt_is_what_it_always_was():
    assert "salt" not in json.loads(spec().json)
    assert spec(salt="").digest == spec().digest


def test_the_salt_is_part_of_the_question_and_read_back():
    private = salted(spec(), "user:anna", KEY)

    assert RunSpec.from_json(private.json) == private
    assert private.id != spec().id
    assert replace(private, salt="") == spec()


@pytest.mark.parametrize("salt", ['""', '"xyz"', "7", "null", '"' + "A" * 32 + '"', '"' + "a" * 33 + '"'])
def test_what_is_no_salt_is_no_question(salt):
    text = spec().json.replace('"seed":0', f'"salt":{salt},"seed":0')

    with pytest.raises(QuestionError):
        RunSpec.from_json(text)


def test_the_id_is_that_of_the_question_the_owner_and_the_store():
    ours = salted(spec(), "user:anna", KEY).id

    assert salted(spec(), "user:anna", KEY).id == ours
    assert len({ours, salted(spec(), "user:ben", KEY).id, salted(spec(), "user:anna", b"x" * 64).id}) == 3
    assert salted(spec(1), "user:anna", KEY).salt != salted(spec(), "user:anna", KEY).salt, "one salt tells no other"


def test_the_key_is_made_once_and_for_the_owner_of_the_store_alone(tmp_path):
    first = open_store(tmp_path).key()

    assert open_store(tmp_path).key() == first
    assert len(first) == 64
    assert stat.S_IMODE((tmp_path / "records.sqlite").stat().st_mode) == 0o600


def test_asking_the_same_question_finds_ones_own_private_run_and_nobody_elses(store, queue):
    anna, is_new = submit.accept(store, queue, PRIVATE, owner="user:anna")
    again = submit.accept(store, queue, PRIVATE, owner="user:anna")
    ben = submit.accept(store, queue, PRIVATE, owner="user:ben")
    public = submit.accept(store, queue, FOUR, owner="user:ben")

    assert is_new and again == (anna, False)
    assert [one[1] for one in (ben, public)] == [True, True]
    assert len({anna.id, ben[0].id, public[0].id}) == 3
    assert public[0].salt == ""
    assert [store.runs.get(one.id).status.owner for one in (anna, ben[0], public[0])] == ["user:anna", "user:ben", None]


def test_where_nobody_can_be_told_from_others_nothing_is_private(store, queue):
    with pytest.raises(InvalidParameter, match="SHADOWTIME_TOKEN"):
        submit.accept(store, queue, PRIVATE)
    with pytest.raises(InvalidParameter, match="true or false"):
        submit.accept(store, queue, {**FOUR, "private": "yes"}, owner="user:anna")


def test_a_run_is_private_from_acceptance_to_its_end(store, queue):
    one, _ = submit.accept(store, queue, PRIVATE, owner="user:anna")
    stages = [store.runs.get(one.id)]
    status = store.runs.begin(one.digest)
    stages.append(store.runs.get(one.id))
    store.runs.finish(one.digest, status.attempt, tables(), summary(one))
    stages.append(store.runs.get(one.id))

    assert [(run.is_private, run.status.owner) for run in stages] == [(True, "user:anna")] * 3


def test_listings_tell_an_owner_of_public_runs_and_of_ones_own(store, queue):
    anna = submit.accept(store, queue, PRIVATE, owner="user:anna")[0].id
    ben = submit.accept(store, queue, PRIVATE, owner="user:ben")[0].id
    public = submit.accept(store, queue, FOUR)[0].id
    store.tidy()

    for owners, known in ((None, {anna, ben, public}), ((), {public}), (("user:anna",), {anna, public})):
        assert set(ids(store.runs.list(owners=owners))) == known
        assert sum(store.runs.counts(owners=owners).values()) == len(known)
    assert ids(store.runs.list(text=anna[:8], owners=("user:ben",))) == []
    assert set(ids(store.runs.list(workload=FOUR_DIGEST, owners=()))) == {public}


@pytest.mark.parametrize("trouble", ["status", "both"])
def test_a_private_run_stays_private_when_what_says_so_is_damaged(store, queue, trouble):
    one, _ = submit.accept(store, queue, PRIVATE, owner="user:anna")
    spoil_row(store, "runs", one.digest, owner=None)
    if trouble == "both":
        spoil_row(store, "runs", one.digest, spec="{")

    assert store.runs.get(one.digest).is_private
    assert ids(store.runs.list(owners=())) == []


def test_a_public_run_stays_public_when_its_status_is_damaged(store, queue):
    one, _ = submit.accept(store, queue, FOUR)
    spoil_row(store, "runs", one.digest, attempt=7)

    assert store.runs.get(one.digest).status.damaged
    assert not store.runs.get(one.digest).is_private


def test_of_a_deleted_private_run_nothing_is_kept(store, queue):
    one, _ = submit.accept(store, queue, PRIVATE, owner="user:anna")
    submit.cancel(store, queue, one.id)
    store.runs.delete(one.id)

    with pytest.raises(NotFound):
        store.runs.question(one.id)
    for table in schema.metadata.tables.values():
        with store.database.read() as connection:
            assert one.digest not in str(rows(connection, select(table)))
