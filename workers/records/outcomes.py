"""Record the outcomes of the runs of sweeps, a few at a time, for any number of readers that ask for new ones.

An outcome is a JSON object, the line of its run (`workers.sweeps.outcomes`). A run has one: a later outcome replaces
an earlier one. A row that differs from what was written is left out, so that its run is computed again.

Each transaction takes the next sequence numbers of its sweep, and transactions of one sweep follow each other. A reader
that asks for the numbers after the last one which it has read therefore misses none, also where transactions of
different sweeps are committed in another order than they began.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from sqlalchemy import Connection, Select, bindparam, func, select

from shadowtime.workers.records import batches, checksum
from shadowtime.workers.records.batches import Lease
from shadowtime.workers.records.database import Database, alone, rows, upsert
from shadowtime.workers.records.schema import outcomes as table

Line = Mapping[str, Any]

GREATEST = 1 << 60
"""No sequence number is greater: a row with such a one is damaged."""

_LAST = select(func.max(table.c.sequence)).where(table.c.sweep == bindparam("of"), table.c.sequence < GREATEST)
_written = json.JSONEncoder(separators=(",", ":")).encode


class RunOutcomes:
    """The outcomes of the runs of all sweeps of a database."""

    def __init__(self, database: Database):
        self._database = database

    def record(self, sweep: str, lines: Sequence[Line], lease: Lease | None = None) -> None:
        """Record lines of runs in one transaction.

        A run always gives the same values, so that it does no harm if two workers record it.

        Raises
        ------
        LeaseLost
            When the worker of the `lease` does not hold the batch any more; then nothing is recorded.
        """
        with self._database.write() as connection:
            alone(connection, lock_name(sweep))
            if lease is not None:
                row = batches.held_row(connection, lease)
                if any(line["index"] == row["run"] for line in lines):
                    batches.end(connection, lease, row)
            put(connection, sweep, lines, 1 + (connection.execute(_LAST, {"of": sweep}).scalar() or 0))

    def after(self, sweep: str, sequence: int = 0) -> tuple[list[dict[str, Any]], int]:
        """Return the lines after a sequence number, oldest first, and the number of the last one for the next time."""
        query = select(table).where(table.c.sweep == sweep, table.c.sequence > sequence).order_by(table.c.sequence)
        whole = self._whole(query)
        return _parsed(whole), whole[-1]["sequence"] if whole else sequence

    def between(self, sweep: str, first: int, end: int) -> list[dict[str, Any]]:
        """Return the lines of the runs `first` to `end` - 1."""
        return _parsed(self._whole(select(table).where(table.c.sweep == sweep, table.c.run.between(first, end - 1))))

    def _whole(self, query: Select) -> list[dict[str, Any]]:
        """Return the rows that are what was written."""
        with self._database.read() as connection:
            found = rows(connection, query)
        return [row for row in found if checksum.is_intact(table, row)]


def put(connection: Connection, sweep: str, lines: Sequence[Line], sequence: int) -> None:
    """Write lines of different runs with the next sequence numbers, in place of earlier ones."""
    upsert(connection, table, [row_of(sweep, line, number) for number, line in enumerate(lines, sequence)])


def row_of(sweep: str, line: Line, sequence: int) -> dict[str, Any]:
    """Return the row of a line."""
    return checksum.sealed(table, {"sweep": sweep, "run": line["index"], "sequence": sequence, "line": _written(line)})


def lock_name(sweep: str) -> str:
    """Return the name under which transactions that record outcomes of a sweep follow each other."""
    return f"outcomes {sweep}"


def _parsed(found: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """Parse the lines of rows. One text to the parser instead of thousands: 10,000 lines in a third of the time."""
    lines: list[dict[str, Any]] = json.loads(f"[{','.join(row['line'] for row in found)}]")
    return lines
