"""What several threads write at once: one transaction, each piece whole or absent, no thread left waiting."""

from __future__ import annotations

import os
import sqlite3
import time
from concurrent.futures import ThreadPoolExecutor

import pytest
from sqlalchemy import event, insert, select

from shadowtime.workers.records import database as records
from shadowtime.workers.records.database import Database, DatabaseAway, url_in
from shadowtime.workers.records.schema import audit

THREADS = 12


@pytest.fixture
def database(tmp_path):
    made = Database(url_in(tmp_path))
    yield made
    made.close()


def written(database: Database) -> set[str]:
    with database.read() as connection:
        return set(connection.execute(select(audit.c.fields)).scalars())


def adding(fields: str):
    return lambda connection: connection.execute(insert(audit), {"time": "2026-01-01", "fields": fields})


def at_once(database: Database, pieces) -> list[BaseException | None]:
    """Write all pieces while another process would not let the first of them begin; return what each raised."""
    other = sqlite3.connect(database.engine.url.database, isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    with ThreadPoolExecutor(len(pieces)) as pool:
        futures = [pool.submit(database.write_together, piece) for piece in pieces]
        time.sleep(0.3)
        assert not any(future.done() for future in futures)
        other.execute("COMMIT")
        other.close()
        return [future.exception(10) for future in futures]


def test_many_threads_share_a_transaction(database):
    begun = []
    event.listen(database.engine, "commit", lambda connection: begun.append(connection))

    assert at_once(database, [adding(str(i)) for i in range(THREADS)]) == [None] * THREADS

    assert written(database) == {str(i) for i in range(THREADS)}
    assert len(begun) <= 3  # the first alone, then all that waited meanwhile


def test_a_piece_that_raises_undoes_itself_alone(database):
    def raises(connection):
        adding("half")(connection)
        raise ValueError("no")

    outcomes = at_once(database, [adding("a"), raises, adding("b"), raises, adding("c")])

    assert [type(outcome) for outcome in outcomes] == [type(None), ValueError, type(None), ValueError, type(None)]
    assert written(database) == {"a", "b", "c"}


def test_a_disk_that_fails_one_write_fails_the_transaction(database):
    """SQLite ends it by itself then: a later savepoint would commit what its thread counts as failed."""

    def fails(connection):
        connection.exec_driver_sql("ROLLBACK")
        raise OSError(28, "No space left on device")

    outcomes = at_once(database, [adding("alone"), adding("a"), fails, adding("b"), adding("c")])

    kept = {"alone", "a", "b", "c"} & written(database)
    confirmed = {name for name, outcome in zip(["alone", "a", "", "b", "c"], outcomes, strict=True) if outcome is None}
    assert kept == confirmed and len(kept) <= 1


def test_a_piece_alone_that_raises_is_undone(database):
    def raises(connection):
        adding("half")(connection)
        raise LookupError("no")

    with pytest.raises(LookupError):
        database.write_together(raises)
    assert written(database) == set()


def test_what_is_not_committed_is_reported_to_each(database):
    def refuse(connection):
        raise OSError(28, "No space left on device")

    event.listen(database.engine, "commit", refuse)
    outcomes = at_once(database, [adding(str(i)) for i in range(4)])
    event.remove(database.engine, "commit", refuse)

    assert [type(outcome) for outcome in outcomes] == [OSError] * 4
    assert written(database) == set()


def test_a_writer_that_never_ends_is_reported_in_time(database, monkeypatch):
    monkeypatch.setattr(records, "PATIENCE", 0.3)
    other = sqlite3.connect(database.engine.url.database, isolation_level=None)
    other.execute("BEGIN IMMEDIATE")

    began = time.monotonic()
    with pytest.raises(DatabaseAway, match="locked"):
        database.write_together(adding("a"))
    assert time.monotonic() - began < 5
    other.execute("ROLLBACK")
    other.close()

    database.write_together(adding("b"))
    assert written(database) == {"b"}


def test_a_fork_does_not_wait_for_threads_of_its_parent(database):
    with database._group_commit._turn:
        if not (child := os.fork()):
            code = 1
            try:
                database.write_together(adding("child"))
                code = 0
            finally:
                os._exit(code)
        assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0

    assert written(database) == {"child"}
