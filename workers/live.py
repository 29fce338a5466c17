"""Publish the state of runs through a Redis Stream: workers write, one thread of the web process reads.

A message holds the whole state of a run, not a change: {"run": id, "seq": n, "time": simulated seconds, "events": rows,
"status", "attempt", "accepted", "started", "ended", "progress": {...}, "error"}. Losing some messages costs nothing.
"""

from __future__ import annotations

import json
import logging
import threading
import time
from collections.abc import Callable, Mapping
from typing import Any

from redis import Redis
from redis.exceptions import RedisError

from shadowtime.workers.connection import AWAY, connect
from shadowtime.workers.redis_names import Names
from shadowtime.workers.store.base import STATES, Status

log = logging.getLogger(__name__)

STREAM = "live"
KEPT = 10_000
"""Approximate number of messages that the stream keeps."""
RETRY_AFTER = 1.0
"""Seconds without sending after Redis did not answer, so that a run does not wait for it."""
BLOCK = 1.0
"""Seconds that one read waits for a message."""
LONGEST_PAUSE = 2.0
MOST_AT_ONCE = 1_000
FIRST = "0-0"
"""An id that sorts before every message."""


class Publisher:
    """Publish the state of runs; never raises when Redis does not answer."""

    def __init__(self, connection: Redis, names: Names):
        self._connection = connection
        self._stream = names.key(STREAM)
        self._retry_at = 0.0
        self._seq = 0

    def publish(self, digest: str, status: Status, *, simulated: float | None = None, events: int = 0) -> bool:
        """Publish the state of a run; return False when Redis did not take it.

        simulated: the time that the simulation has reached [s]; events: rows written so far.
        """
        return self.attempt(lambda: self._send(_entry(digest, status, self._next(), simulated, events)))

    def attempt(self, send: Callable[[], Any]) -> bool:
        """Call `send`, whose message may be lost; return whether it was sent."""
        if time.monotonic() < self._retry_at:
            return False
        try:
            send()
        except (RedisError, ConnectionError) as error:
            log.warning("not published, Redis does not answer: %s", error)
            self._retry_at = time.monotonic() + RETRY_AFTER
            return False
        return True

    def _send(self, entry: dict[str, str]) -> None:
        self._connection.xadd(self._stream, entry, maxlen=KEPT, approximate=True)  # type: ignore[arg-type]

    def _next(self) -> int:
        self._seq += 1
        return self._seq


def _entry(digest: str, status: Status, seq: int, simulated: float | None, events: int) -> dict[str, str]:
    message = {"run": digest[:16], "seq": seq, "time": simulated, "events": events, **status.public()}
    return {"message": json.dumps(message, ensure_ascii=False)}


def status_of(message: Mapping[str, Any]) -> Status:
    """Return the status in a message."""
    return Status.from_dict(message)


class Reader(threading.Thread):
    """Read the stream in one thread and pass each message to a callback.

    Parameters
    ----------
    url, names
        The Redis server, and the names of the store in it.
    on_message
        Called with each message's id in the stream (`milliseconds-serial`, growing) and the message.
    on_connection
        Called with True when Redis answers (again), with False when it stops answering.
    """

    def __init__(
        self,
        url: str,
        names: Names,
        on_message: Callable[[str, dict[str, Any]], None],
        on_connection: Callable[[bool], None],
    ):
        super().__init__(name="live-reader", daemon=True)
        self._url = url
        self._stream = names.key(STREAM)
        self._on_message = on_message
        self._on_connection = on_connection
        self._stopping = threading.Event()
        self._last = ""
        self._answers: bool | None = None

    def stop(self) -> None:
        """End the thread, within the time that a read may take."""
        self._stopping.set()

    def run(self) -> None:
        pause = 0.05
        while not self._stopping.is_set():
            client = connect(self._url, BLOCK + 2.0)
            try:
                self._begin(client)
                while not self._stopping.is_set():
                    self._read(client)
                    pause = 0.05
            except AWAY as error:
                if self._answers is not False:
                    log.warning("Redis does not answer: %s", error)
                self._report_connection(False)
                self._stopping.wait(pause)
                pause = min(2 * pause, LONGEST_PAUSE)
            finally:
                client.close()

    def _begin(self, client: Redis) -> None:
        """Continue after the last message that was read; at first, after the newest message in the stream."""
        newest: Any = client.xrevrange(self._stream, count=1)
        if not self._last:
            self._last = newest[0][0].decode() if newest else FIRST
        self._report_connection(True)

    def _read(self, client: Redis) -> None:
        """Wait for messages after the last one that was read."""
        found: Any = client.xread({self._stream: self._last}, MOST_AT_ONCE, int(BLOCK * 1000))
        for _, entries in _pairs(found):
            for position, fields in entries:
                self._last = position.decode()
                if message := _message(fields):
                    self._on_message(self._last, message)

    def _report_connection(self, answers: bool) -> None:
        if answers != self._answers:
            self._answers = answers
            self._on_connection(answers)


def _pairs(found: Any) -> Any:
    """Return streams with their entries, from either shape that the Redis protocols give."""
    return found.items() if isinstance(found, dict) else found or ()


def _message(fields: Mapping[bytes, bytes]) -> dict[str, Any] | None:
    """Return the content of a message; None when this project did not write it."""
    try:
        message = json.loads(fields[b"message"])
    except (KeyError, ValueError):
        return None
    is_ours = (
        isinstance(message, dict)
        and isinstance(message.get("run"), str)
        and message.get("status") in STATES
        and {"attempt", "progress", "error"} <= set(message)
    )
    return message if is_ours else None
