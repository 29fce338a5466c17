"""Create Redis clients that fail soon when the server does not answer, without hidden retries."""

from __future__ import annotations

import inspect
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from redis import Redis
from redis.backoff import NoBackoff
from redis.connection import AbstractConnection
from redis.exceptions import (
    AuthenticationError,
    BusyLoadingError,
    ConnectionError,
    InvalidResponse,
    OutOfMemoryError,
    ReadOnlyError,
    ResponseError,
    TimeoutError,
)
from redis.retry import Retry

from shadowtime.engine.errors import InvalidParameter
from shadowtime.workers.errors import QueueAway

AWAY = (ConnectionError, TimeoutError, BusyLoadingError, OutOfMemoryError, ReadOnlyError)
"""What a client raises when the server does not answer, or takes nothing."""
NOT_SAVED = "MISCONF"
"""Beginning of the error of a server that takes nothing because its own disk is full."""


UNNAMED: dict[str, Any] = (
    {"driver_info": None}
    if "driver_info" in inspect.signature(AbstractConnection).parameters
    else {"lib_name": None, "lib_version": None}  # of an older redis
)
"""Options with which a connection does not send the name and version of its library to the server: reading them takes
4 ms, and each run opens three connections."""


def connect(url: str, timeout: float = 2.0) -> Redis:
    """Return a client that waits at most `timeout` seconds for an answer; nothing is sent yet.

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
            **UNNAMED,
        )
    except ValueError as error:
        raise InvalidParameter(f"REDIS_URL = {shown(url)[:80]!r}: {error}") from None


def shown(url: str) -> str:
    """Return a URL without its password, to be printed or logged."""
    scheme, mark, rest = url.partition("://")
    return f"{scheme}{mark}{rest.rpartition('@')[2]}"


def answers(url: str, timeout: float = 1.0) -> bool:
    """Return whether a Redis server answers there, even if it only requests a password."""
    return _ping(url, timeout) is not None


def takes_commands(url: str, timeout: float = 1.0) -> bool:
    """Return whether a Redis server answers there and takes commands: with the password of the URL, or without one."""
    return bool(_ping(url, timeout))


def _ping(url: str, timeout: float) -> bool | None:
    """Return whether a server takes our password; None where none answers."""
    try:
        with connect(url, timeout) as client:
            return bool(client.ping())
    except AuthenticationError:
        return False
    except (*AWAY, InvalidResponse, OSError):  # what answers there may be no Redis
        return None


@contextmanager
def queue_away() -> Iterator[None]:
    """Raise QueueAway when the server does not answer, or takes nothing."""
    try:
        yield
    except AWAY as error:
        raise QueueAway from error
    except ResponseError as error:
        if str(error).startswith(NOT_SAVED):
            raise QueueAway from error
        raise
