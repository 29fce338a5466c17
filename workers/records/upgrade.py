"""Bring the tables of a database up to date.

An empty database gets all tables at once; an older one goes through its Alembic migrations. A test compares both ways.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any

from sqlalchemy import Connection, Engine, create_mock_engine, inspect, text

from shadowtime.engine.errors import EngineError
from shadowtime.workers.records.schema import metadata

HEAD = "0009"
"""Newest migration."""
VERSIONS = "alembic_version"


def upgrade(engine: Engine) -> None:
    """Create the tables, or change those of an older version.

    Raises
    ------
    EngineError
        If a later version of Shadowtime made them.
    """
    with engine.connect() as connection:
        if current(connection) == HEAD:
            return
    with engine.connect() as connection:
        connection.execution_options(shadowtime_writes=True)
        with connection.begin():
            if engine.dialect.name == "postgresql":  # two processes may start at once
                connection.execute(text("SELECT pg_advisory_xact_lock(723500)"))
            found = current(connection)
            if found is None:
                for statement in _creation(engine.dialect.name):
                    connection.exec_driver_sql(statement)
                connection.execute(text(f"CREATE TABLE {VERSIONS} (version_num VARCHAR(32) NOT NULL PRIMARY KEY)"))
                connection.execute(text(f"INSERT INTO {VERSIONS} VALUES ('{HEAD}')"))
            elif found != HEAD:
                migrate(connection)


@cache
def _creation(dialect: str) -> tuple[str, ...]:
    """Return the statements that create all tables and indexes; a new store opens in half the time."""
    found: list[str] = []
    url = "sqlite://" if dialect == "sqlite" else "postgresql+psycopg://"
    mock: Any = create_mock_engine(
        url, lambda statement, *_: found.append(str(statement.compile(dialect=mock.dialect)))
    )
    metadata.create_all(mock, checkfirst=False)
    return tuple(found)


def current(connection: Connection) -> str | None:
    """Return the newest migration of a database; None for an empty one."""
    if not inspect(connection).has_table(VERSIONS):
        return None
    return connection.execute(text(f"SELECT version_num FROM {VERSIONS}")).scalar()


def migrate(connection: Connection, to: str = "head") -> None:
    """Apply the migrations that a database lacks, inside the transaction of `connection`."""
    from alembic import command
    from alembic.config import Config
    from alembic.script import ScriptDirectory

    config = Config()
    config.set_main_option("script_location", str(Path(__file__).parent / "migrations"))
    known = {script.revision for script in ScriptDirectory.from_config(config).walk_revisions()}
    found = current(connection)
    if found is not None and found not in known:
        raise EngineError(f"the database has the tables of a later version ({found}); this version knows {HEAD}")
    config.attributes["connection"] = connection
    command.upgrade(config, to)
