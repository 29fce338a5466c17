"""Where a request comes from: what a trusted proxy says of it, and nothing that a client could say itself."""

from __future__ import annotations

import ipaddress
import re
from functools import lru_cache

from flask import Request

from shadowtime.workers.settings import LOOPBACK, Settings


def parsed(text: str) -> ipaddress.IPv4Address | ipaddress.IPv6Address:
    """Return an address; of `::ffff:192.0.2.1`, as IPv4 clients of an IPv6 socket have, the IPv4 address in it.

    Raises ValueError: for a text that is no address.
    """
    found = ipaddress.ip_address(text)
    return getattr(found, "ipv4_mapped", None) or found


def address_of(asked: Request, settings: Settings) -> str:
    """The client's address: the last one that a trusted proxy saw and that is not a trusted proxy itself."""
    address = _written(asked.remote_addr or "")
    said = asked.headers.get("X-Forwarded-For", "")
    hops = [hop.strip() for hop in said.split(",") if hop.strip()]
    while hops and is_trusted(address, settings):
        try:
            address = str(parsed(hops.pop()))
        except ValueError:
            break
    return address


def _written(address: str) -> str:
    """Return an address as `parsed` has it, and any other text as it is."""
    try:
        return str(parsed(address))
    except ValueError:
        return address


def is_trusted(address: str, settings: Settings) -> bool:
    """Return whether the address is that of a proxy whose headers are trusted."""
    return _is_among(address, settings.proxies)


@lru_cache(maxsize=1024)
def _is_among(address: str, proxies: tuple[str, ...]) -> bool:
    """Cached, since the same few addresses ask several times a request: 5 % of what the web process did under load."""
    try:
        found = parsed(address)
    except ValueError:
        return False
    return any(found in _network(proxy) for proxy in proxies)


def _network(text: str) -> ipaddress.IPv4Network | ipaddress.IPv6Network:
    """Return a network; of one within `::ffff:0:0/96`, the network of IPv4 in it."""
    network = ipaddress.ip_network(text, strict=False)
    first = parsed(str(network.network_address))
    is_mapped = network.version == 6 and first.version == 4 and network.prefixlen >= 96
    return ipaddress.ip_network((first, network.prefixlen - 96)) if is_mapped else network


def is_secure(asked: Request, settings: Settings) -> bool:
    """Return whether the browser sent a request over TLS, to us or to a trusted proxy."""
    if asked.is_secure:
        return True
    said = asked.headers.get("X-Forwarded-Proto", "").rpartition(",")[2].strip().lower()
    return said == "https" and is_trusted(asked.remote_addr or "", settings)


def origin_of(asked: Request, settings: Settings) -> str:
    """Return scheme, host and port under which the browser reaches us, here or at a trusted proxy."""
    scheme = "https" if is_secure(asked, settings) else "http"
    stated = asked.headers.get("X-Forwarded-Host", "") if is_trusted(asked.remote_addr or "", settings) else ""
    return f"{scheme}://{stated.rpartition(',')[2].strip() or asked.host}"


def is_known_host(asked: Request, settings: Settings) -> bool:
    """Return whether the host that a request names is that of this server, not any that its client chose."""
    host = asked.host.rpartition(":")[0] if re.search(r":\d+$", asked.host) else asked.host
    is_named = host.lower() in (*settings.hosts, *LOOPBACK)
    return is_named or is_trusted(asked.remote_addr or "", settings)


def network_of(address: str) -> str:
    """Return an address; of version 6 its network, since one client may use any address of its network."""
    try:
        found = parsed(address)
    except ValueError:
        return address
    return str(ipaddress.ip_network((found, 64), strict=False)) if found.version == 6 else str(found)
