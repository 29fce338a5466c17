"""The visitor of a request: name where a proxy vouches for one, role, and address for limits and the audit log.

Of what a request states, only what its connection proves counts: the headers that name a user and a client's address
count only when the connection itself comes from a proxy that the settings trust.
"""

from __future__ import annotations

import hmac
import ipaddress
import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache
from urllib.parse import unquote

from flask import Flask, Request, current_app, g, has_app_context, has_request_context, request

from shadowtime.workers.settings import EVERYBODY, Settings

VIEWER, EDITOR = "viewer", "editor"
COOKIE = "shadowtime-token"
USER = re.compile(r"[\w.@+-]{1,64}", re.ASCII)
"""A name that a proxy may vouch for; any other text, also two names joined by a comma, is no name."""
GROUP = "token"
"""All who know the token: they own what each of them owns."""
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
    """As the proxy names them; empty without a trusted proxy."""
    owner: str | None = None
    """Key of their private runs and links; None for a visitor without an identity."""
    address: str = ""
    """Of the client, not of the proxy."""

    @property
    def is_editor(self) -> bool:
        """May change something."""
        return self.role == EDITOR

    @property
    def client(self) -> str:
        """What limits are counted for: a person where there is a name, else an address."""
        return f"user:{self.name}" if self.name else _household(self.address)


ANONYMOUS = Visitor()


def install(server: Flask, settings: Settings) -> None:
    """Give `here` the settings of `server`."""
    server.extensions[EXTENSION] = settings


def here() -> Visitor:
    """Return the sender of the current request; outside of a request, an anonymous visitor."""
    if not has_request_context():
        return ANONYMOUS
    if "visitor" not in g:
        g.visitor = of(request, current_app.extensions[EXTENSION])
    return g.visitor


def may_write() -> bool:
    """Return whether to offer what writes: to editors, and outside of a request."""
    return here().is_editor or not has_request_context()


def access() -> str:
    """How write access is checked at this server: `Settings.access`."""
    return current_app.extensions[EXTENSION].access if has_app_context() else "open"


def may_frame() -> bool:
    """Return whether pages of other sites may show views of this server in a frame."""
    return has_app_context() and bool(current_app.extensions[EXTENSION].embed_origins)


def of(asked: Request, settings: Settings, *, is_blind: bool = False) -> Visitor:
    """Return the sender of a request; `is_blind`: whatever token it has."""
    address = address_of(asked, settings)
    name = _named(asked, settings)
    if settings.token and not is_blind and is_token(given(asked), settings.token):
        return Visitor(EDITOR, name, _owner(name) or GROUP, address)
    if settings.access == "open":
        return Visitor(EDITOR, name, None, address)
    may_write = bool(name) and (EVERYBODY in settings.editors or name in settings.editors)
    return Visitor(EDITOR if may_write else VIEWER, name, _owner(name), address)


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


def address_of(asked: Request, settings: Settings) -> str:
    """The client's address: the last one that a trusted proxy saw and that is not a trusted proxy itself."""
    address = asked.remote_addr or ""
    said = asked.headers.get("X-Forwarded-For", "")
    hops = [hop.strip() for hop in said.split(",") if hop.strip()]
    while hops and is_trusted(address, settings):
        try:
            address = str(ipaddress.ip_address(hops.pop()))
        except ValueError:
            break
    return address


def is_trusted(address: str, settings: Settings) -> bool:
    """Return whether the address is that of a proxy whose headers are trusted."""
    try:
        found = ipaddress.ip_address(address)
    except ValueError:
        return False
    return any(found in network for network in _networks(settings.proxies))


def given(asked: Request) -> str:
    """Return the token of a request, right or wrong: in the header `Authorization: Bearer TOKEN`, or in the cookie."""
    return _bearer(asked) or unquote(asked.cookies.get(COOKIE, ""))


def is_token(given: str, token: str) -> bool:
    """Compared in constant time."""
    return hmac.compare_digest(given.encode(), token.encode())


def _named(asked: Request, settings: Settings) -> str:
    if not settings.user_header or not is_trusted(asked.remote_addr or "", settings):
        return ""
    name = asked.headers.get(settings.user_header, "").strip()
    return name if USER.fullmatch(name) else ""


def _owner(name: str) -> str | None:
    return f"user:{name}" if name else None


def _bearer(asked: Request) -> str:
    kind, _, value = asked.headers.get("Authorization", "").partition(" ")
    return value.strip() if kind.lower() == "bearer" else ""


@lru_cache(maxsize=8)
def _networks(texts: Iterable[str]) -> list[ipaddress.IPv4Network | ipaddress.IPv6Network]:
    return [ipaddress.ip_network(text, strict=False) for text in texts]


def _household(address: str) -> str:
    """An address; of version 6 its network, since one client may use any address of its network."""
    try:
        found = ipaddress.ip_address(address)
    except ValueError:
        return address
    return str(ipaddress.ip_network((found, 64), strict=False)) if found.version == 6 else address
