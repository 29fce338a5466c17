"""News of runs through a Redis Stream: workers publish, one thread of the web process reads.

A message says how a run stands, not what changed: {"run": id, "seq": n, "time": simulated seconds, "events": rows,
"status", "attempt", "accepted", "started", "ended", "progress": {...}, "error"}. Losing some of them costs nothing.
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
from shadowtime.workers.store.base import STATES, Status

log = logging.getLogger(__name__)

STREAM = "shadowtime:live"
KEPT = 10_000
"""Messages that the stream holds, about."""
SILENCE = 1.0
"""Seconds for which nothing is sent after Redis did not answer, so that a run does not wait for it."""
BLOCK = 1.0
"""Seconds that a reader waits for a message at a time."""
LONGEST_PAUSE = 2.0
MOST_AT_ONCE = 1_000
FIRST = "0-0"
"""What every message's id comes after."""


class Publisher:
    """Says how runs stand; never raises when Redis is away."""

    def __init__(self, connection: Redis):
        self._connection = connection
        self._silent_until = 0.0
        self._seq = 0

    def publish(self, digest: str, status: Status, *, simulated: float | None = None, events: int = 0) -> bool:
        """Say how a run stands; False when it could not be said.

        simulated: the time that the simulation has reached [s]; events: rows written so far.
        """
        return self.attempt(lambda: self._connection.xadd(*_entry(digest, status, self._next(), simulated, events)))

    def attempt(self, send: Callable[[], Any]) -> bool:
        """Send something that may be lost."""
        if time.monotonic() < self._silent_until:
            return False
        try:
            send()
        except (RedisError, ConnectionError) as error:
            log.warning("not published, Redis does not answer: %s", error)
            self._silent_until = time.monotonic() + SILENCE
            return False
        return True

    def _next(self) -> int:
        self._seq += 1
        return self._seq


def _entry(digest: str, status: Status, seq: int, simulated: float | None, events: int) -> tuple:
    message = {"run": digest[:16], "seq": seq, "time": simulated, "events": events, **status.told()}
    return STREAM, {"message": json.dumps(message, ensure_ascii=False)}, "*", KEPT, True


def status_of(message: Mapping[str, Any]) -> Status:
    """The status that a message tells of."""
    return Status.from_dict(message)


class Reader(threading.Thread):
    """The one thread of a process that reads the stream and passes on what it hears.

    Parameters
    ----------
    url
        Of the Redis server.
    hear
        Called with each message's id in the stream (`milliseconds-serial`, growing) and the message.
    say
        Called with True when Redis answers (again), with False when it does not (any more).
    """

    def __init__(self, url: str, hear: Callable[[str, dict[str, Any]], None], say: Callable[[bool], None]):
        super().__init__(name="live-reader", daemon=True)
        self._url = url
        self._hear = hear
        self._say = say
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
                self._tell(False)
                self._stopping.wait(pause)
                pause = min(2 * pause, LONGEST_PAUSE)
            finally:
                client.close()

    def _begin(self, client: Redis) -> None:
        """Redis answers: go on after the last message that was heard, at first after the last that there is."""
        newest: Any = client.xrevrange(STREAM, count=1)
        if not self._last:
            self._last = newest[0][0].decode() if newest else FIRST
        self._tell(True)

    def _read(self, client: Redis) -> None:
        """Wait for what comes after the last message that was heard."""
        found: Any = client.xread({STREAM: self._last}, MOST_AT_ONCE, int(BLOCK * 1000))
        for _, entries in _pairs(found):
            for position, fields in entries:
                self._last = position.decode()
                if message := _message(fields):
                    self._hear(self._last, message)

    def _tell(self, answers: bool) -> None:
        if answers != self._answers:
            self._answers = answers
            self._say(answers)


def _pairs(found: Any) -> Any:
    """Streams with their entries, in either of the shapes that the protocols give."""
    return found.items() if isinstance(found, dict) else found or ()


def _message(fields: Mapping[bytes, bytes]) -> dict[str, Any] | None:
    """What a message says; None for one that we did not write."""
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
