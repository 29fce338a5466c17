"""Damage what a store holds, as a failing disk or a person would."""

from __future__ import annotations

import json
from typing import Any

from sqlalchemy import select, update

from shadowtime.workers.records import schema
from shadowtime.workers.records.checksum import sealed
from shadowtime.workers.records.database import rows
from shadowtime.workers.records.run_rows import OUTLINE


def spoil_row(store: Any, table: str, digest: str, **changes: Any) -> None:
    """Change columns of the row of a thing, but not its checksum."""
    columns = schema.metadata.tables[table]
    with store.database.write() as connection:
        changed = update(columns).where(columns.c.digest == digest).values(**changes)
        assert connection.execute(changed).rowcount == 1


def change_row(store: Any, digest: str, **changes: Any) -> None:
    """Change columns of the row of a run as the store itself would: with its checksum."""
    columns = schema.runs
    with store.database.write() as connection:
        (row,) = rows(connection, select(columns).where(columns.c.digest == digest))
        connection.execute(
            update(columns).where(columns.c.digest == digest).values(sealed(columns, {**row, **changes}))
        )


def drop_outline(store: Any, digest: str) -> None:
    """Make the results of a run those of an older version, which recorded no outline."""
    columns = schema.results
    with store.database.write() as connection:
        (row,) = rows(connection, select(columns).where(columns.c.digest == digest))
        summary = json.loads(row["summary"])
        del summary[OUTLINE]
        older = sealed(columns, {**row, "summary": json.dumps(summary)})
        connection.execute(update(columns).where(columns.c.digest == digest).values(older))


def spoil_table(store: Any, digest: str, name: str) -> None:
    """Flip the last bit of a table of a finished run."""
    path = store.shelf.blobs.open(store.runs.get(digest).tables[name])
    content = bytearray(path.read_bytes())
    content[-1] ^= 1
    path.chmod(0o644)
    path.write_bytes(content)
