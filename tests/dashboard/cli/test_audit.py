"""`shadowtime store audit`: who did what, from the database and from files."""

from __future__ import annotations

import json

import pytest

from shadowtime.workers.audit import Audit
from shadowtime.workers.store import open_store


@pytest.fixture
def store(tmp_path):
    """A store with a file of an older version, and two newer entries."""
    made = open_store(tmp_path / "store")
    (made.path / "audit.jsonl").write_text('{"time": "2024-05-01T10:00:00.000000Z", "who": "anna", "path": "/ä"}\n')
    for who in ("ben", "carl"):
        Audit(made.database).write(who=who)
    return made


@pytest.fixture
def entries(shadowtime, store):
    """Entries that `shadowtime store audit` prints."""

    def read(*more):
        answer = shadowtime("store", "audit", "--store", store.path, *more)
        assert (answer.code, answer.err) == (0, "")
        return [json.loads(line) for line in answer.out.splitlines()]

    return read


def test_all_entries_are_printed_oldest_first(entries, store):
    before = (store.path / "audit.jsonl").read_bytes()

    assert [entry["who"] for entry in entries()] == ["anna", "ben", "carl"]
    assert (store.path / "audit.jsonl").read_bytes() == before


@pytest.mark.parametrize(
    ("since", "names"),
    [
        ("2024-05-01", ["anna", "ben", "carl"]),
        ("2024-05-01T12:00:00+02:00", ["anna", "ben", "carl"]),
        ("2024-05-01T10:00:00.000001Z", ["ben", "carl"]),
        ("2999-01-01T00:00", []),
    ],
)
def test_entries_from_a_time_on(entries, since, names):
    assert [entry["who"] for entry in entries("--since", since)] == names


def test_the_file_that_a_setting_names_is_printed_once(entries, store, monkeypatch):
    named = store.path.parent / "who.jsonl"
    monkeypatch.setenv("SHADOWTIME_AUDIT", str(named))
    assert len(entries()) == 3
    Audit(named).write(who="dora")
    assert [entry["who"] for entry in entries()] == ["anna", "ben", "carl", "dora"]
    monkeypatch.setenv("SHADOWTIME_AUDIT", str(store.path / "audit.jsonl"))
    assert [entry["who"] for entry in entries()] == ["anna", "ben", "carl"]


@pytest.mark.parametrize("since", ["yesterday", "0001-01-01T00:00:00+14:00"])
def test_a_time_that_is_none_is_refused(shadowtime, store, since):
    answer = shadowtime("store", "audit", "--store", store.path, "--since", since)

    assert answer.code == 2 and "it must be a time such as" in answer.err


def test_without_a_store_there_is_no_audit_log(shadowtime, tmp_path):
    assert "there is no store at" in shadowtime("store", "audit", "--store", tmp_path / "none").err
    assert not (tmp_path / "none").exists()
