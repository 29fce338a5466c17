"""Tokens of persons and sessions of browsers, on both databases."""

from __future__ import annotations

from datetime import timedelta

import pytest
from sqlalchemy import select, text, update

from shadowtime.engine.errors import InvalidParameter
from shadowtime.workers.errors import NotFound
from shadowtime.workers.records import schema
from shadowtime.workers.store import open_store
from shadowtime.workers.store.integrity import faults

WEEK = timedelta(days=7)


@pytest.fixture
def store(tmp_path, url):
    """A store on each kind of database."""
    return open_store(tmp_path, url)


def written(store, table):
    """All that the rows of a table hold, as a text."""
    with store.database.read() as connection:
        return str(connection.execute(select(table)).all())


def age(store, table, **columns):
    """Set columns of all rows of a table, as time would; no checksum covers them."""
    with store.database.write() as connection:
        connection.execute(update(table).values(**columns))


def test_a_token_names_its_person_until_it_is_revoked(store):
    secret, made = store.tokens.create("anna", ["submit", "read"], ["physics"])
    found = store.tokens.read(secret)

    assert (found.person, found.scopes, found.groups, found.used) == ("anna", ("read", "submit"), ("physics",), None)
    assert secret not in written(store, schema.tokens)
    assert store.tokens.read(secret[:-1] + "x") is None and store.tokens.read("") is None
    store.tokens.revoke(made.id)
    assert store.tokens.read(secret) is None and store.tokens.valid(made.id) is None
    assert store.tokens.of("anna") == [] and [token.id for token in store.tokens.all()] == [made.id]
    with pytest.raises(NotFound):
        store.tokens.revoke(made.id)


def test_a_token_expires(store):
    late, soon = store.tokens.create("anna", ["read"], lasts=timedelta(0))[0], store.tokens.create("anna", ["read"])[0]

    assert store.tokens.read(late) is None and store.tokens.read(soon) is not None


def test_the_last_use_of_a_token_is_recorded_to_a_minute(store):
    secret, made = store.tokens.create("anna", ["read"])
    store.tokens.touch(made)
    first = store.tokens.read(secret)
    store.tokens.touch(first)

    assert first.used and store.tokens.read(secret).used == first.used
    age(store, schema.tokens, touched="2025-03-01T12:00:00.000000Z")
    store.tokens.touch(store.tokens.read(secret))
    assert store.tokens.read(secret).used >= first.used


@pytest.mark.parametrize(
    ("person", "scopes", "groups", "words"),
    [
        ("anna, ben", ["read"], [], "person = 'anna, ben'"),
        ("anna", ["write"], [], "scope = 'write', but it must be some of read, submit, manage"),
        ("anna", [], [], "scope"),
        ("anna", ["read"], ["a,b"], "group = 'a,b'"),
    ],
)
def test_what_is_no_name_scope_or_group_is_refused(store, person, scopes, groups, words):
    with pytest.raises(InvalidParameter, match=words):
        store.tokens.create(person, scopes, groups)
    assert store.tokens.all() == []


def test_a_session_is_known_by_its_secret_alone(store, tmp_path):
    secret, opened = store.sessions.open("user:anna", "token:1", agent="Fire\nfox" * 99)
    other = open_store(tmp_path / "other").sessions

    assert store.sessions.read(secret, WEEK) == opened and store.sessions.read(opened.digest[:43], WEEK) is None
    assert secret not in written(store, schema.sessions)
    assert other.read(secret, WEEK) is None
    assert len(opened.agent) == 120 and "\n" not in opened.agent


def test_a_row_of_another_store_opens_nothing(store, tmp_path):
    other = open_store(tmp_path / "other")
    secret, _ = other.sessions.open("user:anna", "token:1")
    with other.database.read() as connection:
        row = dict(connection.execute(select(schema.sessions)).mappings().one())
    with store.database.write() as connection:
        connection.execute(schema.sessions.insert().values(row))

    assert store.sessions.read(secret, WEEK) is None


def test_a_session_ends_when_it_expires_or_is_not_used(store):
    expired, _ = store.sessions.open("user:anna", "token:1", lasts=timedelta(0))
    idle, _ = store.sessions.open("user:anna", "token:1")
    assert store.sessions.read(expired, WEEK) is None
    assert expired not in written(store, schema.sessions) and len(store.sessions.of("user:anna", WEEK)) == 1

    age(store, schema.sessions, touched="2025-03-01T12:00:00.000000Z")
    assert store.sessions.read(idle, WEEK) is None and store.sessions.of("user:anna", WEEK) == []
    assert store.sessions.read(idle, timedelta(days=100_000)) is not None


def test_a_person_ends_their_own_sessions_alone(store):
    one, two = (store.sessions.open("user:anna", "token:1") for _ in range(2))
    others, _ = store.sessions.open("user:ben", "token:2")

    with pytest.raises(NotFound):
        store.sessions.end("user:ben", one[1].id)
    store.sessions.end("user:anna", one[1].id)
    assert store.sessions.read(one[0], WEEK) is None and store.sessions.read(two[0], WEEK) is not None
    assert store.sessions.end_all("user:anna") == 1
    assert store.sessions.read(others, WEEK) is not None


@pytest.mark.parametrize(("table", "what"), [("sessions", "session"), ("tokens", "token")])
def test_a_damaged_row_gives_no_rights_and_is_found(store, table, what):
    token, _ = store.tokens.create("anna", ["read"])
    session, _ = store.sessions.open("user:anna", "oidc:1", scopes=("read",))
    with store.database.write() as connection:
        connection.execute(text(f"UPDATE {table} SET scopes = 'read manage'"))

    assert (store.sessions.read(session, WEEK) is None) is (table == "sessions")
    assert (store.tokens.read(token) is None) is (table == "tokens")
    assert [fault.what for fault in faults(store)] == [what]
