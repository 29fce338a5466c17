"""The visitor's own sessions and tokens: to list, and to end sessions. Those of other persons are not known here."""

from __future__ import annotations

from shadowtime.dashboard.access import visitors
from shadowtime.dashboard.access.credentials import OIDC
from shadowtime.dashboard.access.refusal import Refusal
from shadowtime.workers.errors import NotFound
from shadowtime.workers.people import MANAGE
from shadowtime.workers.records.sessions import Session
from shadowtime.workers.records.tokens import Token


def sessions() -> list[Session]:
    """Return the visitor's sessions that may be used, newest first."""
    key = _key(visitors.here())
    return visitors.credentials().sessions_of(key) if key else []


def tokens() -> list[Token]:
    """Return the visitor's tokens that may be used, newest first."""
    visitor = visitors.here()
    return visitors.credentials().store.tokens.of(visitor.name) if visitor.name else []


def leave() -> None:
    """End the session of this browser, if it has one."""
    visitor = visitors.here()
    if visitor.session and visitor.credential is not None:
        visitors.credentials().store.sessions.end(visitor.credential.owner, visitor.session)


def end(session_id: str) -> None:
    """End one of the visitor's sessions. NotFound for any other; Refusal for a token that may only read or submit, and
    for a session that was opened by one, but for that session itself."""
    if session_id == visitors.here().session:
        leave()
    else:
        visitors.credentials().store.sessions.end(_may_end("session", session_id), session_id)


def end_all() -> None:
    """End all sessions of the visitor; a visitor without a key has none. Refusal as `end`."""
    if _key(visitors.here()) is not None:
        visitors.credentials().store.sessions.end_all(_may_end("session", "all"))


def _key(visitor: visitors.Visitor) -> str | None:
    """Return the key under which the visitor's sessions are recorded; None for a visitor who can have none."""
    return visitor.credential.owner if visitor.credential else visitor.owner


def _may_end(what: str, name: str) -> str:
    visitor = visitors.here()
    key = _key(visitor)
    if key is None:
        raise NotFound(what, name)
    is_by_token = visitor.credential is not None and not visitor.credential.source.startswith(f"{OIDC}:")
    if is_by_token and MANAGE not in visitor.scopes:
        what = "session" if visitor.session else "token"
        raise Refusal(403, f"This needs the scope {MANAGE}, which this {what} does not have.")
    return key
