"""The audit log as rows and as files: complete, in order, and never in the way of what it records."""

from __future__ import annotations

import json

import pytest

from shadowtime.workers.audit import Audit, lines
from shadowtime.workers.records import audit, schema
from tests.forks import in_four_processes


def read(database, *files, since=""):
    return [json.loads(line) for line in lines(database, files, since)]


def row(database, time, fields):
    with database.write() as connection:
        connection.execute(schema.audit.insert().values(time=time, fields=fields))


def test_entries_come_back_oldest_first_with_their_times(database):
    log = Audit(database)
    for n in range(3):
        log.write(who="anna", path=f'/x\n{{"who": "ben", {n}}}', title="größer\x00")
    found = read(database)

    assert [entry["path"][-3:-1] for entry in found] == [" 0", " 1", " 2"]
    assert {(entry["who"], entry["title"]) for entry in found} == {("anna", "größer\x00")}
    assert [entry["time"] for entry in found] == sorted(entry["time"] for entry in found)
    assert all(len(entry["time"]) == 27 and entry["time"].endswith("Z") for entry in found)


def test_a_name_that_utf8_cannot_express_is_recorded(database, tmp_path):
    for place in (database, tmp_path / "who.jsonl"):
        Audit(place).write(who="caf\udce9")

    assert [entry["who"] for entry in read(database, tmp_path / "who.jsonl")] == ["caf\udce9"] * 2
    assert all(line.isprintable() and line.encode() for line in lines(database, [tmp_path / "who.jsonl"]))


def test_all_pages_are_read_also_of_entries_at_one_instant(database, monkeypatch):
    monkeypatch.setattr(audit, "AT_ONCE", 10)
    for n in range(35):
        row(database, f"2025-01-01T00:00:0{n // 12}.000000Z", json.dumps({"n": n}))

    assert [entry["n"] for entry in read(database)] == list(range(35))
    assert [entry["n"] for entry in read(database, since="2025-01-01T00:00:01")] == list(range(12, 35))
    assert [entry["n"] for entry in read(database, since="2025-01-01T00:00:01.000000Z")] == list(range(12, 35))


def test_entries_written_while_it_is_read_are_read_too(database, monkeypatch):
    monkeypatch.setattr(audit, "AT_ONCE", 2)
    log = Audit(database)
    log.write(n=0)
    log.write(n=1)
    found = []
    for line in lines(database, []):
        found.append(json.loads(line)["n"])
        if len(found) < 5:
            log.write(n=len(found) + 1)

    assert found == [0, 1, 2, 3, 4, 5]


def test_processes_write_at_once(database):
    def write(process):
        for n in range(25):
            Audit(database).write(who=f"{process}-{n}")

    in_four_processes(write)

    assert sorted(entry["who"] for entry in read(database)) == sorted(f"{p}-{n}" for p in range(4) for n in range(25))


def test_files_of_older_versions_come_first_and_torn_lines_are_named(database, tmp_path, caplog):
    older, other = tmp_path / "audit.jsonl", tmp_path / "who.jsonl"
    older.write_text('{"time": "2024-01-01T00:00:00Z", "who": "ä"}\n[]\n{"time": "2024-01-03T0\n')
    other.write_bytes(b'{"time": "2024-01-02T00:00:00Z", "who": "\xff"}\n{"time": "2999-01-01T00:00:00Z", "who": "z"}')
    Audit(database).write(who="now")
    row(database, "2024-01-04T00:00:00.000000Z", "[1")

    assert [entry["who"] for entry in read(database, older, other)] == ["ä", "\ufffd", "now", "z"]
    assert {record.getMessage() for record in caplog.records} == {
        f"{older} line 2 is no entry of an audit log",
        f"{older} line 3 is no entry of an audit log",
        "the row of 2024-01-04T00:00:00.000000Z is no entry of an audit log",
    }
    assert [entry["who"] for entry in read(database, older, tmp_path / "none", since="2024-01-02")] == ["now"]


@pytest.mark.parametrize("statement", ["DROP TABLE audit", "ALTER TABLE audit RENAME COLUMN fields TO entries"])
def test_an_entry_that_cannot_be_written_is_an_error_in_the_log(database, caplog, statement):
    with database.write() as connection:
        connection.exec_driver_sql(statement)
    Audit(database).write(who="anna")

    assert [record.levelname for record in caplog.records] == ["ERROR"]
    assert "the audit log in the database was not written to" in caplog.text


def test_a_database_that_is_locked_or_away_stops_nobody(tmp_path, caplog, monkeypatch):
    from shadowtime.workers.records import database as databases

    monkeypatch.setattr(databases, "PATIENCE", 0.05)
    opened = databases.Database(databases.url_in(tmp_path))
    with opened.write():
        Audit(opened).write(who="anna")
    monkeypatch.setattr(opened, "engine", databases.create_engine("postgresql+psycopg://nobody@127.0.0.1:1/none"))
    Audit(opened).write(who="ben")

    assert [record.levelname for record in caplog.records] == ["ERROR", "ERROR"]
    assert caplog.text.count("the database does not answer") == 2
