"""Record exact bounds that are proven after a run of very many jobs: requests and answers."""

from __future__ import annotations

import json
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import asdict, dataclass
from typing import Any

from sqlalchemy import Connection, delete, select

from shadowtime.workers.records import checksum
from shadowtime.workers.records.database import Database, DatabaseAway, alone, rows, upsert
from shadowtime.workers.records.schema import bounds

QUEUED, FINISHED, FAILED = "queued", "finished", "failed"


@dataclass(frozen=True)
class Bound:
    """The exact bound of the largest bounded stretch of a run, or the request for it."""

    status: str
    """One of QUEUED, FINISHED, FAILED."""
    value: float | None = None
    """The bound, once finished."""
    lost: int = 0
    """How often the process that proved it was lost."""
    error: str = ""


DAMAGED = Bound(FAILED, error="the stored bound is not what was written; it is proven again")


class Bounds:
    """All exact bounds of a database, by the digest of the run."""

    def __init__(self, database: Database):
        self._database = database

    def put(self, digest: str, bound: Bound) -> Bound:
        """Store a request or an answer."""
        with self._database.write() as connection:
            upsert(connection, bounds, row_of(digest, bound))
        return bound

    def get(self, digest: str, *, is_requested: bool = False) -> Bound | None:
        """Return the bound of a run; None if none was requested. A damaged one is requested again; so is a missing one
        where the run says that it `is_requested`."""
        with self._database.read() as connection:
            found = _read(connection, digest)
        if found is None and is_requested:
            found = DAMAGED
        if found is DAMAGED:
            with suppress(DatabaseAway, OSError):  # such as a read-only disk, from which the run can still be read
                self.put(digest, Bound(QUEUED))
        return found

    def requested(self) -> list[str]:
        """Return the digests of the runs whose bound is to be proven."""
        with self._database.read() as connection:
            waiting = select(bounds.c.digest).where(bounds.c.status == QUEUED).order_by(bounds.c.digest)
            return list(connection.execute(waiting).scalars())

    def lose(self, digest: str, most: int, sentence: str) -> Bound | None:
        """Count a lost process of a request; after `most` of them it has failed. None if nothing is requested."""
        with self._database.write() as connection:
            alone(connection, f"bound {digest}")
            known = _read(connection, digest)
            if known is None or known.status != QUEUED:
                return None
            lost = known.lost + 1
            new = Bound(FAILED, error=sentence) if lost >= most else Bound(QUEUED, lost=lost)
            upsert(connection, bounds, row_of(digest, new))
            return new

    def forget(self, digest: str) -> None:
        """Delete what is recorded of a run."""
        with self._database.write() as connection:
            connection.execute(delete(bounds).where(bounds.c.digest == digest))


def row_of(digest: str, bound: Bound) -> dict[str, Any]:
    """Return the row of a bound."""
    return checksum.sealed(
        bounds, {"digest": digest, "status": bound.status, "values": json.dumps(asdict(bound), ensure_ascii=False)}
    )


def of_values(values: Mapping[str, Any]) -> Bound:
    """Return the bound that a JSON object describes; keys of later versions are ignored."""
    return Bound(**{name: values[name] for name in Bound.__dataclass_fields__ if name in values})


def _read(connection: Connection, digest: str) -> Bound | None:
    found = rows(connection, select(bounds).where(bounds.c.digest == digest))
    if not found:
        return None
    return of_values(json.loads(found[0]["values"])) if checksum.is_intact(bounds, found[0]) else DAMAGED
