"""Both kinds of database: each test that asks for `url` or `database` runs on SQLite and on PostgreSQL."""

from __future__ import annotations

from itertools import count

import pytest
from sqlalchemy import create_engine, text

from shadowtime.workers.records.database import Database, url_in
from tests.workers.records import postgres

NUMBERS = count(1)


@pytest.fixture(scope="session")
def postgres_server():
    """A PostgreSQL server for the session; without one the tests fail with the line that installs it."""
    with postgres.server() as address:
        yield address


@pytest.fixture(params=["sqlite", "postgresql"])
def url(request, tmp_path):
    """The URL of an empty database."""
    if request.param == "sqlite":
        yield url_in(tmp_path)
        return
    address, name = request.getfixturevalue("postgres_server"), f"test_{next(NUMBERS)}"
    admin = create_engine(f"{address}/postgres", isolation_level="AUTOCOMMIT")
    with admin.connect() as connection:
        connection.execute(text(f"CREATE DATABASE {name}"))
    yield f"{address}/{name}"
    with admin.connect() as connection:
        connection.execute(text(f"DROP DATABASE {name} WITH (FORCE)"))
    admin.dispose()


@pytest.fixture
def database(url):
    """An open database."""
    found = Database(url)
    yield found
    found.close()
