"""Lend batches of sweeps to workers: each to one worker at a time, for as long as that worker renews its lease.

A worker that ends its work on a batch gives it back. A lease that expires instead means that its worker was lost. The
lost worker is counted at the run that it had begun, or for the whole batch if that run is unknown.

A lease that ends further ahead than any is given was written before a clock was set back: it does not count.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import timedelta
from typing import Any

from sqlalchemy import Connection, bindparam, select, update

from shadowtime.workers.errors import NotFound
from shadowtime.workers.records import checksum
from shadowtime.workers.records.database import Database, alone, rows, upsert
from shadowtime.workers.records.schema import batches as table
from shadowtime.workers.records.schema import sweeps

LEASE = 10.0
"""Seconds for which a worker holds a batch after it last renewed the lease: a few renewals may be late. The batch of a
killed process is usually free at once, since the worker above it says so (`abandon`)."""
RENEW_EVERY = 2.0
"""Seconds between two renewals."""

_ROW = select(table).where(table.c.sweep == bindparam("of"), table.c.batch == bindparam("at")).with_for_update()
_SWEEP = select(sweeps.c.digest).where(sweeps.c.digest == bindparam("of")).with_for_update(read=True, key_share=True)
"""Made once: making one takes as long as executing it."""

Losses = Counter[tuple[int, int | None]]
"""Number of lost workers by round and run; at None those whose run is unknown."""


class LeaseLost(Exception):
    """Another worker holds the batch now, or its sweep was deleted: nothing may be recorded any more."""


@dataclass(frozen=True)
class Lease:
    """A batch in the hands of a worker."""

    sweep: str
    """The digest."""
    batch: int
    worker: str
    """Its name, different for each shift."""
    round: int
    lost: Losses


class Batches:
    """The batches of all sweeps of a database."""

    def __init__(self, database: Database):
        self._database = database

    def take(self, sweep: str, batch: int, worker: str, round: int) -> Lease | None:
        """Lend a batch to a worker; None while another worker holds it.

        A worker that was lost before is counted by this.

        Raises
        ------
        NotFound
            When there is no such sweep (any more).
        """
        with self._database.write() as connection:
            alone(connection, f"batch {sweep} {batch}")  # there may be no row to lock yet
            if connection.execute(_SWEEP, {"of": sweep}).first() is None:
                raise NotFound("sweep", sweep[:16])
            row = _row(connection, sweep, batch)
            if row is not None and _is_held(row, *self._window(connection)):
                return None
            lost = _losses(row)
            if row is not None and row["lease"] is not None:
                lost[row["round"] or round, row["run"]] += 1
            upsert(connection, table, _sealed(sweep, batch, worker, self._window(connection)[1], round, None, lost))
            return Lease(sweep, batch, worker, round, lost)

    def renew(self, lease: Lease, run: int | None = None) -> None:
        """Extend a lease; with a `run`, record that the worker has begun it.

        Raises
        ------
        LeaseLost
            When the worker does not hold the batch any more.
        """
        with self._database.write() as connection:
            row = held_row(connection, lease)
            until = self._window(connection)[1]
            if run is None or run == row["run"]:
                connection.execute(update(table).where(_is(lease.sweep, lease.batch)).values(lease=until))
            else:
                changed = _sealed(lease.sweep, lease.batch, lease.worker, until, lease.round, run, _losses(row))
                upsert(connection, table, changed)

    def release(self, lease: Lease) -> None:
        """Give a batch back, if the worker holds it still."""
        with self._database.write() as connection:
            row = _row(connection, lease.sweep, lease.batch)
            if row is not None and row["worker"] == lease.worker:
                _free(connection, row)

    def abandon(self, sweep: str, batch: int, worker: str) -> None:
        """Let the lease of a process expire that has ended without giving the batch back; `worker` is the beginning of
        its name."""
        with self._database.write() as connection:
            row = _row(connection, sweep, batch)
            if row is not None and row["lease"] is not None and str(row["worker"]).startswith(worker):
                expired = self._database.now(connection)
                connection.execute(update(table).where(_is(sweep, batch)).values(lease=expired))

    def spare(self, sweep: str, batch: int, worker: str) -> bool:
        """Give a batch back for a process that was stopped, without counting it as lost; False while another worker
        holds the batch. `worker` is the beginning of the name of the process."""
        with self._database.write() as connection:
            row = _row(connection, sweep, batch)
            if row is None or row["lease"] is None:
                return True
            if not str(row["worker"]).startswith(worker):
                return not _is_held(row, *self._window(connection))
            _free(connection, row)
            return True

    def held(self, sweep: str) -> set[int]:
        """Return the batches of a sweep that workers hold."""
        with self._database.read() as connection:
            query = select(table.c.batch, table.c.lease).where(table.c.sweep == sweep, table.c.lease.is_not(None))
            window = self._window(connection)
            return {row["batch"] for row in rows(connection, query) if _is_held(row, *window)}

    def _window(self, connection: Connection) -> tuple[str, str]:
        """Return this instant, and the end of a lease that is given now."""
        return self._database.now(connection), self._database.now(connection, timedelta(seconds=LEASE))


def held_row(connection: Connection, lease: Lease) -> dict[str, Any]:
    """Return the row of a batch, which no other transaction can change until this one ends.

    An expired lease holds as long as no other worker has taken the batch.

    Raises
    ------
    LeaseLost
        When the worker does not hold the batch any more.
    """
    row = _row(connection, lease.sweep, lease.batch)
    if row is None or row["worker"] != lease.worker or row["lease"] is None:
        raise LeaseLost(f"batch {lease.batch} of sweep {lease.sweep[:16]} has another worker, or was deleted")
    return row


def end(connection: Connection, lease: Lease, row: Mapping[str, Any]) -> None:
    """Record that the run which the worker of a batch had begun has an outcome."""
    changed = _sealed(lease.sweep, lease.batch, lease.worker, row["lease"], lease.round, None, _losses(row))
    upsert(connection, table, changed)


def row_of(sweep: str, batch: int, worker: str, round: int, run: int | None, lost: Losses) -> dict[str, Any]:
    """Return the row of a batch that no worker holds."""
    return _sealed(sweep, batch, worker, None, round, run, lost)


def _is_held(row: Mapping[str, Any], now: str, until: str) -> bool:
    return row["lease"] is not None and now < row["lease"] <= until


def _free(connection: Connection, row: Mapping[str, Any]) -> None:
    freed = _sealed(row["sweep"], row["batch"], row["worker"], None, row["round"], None, _losses(row))
    upsert(connection, table, freed)


def _sealed(
    sweep: str, batch: int, worker: str, lease: str | None, round: int | None, run: int | None, lost: Losses
) -> dict[str, Any]:
    counts = sorted((of, -1 if at is None else at, n) for (of, at), n in lost.items())
    values = {"sweep": sweep, "batch": batch, "round": round, "run": run, "lost": json.dumps(counts)}
    return {**checksum.sealed(table, values), "worker": worker, "lease": lease}


def _row(connection: Connection, sweep: str, batch: int) -> dict[str, Any] | None:
    """Return the row of a batch for a change; of a damaged one, only who holds it: what it counted is forgotten."""
    found = connection.execute(_ROW, {"of": sweep, "at": batch}).mappings().first()
    if found is None:
        return None
    row = dict(found)
    return row if checksum.is_intact(table, row) else {**row, "round": None, "run": None, "lost": "[]"}


def _losses(row: Mapping[str, Any] | None) -> Losses:
    found: Losses = Counter()
    for of, at, n in json.loads(row["lost"]) if row is not None else ():
        found[of, None if at == -1 else at] = n
    return found


def _is(sweep: str, batch: int) -> Any:
    return (table.c.sweep == sweep) & (table.c.batch == batch)
