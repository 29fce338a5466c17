"""Check the rows of sweeps, their batches and the outcomes of their runs."""

from __future__ import annotations

from collections.abc import Iterator

from sqlalchemy import Table, select

from shadowtime.workers.records import checksum, schema, sweeps
from shadowtime.workers.records.database import Database, rows


def faults(database: Database) -> Iterator[tuple[str, str]]:
    """Yield the digest of a sweep and a sentence for each row that differs from what was written."""
    with database.read() as connection:
        found = rows(connection, select(schema.sweeps).order_by(schema.sweeps.c.digest))
    for row in found:
        if not sweeps.is_whole(row):
            yield str(row["digest"]), "its row is not what was written"
    for sweep, run in _damaged(database, schema.outcomes, "run"):
        yield sweep, f"the outcome of run {run} is not what was written"
    for sweep, batch in _damaged(database, schema.batches, "batch"):
        yield sweep, f"the row of batch {batch} is not what was written"


def _damaged(database: Database, table: Table, key: str) -> Iterator[tuple[str, str]]:
    """Yield sweep and number of each damaged row; one sweep is in memory at a time."""
    with database.read() as connection:
        digests = connection.execute(select(table.c.sweep).distinct().order_by(table.c.sweep)).scalars().all()
    for digest in digests:
        with database.read() as connection:
            found = rows(connection, select(table).where(table.c.sweep == digest).order_by(table.c[key]))
        yield from ((str(row["sweep"]), str(row[key])) for row in found if not checksum.is_intact(table, row))
