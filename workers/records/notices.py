"""Record notices: who is to be notified, at which address, when a run or a sweep ends, and how sending went.

A process that sends a notice first counts the try and writes when the next one is due, and sends then. If it is killed,
the notice is due again after that pause: none is lost, and none is sent more than MOST_TRIES times.
"""

from __future__ import annotations

import json
import secrets
from dataclasses import asdict, dataclass, replace
from datetime import timedelta
from typing import Any

from sqlalchemy import Connection, and_, delete, exists, func, or_, select

from shadowtime.workers.errors import NotFound, TooMuch
from shadowtime.workers.records import checksum
from shadowtime.workers.records.database import Database, alone, rows, upsert
from shadowtime.workers.records.listing import NO_TEXT
from shadowtime.workers.records.schema import notices, runs, sweeps

WAITING, SENT, FAILED = "waiting", "sent", "failed"
RUN, SWEEP = "run", "sweep"
PAUSES = (30.0, 120.0, 600.0, 3600.0, 21600.0)
"""Seconds after each try until the next one."""
MOST_TRIES = len(PAUSES) + 1
DAY = timedelta(days=1)
LOST = "the process that sent it was ended"
DAMAGED = "its record is not what was written"
_COLUMNS = ("code", "kind", "subject", "owner", "state", "made", "due")
_ENDED = or_(
    and_(
        notices.c.kind == RUN,
        exists().where(runs.c.digest == notices.c.subject, runs.c.status.in_(("finished", "failed", "cancelled"))),
    ),
    and_(
        notices.c.kind == SWEEP,
        exists().where(sweeps.c.digest == notices.c.subject, sweeps.c.status.in_(("finished", "cancelled"))),
    ),
)
"""The subject of a notice has ended."""


@dataclass(frozen=True)
class Notice:
    """One address that is notified once when a run or a sweep ends."""

    code: str
    kind: str
    """RUN or SWEEP."""
    subject: str
    """Digest of the run or the sweep."""
    owner: str
    """Who asked for it: no one else sees it."""
    state: str = WAITING
    made: str = ""
    due: str = ""
    """Earliest time of the next try, in UTC."""
    address: str = ""
    link: str = ""
    """Address of the page of the run or the sweep; empty where the host of this server is not known."""
    tries: int = 0
    error: str = ""
    """Why the last try failed."""


class Notices:
    """All notices of a database."""

    def __init__(self, database: Database):
        self._database = database

    def ask(
        self, kind: str, subject: str, owner: str, address: str, link: str, most: int = 0
    ) -> tuple[Notice, bool]:  # fmt: skip
        """Record a notice; return False if the same owner has asked for the same before.

        Raises
        ------
        TooMuch
            When the owner asked for `most` notices in the last 24 h; 0: any number.
        """
        with self._database.write() as connection:
            alone(connection, f"notices {owner}")
            for known in _of(connection, subject, owner):
                if known.address == address and known.state == WAITING:
                    return known, False
            since = self._database.now(connection, -DAY)
            recent = select(func.count()).select_from(notices).where(notices.c.owner == owner, notices.c.made > since)
            if 0 < most <= connection.execute(recent).scalar_one():
                raise TooMuch(f"{most:,} notices were asked for in 24 h, the limit here (SHADOWTIME_MAX_NOTICES)", 3600)
            now = self._database.now(connection)
            made = Notice(
                secrets.token_hex(8), kind, subject, owner, made=now, due=now, address=address, link=link
            )  # fmt: skip
            _put(connection, made)
        return made, True

    def of(self, subject: str, owner: str) -> list[Notice]:
        """Return the notices of one owner about a run or a sweep, oldest first."""
        with self._database.read() as connection:
            return _of(connection, subject, owner)

    def withdraw(self, code: str, owner: str) -> None:
        """Delete a notice. NotFound for an unknown code, and for that of another owner."""
        if NO_TEXT.search(code):
            raise NotFound("notice", code)
        with self._database.write() as connection:
            mine = delete(notices).where(notices.c.code == code, notices.c.owner == owner)
            if not connection.execute(mine).rowcount:
                raise NotFound("notice", code)

    def are_due(self) -> bool:
        """Return whether a notice is to be sent now."""
        with self._database.read() as connection:
            return connection.execute(self._due(connection).limit(1)).first() is not None

    def claim(self) -> Notice | None:
        """Count a try of the notice that is due for longest, and return it to be sent; None where none is due.

        A notice whose last try did not come back, or whose row is damaged, fails here and is not sent.
        """
        with self._database.write() as connection:
            while True:
                one = self._due(connection).order_by(notices.c.due, notices.c.code).limit(1)
                found = rows(connection, one.with_for_update(skip_locked=True))
                if not found:
                    return None
                known = _notice(found[0])
                if known.state == FAILED:
                    _put(connection, known)
                elif known.tries >= MOST_TRIES:
                    _put(connection, replace(known, state=FAILED, error=known.error or LOST))
                else:
                    pause = PAUSES[min(known.tries, len(PAUSES) - 1)]
                    due = self._database.now(connection, timedelta(seconds=pause))
                    claimed = replace(known, tries=known.tries + 1, due=due)
                    _put(connection, claimed)
                    return claimed

    def settle(self, claimed: Notice, error: str = "") -> Notice | None:
        """Record how a try went; return None for a notice that was withdrawn or tried again meanwhile."""
        state = SENT if not error else FAILED if claimed.tries >= MOST_TRIES else WAITING
        settled = replace(claimed, state=state, error=error)
        with self._database.write() as connection:
            found = rows(connection, select(notices).where(notices.c.code == claimed.code).with_for_update())
            if not found or _notice(found[0]) != claimed:
                return None
            _put(connection, settled)
        return settled

    def _due(self, connection: Connection) -> Any:
        now = self._database.now(connection)
        return select(notices).where(notices.c.state == WAITING, notices.c.due <= now, _ENDED)


def forget(connection: Connection, subject: str) -> None:
    """Delete the notices about a run or a sweep that is deleted."""
    connection.execute(delete(notices).where(notices.c.subject == subject))


def row_of(notice: Notice) -> dict[str, Any]:
    """Return the row of a notice."""
    values = {name: value for name, value in asdict(notice).items() if name not in _COLUMNS}
    columns = {name: getattr(notice, name) for name in _COLUMNS}
    return checksum.sealed(notices, {**columns, "values": json.dumps(values, ensure_ascii=False)})


def _notice(row: dict[str, Any]) -> Notice:
    columns = {name: row[name] for name in _COLUMNS}
    if not checksum.is_intact(notices, row):
        return Notice(**{**columns, "state": FAILED, "error": DAMAGED})
    return Notice(**columns, **json.loads(row["values"]))


def _of(connection: Connection, subject: str, owner: str) -> list[Notice]:
    mine = select(notices).where(notices.c.subject == subject, notices.c.owner == owner)
    return [_notice(row) for row in rows(connection, mine.order_by(notices.c.made, notices.c.code))]


def _put(connection: Connection, notice: Notice) -> None:
    upsert(connection, notices, row_of(notice))
