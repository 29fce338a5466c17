"""List, count and filter runs."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Any

from sqlalchemy import ColumnElement, Connection, and_, bindparam, func, not_, select, update

from shadowtime.workers.errors import Damaged, NotFound
from shadowtime.workers.records import checksum, schema
from shadowtime.workers.records.database import Database, alone, rows
from shadowtime.workers.records.listing import ID, NO_TEXT, equal, find, owned, page, unsearched, words_in
from shadowtime.workers.records.marks import Marks, columns, marks_of
from shadowtime.workers.records.run import RecordRun
from shadowtime.workers.records.run_rows import is_question, status_of
from shadowtime.workers.spec import RunSpec
from shadowtime.workers.store.base import UNFINISHED, Load, LoadCheck, Page, Status

table = schema.runs

RECENT = 20
"""Number of finished runs of an algorithm that predict the next one's duration."""
FEWEST = 1000
"""Runs of fewer jobs measure the cost of a start, not of a job."""
KEYS: Mapping[str, Sequence[str]] = {
    "accepted": ("accepted", "digest"),
    "algorithm": ("algorithm", "accepted", "digest"),
    "workload": ("name", "accepted", "digest"),
    "jobs": ("jobs", "accepted", "digest"),
    "seconds": ("took", "accepted", "digest"),
    "status": ("status", "accepted", "digest"),
}
"""Orders of a listing, with the columns that make each."""


MOST_NAMED = 500
"""Ids that one statement names; of more, all rows are read."""

NAMED = (
    select(table)
    .where(table.c.digest >= bindparam("first"), table.c.digest < bindparam("after"))
    .order_by(table.c.digest)
    .limit(1)
)
"""Built once: most requests ask it, and building it takes 190 us, answering it 90."""


def named(connection: Connection, reference: str) -> dict[str, Any]:
    """Return the row of a run by its full or short id; NotFound for any text that names none."""
    if isinstance(reference, str) and ID.fullmatch(reference):
        for row in rows(connection, NAMED, first=reference, after=f"{reference}g"):
            if row["digest"].startswith(reference):  # a damaged index leads to another's
                return row
    raise NotFound("run", reference)


_MINE = table.c.client == bindparam("of")
LOAD = select(
    func.count().filter(_MINE),
    func.coalesce(func.sum(table.c.jobs).filter(_MINE), 0),
    func.count().filter(_MINE, table.c.priority == "high"),
    func.count(),
    func.coalesce(func.sum(table.c.jobs), 0),
).where(table.c.status.in_(UNFINISHED))


_FILE = schema.workloads.c.digest
FILES = select(_FILE).where(_FILE.in_(bindparam("digests", expanding=True))).with_for_update(read=True, key_share=True)
"""Selects which of some digests are of stored workloads, and keeps these from being deleted meanwhile."""


class RunLists:
    """Questions about many runs at once; `Runs` adds those about one."""

    database: Database

    def get(self, reference: str) -> RecordRun:
        """Return a run; NotFound for an unknown id."""
        raise NotImplementedError

    def _read(self, row: Mapping[str, Any]) -> RecordRun:
        raise NotImplementedError

    def _shown(
        self, run: RecordRun, result: Mapping[str, Any] | None, states: Sequence[str], owners: Sequence[str] | None
    ) -> RecordRun | None:
        """Return a listed run after reading its results; None if its record turns out to be another's, or in none of
        `states`, since it is damaged."""
        try:
            run.with_result(result)
        except Damaged:
            run = self.get(run.digest)
        except NotFound:  # deleted meanwhile
            return None
        is_hidden = run.is_private and owners is not None and run.status.owner not in owners
        return None if is_hidden or (states and run.status.status not in states) else run

    def check_change(self, reference: str) -> None:
        """Raise NotFound for an unknown run."""
        self.get(reference)

    def mark(self, reference: str, changes: Mapping[str, Any]) -> Marks:
        """Change title, tags, notes or star of a run."""
        with self.database.write() as connection:
            digest = find(connection, table, "run", reference)
            row = rows(connection, select(table).where(table.c.digest == digest).with_for_update())[0]
            if not checksum.is_intact(table, row):
                raise Damaged(f"run {digest[:16]} is damaged: its record is not what was written; run it again")
            marks = marks_of(row).changed(changes)
            sealed = checksum.sealed(table, {**row, **columns(marks, row["label"])})
            connection.execute(update(table).where(table.c.digest == digest).values(sealed))
            return marks

    def listed(self, *states: str) -> list[str]:
        with self.database.read() as connection:
            asked = select(table.c.digest).where(table.c.status.in_(states)).order_by(table.c.accepted, table.c.digest)
            return list(connection.execute(asked).scalars())

    def algorithms_and_jobs(self, *states: str) -> dict[str, tuple[str, int]]:
        with self.database.read() as connection:
            asked = select(table.c.digest, table.c.algorithm, table.c.jobs).where(table.c.status.in_(states))
            return {digest: (algorithm, jobs) for digest, algorithm, jobs in connection.execute(asked)}

    def unfinished(self, among: Collection[str] | None = None) -> list[tuple[str, Status]]:
        with self.database.read() as connection:
            asked = select(table).where(table.c.status.in_(UNFINISHED)).order_by(table.c.accepted, table.c.digest)
            if among is not None and len(among) <= MOST_NAMED:
                asked = asked.where(table.c.digest.in_(among))
            found = [row for row in rows(connection, asked) if among is None or row["digest"] in among]
        return [(row["digest"], status) for row in found if (status := status_of(row)).is_unfinished]

    def list(
        self,
        *,
        status: Sequence[str] = (),
        algorithm: str | None = None,
        workload: str | None = None,
        text: str = "",
        without: str = "",
        limit: int = 50,
        after: str | None = None,
        owners: Sequence[str] | None = None,
        sort: str = "accepted",
        ascending: bool = False,
    ) -> Page:
        where: list[ColumnElement[bool]] = [*owned(table.c.owner, owners), *words_in(table.c.label, text)]
        where += [not_(one) for one in words_in(table.c.label, without)]
        is_in_order = sort in ("accepted", "status") and (len(status) == 1 or "finished" not in status)
        state = table.c.status if is_in_order else unsearched(table.c.status)
        name = table.c.algorithm if sort in ("accepted", "algorithm") else unsearched(table.c.algorithm)
        where += [state.in_(status)] if status else []
        where += [equal(name, algorithm.lower())] if algorithm else []
        with self.database.read() as connection:
            where += [equal(table.c.workload, _workload(connection, workload))] if workload else []
            found = page(connection, table, where, KEYS[sort], limit, after, self._read, ascending=ascending)
            finished = [run.digest for run in found.rows if run.status.is_finished]
            results = rows(connection, select(schema.results).where(schema.results.c.digest.in_(finished)))
        known = {row["digest"]: row for row in results}
        shown = (self._shown(run, known.get(run.digest), status, owners) for run in found.rows)
        return Page([run for run in shown if run is not None], found.next)

    def counts(self, text: str = "", owners: Sequence[str] | None = None, without: str = "") -> dict[str, int]:
        where = [*owned(table.c.owner, owners), *words_in(table.c.label, text)]
        where += [not_(one) for one in words_in(table.c.label, without)]
        with self.database.read() as connection:
            asked = select(table.c.status, func.count()).where(*where).group_by(table.c.status)
            return {state: n for state, n in connection.execute(asked)}

    def counts_of_all(self) -> dict[str, int]:
        return self.counts()

    def load(self, client: str) -> Load:
        with self.database.read() as connection:
            return load_in(connection, client)

    def usual_seconds(self) -> float | None:
        found = self._latest(table.c.took > 0)
        return sum(took for took, _ in found) / len(found) if found else None

    def seconds_per_job(self, algorithm: str) -> float | None:
        found = self._latest(table.c.algorithm == algorithm, table.c.jobs >= FEWEST, table.c.took > 0)
        return sum(took for took, _ in found) / sum(jobs for _, jobs in found) if found else None

    def using(self, workload: str) -> int:
        """Return the number of runs that refer to a workload."""
        with self.database.read() as connection:
            asked = select(func.count()).select_from(table).where(table.c.workload == workload)
            return int(connection.execute(asked).scalar_one())

    def digests(self) -> Sequence[str]:
        """Return the digests of all runs."""
        with self.database.read() as connection:
            return list(connection.execute(select(table.c.digest).order_by(table.c.digest)).scalars())

    def damaged_questions(self) -> Sequence[str]:
        """Return the digests of deleted runs whose question is not what was asked."""
        with self.database.read() as connection:
            kept = rows(connection, select(schema.questions).order_by(schema.questions.c.digest))
        return [row["digest"] for row in kept if not is_question(row["spec"], row["digest"])]

    def ended_before(self, time: str) -> Sequence[tuple[str, int]]:
        """Return the runs that ended before an instant, and the bytes of their tables."""
        ended = func.coalesce(table.c.ended, table.c.accepted) < time
        size = func.coalesce(func.sum(schema.blobs.c.size), 0)
        used = and_(schema.uses.c.kind == "run", schema.uses.c.user == table.c.digest)
        joined = table.outerjoin(schema.uses, used).outerjoin(schema.blobs, schema.blobs.c.digest == schema.uses.c.blob)
        asked = select(table.c.digest, size).select_from(joined).where(ended, table.c.status.not_in(UNFINISHED))
        with self.database.read() as connection:
            found = connection.execute(asked.group_by(table.c.digest).order_by(table.c.digest))
            return [(digest, int(n)) for digest, n in found]

    def _latest(self, *where: ColumnElement[bool]) -> Sequence[tuple[float, int]]:
        """Return seconds and jobs of the latest finished public runs: expected times are shown to all who ask. Of
        damaged runs SQLite may return no numbers."""
        public = select(table.c.took, table.c.jobs).where(table.c.owner.is_(None))
        asked = public.where(table.c.status == "finished", *where)
        newest = asked.order_by(table.c.accepted.desc(), table.c.digest.desc()).limit(RECENT)
        with self.database.read() as connection:
            found = connection.execute(newest).all()
        return [(took, jobs) for took, jobs in found if isinstance(took, int | float) and isinstance(jobs, int)]


def load_in(connection: Connection, client: str) -> Load:
    """Return the load as this transaction sees it, with what it has added. One statement over a covering index: 10,000
    unfinished runs take 2 ms."""
    return Load(*map(int, connection.execute(LOAD, {"of": client}).one()))


def check_added(
    connection: Connection, added: Sequence[tuple[RunSpec, int]], check: LoadCheck | None, client: str | None,
    needs_jobs: bool,
) -> None:  # fmt: skip
    """Raise NotFound where `needs_jobs` and the workload of an added run was deleted meanwhile, and check the load."""
    if needs_jobs:
        require_workloads(connection, [spec.workload for spec, _ in added])
    check_load(connection, check, client, added)


def require_workloads(connection: Connection, sources: Sequence[Mapping[str, Any]]) -> None:
    """Raise NotFound for a file among the sources of workloads that is not stored; the others are not deleted before
    the transaction ends."""
    digests = sorted({source["digest"] for source in sources if "digest" in source})
    there = {*connection.execute(FILES, {"digests": digests}).scalars()} if digests else set()
    for digest in digests:
        if digest not in there:
            raise NotFound("workload", digest[:16])


def check_load(
    connection: Connection, check: LoadCheck | None, client: str | None, added: Sequence[tuple[RunSpec, int]]
) -> None:
    """Call `check`, if there is any, for the runs of a client that this transaction has added, each with its number of
    jobs. From here to its end no other transaction is between its check and its end; the lock is taken last, to be
    held for a short time."""
    if check is not None and added:
        alone(connection, "load of runs")
        check(load_in(connection, client or ""), len(added), sum(jobs for _, jobs in added))


def _workload(connection: Connection, reference: str) -> str:
    """Return the digest of the workload of some runs by its full or short id; by an equality SQLite finds its runs in
    the order of any column."""
    if NO_TEXT.search(reference):
        return reference
    short = reference[:16]
    asked = select(func.min(table.c.workload)).where(table.c.workload >= short, table.c.workload < short + "g")
    return connection.execute(asked).scalar() or reference
