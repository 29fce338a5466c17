"""The visitor of a request: name where a token, a session or a proxy gives one, scopes, and address for limits.

Of what a request states, only what its connection proves counts: the headers that name a user and a client's address
count only when the connection itself comes from a proxy that the settings trust.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from flask import Flask, Request, current_app, g, has_app_context, has_request_context, request

from shadowtime.dashboard.access.addresses import (
    address_of,
    is_known_host,
    is_secure,
    is_trusted,
    network_of,
    origin_of,
)
from shadowtime.dashboard.access.credentials import GROUP, Credential, Credentials, bearer, scopes_of
from shadowtime.workers.people import MANAGE, PERSON, READ, SCOPES, SUBMIT, groups_in, key_of_group, owner_of
from shadowtime.workers.settings import Settings
from shadowtime.workers.store import Store

VIEWER, EDITOR = "viewer", "editor"
EXTENSION = "shadowtime-visitors"
OPENED = "shadowtime-links"
"""The cookie that holds the codes of links by which a browser came to private runs, latest first."""
LINK = "link"
"""The same in a query, of one link."""
MOST_CODES = 20


@dataclass(frozen=True)
class Visitor:
    """The sender of a request."""

    role: str = VIEWER
    name: str = ""
    """Empty where nothing names them."""
    owner: str | None = None
    """Key of their private runs and links; None for a visitor without an identity."""
    address: str = ""
    """Of the client, not of the proxy."""
    scopes: frozenset[str] = frozenset({READ})
    """What they may do."""
    groups: tuple[str, ...] = ()
    """Groups whose runs they see."""
    credential: Credential | None = None
    """The token or session by which they are known; None for who is known by a proxy, or is not known."""

    @property
    def is_editor(self) -> bool:
        """May change something."""
        return self.role == EDITOR

    @property
    def owners(self) -> tuple[str, ...]:
        """Keys of what they own: by themselves, and with each of their groups."""
        own = (self.owner,) if self.owner else ()
        return (*own, *map(key_of_group, self.groups))

    @property
    def session(self) -> str:
        """Id of the session of this browser; empty without one."""
        return self.credential.session if self.credential else ""

    @property
    def client(self) -> str:
        """What limits are counted for: a person where there is a name, else an address."""
        return f"user:{self.name}" if self.name else network_of(self.address)


ANONYMOUS = Visitor()


def install(server: Flask, settings: Settings, store: Store) -> Credentials:
    """Let `here` know the settings, tokens and sessions of `server`, and return the latter."""
    credentials = Credentials(settings, store)
    server.extensions[EXTENSION] = settings, credentials
    return credentials


def here() -> Visitor:
    """Return the sender of the current request; outside of a request, an anonymous visitor."""
    if not has_request_context():
        return ANONYMOUS
    if "visitor" not in g:
        g.visitor = of(request, *current_app.extensions[EXTENSION])
    return g.visitor


def credentials() -> Credentials:
    """Return the tokens and sessions that the current server takes."""
    return current_app.extensions[EXTENSION][1]


def is_secure_here() -> bool:
    """Return whether the browser sent the current request over TLS."""
    return is_secure(request, current_app.extensions[EXTENSION][0])


def origin() -> str:
    """Return scheme, host and port under which the browser reaches this server, here or at a trusted proxy."""
    return origin_of(request, current_app.extensions[EXTENSION][0])


def has_known_host() -> bool:
    """Return whether the host of the current request is known to be this server: it is in the settings, is the
    loopback, or comes from a trusted proxy. Any other may be chosen by the client."""
    return is_known_host(request, current_app.extensions[EXTENSION][0])


def may_read() -> bool:
    """Return whether the current visitor may read what their identity opens: a token may be for writing alone."""
    return READ in here().scopes


def again() -> Callable[[], Visitor]:
    """Return a function that identifies the sender of the current request again, also after the request is answered: by
    then a token may be revoked, or a session may have ended."""
    asked = request._get_current_object()  # type: ignore[attr-defined]
    settings, known = current_app.extensions[EXTENSION]
    return lambda: of(asked, settings, known)


def may_write() -> bool:
    """Return whether to offer what writes: to editors, and outside of a request."""
    return here().is_editor or not has_request_context()


def access() -> str:
    """How write access is checked at this server: `Settings.access`."""
    return current_app.extensions[EXTENSION][0].access if has_app_context() else "open"


def can_sign_in() -> bool:
    """Return whether an identity provider names the persons of this server."""
    return has_app_context() and bool(current_app.extensions[EXTENSION][0].oidc_issuer)


def note(**fields: str) -> None:
    """Add fields to what the audit log records of the current request."""
    if has_request_context():
        g.setdefault("noted", {}).update(fields)


def may_frame() -> bool:
    """Return whether pages of other sites may show views of this server in a frame."""
    return has_app_context() and bool(current_app.extensions[EXTENSION][0].embed_origins)


def of(
    asked: Request, settings: Settings, credentials: Credentials | None = None, *, is_blind: bool = False
) -> Visitor:
    """Return the sender of a request; `is_blind`: whatever token or session it has."""
    address = address_of(asked, settings)
    name, groups = _named(asked, settings)
    known = None if is_blind else _known(asked, credentials or Credentials(settings), bool(name))
    if known is not None and not known.is_shared:
        return _visitor(known.scopes, known.person, known.owner, address, known.groups, known)
    if known is not None:
        return _visitor(known.scopes, name, owner_of(name) or GROUP, address, groups, known)
    if settings.access == "open":
        return _visitor(frozenset(SCOPES), name, None, address)
    return _visitor(scopes_of(name, settings), name, owner_of(name), address, groups)


def codes() -> tuple[str, ...]:
    """Return the codes of links that the current visitor has opened, unchecked; the caller checks what each opens."""
    if not has_request_context():
        return ()
    named = (came_by(), *request.cookies.get(OPENED, "").split("."))
    return tuple(dict.fromkeys(code for code in named if code))[:MOST_CODES]


def came_by() -> str:
    """The code of the link that is opened now; empty where none is."""
    return (request.view_args or {}).get("code") or request.args.get(LINK, "")


def note_private() -> None:
    """Mark the answer as private to the visitor."""
    if has_request_context():
        g.is_private = True


def _known(asked: Request, credentials: Credentials, is_named: bool) -> Credential | None:
    """Return whom the token of a request names, or its session. A person whom the proxy names is that person,
    whatever session the browser still has; only the token of the settings adds to it."""
    if credentials.takes(text := bearer(asked)):
        return credentials.token(text)
    found = credentials.session(asked)
    return None if found is not None and is_named and not found.is_shared else found


def _visitor(
    scopes: frozenset[str],
    name: str,
    owner: str | None,
    address: str,
    groups: tuple[str, ...] = (),
    credential: Credential | None = None,
) -> Visitor:
    role = EDITOR if scopes & {SUBMIT, MANAGE} else VIEWER
    return Visitor(role, name, owner, address, scopes, groups, credential)


def _named(asked: Request, settings: Settings) -> tuple[str, tuple[str, ...]]:
    """Return the name and the groups that a trusted proxy states; without a name, no groups."""
    if not settings.user_header or not is_trusted(asked.remote_addr or "", settings):
        return "", ()
    name = asked.headers.get(settings.user_header, "").strip()
    if not PERSON.fullmatch(name):
        return "", ()
    stated = ",".join(asked.headers.getlist(settings.groups_header)) if settings.groups_header else ""
    return name, groups_in(stated)
