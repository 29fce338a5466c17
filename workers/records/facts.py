"""Facts about a whole laboratory."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from sqlalchemy import select

from shadowtime.workers.records.database import Database, insert_ignoring, upsert
from shadowtime.workers.records.schema import facts


def fact(database: Database, name: str, make: Callable[[], str]) -> str:
    """Return a fact that never changes; the first process that needs it makes it, for all others."""
    found = known(database, [name]).get(name)
    if found is None:
        with database.write() as connection:
            insert_ignoring(connection, facts, [{"name": name, "value": make()}])
            found = str(connection.execute(select(facts.c.value).where(facts.c.name == name)).scalar_one())
    return found


def known(database: Database, names: Sequence[str]) -> dict[str, str]:
    """Return those of some facts that are recorded."""
    with database.read() as connection:
        found = connection.execute(select(facts.c.name, facts.c.value).where(facts.c.name.in_(names)))
        return {name: value for name, value in found}


def record(database: Database, name: str, value: str) -> None:
    """Record a fact, or replace it."""
    with database.write() as connection:
        upsert(connection, facts, {"name": name, "value": value})
