"""Keep track of which blobs are needed, and collect the others.

A blob is announced by a row before its file is written, and used by a run or a workload in the transaction that
finishes it. One without a use is collected a grace time after it was last announced. The collector deletes the row and
the file in one write transaction: whoever announces the same blob meanwhile waits for it, and writes the file again.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import timedelta

from sqlalchemy import Connection, delete, select

from shadowtime.workers.records.blobs import Blobs, Draft
from shadowtime.workers.records.database import Database, insert_ignoring, upsert
from shadowtime.workers.records.schema import blobs as table
from shadowtime.workers.records.schema import uses

GRACE = 3600.0
"""Seconds for which an announced blob is kept without a use: longer than a run takes to be stored."""
AT_ONCE = 500


class Shelf:
    """The blobs of a laboratory with their rows."""

    def __init__(self, database: Database, blobs: Blobs):
        self.database = database
        self.blobs = blobs

    def put(self, drafts: Sequence[Draft]) -> None:
        """Announce and store drafts; they are durable, and kept for a grace time, when this returns."""
        with self.database.write() as connection:
            now = self.database.now(connection)
            for draft in sorted(drafts, key=lambda draft: draft.digest):  # one order: no two writers lock crosswise
                upsert(connection, table, {"digest": draft.digest, "size": draft.size, "touched": now})
        self.blobs.put(drafts)

    def collect(self, grace: float = GRACE) -> list[str]:
        """Delete the blobs that nothing uses and that were announced longer than `grace` seconds ago; return them."""
        found: list[str] = []
        while True:
            with self.database.write() as connection:
                before = self.database.now(connection, -timedelta(seconds=grace))
                some = _collected(connection, before)
                for digest in some:
                    self.blobs.remove(digest)
            found += some
            if len(some) < AT_ONCE:
                return found

    def strays(self) -> list[str]:
        """Return the blobs without a row: a crash left them, or the database is older than the folder."""
        there = sorted(self.blobs.digests())
        with self.database.read() as connection:
            known = set(connection.execute(select(table.c.digest)).scalars())
        return [digest for digest in there if digest not in known]


def use(connection: Connection, kind: str, user: str, digests: Iterable[str]) -> None:
    """Record that a run or a workload uses blobs, which were announced."""
    release(connection, kind, user)
    rows = [{"blob": digest, "kind": kind, "user": user} for digest in dict.fromkeys(digests)]
    if rows:
        insert_ignoring(connection, uses, rows)


def release(connection: Connection, kind: str, user: str) -> None:
    """Record that a run or a workload uses no blobs any more. The collector deletes them later."""
    connection.execute(delete(uses).where(uses.c.kind == kind, uses.c.user == user))


def _collected(connection: Connection, before: str) -> list[str]:
    """Delete up to AT_ONCE rows of unused blobs announced before an instant; return their digests."""
    unused = (
        select(table.c.digest)
        .where(table.c.touched < before, ~select(uses.c.blob).where(uses.c.blob == table.c.digest).exists())
        .limit(AT_ONCE)
    )
    gone = delete(table).where(table.c.digest.in_(unused), table.c.touched < before).returning(table.c.digest)
    return list(connection.execute(gone).scalars())
