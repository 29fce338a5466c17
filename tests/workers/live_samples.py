"""Rows of live tables that show their number, and a Redis that fails on demand."""

from __future__ import annotations

import numpy as np
from redis.exceptions import ConnectionError

from shadowtime.workers.redis_live import RedisLive
from tests.workers.samples import tables

RUN = "d" * 64
IDENTITY = "0123456789ab"
KEY = f"shadowtime:{IDENTITY}:tables:{RUN}"


def in_redis(connection) -> RedisLive:
    return RedisLive(connection, lambda: IDENTITY)


def numbered(n: int):
    """Segments and events whose every column holds the number of the row (mod 100)."""
    made = tables(n)
    for name in ("segments", "events"):
        for values in made[name].values():
            values[:] = np.arange(n) % 100
    return made["segments"], made["events"]


def assert_same(found, expected):
    assert list(found) == list(expected)
    for name, values in expected.items():
        assert found[name].dtype == values.dtype
        np.testing.assert_array_equal(found[name], values)


class Away:
    """A Redis that fails as long as `fails` returns an error."""

    def __init__(self, connection, fails=lambda: ConnectionError("it is away")):
        self._connection, self.fails, self.requests = connection, fails, 0

    def request(self, send):
        def sent(*args, **kwargs):
            self.requests += 1
            if error := self.fails():
                raise error
            return send(*args, **kwargs)

        return sent

    def __getattr__(self, name):
        return self.request(getattr(self._connection, name))

    def register_script(self, text):
        return self.request(self._connection.register_script(text))
