"""The database of record, on SQLite and on PostgreSQL."""

from __future__ import annotations

import os
import threading

import pytest
from sqlalchemy import inspect, select, text, update

from shadowtime.engine.errors import EngineError, InvalidParameter
from shadowtime.workers.records import checksum, upgrade
from shadowtime.workers.records.database import Database, DatabaseAway, insert_ignoring, upsert
from shadowtime.workers.records.schema import facts, metadata, reruns

ROW = {"digest": "ab" * 32, "status": "queued", "values": '{"a":1.5}'}


def columns(connection):
    found = inspect(connection)
    return {
        name: (
            sorted((column["name"], str(column["type"]), column["nullable"]) for column in found.get_columns(name)),
            sorted((index["name"], tuple(index["column_names"])) for index in found.get_indexes(name)),
            found.get_pk_constraint(name)["constrained_columns"],
        )
        for name in metadata.tables
    }


def test_migrations_give_the_tables_of_the_schema(database):
    with database.read() as connection:
        made = columns(connection)
    with database.write() as connection:
        metadata.drop_all(connection)
        connection.execute(text(f"DROP TABLE {upgrade.VERSIONS}"))
    with database.write() as connection:
        upgrade.migrate(connection)

        assert columns(connection) == made
        assert upgrade.current(connection) == upgrade.HEAD


def test_a_database_of_a_later_version_is_refused(url):
    with Database(url).write() as connection:
        connection.execute(text(f"UPDATE {upgrade.VERSIONS} SET version_num = '9999'"))

    with pytest.raises(EngineError, match="later version"):
        Database(url)


def test_an_error_undoes_the_whole_transaction(database):
    with pytest.raises(KeyError), database.write() as connection:
        upsert(connection, facts, {"name": "a", "value": "1"})
        raise KeyError
    with database.read() as connection:
        assert connection.execute(select(facts)).all() == []


def test_upsert_replaces_and_insert_ignoring_does_not(database):
    with database.write() as connection:
        upsert(connection, facts, {"name": "a", "value": "1"})
        upsert(connection, facts, {"name": "a", "value": "2"})
        insert_ignoring(connection, facts, [{"name": "a", "value": "3"}, {"name": "b", "value": "4"}])
    with database.read() as connection:
        assert dict(connection.execute(select(facts)).all()) == {"a": "2", "b": "4"}


def test_writers_wait_for_each_other_and_no_count_is_lost(database):
    with database.write() as connection:
        upsert(connection, facts, {"name": "n", "value": "0"})

    def add() -> None:
        for _ in range(25):
            with database.write() as connection:
                found = connection.execute(select(facts.c.value).where(facts.c.name == "n").with_for_update()).scalar()
                connection.execute(update(facts).values(value=str(int(found) + 1)))

    threads = [threading.Thread(target=add) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    with database.read() as connection:
        assert connection.execute(select(facts.c.value)).scalar() == "200"


def test_a_fork_opens_connections_of_its_own(database):
    with database.read() as connection:
        connection.execute(select(facts)).all()
    child = os.fork()
    if child == 0:
        code = 1
        try:
            with database.write() as connection:
                upsert(connection, facts, {"name": "child", "value": "1"})
            code = 0
        finally:
            os._exit(code)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
    with database.read() as connection:
        assert connection.execute(select(facts.c.name)).scalar() == "child"


def test_times_sort_and_are_those_of_the_database(database):
    with database.read() as connection:
        now, later = database.now(connection), database.now(connection, 5.0)

    assert now < later and len(now) == len("2025-03-01T12:00:00.123456Z")


def test_a_checksum_notices_each_covered_column_and_no_other():
    row = checksum.sealed(reruns, ROW)

    assert checksum.is_intact(reruns, row)
    for name in ROW:
        assert not checksum.is_intact(reruns, {**row, name: row[name] + " "})
    assert checksum.covered(reruns) == ["digest", "status", "values"]


@pytest.mark.parametrize("url", ["mysql://x/y", "", "postgresql://x/y"])
def test_other_databases_are_refused_by_name(url):
    with pytest.raises(InvalidParameter, match="must begin with sqlite or postgresql"):
        Database(url)


def test_a_server_that_does_not_answer_is_said_in_one_sentence():
    with pytest.raises(DatabaseAway, match="does not answer"):
        Database("postgresql+psycopg://nobody@127.0.0.1:1/none")


def test_a_file_that_is_no_database_is_said_in_one_sentence(tmp_path):
    (tmp_path / "records.sqlite").write_bytes(b"something else" * 100)

    with pytest.raises(DatabaseAway, match="cannot be read"):
        Database(f"sqlite:///{tmp_path / 'records.sqlite'}")
