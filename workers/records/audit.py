"""Record the audit log: rows that are only ever added. `fields` is the JSON of an entry with a checksum."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from sqlalchemy import Connection, insert, select, tuple_

from shadowtime.workers.records import checksum
from shadowtime.workers.records.database import Database
from shadowtime.workers.records.schema import audit

AT_ONCE = 1000
"""Rows that are read in one transaction."""


def add(database: Database, fields: str) -> None:
    """Add an entry with the current time."""

    def entry(connection: Connection) -> None:
        time = database.now(connection)
        connection.execute(insert(audit), {"time": time, "fields": checksum.marked(fields, time)})

    database.write_together(entry)


def since(database: Database, time: str = "") -> Iterator[tuple[str, str | None]]:
    """Yield time and fields of the entries from a time on, oldest first, a page at a time: other processes write
    meanwhile. Of an entry that is not what was written the fields are None."""
    place = (time, 0)
    behind = tuple_(audit.c.time, audit.c.id)
    while True:
        query = select(audit.c.time, audit.c.fields, audit.c.id).where(behind > tuple_(*place))
        with database.read() as connection:
            page = connection.execute(query.order_by(audit.c.time, audit.c.id).limit(AT_ONCE)).all()
        for row in page:
            yield str(row.time), _fields(row.time, row.fields)
        if len(page) < AT_ONCE:
            return
        place = (page[-1].time, page[-1].id)


def _fields(time: Any, fields: Any) -> str | None:
    try:
        return checksum.unmarked(fields, str(time))
    except ValueError:
        return None
