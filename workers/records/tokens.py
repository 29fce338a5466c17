"""Record tokens of persons: of each only its SHA-256, so that a reader of the database cannot use it.

A plain SHA-256 is enough here. A token is 256 random bits, not a word that a person chose: no one can try them all,
with a fast hash or a slow one. The fast one is computed at every request.
"""

from __future__ import annotations

import hashlib
import re
import secrets
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import timedelta
from typing import Any

from sqlalchemy import insert, select, update

from shadowtime.workers import people
from shadowtime.workers.errors import NotFound
from shadowtime.workers.records import checksum
from shadowtime.workers.records.database import Database, rows
from shadowtime.workers.records.schema import tokens

BEGIN = "st_"
TOKEN = re.compile(rf"{BEGIN}[\w-]{{43}}", re.ASCII)
EVERY = timedelta(minutes=1)
"""Between two writes of the last use."""


@dataclass(frozen=True)
class Token:
    """What is known of a token."""

    id: str
    person: str
    scopes: tuple[str, ...]
    groups: tuple[str, ...] = ()
    created: str = ""
    expires: str | None = None
    revoked: str | None = None
    used: str | None = None
    """Last use, to a minute."""

    def is_valid(self, now: str) -> bool:
        """Return whether it may be used."""
        return self.revoked is None and (self.expires is None or now < self.expires)


class Tokens:
    """All tokens of a laboratory."""

    def __init__(self, database: Database):
        self._database = database

    def create(
        self, person: str, scopes: Sequence[str], groups: Sequence[str] = (), lasts: timedelta | None = None
    ) -> tuple[str, Token]:
        """Create a token; return the token itself, which is shown once and not recorded, and its facts.

        Raises
        ------
        InvalidParameter
            For a name, scope or group that is none.
        """
        people.check_person(person)
        secret = BEGIN + secrets.token_urlsafe(32)
        with self._database.write() as connection:
            row = {
                "id": secrets.token_hex(5),
                "digest": _digest(secret),
                "person": person,
                "scopes": " ".join(people.check_scopes(scopes)),
                "groups": " ".join(people.check_groups(groups)),
                "created": self._database.now(connection),
                "expires": None if lasts is None else self._database.now(connection, lasts),
                "revoked": None,
                "touched": None,
            }
            connection.execute(insert(tokens).values(checksum.sealed(tokens, row)))
        return secret, _token(row)

    def read(self, secret: str) -> Token | None:
        """Return the facts of a token that may be used; None for any other text."""
        if not TOKEN.fullmatch(secret):
            return None
        return self._valid(tokens.c.digest == _digest(secret))

    def valid(self, token_id: str) -> Token | None:
        """Return the facts of a token that may be used, by its id; None for any other."""
        return self._valid(tokens.c.id == token_id)

    def touch(self, token: Token) -> None:
        """Record a use of a token, where the last one is more than a minute ago."""
        with self._database.read() as connection:
            if token.used is not None and token.used > self._database.now(connection, -EVERY):
                return
        with self._database.write() as connection:
            now = self._database.now(connection)
            connection.execute(update(tokens).where(tokens.c.id == token.id).values(touched=now))

    def revoke(self, token_id: str) -> Token:
        """Revoke a token for good; NotFound for one that is unknown, or was revoked."""
        with self._database.write() as connection:
            found = rows(connection, select(tokens).where(tokens.c.id == token_id))
            if not found or found[0]["revoked"]:
                raise NotFound("token", token_id)
            row = {**found[0], "revoked": self._database.now(connection)}
            sealed = checksum.sealed(tokens, row)
            connection.execute(update(tokens).where(tokens.c.id == token_id).values(sealed))
        return _token(row)

    def all(self) -> list[Token]:
        """Return all tokens, newest first, also those that expired or were revoked."""
        with self._database.read() as connection:
            found = rows(connection, select(tokens).order_by(tokens.c.created.desc(), tokens.c.id))
        return [_token(row) for row in found]

    def of(self, person: str) -> list[Token]:
        """Return the tokens of a person that may be used, newest first."""
        with self._database.read() as connection:
            now = self._database.now(connection)
        return [token for token in self.all() if token.person == person and token.is_valid(now)]

    def are_there(self) -> bool:
        """Return whether a token was ever created."""
        with self._database.read() as connection:
            return connection.execute(select(tokens.c.id).limit(1)).scalar() is not None

    def _valid(self, where: Any) -> Token | None:
        with self._database.read() as connection:
            found = rows(connection, select(tokens).where(where))
            now = self._database.now(connection) if found else ""
        if not found or not checksum.is_intact(tokens, found[0]):
            return None
        token = _token(found[0])
        return token if token.is_valid(now) else None


def _digest(secret: str) -> str:
    return hashlib.sha256(secret.encode()).hexdigest()


def _token(row: Mapping[str, Any]) -> Token:
    return Token(
        row["id"], row["person"], tuple(row["scopes"].split()), tuple(row["groups"].split()), row["created"],
        row["expires"], row["revoked"], row["touched"],
    )  # fmt: skip
