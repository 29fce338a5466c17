"""Small sweeps, and a store that has accepted one."""

from __future__ import annotations

from typing import Any

from sqlalchemy import Table, update

from shadowtime.workers.records import schema
from shadowtime.workers.records.database import Database
from shadowtime.workers.settings import Settings
from shadowtime.workers.store import Store
from shadowtime.workers.sweeps import submission
from shadowtime.workers.sweeps.batch import Piece, run_piece
from shadowtime.workers.sweeps.reading import SweepQuestion, read
from shadowtime.workers.sweeps.submission import Stored


def asked(store: Store, **values: Any) -> SweepQuestion:
    """Twelve runs on 20 jobs each: two seeds, three loads, two algorithms."""
    given = {
        "workloads": ["uniform:jobs=20"],
        "seeds": [1, 2],
        "loads": [0.5, 0.7, 0.9],
        "algorithms": ["easy", "fcfs"],
        **values,
    }
    return read(given, "the sweep", Stored(store).find)


def execute(piece: Piece, settings: Settings, store: Store) -> None:
    """Execute a batch to its end, in as many shifts as this machine needs."""
    while run_piece(piece, settings, store) == "shift over":
        pass


def lines_of(store: Store, sweep: Any) -> list[dict[str, Any]]:
    """The recorded outcomes, in the order in which they were recorded."""
    return store.sweeps.outcomes.after(sweep.digest)[0]


def alter(database: Database, table: Table, where: Any = True, **values: Any) -> int:
    """Change columns of rows behind the back of the records, without their checksum; how many rows."""
    with database.write() as connection:
        return connection.execute(update(table).where(where).values(values)).rowcount


def expire(database: Database) -> None:
    """Let the lease on each batch expire."""
    alter(database, schema.batches, schema.batches.c.lease.is_not(None), lease="")


def accepted(store: Store, queue: Any, **values: Any) -> Any:
    """The sweep, accepted."""
    return submission.accept(store, queue, asked(store, **values))[0]
