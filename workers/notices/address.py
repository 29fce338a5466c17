"""Check the addresses to which notices go: of webhooks, of mail, and of machines on a network."""

from __future__ import annotations

import ipaddress
import re
from collections.abc import Sequence
from urllib.parse import SplitResult, urlsplit

from shadowtime.engine.errors import InvalidParameter
from shadowtime.workers.settings import Settings

LONGEST = 500
MAIL = re.compile(r"[A-Za-z0-9.!#$%&'*+/=?^_`{|}~-]{1,64}@[A-Za-z0-9-]+(\.[A-Za-z0-9-]+)+", re.ASCII)
MAILTO = "mailto:"
NOT_PUBLIC = (ipaddress.ip_network("192.0.0.0/24"), ipaddress.ip_network("3fff::/20"))
"""Networks that `is_global` takes for public, in whole or in part, in some versions of Python. IANA, special-purpose
address registries: RFC 6890 and RFC 9637."""
NO_WEBHOOKS = "this server sends no webhooks: SHADOWTIME_NOTICE_SECRET is not set"
NO_MAIL = "this server sends no e-mail: SHADOWTIME_NOTICE_SMTP is not set"
PRIVATE = "is private to a network; webhooks reach such machines only where SHADOWTIME_NOTICE_PRIVATE lists them"


def check(text: str, settings: Settings) -> str:
    """Return an address to which a notice may go, as it is recorded.

    Raises
    ------
    InvalidParameter
        For what is neither a webhook nor an e-mail address, and for a kind that this server does not send.
    """
    address = text.strip().removeprefix(MAILTO)
    if not 0 < len(address) <= LONGEST or not address.isascii() or not address.isprintable() or " " in address:
        raise InvalidParameter(
            f"address = {text[:80]!r}, but it must be https://... or an e-mail address of at most {LONGEST} characters"
        )
    if "://" in address:
        return _webhook(address, settings)
    if not MAIL.fullmatch(address):
        raise InvalidParameter(f"address = {text[:80]!r}, but it must be https://... or an e-mail address")
    if not settings.notice_smtp:
        raise InvalidParameter(NO_MAIL)
    return address


def is_webhook(address: str) -> bool:
    """Return whether a checked address is that of a webhook, not of mail."""
    return "://" in address


def is_allowed(machine: str, private: Sequence[str], *, is_encrypted: bool = True) -> bool:
    """Return whether a webhook may reach a machine, by the number of its address.

    Parameters
    ----------
    private
        Networks that it may reach although they are not public.
    is_encrypted
        False: only these networks.
    """
    found = ipaddress.ip_address(machine.partition("%")[0])
    if any(found in ipaddress.ip_network(network, strict=False) for network in private):
        return True
    return is_encrypted and all(map(_is_public, (found, *_inside(found))))


def _webhook(address: str, settings: Settings) -> str:
    try:
        parts = urlsplit(address)
        host, _ = parts.hostname or "", parts.port
    except ValueError:
        raise InvalidParameter(f"address = {address[:80]!r} is no web address") from None
    schemes = ("https", "http") if settings.notice_private else ("https",)
    if parts.scheme not in schemes or not host or parts.username is not None or parts.fragment:
        rule = f"a web address that begins with {' or '.join(f'{one}://' for one in schemes)}"
        raise InvalidParameter(f"address = {address[:80]!r}, but it must be {rule}, without a user or a fragment")
    if not settings.notice_secret:
        raise InvalidParameter(NO_WEBHOOKS)
    _refuse_private(parts, host, settings)
    return address


def _refuse_private(parts: SplitResult, host: str, settings: Settings) -> None:
    """Refuse at once what needs no look-up of a name; names are looked up and checked when the notice is sent."""
    if host == "localhost":
        host = "127.0.0.1"
    try:
        is_fine = is_allowed(host, settings.notice_private, is_encrypted=parts.scheme == "https")
    except ValueError:
        return
    if not is_fine:
        raise InvalidParameter(f"address = {parts.geturl()[:80]!r}: {host} {PRIVATE}")


def _inside(found: ipaddress.IPv4Address | ipaddress.IPv6Address) -> list[ipaddress.IPv4Address]:
    """Return the addresses of IPv4 that one of IPv6 leads to."""
    if isinstance(found, ipaddress.IPv4Address):
        return []
    return [one for one in (found.ipv4_mapped, found.sixtofour, *(found.teredo or ())) if one is not None]


def _is_public(found: ipaddress.IPv4Address | ipaddress.IPv6Address) -> bool:
    is_local = isinstance(found, ipaddress.IPv6Address) and found.is_site_local
    if any(found in network for network in NOT_PUBLIC):
        return False
    return found.is_global and not (found.is_multicast or found.is_reserved or found.is_unspecified or is_local)
