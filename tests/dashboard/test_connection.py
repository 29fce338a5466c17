"""A client's connection: what is read of it, and when a client that does not read is given up."""

from __future__ import annotations

import socket
from collections.abc import Iterator

import pytest
from gunicorn.config import Config
from gunicorn.http.parser import RequestParser

from shadowtime.dashboard.serving import connection, gunicorn
from shadowtime.dashboard.serving.arriving import Arriving, Limits, Room
from shadowtime.dashboard.serving.connection import Answering, Connection


@pytest.fixture
def ends() -> Iterator[tuple[socket.socket, socket.socket]]:
    """Ours, and that of a client."""
    ours, theirs = socket.socketpair()
    with ours, theirs:
        yield ours, theirs


def connected(sock: socket.socket) -> Connection:
    return Connection(sock, "", "", Arriving(Room(Limits(10, 10, 10)), "", None, 0.0))


def test_reading_waits_for_nothing(ends):
    ours, theirs = ends
    one = connected(ours)
    assert one.read() is None
    theirs.sendall(b"abc")
    assert one.read() == b"abc"
    theirs.close()
    assert one.read() == b""


def test_a_refusal_reaches_a_client_that_still_sends(ends):
    ours, theirs = ends
    one = connected(ours)
    theirs.sendall(b"half of a request")
    one.refuse(429, "Too many.")
    one.leave(5.0, 2.0)
    said = theirs.makefile("rb").read()
    assert said.startswith(b"HTTP/1.1 429") and b"Retry-After: 3" in said and said.endswith(b'{"error": "Too many."}\n')
    assert one.is_leaving and one.deadline == 7.0


def test_a_client_that_does_not_read_is_given_up(ends, monkeypatch):
    monkeypatch.setattr(connection, "STALLED", 1)
    ours, _ = ends
    connected(ours)
    with pytest.raises(TimeoutError):
        Answering(ours).sendall(b"x" * 10_000_000)


def test_a_client_that_reads_all_gets_all(ends):
    ours, theirs = ends
    connected(ours)
    theirs.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
    ours.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, 100_000_000)
    data = bytes(range(256)) * 500
    Answering(ours).sendall(data)
    ours.shutdown(socket.SHUT_WR)
    assert theirs.makefile("rb").read() == data


def test_gunicorn_believes_no_header_of_a_proxy():
    """Whether one is trusted is for `access.addresses` to say."""
    config = Config()
    for name in ("forwarded_allow_ips", "forwarder_headers", "secure_scheme_headers"):
        config.set(name, getattr(gunicorn, name))
    sent = b"GET /runs HTTP/1.1\r\nHost: a\r\nSCRIPT_NAME: /runs\r\nX-Forwarded-Proto: https\r\n\r\n"
    asked = next(RequestParser(config, iter([sent]), ("127.0.0.1", 1)))

    assert asked.scheme == "http"
    assert [name for name, _ in asked.headers] == ["HOST", "X-FORWARDED-PROTO"]
