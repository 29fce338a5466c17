"""Record which runs the words of a request led to: the same words find them again without reading the workload."""

from __future__ import annotations

from collections.abc import Sequence

from sqlalchemy import Connection, bindparam, select

from shadowtime.workers.records import checksum
from shadowtime.workers.records.database import Database, rows, upsert
from shadowtime.workers.records.schema import asked, runs

FOUND = select(asked).where(asked.c.words == bindparam("words")).order_by(asked.c.place)
"""The runs of a request, built once as the other statements of these files: building takes longer than answering."""
THERE = select(runs.c.digest).where(runs.c.digest.in_(bindparam("digests", expanding=True))).with_for_update(read=True)
"""Those of some runs that are there; none of them is deleted before the transaction ends."""


class Asked:
    """Requests by a digest of their words."""

    def __init__(self, database: Database):
        self._database = database

    def find(self, words: str) -> list[str]:
        """Return the digests of the runs in the order of the request; none where one of them was deleted, or where a
        row is damaged."""
        with self._database.read() as connection:
            found = rows(connection, FOUND, words=words)
        is_whole = all(checksum.is_intact(asked, row) and row["number"] == len(found) for row in found)
        return [row["run"] for row in found] if is_whole else []

    def record(self, words: str, digests: Sequence[str]) -> None:
        """Record the runs of a request; nothing where one of them was deleted meanwhile."""

        def keep(connection: Connection) -> None:
            if {*connection.execute(THERE, {"digests": digests}).scalars()} == {*digests}:
                record_words(connection, words, digests)

        self._database.write_together(keep)


def record_words(connection: Connection, words: str, digests: Sequence[str]) -> None:
    """Record the runs of a request, all of which are there."""
    new = [
        checksum.sealed(asked, {"words": words, "place": place, "number": len(digests), "run": digest})
        for place, digest in enumerate(digests)
    ]
    upsert(connection, asked, new)
