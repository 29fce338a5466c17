"""Whom the token or the session of a request names: a token in the header `Authorization`, a session in a cookie.

A session is a random id, bound to the laboratory: the name of its cookie holds the laboratory's identity, and the
records know the id by a digest under the laboratory's key. Where the site is served over TLS the name begins with
`__Host-`, which a browser takes from this host alone, for all paths and over TLS only.
"""

from __future__ import annotations

import hashlib
import hmac
from contextlib import suppress
from dataclasses import dataclass
from datetime import timedelta
from functools import cached_property

from flask import Request

from shadowtime.dashboard.access.addresses import is_secure
from shadowtime.workers import people
from shadowtime.workers.people import READ, SCOPES
from shadowtime.workers.records.sessions import Session
from shadowtime.workers.records.tokens import BEGIN, Token
from shadowtime.workers.settings import EVERYBODY, Settings
from shadowtime.workers.store import Store

GROUP = "token"
"""Owner for all who know the token of the settings: they own what each of them owns."""
SHARED, TOKEN, OIDC = "shared", "token", "oidc"
"""Kinds of sources."""
HOST = "__Host-"


@dataclass(frozen=True)
class Credential:
    """What a token or a session says of who has it."""

    person: str
    """Empty for who knows the token of the settings."""
    owner: str
    source: str
    scopes: frozenset[str] = frozenset(SCOPES)
    groups: tuple[str, ...] = ()
    session: str = ""
    """Id of the session; empty for a token."""

    @property
    def is_shared(self) -> bool:
        """Whether it is, or comes from, the token of the settings."""
        return self.source.startswith(f"{SHARED}:")


class Credentials:
    """The tokens and sessions that one server takes."""

    def __init__(self, settings: Settings, store: Store | None = None):
        """Without a `store` the token of the settings is the only one."""
        self._settings = settings
        self._store = store

    @property
    def store(self) -> Store:
        """The store that holds the sessions."""
        assert self._store is not None, "sessions are records"
        return self._store

    def token(self, text: str) -> Credential | None:
        """Return whom a token names; None for a wrong one."""
        expected = self._settings.token
        if expected and text and hmac.compare_digest(text.encode(), expected.encode()):
            return Credential("", GROUP, f"{SHARED}:{self._stamp}")
        found = self.store.tokens.read(text) if self._store and text.startswith(BEGIN) else None
        if found is None:
            return None
        with suppress(OSError):  # the disk is full, or read-only: the token is right all the same
            self.store.tokens.touch(found)
        return of_token(found)

    def session(self, asked: Request) -> Credential | None:
        """Return whom the cookie of a request names; None without one, and for one that opens nothing any more."""
        secret = asked.cookies.get(self.cookie(asked), "") if self._store else ""
        found = self.store.sessions.read(secret, self._idle) if secret else None
        if found is None or not self._stands(found.source):
            return None
        with suppress(OSError):
            self.store.sessions.touch(found)
        is_named = found.source.startswith(f"{OIDC}:")  # by the settings of now, not of when the session was opened
        scopes = scopes_of(found.person, self._settings) if is_named else frozenset(found.scopes)
        return Credential(found.person, found.owner, found.source, scopes, found.groups, found.id)

    def takes(self, text: str) -> bool:
        """Return whether a text is meant as a token of this server, right or wrong."""
        return bool(text) and (bool(self._settings.token) or text.startswith(BEGIN))

    def are_there(self) -> bool:
        """Return whether there is any token to sign in with."""
        return bool(self._settings.token) or (self._store is not None and self._store.tokens.are_there())

    def open(self, credential: Credential, agent: str) -> tuple[str, Session]:
        """Open a session for whom a credential names; return its secret and its facts."""
        return self.store.sessions.open(
            credential.owner,
            credential.source,
            person=credential.person,
            scopes=tuple(scope for scope in SCOPES if scope in credential.scopes),
            groups=credential.groups,
            agent=agent,
            lasts=timedelta(days=self._settings.session_days),
        )

    def cookie(self, asked: Request) -> str:
        """Return the name of the cookie that holds the session."""
        name = f"shadowtime-{self.store.identity}"
        return f"{HOST}{name}" if is_secure(asked, self._settings) else name

    def sessions_of(self, owner: str) -> list[Session]:
        """Return the sessions of an owner that may be used, newest first."""
        found = self.store.sessions.of(owner, self._idle)
        return [session for session in found if self._stands(session.source)]

    @property
    def _idle(self) -> timedelta:
        """For how long a session may be unused."""
        return timedelta(days=self._settings.session_idle_days)

    @cached_property
    def _stamp(self) -> str:
        """Name the token of the settings, so that sessions end when it is changed. The records hold the stamp: from
        what a person may have chosen, only a slow hash is stored."""
        salt = self._store.key() if self._store else b""
        return hashlib.scrypt(self._settings.token.encode(), salt=salt, n=2**14, r=8, p=1).hex()[:32]

    def _stands(self, source: str) -> bool:
        """Return whether the token by which a session was opened may still be used."""
        kind, _, name = source.partition(":")
        if kind == SHARED:
            return bool(self._settings.token) and hmac.compare_digest(name, self._stamp)
        if kind == OIDC:
            return bool(self._settings.oidc_issuer) and hmac.compare_digest(name, stamp_of(self._settings))
        return kind == TOKEN and self.store.tokens.valid(name) is not None


def stamp_of(settings: Settings) -> str:
    """Return a name for the identity provider of the settings: sessions end when another one is set."""
    return hashlib.sha256(f"{settings.oidc_issuer}\n{settings.oidc_client_id}".encode()).hexdigest()[:32]


def of_token(token: Token) -> Credential:
    """Return what a token of a person says."""
    owner = people.owner_of(token.person) or ""
    return Credential(token.person, owner, f"{TOKEN}:{token.id}", frozenset(token.scopes), token.groups)


def scopes_of(name: str, settings: Settings) -> frozenset[str]:
    """Return what a person may do whom a proxy or an identity provider names."""
    may_write = bool(name) and (EVERYBODY in settings.editors or name in settings.editors)
    return frozenset(SCOPES if may_write else (READ,))


def bearer(asked: Request) -> str:
    """Return the token in the header `Authorization: Bearer TOKEN`, right or wrong; empty without one.

    WSGI hands on the bytes of a header as Latin-1. A letter that is not ASCII was sent as UTF-8 by most clients, such
    as curl, and as Latin-1 by others.
    """
    kind, _, value = asked.headers.get("Authorization", "").partition(" ")
    if kind.lower() != "bearer":
        return ""
    try:
        return value.encode("latin-1").decode().strip()
    except UnicodeError:
        return value.strip()
