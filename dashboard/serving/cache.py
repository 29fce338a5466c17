"""What is derived from finished runs is computed once: a finished run never changes, so nothing here expires.

Flask-Caching's own back ends pickle what they keep; these write JSON, in memory or on Redis.
"""

from __future__ import annotations

import json
import logging
from collections.abc import Callable
from typing import Any

import redis
from flask import Flask
from flask_caching import Cache
from flask_caching.backends.rediscache import RedisCache
from flask_caching.backends.simplecache import SimpleCache

from shadowtime.workers.redis_names import Names

MOST_KEPT = 2000
"""Things kept in memory; a figure is a few kB."""

log = logging.getLogger(__name__)


class Json:
    """Values as JSON text: whatever comes back from Redis is data, never code."""

    def dumps(self, value: Any, *_: Any) -> bytes:
        return json.dumps(value, separators=(",", ":")).encode()

    def loads(self, text: bytes | None) -> Any:
        return None if text is None else json.loads(text)


class JsonMemory(SimpleCache):
    """Kept in this process."""

    serializer = Json()  # type: ignore[assignment]  # cachelib takes any serializer, but names its own


class JsonRedis(RedisCache):
    """Kept on Redis, for several web processes."""

    serializer = Json()  # type: ignore[assignment]  # as above


def cache_of(server: Flask, names: Names, redis_url: str | None = None) -> Cache:
    """The cache of a web process: in memory, or on the Redis of `redis_url`."""
    common: dict[str, Any] = {"CACHE_DEFAULT_TIMEOUT": 0, "CACHE_KEY_PREFIX": names.key("derived:")}
    if redis_url:
        kind: dict[str, Any] = {
            "CACHE_TYPE": f"{__name__}.JsonRedis",
            "CACHE_REDIS_URL": redis_url,
        }
    else:
        kind = {"CACHE_TYPE": f"{__name__}.JsonMemory", "CACHE_THRESHOLD": MOST_KEPT}
    return Cache(server, config={**kind, **common})


def remembered(cache: Cache, run_id: str, what: str, make: Callable[[], Any]) -> Any:
    """`make()`, a JSON value, computed once for `what` of a finished run; computed again without a cache."""
    value = known(cache, run_id, what)
    if value is not None:
        return value
    value = make()
    try:
        cache.set(f"{run_id}:{what}", value)
    except redis.RedisError as error:
        log.warning("the cache does not answer, %s of %s is not kept: %s", what, run_id, error)
    return value


def known(cache: Cache, run_id: str, what: str) -> Any:
    """The cached value `what` of a run; None where there is none, or the cache does not answer."""
    try:
        return cache.get(f"{run_id}:{what}")
    except redis.RedisError as error:
        log.warning("the cache does not answer, %s of %s is computed: %s", what, run_id, error)
        return None
