"""Facts about a whole laboratory, each made once."""

from __future__ import annotations

from collections.abc import Callable

from sqlalchemy import select

from shadowtime.workers.records.database import Database, insert_ignoring
from shadowtime.workers.records.schema import facts


def fact(database: Database, name: str, make: Callable[[], str]) -> str:
    """Return a fact; the first process that needs it makes it, for all others."""
    known = select(facts.c.value).where(facts.c.name == name)
    with database.read() as connection:
        found = connection.execute(known).scalar()
    if found is None:
        with database.write() as connection:
            insert_ignoring(connection, facts, [{"name": name, "value": make()}])
            found = connection.execute(known).scalar_one()
    return str(found)
