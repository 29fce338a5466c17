"""Commands of a user id without an account, as containers have it, change what they say and record who did it."""

from __future__ import annotations

import json
import os
from datetime import UTC, datetime, timedelta

import pytest

from shadowtime.workers import audit
from shadowtime.workers.records.links import LinkedRun
from shadowtime.workers.store import open_store
from shadowtime.workers.utc import utc_text
from tests.workers.samples import spec, summary, tables
from tests.workers.spoiling import change_row


@pytest.fixture(autouse=True)
def nameless(monkeypatch, tmp_path):
    def raise_as_python_does():
        raise KeyError("getpwuid(): uid not found: 12345")

    monkeypatch.setattr("getpass.getuser", raise_as_python_does)


def users(store):
    return [json.loads(line)["who"] for line in audit.lines(store.database, [])]


def test_a_token_is_shown_and_revoked(shadowtime, tmp_path):
    made = shadowtime("token", "create", "--person", "anna", "--store", tmp_path)
    store = open_store(tmp_path)
    token = store.tokens.read(made.out.strip())

    assert made.code == 0 and token is not None
    assert shadowtime("token", "revoke", token.id, "--store", tmp_path).code == 0
    assert users(store) == [f"uid {os.getuid()}"] * 2


def test_links_are_revoked_and_old_runs_deleted(shadowtime, tmp_path):
    store = open_store(tmp_path)
    store.runs.keep([(spec(), tables(), summary(spec()))])
    link, _ = store.links.make(f"/runs/{spec().id}", runs=[LinkedRun(spec().json)])
    change_row(store, spec().digest, ended=utc_text(datetime.now(UTC) - timedelta(days=2)))

    assert shadowtime("links", "revoke", link.code, "--store", tmp_path).code == 0
    answer = shadowtime("store", "prune", "--older-than", "1", "--store", tmp_path)
    assert answer.code == 0 and answer.err.startswith("1 run deleted")
    assert users(store) == [f"uid {os.getuid()}"] * 2
