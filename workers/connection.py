"""Clients of Redis that say soon when it is away, instead of trying again behind one's back."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from redis import Redis
from redis.backoff import NoBackoff
from redis.exceptions import AuthenticationError, BusyLoadingError, ConnectionError, TimeoutError
from redis.retry import Retry

from shadowtime.engine.errors import InvalidParameter
from shadowtime.workers.errors import QueueAway

AWAY = (ConnectionError, TimeoutError, BusyLoadingError)
"""What a client raises when the server does not answer."""


def connect(url: str, timeout: float = 2.0) -> Redis:
    """A client that waits at most `timeout` seconds for an answer; nothing is sent yet.

    Raises
    ------
    InvalidParameter
        For a text that is no URL of a Redis server.
    """
    try:
        return Redis.from_url(
            url,
            socket_connect_timeout=min(timeout, 2.0),
            socket_timeout=timeout,
            retry=Retry(NoBackoff(), 0),
            health_check_interval=15,
        )
    except ValueError as error:
        raise InvalidParameter(f"REDIS_URL = {shown(url)[:80]!r}: {error}") from None


def shown(url: str) -> str:
    """A URL as it may be said: without its password."""
    scheme, mark, rest = url.partition("://")
    return f"{scheme}{mark}{rest.rpartition('@')[2]}"


def answers(url: str, timeout: float = 1.0) -> bool:
    """Whether a Redis server answers there, be it only to ask for a password."""
    try:
        with connect(url, timeout) as client:
            return bool(client.ping())
    except AuthenticationError:
        return True
    except (*AWAY, OSError):
        return False


@contextmanager
def queue_away() -> Iterator[None]:
    """A server that does not answer becomes QueueAway."""
    try:
        yield
    except AWAY as error:
        raise QueueAway from error
