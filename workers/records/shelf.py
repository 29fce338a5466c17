"""Keep track of which blobs are needed, and collect the others.

A blob is announced by a row before its file is written, and used by a run or a workload in the transaction that
finishes it. From the announcement to the use it is leased: the lease is a use by a draft, which the collector deletes
after a grace time. One that nothing uses any more is deleted in one write transaction, row and file: who announces it
meanwhile waits for that, and writes the file again. If the transaction fails, a row remains whose file is missing, of a
blob that nothing uses and that nothing can use without announcing, and thereby writing, it.
"""

from __future__ import annotations

import logging
import re
import secrets
import threading
from collections.abc import Callable, Iterable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from typing import Any

from sqlalchemy import ColumnElement, Connection, and_, delete, func, or_, select, tuple_
from sqlalchemy.exc import IntegrityError

from shadowtime.workers.records.blobs import WRITERS, Blobs, Draft, each
from shadowtime.workers.records.database import Database, insert_ignoring, upsert
from shadowtime.workers.records.schema import blobs as table
from shadowtime.workers.records.schema import results, runs, sweeps, uses, workloads

log = logging.getLogger(__name__)

GRACE = 3600.0
"""Seconds for which an announced blob is kept without a use: longer than a run takes to be stored."""
AT_ONCE = 100
"""Blobs that are deleted in one transaction."""
NAME = re.compile(r"[0-9a-f]{64}")
LEASE = "draft"
"""Kind of a use that is a lease; its user is the time of the announcement and a random word."""
_MINE = threading.local()
"""`leases`: the lease of each blob that this thread has announced and not used yet."""


class BlobsCollected(Exception):
    """A blob was collected before its use was recorded: it must be announced and written again."""


class Shelf:
    """The blobs of a laboratory with their rows."""

    def __init__(self, database: Database, blobs: Blobs):
        self.database = database
        self.blobs = blobs

    def put(self, drafts: Sequence[Draft]) -> None:
        """Announce and store drafts. When this returns they are durable, and leased to this thread: its next `use` of
        them ends the lease, or else a grace time does."""
        some = sorted(each(drafts), key=lambda draft: draft.digest)  # one order: no two writers lock crosswise
        if not some:
            return
        with self.database.write() as connection:
            now = self.database.now(connection)
            lease = f"{now}-{secrets.token_hex(8)}"
            rows = [{"digest": draft.digest, "size": draft.size, "touched": now} for draft in some]
            upsert(connection, table, rows)
            insert_ignoring(connection, uses, [{"blob": one.digest, "kind": LEASE, "user": lease} for one in some])
        _leases().update((draft.digest, lease) for draft in some)
        self.blobs.put(some)

    def collect(self, grace: float = GRACE) -> list[str]:
        """Delete the blobs that nothing uses and that were announced longer than `grace` seconds ago; return them.

        A time further ahead than GRACE was written before a clock went back: it counts as past.
        """
        with self.database.write() as connection:
            before, after = (self.database.now(connection, timedelta(seconds=one)) for one in (-grace, GRACE))
            _end_leases(connection, before, after)
        is_old = or_(table.c.touched < before, table.c.touched > after)
        with self.database.read() as connection:  # all rows, which would take too long in a write transaction
            found = list(connection.execute(select(table.c.digest).where(is_old, ~_is_used())).scalars())
            known = _referred(connection) if found else set()
        if lost := known.intersection(found):
            log.error("%d blobs are needed, but their uses are not recorded: the database is damaged", len(lost))
        return self._remove([digest for digest in found if digest not in known], is_old)

    def drop(
        self,
        digests: Sequence[str],
        before: str,
        with_room: Callable[[Callable[[], Any]], None] = lambda delete: delete(),
    ) -> None:
        """Delete those of `digests` that nothing uses any more and whose last announcement is before `before`.

        Their run or workload is deleted already: what cannot be deleted with it is left to `collect`.
        """
        try:
            with_room(lambda: self._remove(digests, table.c.touched < before))
        except OSError as error:
            log.warning("%d blobs are deleted later: %s", len(digests), error)

    def used(self) -> list[str]:
        """Return the blobs that runs and workloads use."""
        return list({blob for blob, _, _ in self.users()})

    def users(self) -> list[tuple[str, str, str]]:
        """Return each use of a blob by a run or a workload: the blob, the kind and the digest of its user."""
        with self.database.read() as connection:
            found = connection.execute(select(uses.c.blob, uses.c.kind, uses.c.user).where(uses.c.kind != LEASE))
            return [(blob, kind, user) for blob, kind, user in found]

    def strays(self) -> list[str]:
        """Return the blobs without a row: a crash left them, or the database is older than the folder."""
        there = sorted(self.blobs.digests())
        with self.database.read() as connection:
            known = set(connection.execute(select(table.c.digest)).scalars())
        return [digest for digest in there if digest not in known]

    def without_records(self) -> int:
        """Return the number of blobs if the records know no run, no workload, no sweep and no blob that was announced:
        the database is new, or that of another store. Else 0."""
        if self._has_records():
            return 0
        there = sum(1 for _ in self.blobs.digests())
        return 0 if self._has_records() else there  # another process may have written the first one meanwhile

    def announced(self) -> int:
        """Return the number of blobs that have a row because they were announced, not adopted."""
        with self.database.read() as connection:
            return int(connection.execute(select(func.count()).select_from(table).where(table.c.size > 0)).scalar_one())

    def _has_records(self) -> bool:
        some = (
            *(select(one.c.digest) for one in (runs, workloads, sweeps)),
            select(table.c.digest).where(table.c.size > 0),
        )
        with self.database.read() as connection:
            return any(connection.execute(query.limit(1)).first() for query in some)

    def adopt(self, strays: Sequence[str]) -> None:
        """Give strays a row: they are collected like others after a grace time. To delete them at once could take a
        file that was just announced."""
        for at in range(0, len(strays), AT_ONCE):
            with self.database.write() as connection:
                now = self.database.now(connection)
                rows = [{"digest": digest, "size": 0, "touched": now} for digest in sorted(strays[at : at + AT_ONCE])]
                insert_ignoring(connection, table, rows)

    def _remove(self, digests: Sequence[str], is_old: ColumnElement[bool]) -> list[str]:
        """Delete those of `digests` that are old and that nothing uses; return them."""
        removed: list[str] = []
        for at in range(0, len(digests), AT_ONCE):
            with self.database.write() as connection:
                some = _locked(connection, digests[at : at + AT_ONCE], is_old)
                connection.execute(delete(table).where(table.c.digest.in_(some)))
                with ThreadPoolExecutor(WRITERS) as pool:
                    list(pool.map(self.blobs.remove, some))
            removed += some
        return removed


def use(connection: Connection, kind: str, user: str, digests: Iterable[str]) -> None:
    """Record that a run or a workload uses blobs, which this thread has announced, and no others.

    Raises
    ------
    BlobsCollected
        When one of them was collected; the transaction is undone.
    """
    release(connection, kind, user)
    use_all(connection, kind, {user: digests})


def use_all(connection: Connection, kind: str, used: Mapping[str, Iterable[str]]) -> None:
    """Record what each of several runs or workloads uses besides what is recorded of it. Raises as `use`."""
    rows = [
        {"blob": digest, "kind": kind, "user": user} for user, some in used.items() for digest in dict.fromkeys(some)
    ]
    if not rows:
        return
    try:
        insert_ignoring(connection, uses, rows)
    except IntegrityError as error:  # the foreign key: the row of a blob is gone
        raise BlobsCollected(kind) from error
    leases = _leases()
    mine = {row["blob"]: leases.pop(row["blob"]) for row in rows if row["blob"] in leases}
    if not mine:
        return
    is_mine = and_(uses.c.kind == LEASE, uses.c.user.in_(set(mine.values())), uses.c.blob.in_(mine))
    ended = set(connection.execute(delete(uses).where(is_mine).returning(uses.c.blob)).scalars())
    if ended != set(mine):  # a blob whose lease ended may have been collected, and announced by another since
        raise BlobsCollected(kind)


def release(connection: Connection, kind: str, user: str) -> list[str]:
    """Record that a run or a workload uses no blobs any more; return those it used. They may be dropped, or are
    collected later."""
    gone = delete(uses).where(uses.c.kind == kind, uses.c.user == user).returning(uses.c.blob)
    return list(connection.execute(gone).scalars())


def used_by(connection: Connection, kind: str, user: str) -> set[str]:
    """Return the blobs that a run or a workload is known to use."""
    return set(connection.execute(select(uses.c.blob).where(uses.c.kind == kind, uses.c.user == user)).scalars())


def _referred(connection: Connection) -> set[str]:
    """Return the blobs that results and workloads name themselves, whatever is recorded of uses: a damaged row of a use
    must not delete what is needed."""
    found = set(connection.execute(select(workloads.c.source)).scalars())
    for text in connection.execute(select(results.c.tables)).scalars():
        found.update(NAME.findall(str(text)))
    return found


def _leases() -> dict[str, str]:
    if not hasattr(_MINE, "leases"):
        _MINE.leases = {}
    found: dict[str, str] = _MINE.leases
    return found


def _end_leases(connection: Connection, before: str, after: str) -> None:
    """Delete the leases from before an instant, or after one that is still to come."""
    key = (uses.c.blob, uses.c.kind, uses.c.user)
    ended = select(*key).where(uses.c.kind == LEASE, or_(uses.c.user < before, uses.c.user > after))
    if connection.dialect.name == "postgresql":  # a lease that is just being used is locked
        ended = ended.with_for_update(skip_locked=True)
    connection.execute(delete(uses).where(tuple_(*key).in_(ended)))


def _locked(connection: Connection, digests: Sequence[str], condition: ColumnElement[bool]) -> list[str]:
    """Lock the rows of those blobs that nothing uses and that fulfil a condition; return their digests.

    PostgreSQL needs two queries: a use that another transaction commits between the start of a query and its lock is
    not seen by that query. From the lock on, the foreign key keeps others from adding a use. A row that is locked is
    being used or announced just now, and is left out.
    """
    some = select(table.c.digest).where(table.c.digest.in_(digests), condition, ~_is_used())
    locked = connection.execute(some.with_for_update(of=table, skip_locked=True)).scalars().all()
    if not locked or connection.dialect.name == "sqlite":  # whose write transactions are alone
        return list(locked)
    return list(connection.execute(select(table.c.digest).where(table.c.digest.in_(locked), ~_is_used())).scalars())


def _is_used() -> ColumnElement[bool]:
    return select(uses.c.blob).where(uses.c.blob == table.c.digest).exists()
