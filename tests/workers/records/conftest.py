"""Both kinds of database: each test that asks for `url` or `database` runs on SQLite and on PostgreSQL."""

from __future__ import annotations

from itertools import count

import pytest
from sqlalchemy import NullPool, create_engine, text

from shadowtime.workers.records.blobs import draft_of
from shadowtime.workers.records.database import Database, url_in
from shadowtime.workers.records.open_blobs import open_blobs
from tests.workers.records import postgres, s3_server
from tests.workers.records.workload_samples import made

NUMBERS = count(1)
OTHERS = """SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity
WHERE datname = current_database() AND pid <> pg_backend_pid()"""
"""End what an earlier test has left connected, and wait until it has."""


@pytest.fixture(scope="session")
def postgres_server():
    """A PostgreSQL server for the session; without one the tests fail with the line that installs it."""
    with postgres.server() as address:
        yield address


@pytest.fixture(scope="session")
def objects():
    """An S3 server for the session; without one the tests fail with the line that installs it."""
    with s3_server.server() as found:
        yield found


@pytest.fixture
def bucket(objects, monkeypatch):
    """The URL of an empty bucket, which the environment makes accessible."""
    for name, value in objects.environment.items():
        monkeypatch.setenv(name, value)
    return objects.make(f"bucket-{next(NUMBERS)}") + "/some/prefix"


@pytest.fixture
def put(bucket, tmp_path):
    """A function that stores content in the bucket from another machine; it returns the digest."""
    elsewhere = open_blobs(bucket, tmp_path / "elsewhere")

    def store(content: bytes) -> str:
        path = tmp_path / "draft"
        path.write_bytes(content)
        draft = draft_of(path)
        elsewhere.put([draft])
        return draft.digest

    return store


@pytest.fixture
def here(bucket, tmp_path):
    """A function that opens the bucket with a cache of some bytes."""
    return lambda cap=0: open_blobs(bucket, tmp_path / "here", cap)


@pytest.fixture(scope="session")
def emptied(postgres_server):
    """`emptied()`: the URL of a database of the server, which is empty then; to make one anew takes twice as long."""
    with create_engine(f"{postgres_server}/postgres", isolation_level="AUTOCOMMIT").connect() as connection:
        connection.execute(text("CREATE DATABASE test TEMPLATE template0"))
    address = f"{postgres_server}/test"
    admin = create_engine(address, isolation_level="AUTOCOMMIT", poolclass=NullPool)

    def empty() -> str:
        with admin.connect() as connection:
            connection.execute(text(OTHERS))
            connection.execute(text("DROP SCHEMA public CASCADE"))
            connection.execute(text("CREATE SCHEMA public"))
        return address

    return empty


@pytest.fixture(params=["sqlite", "postgresql"])
def url(request, tmp_path):
    """The URL of an empty database."""
    return url_in(tmp_path) if request.param == "sqlite" else request.getfixturevalue("emptied")()


@pytest.fixture
def database(url):
    """An open database."""
    found = Database(url)
    yield found
    found.close()


@pytest.fixture
def uses():
    """What uses a workload, in words, by its digest."""
    return {}


@pytest.fixture
def workloads(database, tmp_path, uses):
    return made(database, tmp_path, uses)


@pytest.fixture
def local(tmp_path):
    """On SQLite, for what does not depend on the database."""
    database = Database(url_in(tmp_path))
    yield made(database, tmp_path)
    database.close()
