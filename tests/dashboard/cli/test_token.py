"""`shadowtime token`."""

from __future__ import annotations

import json

import pytest

from shadowtime.workers import audit
from shadowtime.workers.store import open_store


@pytest.fixture
def token(shadowtime, tmp_path):
    """The command on a store of its own."""
    return lambda *words: shadowtime("token", *words, "--store", tmp_path)


def test_a_token_is_shown_once_used_listed_and_revoked(token, tmp_path):
    made = token("create", "--person", "anna", "--scope", "submit,read", "--group", "physics", "--expires", "90d")
    secret, store = made.out.strip(), open_store(tmp_path)
    found = store.tokens.read(secret)
    assert (found.person, found.scopes, found.groups) == ("anna", ("read", "submit"), ("physics",))
    listed = token("list").out
    assert found.id in listed and "never used" in listed and secret not in listed and secret not in made.err
    store.tokens.touch(found)
    [row] = json.loads(token("list", "--json").out)["tokens"]
    assert row["used"] and row["expires"] > row["created"] and secret not in str(row)

    assert token("revoke", found.id).code == 0
    assert store.tokens.read(secret) is None and "revoked" in token("list").out
    again = token("revoke", found.id)
    assert (again.code, again.err) == (2, f"token: {found.id} of anna is revoked already\n")
    lines = [json.loads(line) for line in audit.lines(store.database, [])]
    assert [line["action"] for line in lines] == ["create token", "revoke token"]
    assert all(line["object"] == f"token {found.id} of anna" and line["who"] for line in lines)
    assert secret not in str(lines)


def test_a_store_that_is_made_for_a_token_is_named(token, tmp_path):
    """Perhaps by mistake: the laboratory has another one, which does not know the token."""
    first, second = (token("create", "--person", "anna").err for _ in range(2))

    assert f"token: there was no store at {tmp_path}; a new one was made\n" in first
    assert "no store" not in second


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("create", "--person", "a b"), "person = 'a b'"),
        (("create", "--person", "anna", "--scope", "all"), "scope = 'all'"),
        (("create", "--person", "anna", "--expires", "soon"), "90d or 12h"),
        (("create", "--person", "anna", "--expires", "0d"), "90d or 12h"),
        (("revoke", "unknown"), "no token 'unknown' is known here"),
    ],
)
def test_a_mistake_is_one_line(token, words, said):
    token("create", "--person", "ben")
    answer = token(*words)
    assert (answer.code, answer.out) == (2, "") and said in answer.err and answer.err.count("\n") == 1
