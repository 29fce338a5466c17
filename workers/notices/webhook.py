"""Send a notice to a web address: looked up once, checked, and reached at the very address that was checked.

A name that leads to another machine at a second look-up (DNS rebinding) therefore reaches nothing. Redirects are not
followed, and everything together may take TIMEOUT seconds.
"""

from __future__ import annotations

import hashlib
import hmac
import http.client
import logging
import queue
import socket
import ssl
import threading
import time
from collections.abc import Mapping, Sequence
from contextlib import suppress
from typing import Any
from urllib.parse import urlsplit

from shadowtime.workers.notices.address import PRIVATE, is_allowed

log = logging.getLogger(__name__)
TIMEOUT = 5.0
SIGNATURE, IDENTITY = "Shadowtime-Signature", "Shadowtime-Notice"
"""Headers: the HMAC of the body, and the code of the notice, the same at each try."""
LATE = f"it did not answer within {TIMEOUT:g} s"


class Undelivered(Exception):
    """A notice was not delivered; the text says why."""


def signature(body: bytes, secret: str) -> str:
    """Return the signature of a body: `sha256=` and the HMAC-SHA256 under the secret, in hexadecimal digits."""
    return f"sha256={hmac.new(secret.encode(), body, hashlib.sha256).hexdigest()}"


def post(address: str, body: bytes, headers: Mapping[str, str], private: Sequence[str] = ()) -> None:
    """Send a body to a checked web address; `private`: networks that it may reach although they are not public.

    Raises
    ------
    Undelivered
        Unless it is answered with a status from 200 to 299 in time.
    """
    until = time.monotonic() + TIMEOUT
    parts = urlsplit(address)
    host, is_encrypted = parts.hostname or "", parts.scheme == "https"
    machine = _machine(host, parts.port or (443 if is_encrypted else 80), private, is_encrypted, until)
    target = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
    try:
        with _connect(machine, until) as plain, _closed_at(until) as closes:
            closes(plain)
            channel = plain
            if is_encrypted:
                context = ssl.create_default_context()
                channel = context.wrap_socket(plain, server_hostname=host, do_handshake_on_connect=False)
                closes(channel)
                channel.do_handshake()
            status = _answer(channel, parts.netloc, target, body, headers)
    except (OSError, http.client.HTTPException) as error:
        why = LATE if time.monotonic() >= until else str(error) or type(error).__name__
        raise Undelivered(why) from None
    if not 200 <= status < 300:
        more = "; redirects are not followed" if 300 <= status < 400 else ""
        raise Undelivered(f"it answered {status}{more}")


def _machine(host: str, port: int, private: Sequence[str], is_encrypted: bool, until: float) -> tuple[Any, ...]:
    """Return family, kind, protocol and address of the first machine that a name leads to.

    Raises
    ------
    Undelivered
        Where any of its machines may not be reached. The address is logged, not shown: who asked for the notice may not
        know the network of this server.
    """
    found = _look_up(host, port, until)
    for *_, place in found:
        if not is_allowed(str(place[0]), private, is_encrypted=is_encrypted):
            log.warning("the webhook %s leads to %s, which may not be reached", host, place[0])
            why = PRIVATE if is_encrypted else "is not listed in SHADOWTIME_NOTICE_PRIVATE, so that it must be https"
            raise Undelivered(f"{host} leads to an address that {why}")
    return found[0]


def _look_up(host: str, port: int, until: float) -> list[tuple[Any, ...]]:
    """Return the machines of a name, as `socket.getaddrinfo` does, which itself knows no deadline."""
    answers: queue.Queue[Any] = queue.Queue()

    def ask() -> None:
        try:
            answers.put(socket.getaddrinfo(host, port, type=socket.SOCK_STREAM))
        except (OSError, UnicodeError) as error:
            answers.put(error)

    threading.Thread(target=ask, daemon=True).start()
    try:
        found = answers.get(timeout=max(0.0, until - time.monotonic()))
    except queue.Empty:
        raise Undelivered(f"the name {host} was not found within {TIMEOUT:g} s") from None
    if isinstance(found, Exception) or not found:
        raise Undelivered(f"the name {host} was not found")
    return list(found)


def _connect(machine: tuple[Any, ...], until: float) -> socket.socket:
    family, kind, protocol, _, place = machine
    made = socket.socket(family, kind, protocol)
    try:
        made.settimeout(max(0.001, until - time.monotonic()))
        made.connect(place)
    except BaseException:
        made.close()
        raise
    return made


class _closed_at:
    """Shut the socket down that is current when the time is over, so that no answer in small pieces takes longer."""

    def __init__(self, until: float):
        self._timer = threading.Timer(max(0.0, until - time.monotonic()), self._shut)
        self._timer.daemon = True
        self._open: socket.socket | None = None

    def __enter__(self) -> Any:
        self._timer.start()
        return self._set

    def __exit__(self, *error: object) -> None:
        self._timer.cancel()
        if self._open is not None:
            self._open.close()

    def _set(self, channel: socket.socket) -> None:
        self._open = channel

    def _shut(self) -> None:
        with suppress(OSError):
            if self._open is not None:
                socket.socket.shutdown(self._open, socket.SHUT_RDWR)


def _answer(channel: socket.socket, name: str, target: str, body: bytes, headers: Mapping[str, str]) -> int:
    """Send the request and return the status of the answer; the rest of it is not read."""
    connection = http.client.HTTPConnection(name)
    connection.sock = channel
    kind = {"Host": name, "Content-Type": "application/json", "User-Agent": "Shadowtime", "Connection": "close"}
    connection.request("POST", target, body, {**kind, **headers})
    return connection.getresponse().status
