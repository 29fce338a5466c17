"""Record re-runs of finished runs: requests and results. The run itself never changes."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from typing import Any

from sqlalchemy import Connection, func, select

from shadowtime.workers.records import checksum
from shadowtime.workers.records.database import Database, alone, rows, upsert
from shadowtime.workers.records.schema import reruns

QUEUED, FINISHED, FAILED = "queued", "finished", "failed"


@dataclass(frozen=True)
class Rerun:
    """The latest re-run of a run by the engine that made it."""

    status: str
    """One of QUEUED, FINISHED, FAILED."""
    asked: str = ""
    ended: str = ""
    attempt: int = 1
    """From 1; one more each time that its worker was lost."""
    tables: Mapping[str, str] = field(default_factory=dict)
    """SHA-256 of each table that it gave."""
    error: str = ""

    def but(self, **changes: Any) -> Rerun:
        return replace(self, **changes)


class Reruns:
    """All re-runs of a database, by the digest of the run."""

    def __init__(self, database: Database):
        self._database = database

    def request(self, digest: str) -> Rerun:
        """Request a re-run; a second request changes nothing while the first is queued."""
        with self._database.write() as connection:
            alone(connection, f"rerun {digest}")
            known = _read(connection, digest)
            if known is not None and known.status == QUEUED:
                return known
            return _put(connection, digest, Rerun(QUEUED, asked=self._database.now(connection)))

    def get(self, digest: str) -> Rerun | None:
        """Return the latest re-run; None without one, and for a damaged one: it can be requested again."""
        with self._database.read() as connection:
            return _read(connection, digest)

    def put(self, digest: str, rerun: Rerun) -> Rerun:
        """Store the state of a re-run; one that has ended by it gets the time of its end."""
        with self._database.write() as connection:
            if rerun.status != QUEUED and not rerun.ended:
                rerun = rerun.but(ended=self._database.now(connection))
            return _put(connection, digest, rerun)

    def requested(self) -> Sequence[str]:
        """Return the digests of the runs whose re-run is queued."""
        with self._database.read() as connection:
            return connection.execute(select(reruns.c.digest).where(reruns.c.status == QUEUED)).scalars().all()

    def waiting(self) -> int:
        """Return the number of re-runs that are queued."""
        with self._database.read() as connection:
            queued = select(func.count()).select_from(reruns).where(reruns.c.status == QUEUED)
            return int(connection.execute(queued).scalar_one())


def row_of(digest: str, rerun: Rerun) -> dict[str, Any]:
    """Return the row of a re-run."""
    text = json.dumps(asdict(rerun), ensure_ascii=False)
    return checksum.sealed(reruns, {"digest": digest, "status": rerun.status, "values": text})


def of_values(values: Mapping[str, Any]) -> Rerun:
    """Return the re-run that a JSON object describes; keys of later versions are ignored."""
    return Rerun(**{name: values[name] for name in Rerun.__dataclass_fields__ if name in values})


def _read(connection: Connection, digest: str) -> Rerun | None:
    found = rows(connection, select(reruns).where(reruns.c.digest == digest))
    return of_values(json.loads(found[0]["values"])) if found and checksum.is_intact(reruns, found[0]) else None


def _put(connection: Connection, digest: str, rerun: Rerun) -> Rerun:
    upsert(connection, reruns, row_of(digest, rerun))
    return rerun
