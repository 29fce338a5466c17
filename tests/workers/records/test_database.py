"""The database of record, on SQLite and on PostgreSQL."""

from __future__ import annotations

import os
import threading

import pytest
from sqlalchemy import create_engine, inspect, select, text, update

from shadowtime.engine.errors import EngineError, InvalidParameter
from shadowtime.workers.records import checksum, upgrade
from shadowtime.workers.records.database import Database, DatabaseAway, insert_ignoring, upsert
from shadowtime.workers.records.schema import metadata, reruns

ROW = {"digest": "ab" * 32, "status": "queued", "values": '{"a":1.5}'}


def row(name, value):
    return {"digest": name, "status": "", "values": value, "checksum": ""}


def stored(connection):
    return {one["digest"]: one["values"] for one in connection.execute(select(reruns)).mappings()}


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
        upsert(connection, reruns, row("a", "1"))
        raise KeyError
    with database.read() as connection:
        assert stored(connection) == {}


def test_upsert_replaces_and_insert_ignoring_does_not(database):
    with database.write() as connection:
        upsert(connection, reruns, row("a", "1"))
        upsert(connection, reruns, row("a", "2"))
        insert_ignoring(connection, reruns, [row("a", "3"), row("b", "4")])
    with database.read() as connection:
        assert stored(connection) == {"a": "2", "b": "4"}


def test_writers_wait_for_each_other_and_no_count_is_lost(database):
    with database.write() as connection:
        upsert(connection, reruns, row("n", "0"))

    def add() -> None:
        for _ in range(25):
            with database.write() as connection:
                found = connection.execute(select(reruns.c["values"]).with_for_update()).scalar()
                connection.execute(update(reruns).values({"values": str(int(found) + 1)}))

    threads = [threading.Thread(target=add) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    with database.read() as connection:
        assert stored(connection) == {"n": "200"}


def test_a_fork_opens_connections_of_its_own(database):
    with database.read() as connection:
        stored(connection)
    child = os.fork()
    if child == 0:
        code = 1
        try:
            with database.write() as connection:
                upsert(connection, reruns, row("child", "1"))
            code = 0
        finally:
            os._exit(code)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
    with database.read() as connection:
        assert list(stored(connection)) == ["child"]


def test_a_checksum_notices_each_covered_column_and_no_other():
    sealed = checksum.sealed(reruns, ROW)

    assert checksum.is_intact(reruns, sealed)
    for name in ROW:
        assert not checksum.is_intact(reruns, {**sealed, name: sealed[name] + " "})
    assert checksum.covered(reruns) == ["digest", "status", "values"]


@pytest.mark.parametrize("url", ["mysql://x/y", "", "postgresql://x/y", "postgresql+psycopg:me:secret"])
def test_other_databases_are_refused_by_name(url):
    with pytest.raises(InvalidParameter, match="must begin with sqlite:// or postgresql") as refusal:
        Database(url)
    assert "secret" not in str(refusal.value)


def test_a_url_that_is_none_is_refused_without_its_password():
    with pytest.raises(InvalidParameter, match="must be like postgresql") as refusal:
        Database("postgresql+psycopg://me:secret@host:5432x/name")
    assert "secret" not in str(refusal.value)


def test_a_parameter_that_is_unknown_is_said_in_one_sentence():
    with pytest.raises(DatabaseAway, match=r'cannot be used: invalid connection option "wrong"'):
        Database("postgresql+psycopg://me@127.0.0.1:1/none?wrong=1")


def test_a_user_who_may_not_make_tables_is_said_in_one_sentence(postgres_server):
    admin = create_engine(f"{postgres_server}/postgres", isolation_level="AUTOCOMMIT")
    with admin.connect() as connection:
        connection.execute(text("CREATE ROLE guest LOGIN"))
    with pytest.raises(DatabaseAway, match=r"cannot be used: permission denied for schema public"):
        Database(f"{postgres_server}/template1".replace("shadowtime@", "guest@"))
    with admin.connect() as connection:
        connection.execute(text("DROP ROLE guest"))
    admin.dispose()


def test_a_server_that_does_not_answer_is_said_in_one_sentence():
    with pytest.raises(DatabaseAway, match="does not answer"):
        Database("postgresql+psycopg://nobody@127.0.0.1:1/none")


def test_a_file_that_is_no_database_is_said_in_one_sentence(tmp_path):
    (tmp_path / "records.sqlite").write_bytes(b"something else" * 100)

    with pytest.raises(DatabaseAway, match="cannot be read"):
        Database(f"sqlite:///{tmp_path / 'records.sqlite'}")
