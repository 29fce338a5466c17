"""Record the browsers that are signed in: by a random id, of which only a keyed digest is stored.

The key is that of the store, so that the id of a session of another laboratory, or a row that was copied from there,
opens nothing here.
"""

from __future__ import annotations

import hashlib
import hmac
import re
import secrets
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import cache
from typing import Any

from sqlalchemy import delete, insert, select, update

from shadowtime.workers.digest import Identified
from shadowtime.workers.errors import NotFound
from shadowtime.workers.records import checksum
from shadowtime.workers.records.database import Database, rows
from shadowtime.workers.records.printable import printable
from shadowtime.workers.records.schema import sessions
from shadowtime.workers.utc import utc_text

SECRET = re.compile(r"[\w-]{43}", re.ASCII)
EVERY = timedelta(minutes=1)
"""Between two writes of the last use."""
LONGEST_AGENT = 120


@dataclass(frozen=True)
class Session(Identified):
    """A browser in which a person is signed in; from the id the secret cannot be computed."""

    digest: str
    person: str
    """Empty for who knows the token of the settings."""
    owner: str
    """Key of what the person owns."""
    source: str
    """`token:<id>`, `shared:<stamp>` or `oidc:<stamp>`: by what the person signed in."""
    scopes: tuple[str, ...]
    groups: tuple[str, ...]
    created: str
    expires: str
    agent: str
    """Name of the browser, shortened."""
    used: str
    """Last use, to a minute."""


class Sessions:
    """All sessions of a laboratory."""

    def __init__(self, database: Database, key: Callable[[], bytes]):
        """`key` returns the key of the store."""
        self._database = database
        self._key = cache(key)

    def open(
        self,
        owner: str,
        source: str,
        *,
        person: str = "",
        scopes: tuple[str, ...] = (),
        groups: tuple[str, ...] = (),
        agent: str = "",
        lasts: timedelta = timedelta(days=30),
    ) -> tuple[str, Session]:
        """Open a session; return its secret, which only the browser keeps, and its facts. Expired ones are deleted."""
        secret = secrets.token_urlsafe(32)
        digest = self._digest(secret)  # before the transaction: the key may have to be written
        shown = printable(agent)[:LONGEST_AGENT]
        with self._database.write() as connection:
            now = self._database.now(connection)
            row = {
                "digest": digest,
                "person": person,
                "owner": owner,
                "source": source,
                "scopes": " ".join(scopes),
                "groups": " ".join(groups),
                "created": now,
                "expires": self._database.now(connection, lasts),
                "agent": shown,
                "touched": now,
            }
            connection.execute(delete(sessions).where(sessions.c.expires <= now))
            connection.execute(insert(sessions).values(checksum.sealed(sessions, row)))
        return secret, _session(row)

    def read(self, secret: str, idle: timedelta) -> Session | None:
        """Return the session of a secret; None if it is unknown, expired, or was not used for as long as `idle`."""
        if not SECRET.fullmatch(secret):
            return None
        digest = self._digest(secret)
        with self._database.read() as connection:
            found = rows(connection, select(sessions).where(sessions.c.digest == digest))
            now = self._database.now(connection) if found else ""
        return _alive(found[0], now, idle) if found else None

    def touch(self, session: Session) -> None:
        """Record a use of a session, where the last one is more than a minute ago."""
        with self._database.read() as connection:
            if session.used > self._database.now(connection, -EVERY):
                return
        with self._database.write() as connection:
            now = self._database.now(connection)
            connection.execute(update(sessions).where(sessions.c.digest == session.digest).values(touched=now))

    def of(self, owner: str, idle: timedelta) -> list[Session]:
        """Return the sessions of an owner that may be used, newest first."""
        query = select(sessions).where(sessions.c.owner == owner).order_by(sessions.c.created.desc())
        with self._database.read() as connection:
            found = rows(connection, query)
            now = self._database.now(connection)
        return [session for row in found if (session := _alive(row, now, idle))]

    def end(self, owner: str, session_id: str) -> None:
        """End a session of an owner; NotFound for one that is unknown or another's."""
        with self._database.write() as connection:
            known = select(sessions.c.digest).where(sessions.c.owner == owner)
            digests = [one for one in connection.execute(known).scalars() if one[:16] == session_id]
            if not digests:
                raise NotFound("session", session_id)
            connection.execute(delete(sessions).where(sessions.c.digest.in_(digests)))

    def end_all(self, owner: str) -> int:
        """End all sessions of an owner; return their number."""
        with self._database.write() as connection:
            return int(connection.execute(delete(sessions).where(sessions.c.owner == owner)).rowcount)

    def _digest(self, secret: str) -> str:
        return hmac.new(self._key(), b"session\0" + secret.encode(), hashlib.sha256).hexdigest()


def _alive(row: Mapping[str, Any], now: str, idle: timedelta) -> Session | None:
    if not checksum.is_intact(sessions, row):
        return None
    limit = utc_text(datetime.fromisoformat(now) - idle)
    return _session(row) if now < row["expires"] and row["touched"] > limit else None


def _session(row: Mapping[str, Any]) -> Session:
    return Session(
        row["digest"], row["person"], row["owner"], row["source"], tuple(row["scopes"].split()),
        tuple(row["groups"].split()), row["created"], row["expires"], row["agent"], row["touched"],
    )  # fmt: skip
