"""News of runs, from the one thread that reads them to all open streams.

A message holds the state of a run, not what changed, so a stream needs only the latest of each run: however slow its
reader, it holds one message a run, and messages of a fast run in between are skipped.
"""

from __future__ import annotations

import json
import math
import re
import threading
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from cachetools import FIFOCache

from shadowtime.dashboard.access.refusal import Refusal

MOST_STREAMS = 1000
"""Open streams: each holds a connection, and one message of each run that it follows."""
PARK = "shadowtime.park"
"""Key of the request's environment, where a server keeps no thread for a stream: a function that takes the `Stream`.
The server asks the answer for pieces until one is empty, and again when there is news or the stream is due."""
PATIENCE = 3.0
"""Seconds that the first stream waits for the queue to be listened to."""
ID = re.compile(r"(\d{1,20})(?:-(\d{0,20}))?", re.ASCII)
REMEMBERED = 500
"""Runs of which the latest message is kept for clients that reconnect with `Last-Event-ID`."""


@dataclass(frozen=True)
class Message:
    """The state of a run, and the position of the message in the stream of news."""

    id: str
    """`milliseconds-sequence`, as Redis numbers what is added to a stream; empty when read from the store."""
    run: Mapping[str, Any]

    @cached_property
    def event(self) -> bytes:
        """As it is sent: written once for all who follow the run."""
        return event("run", self.run, self.id)

    def is_after(self, last: str) -> bool:
        """Return whether it is later than the message `last` (any text: one that is no id is before all)."""
        return order(self.id) > order(last)


def event(name: str, value: Any, message_id: str = "") -> bytes:
    """A server-sent event."""
    text = json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    mark = f"id: {message_id}\n" if message_id else ""
    return f"{mark}event: {name}\ndata: {text}\n\n".encode()


def order(message_id: str) -> tuple[int, int]:
    """What message ids are compared by; (0, 0) for a text that is none."""
    found = ID.fullmatch(message_id)
    return (int(found[1]), int(found[2] or 0)) if found else (0, 0)


class Stream:
    """Messages that one client has not received yet."""

    def __init__(self, runs: Iterable[str], client: str = ""):
        self.client = client
        self.runs = frozenset(runs)
        """Messages of other runs are not given out: one that the client may no longer see is removed."""
        self.due = math.inf
        """When its client has to hear of it again, although nothing came [s of the steady clock]."""
        self.on_news: Callable[[], None] = lambda: None
        """Called, in any thread, when there is something to take."""
        self._changed = threading.Condition()
        self._waiting: dict[str, Message] = {}
        self._is_called = False

    def put(self, message: Message) -> None:
        """Replace the message of the same run that was not sent yet."""
        with self._changed:
            self._waiting.pop(message.run["id"], None)
            self._waiting[message.run["id"]] = message
            self._changed.notify()
        self.on_news()

    def call(self) -> None:
        """Wake the waiting streams without a message: something else has changed."""
        with self._changed:
            self._is_called = True
            self._changed.notify()
        self.on_news()

    @property
    def has_news(self) -> bool:
        """Whether there is something to take."""
        return bool(self._waiting) or self._is_called

    def wait(self) -> None:
        """Wait until there is something to take, or `due`."""
        with self._changed:
            self._changed.wait_for(lambda: self.has_news, max(0.0, self.due - time.monotonic()))

    def take(self) -> list[Message]:
        """All messages that wait, in their order; after a call, perhaps none."""
        with self._changed:
            messages = [message for message in self._waiting.values() if message.run["id"] in self.runs]
            self._waiting, self._is_called = {}, False
            return messages


class Hub:
    """All open streams, the latest message of each run, and whether Redis answers."""

    def __init__(self, listen: Callable[[Hub], Any], most_streams: int = MOST_STREAMS):
        """`listen` starts the reader that calls `publish` and `say`: called once, for the first stream."""
        self._lock = threading.Lock()
        self._listen: Callable[[Hub], Any] | None = listen
        self._heard = threading.Event()
        self._streams: set[Stream] = set()
        self._following: dict[str, set[Stream]] = {}
        """By run."""
        self._latest: FIFOCache[str, Message] = FIFOCache(REMEMBERED)
        self._most_streams = most_streams
        self.redis = False
        self.changes = 0
        """How often Redis came or went: a stream that sees another number than before may have missed a message."""

    def publish(self, message: Message) -> None:
        """Send a message to all streams that follow its run."""
        run_id = message.run["id"]
        with self._lock:
            self._latest[run_id] = message
            following = [*self._following.get(run_id, ())]
        for stream in following:
            stream.put(message)

    def say(self, redis: bool) -> None:
        """Record whether Redis answers, and wake all streams when that changed."""
        self._heard.set()
        with self._lock:
            if redis != self.redis:
                self.redis, self.changes = redis, self.changes + 1
                for stream in self._streams:
                    stream.call()

    @property
    def open_streams(self) -> int:
        """How many clients follow runs now."""
        with self._lock:
            return len(self._streams)

    def latest(self, run_id: str) -> Message | None:
        """The last message of a run that this process received; None without one."""
        with self._lock:
            return self._latest.get(run_id)

    @contextmanager
    def stream(self, runs: Iterable[str], client: str = "", most: int = 0) -> Iterator[Stream]:
        """A stream of news of `runs`, until the `with` ends.

        client, most: who follows them, and how many streams one client may have; 0: any number.

        Raises Refusal: 429 when the client has too many, or too many are open; a refused client polls every few
            seconds instead.
        """
        stream = Stream(runs, client)
        followed = stream.runs
        with self._lock:
            if 0 < most <= sum(one.client == client for one in self._streams):
                raise Refusal(429, f"{most} live streams of yours are open, the limit; poll every 2 s instead.")
            if len(self._streams) >= self._most_streams:
                raise Refusal(429, f"{self._most_streams} live streams are open, the limit; poll every 2 s instead.")
            self._streams.add(stream)
            for run_id in followed:
                self._following.setdefault(run_id, set()).add(stream)
            listen, self._listen = self._listen, None
        try:
            if listen is not None:
                listen(self)
            # Messages of the queue would be missed until its reader has started.
            self._heard.wait(PATIENCE)
            yield stream
        finally:
            with self._lock:
                self._streams.discard(stream)
                for run_id in followed:
                    self._following[run_id].discard(stream)
                    if not self._following[run_id]:
                        del self._following[run_id]
