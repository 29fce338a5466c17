"""Record the papers that are recomputed: a row for each study and engine version, and one for each answered cell.

Every change reads the row of a study, computes the new one and writes it in one transaction. Several processes write
answers of cells at once. A damaged answer is treated as missing, so that the cell is computed again; a damaged study
has the status DAMAGED and no result, until it is recomputed.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass, replace
from typing import Any

from sqlalchemy import Connection, and_, delete, func, or_, select, update

from shadowtime.workers.records import checksum
from shadowtime.workers.records.database import Database, alone, rows, upsert
from shadowtime.workers.records.schema import cells, papers

QUEUED, RUNNING, FINISHED, FAILED, CANCELLED = "queued", "running", "finished", "failed", "cancelled"
STATES = (QUEUED, RUNNING, FINISHED, FAILED, CANCELLED)
UNFINISHED = (QUEUED, RUNNING)
MOMENTS = {RUNNING: "started", FAILED: "ended", CANCELLED: "ended"}
"""The time that a change to a status records."""
DAMAGED = "damaged"
"""Status of a study whose row is not what was written; never stored."""
NOT_BEGUN = {"done": 0, "total": 0, "seconds_left": None}
LONGEST_VERSION = 54
"""Letters of an engine version in a row; a longer version is shortened."""
AT_ONCE = 500


@dataclass(frozen=True)
class StudyStatus:
    """State of recomputing a study. Times in UTC."""

    status: str
    """One of STATES, or DAMAGED."""
    accepted: str
    parts: int
    """Parts in the queue: the number of workers that may share the cells."""
    started: str | None = None
    ended: str | None = None
    error: str | None = None
    lost: int = 0
    """Number of lost workers."""

    @property
    def is_unfinished(self) -> bool:
        return self.status in UNFINISHED

    def but(self, **changes: Any) -> StudyStatus:
        """Return a copy with some changes."""
        return replace(self, **changes)


DAMAGED_STATUS = StudyStatus(DAMAGED, "", 0, error="the stored result is not what was written; compute it again")


class Papers:
    """All studies of a database."""

    def __init__(self, database: Database):
        self.database = database

    def study(self, name: str, scale: str, engine: str, studies: str) -> Study:
        """Return a study as recomputed by an engine version; `studies` is the version of the studies' sources."""
        return Study(self.database, name, scale, engine, studies)

    def unfinished(self, engine: str) -> list[tuple[str, str, StudyStatus]]:
        """Return name, scale and status of the studies that an engine version is to recompute."""
        going_on = or_(*(papers.c.status.contains(f'"{state}"', autoescape=True) for state in UNFINISHED))
        query = select(papers).where(papers.c.version == shortened(engine), going_on)
        with self.database.read() as connection:
            found = rows(connection, query.order_by(papers.c.name, papers.c.scale))
        known = ((row["name"], row["scale"], _status_of(row)) for row in found)
        return [(name, scale, status) for name, scale, status in known if status and status.is_unfinished]

    def results(self, name: str, scale: str) -> tuple[list[dict[str, Any]], list[str]]:
        """Return the results of a study at a scale by any engine, and the engine versions whose rows are damaged."""
        query = select(papers).where(papers.c.name == name, papers.c.scale == scale).order_by(papers.c.version)
        with self.database.read() as connection:
            found = rows(connection, query)
        results, damaged = [], []
        for row in found:
            if not checksum.is_intact(papers, row):
                damaged.append(row["version"])
            elif row["result"]:
                results.append(json.loads(row["result"]))
        return results, damaged

    def damaged(self) -> Iterator[str]:
        """Yield the names of all damaged rows."""
        with self.database.read() as connection:
            for table in (papers, cells):
                for row in connection.execute(select(table)).yield_per(AT_ONCE).mappings():
                    if not checksum.is_intact(table, dict(row)):
                        cell = f", cell {row['key']}" if table is cells else ""
                        yield f"{row['name']}-{row['scale']} by {row['version']}{cell}"


@dataclass(frozen=True)
class Study:
    """A study at a scale, recomputed by one engine version."""

    database: Database
    name: str
    scale: str
    engine: str
    studies: str
    """Version of the studies' sources: answers of cells are used by the same version only."""

    def now(self) -> str:
        """Return the time of the database."""
        with self.database.read() as connection:
            return self.database.now(connection)

    def status(self) -> StudyStatus | None:
        """Return the status; None when the study was never submitted."""
        with self.database.read() as connection:
            return _status_of(self._row(connection))

    def put(self, status: StudyStatus) -> StudyStatus:
        """Store the status."""
        with self.database.write() as connection:
            self._write(connection, self._locked(connection), status=_text(asdict(status)))
        return status

    def request(self, status: StudyStatus) -> tuple[StudyStatus, bool]:
        """Store the status of a new request; return the known status and False if one is unfinished.

        Answers of an attempt that was stopped or failed are used again; after a finished one they are deleted.
        """
        with self.database.write() as connection:
            row = self._locked(connection)
            known = _status_of(row)
            if known is not None and known.is_unfinished:
                return known, False
            if known is not None and known.status == FINISHED:
                connection.execute(delete(cells).where(self._my_cells))
            self._write(connection, row, status=_text(asdict(status)), progress=None)
        return status, True

    def change(self, expected: Sequence[str], **changes: Any) -> StudyStatus | None:
        """Change the status if it is still one of `expected`, with the time of its start or end; return None when it is
        not."""
        with self.database.write() as connection:
            row = self._locked(connection)
            known = _status_of(row)
            if known is None or known.status not in expected:
                return None
            if moment := MOMENTS.get(changes.get("status", "")):
                changes = {moment: self.database.now(connection), **changes}
            status = known.but(**changes)
            self._write(connection, row, status=_text(asdict(status)))
        return status

    def lose(self, most: int, sentence: str) -> StudyStatus | None:
        """Count a lost worker; after `most` of them the study has failed. None unless it is unfinished."""
        with self.database.write() as connection:
            row = self._locked(connection)
            known = _status_of(row)
            if known is None or not known.is_unfinished:
                return None
            status = known.but(lost=known.lost + 1)
            if status.lost >= most:
                status = known.but(status=FAILED, ended=self.database.now(connection), error=sentence)
            self._write(connection, row, status=_text(asdict(status)))
        return status

    def progress(self) -> dict[str, Any]:
        """Return the latest progress: cells done, cells in all, and seconds left if known."""
        with self.database.read() as connection:
            text = connection.execute(select(papers.c.progress).where(self._mine)).scalar()
        with suppress(ValueError):
            found = json.loads(text or "null")
            if isinstance(found, dict) and found.keys() >= NOT_BEGUN.keys():
                return found
        return dict(NOT_BEGUN)

    def report(self, progress: Mapping[str, Any]) -> None:
        """Store the progress of a study that was submitted."""
        with self.database.write() as connection:
            connection.execute(update(papers).where(self._mine).values(progress=_text(progress)))

    def result(self) -> dict[str, Any] | None:
        """Return the study's result; None before there is one, and for a damaged one."""
        with self.database.read() as connection:
            row = self._row(connection)
        return json.loads(row["result"]) if row and checksum.is_intact(papers, row) and row["result"] else None

    def finish(self, result: Mapping[str, Any], expected: Sequence[str] | None = None) -> bool:
        """Store the study's result, mark it finished, and delete the answers of its cells.

        Damaged rows of the study by other engines are deleted: the new result replaces them.

        Parameters
        ----------
        expected
            If given, nothing is stored, and False returned, unless the status is one of these.
        """
        with self.database.write() as connection:
            row = self._locked(connection)
            known = _status_of(row)
            if expected is not None and (known is None or known.status not in expected):
                return False
            columns: dict[str, Any] = {"result": _text(result)}
            if known is not None and known.status not in (FINISHED, DAMAGED):
                ended = self.database.now(connection)
                columns["status"] = _text(asdict(known.but(status=FINISHED, ended=ended, error=None)))
            self._write(connection, row, **columns)
            for other in rows(connection, select(papers).where(self._all_engines)):
                if not checksum.is_intact(papers, other):
                    connection.execute(delete(papers).where(self._all_engines, papers.c.version == other["version"]))
            self._clear(connection)
        return True

    def clear(self) -> None:
        """Delete the answers of its cells, unless workers are computing them."""
        with self.database.write() as connection:
            self._locked(connection)
            self._clear(connection)

    def keep(self, key: str, seconds: float, value: Any) -> None:
        """Store the answer of a cell."""
        row = cell_row(self.name, self.scale, self._cells, key, _text({"seconds": seconds, "value": value}))
        with self.database.write() as connection:
            upsert(connection, cells, row)

    def answer(self, key: str) -> dict[str, Any] | None:
        """Return the answer of a cell: {"seconds", "value"}; None without one, and for a damaged one."""
        return self.answers([key]).get(key)

    def answers(self, keys: Sequence[str]) -> dict[str, dict[str, Any]]:
        """Return the answers of cells by key, without missing and damaged ones."""
        found: dict[str, dict[str, Any]] = {}
        for at in range(0, len(keys), AT_ONCE):
            some = cells.c.key.in_(keys[at : at + AT_ONCE])
            with self.database.read() as connection:
                found.update(_answers(rows(connection, select(cells).where(self._my_cells, some))))
        return found

    def known(self) -> set[str]:
        """Return the keys of the cells with intact answers."""
        with self.database.read() as connection:
            return set(_answers(rows(connection, select(cells).where(self._my_cells))))

    def count(self) -> int:
        """Return the number of cells with answers, also damaged ones."""
        with self.database.read() as connection:
            query = select(func.count()).select_from(cells).where(self._my_cells)
            return int(connection.execute(query).scalar_one())

    def processor_seconds(self) -> float:
        """Return the processor time of the cells with answers [s]."""
        with self.database.read() as connection:
            found = _answers(rows(connection, select(cells).where(self._my_cells)))
        return sum(answer["seconds"] for answer in found.values())

    @property
    def _version(self) -> str:
        return shortened(self.engine)

    @property
    def _cells(self) -> str:
        return version_of_cells(self.engine, self.studies)

    @property
    def _all_engines(self) -> Any:
        return and_(papers.c.name == self.name, papers.c.scale == self.scale)

    @property
    def _mine(self) -> Any:
        return and_(self._all_engines, papers.c.version == self._version)

    @property
    def _my_cells(self) -> Any:
        return and_(cells.c.name == self.name, cells.c.scale == self.scale, cells.c.version == self._cells)

    def _row(self, connection: Connection) -> dict[str, Any] | None:
        return next(iter(rows(connection, select(papers).where(self._mine))), None)

    def _locked(self, connection: Connection) -> dict[str, Any] | None:
        """Return the row, which no other process changes until the transaction ends."""
        alone(connection, f"paper {self.name}-{self.scale}")
        return self._row(connection)

    def _write(self, connection: Connection, row: Mapping[str, Any] | None, **columns: Any) -> None:
        """Write the row with some other columns; what a damaged one held is dropped."""
        if row is None or not checksum.is_intact(papers, row):
            row = study_row(self.name, self.scale, self.engine)
        upsert(connection, papers, checksum.sealed(papers, {**row, **columns}))

    def _clear(self, connection: Connection) -> None:
        """Delete the answers of cells by all engines, unless workers of that engine are computing them."""
        busy = {
            row["version"]
            for row in rows(connection, select(papers).where(self._all_engines))
            if (status := _status_of(row)) is not None and status.is_unfinished
        }
        mine = and_(cells.c.name == self.name, cells.c.scale == self.scale)
        for version in connection.execute(select(cells.c.version).where(mine).distinct()).scalars().all():
            if version.rpartition("/")[0] not in busy:
                connection.execute(delete(cells).where(mine, cells.c.version == version))


def study_row(
    name: str, scale: str, engine: str, *, status: str | None = None, progress: str | None = None,
    result: str | None = None,
) -> dict[str, Any]:  # fmt: skip
    """Return the row of a study; status, progress and result as JSON."""
    values = {"status": status, "progress": progress, "result": result}
    return checksum.sealed(papers, {"name": name, "scale": scale, "version": shortened(engine), **values})


def cell_row(name: str, scale: str, version: str, key: str, answer: str) -> dict[str, Any]:
    """Return the row of a cell; its answer as JSON."""
    return checksum.sealed(cells, {"name": name, "scale": scale, "version": version, "key": key, "answer": answer})


def shortened(engine: str) -> str:
    """Return an engine version as it stands in rows; a long one ends in digits of its SHA-256."""
    if len(engine) <= LONGEST_VERSION:
        return engine
    return f"{engine[: LONGEST_VERSION - 17]}~{hashlib.sha256(engine.encode()).hexdigest()[:16]}"


def version_of_cells(engine: str, studies: str) -> str:
    """Return the version of answers of cells."""
    return f"{shortened(engine)}/{studies}"


def of_values(values: Mapping[str, Any]) -> StudyStatus:
    """Return the status that a JSON object describes; keys of later versions are ignored.

    Raises
    ------
    KeyError, TypeError, ValueError
        For an object that describes none.
    """
    status = StudyStatus(**{name: values[name] for name in StudyStatus.__dataclass_fields__ if name in values})
    if status.status not in STATES:
        raise ValueError(f"{status.status!r} is no state of a study")
    return status


def _status_of(row: Mapping[str, Any] | None) -> StudyStatus | None:
    if row is None:
        return None
    if not checksum.is_intact(papers, row):
        return DAMAGED_STATUS
    return of_values(json.loads(row["status"])) if row["status"] else None


def _answers(found: Sequence[Mapping[str, Any]]) -> dict[str, dict[str, Any]]:
    return {row["key"]: json.loads(row["answer"]) for row in found if checksum.is_intact(cells, row)}


def _text(values: Mapping[str, Any]) -> str:
    return json.dumps(values, ensure_ascii=False)
