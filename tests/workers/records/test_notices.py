"""The records of notices, on both databases."""

from __future__ import annotations

import pytest

from shadowtime.workers.errors import NotFound, TooMuch
from shadowtime.workers.records import notices, schema
from shadowtime.workers.records.database import rows, upsert
from shadowtime.workers.records.notices import FAILED, RUN, SWEEP, Notices
from shadowtime.workers.records.store import RecordStore
from shadowtime.workers.records.sweeps import FINISHED, SweepStatus, row_of
from shadowtime.workers.store.integrity import damaged_rows
from tests.workers.samples import spec

SUBJECT = "ab" * 32


def ask(known: Notices, address: str = "https://hooks.example", owner: str = "ada", kind: str = SWEEP, **more):
    return known.ask(kind, SUBJECT, owner, address, "https://here/experiments/ab", **more)


def put_sweep(database, state: str) -> None:
    with database.write() as connection:
        upsert(connection, schema.sweeps, row_of(SUBJECT, "{}", SweepStatus(state)))


@pytest.fixture
def known(database):
    return Notices(database)


def test_a_notice_is_asked_for_once_and_seen_by_its_owner(known):
    made, is_new = ask(known)

    assert is_new and ask(known) == (made, False)
    assert known.of(SUBJECT, "ada") == [made] and known.of(SUBJECT, "eve") == []
    with pytest.raises(NotFound):
        known.withdraw(made.code, "eve")
    known.withdraw(made.code, "ada")
    assert known.of(SUBJECT, "ada") == []


def test_a_person_asks_for_a_limited_number_in_a_day(known):
    ask(known, "https://a.example", most=2)
    ask(known, "https://b.example", most=2)

    with pytest.raises(TooMuch, match="2 notices were asked for in 24 h, the limit here"):
        ask(known, "https://c.example", most=2)
    assert not ask(known, "https://a.example", most=2)[1], "what is known is found"
    assert ask(known, "https://c.example", owner="bob", most=2)[1], "the limit is that of a person"


def test_a_notice_is_due_when_its_subject_has_ended(known, database):
    ask(known)
    assert not known.are_due() and known.claim() is None
    put_sweep(database, "running")
    assert not known.are_due()
    put_sweep(database, FINISHED)
    assert known.are_due()

    claimed = known.claim()
    assert (claimed.tries, claimed.address) == (1, "https://hooks.example")
    assert not known.are_due() and known.claim() is None, "the next try comes after a pause"
    assert known.settle(claimed).state == notices.SENT


def test_a_late_answer_changes_no_later_try(known, database, monkeypatch):
    monkeypatch.setattr(notices, "PAUSES", (0.0,) * 5)
    ask(known)
    put_sweep(database, FINISHED)
    first, second = known.claim(), known.claim()

    assert second.tries == 2
    assert known.settle(first, "it answered 500") is None
    known.withdraw(second.code, "ada")
    assert known.settle(second) is None and known.of(SUBJECT, "ada") == []


def test_a_damaged_notice_is_not_sent(known, database):
    made, _ = ask(known)
    put_sweep(database, FINISHED)
    with database.write() as connection:
        changed = {"values": "{}"}
        connection.execute(schema.notices.update().where(schema.notices.c.code == made.code).values(**changed))

    assert [(fault.what, fault.name) for fault in damaged_rows(database)] == [("notice", made.code)]
    assert known.claim() is None
    (one,) = known.of(SUBJECT, "ada")
    assert (one.state, one.address, one.error) == (FAILED, "", "its record is not what was written")


def test_notices_go_with_their_run(url, tmp_path):
    store = RecordStore(tmp_path, url)
    run = spec()
    store.runs.accept(run, jobs=4)
    store.notices.ask(RUN, run.digest, "ada", "https://hooks.example", "https://here")
    store.runs.cancel(run.digest)
    store.runs.delete(run.digest)

    with store.database.read() as connection:
        assert rows(connection, schema.notices.select()) == []
    store.database.close()


def test_a_text_that_no_database_holds_names_nothing(url, tmp_path):
    store = RecordStore(tmp_path, url)
    store.runs.accept(spec(), jobs=4)
    for bad in ("\0", "a\0b", "\ud800"):
        with pytest.raises(NotFound):
            store.notices.withdraw(bad, "ada")
        assert store.runs.list(algorithm=bad).rows == store.runs.list(workload=bad).rows == []
    assert len(store.runs.list(algorithm="EASY").rows) == 1
    store.database.close()


def test_notices_go_with_their_sweep(url, tmp_path):
    store = RecordStore(tmp_path, url)
    put_sweep(store.database, FINISHED)
    ask(store.notices)
    store.sweeps.delete(SUBJECT)

    assert store.notices.of(SUBJECT, "ada") == []
    store.database.close()
