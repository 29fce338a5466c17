"""Requeue every unfinished run that no worker holds.

Redis may have been emptied, a worker killed, a machine switched off. The store says which runs are unfinished; the
worker of a run renews its heartbeat every two seconds. A run without a heartbeat for longer than that is lost and is
requeued.
"""

from __future__ import annotations

import logging
import sqlite3
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress

from redis.exceptions import RedisError

from shadowtime.engine.errors import EngineError
from shadowtime.workers import logs
from shadowtime.workers.errors import NotFound, QueueAway
from shadowtime.workers.live import Publisher
from shadowtime.workers.queue import RunQueue
from shadowtime.workers.store import Status, Store
from shadowtime.workers.store.base import UNFINISHED

log = logging.getLogger(__name__)

EVERY = 2.0
"""Seconds between two scans."""
LOST_AFTER = 2.5
"""Seconds without a heartbeat before a run counts as lost: a worker may just be taking it."""
LOST_AFTER_ACCEPT = 1.0
"""The same for a run that is not in the queue at all: the process that accepted it may be about to queue it. If both
queued it, the record of the worker that runs it would be deleted."""
LOST_AFTER_START = 6.0
"""The same just after Redis has started: workers must first renew their heartbeats."""
LOST = "the worker stopped each time; the run may need more memory than there is"


class Recovery:
    """Requeue the lost runs of a store; call `scan` every few seconds, from one process or from several."""

    def __init__(self, store: Store, queue: RunQueue, clock: Callable[[], float] = time.monotonic):
        self._store = store
        self._queue = queue
        self._clock = clock
        self._publisher = Publisher(queue.connection, queue.names)
        self._missing: dict[str, float] = {}

    def scan(self) -> list[str]:
        """Requeue lost runs and return their digests.

        Raises
        ------
        QueueAway
            When Redis does not answer: then there is nothing to put them into.
        """
        sure = LOST_AFTER if self._queue.uptime() > 2 * LOST_AFTER_START else LOST_AFTER_START
        # The store is read first: a run that leaves the queue between the two reads has a worker's heartbeat.
        listed = self._store.runs.listed(*UNFINISHED)
        held = self._queue.held(listed)
        # Status files are opened only for runs without a heartbeat: thousands may wait.
        missing = [digest for digest in listed if digest not in held]
        unfinished = dict(self._store.runs.unfinished(frozenset(missing))) if missing else {}
        now = self._clock()
        self._missing = {digest: self._missing.get(digest, now) for digest in unfinished}
        return [
            digest
            for digest, since in self._missing.items()
            if self._back(digest, unfinished[digest], now - since, sure)
        ]

    def check(self, digest: str) -> None:
        """Accept any id: whether the store knows the run is seen when it is begun."""

    def left(self, digest: str) -> None:
        """Nothing follows a run."""

    def lost(self, digest: str, sentence: str = "") -> None:
        """Requeue a run whose process ended without an answer, or record that it was killed or cancelled."""
        with suppress(NotFound):
            status = self._store.runs.get(digest).status
            if status.status != "running":
                return
            if sentence:
                self._store.runs.fail(digest, sentence, status.attempt)
            elif not self._store.runs.cancelled(digest):
                with ignore_redis_outage():
                    requeue(self._store, self._queue, self._publisher, digest, status.attempt)
                return
            self._publisher.publish(digest, self._store.runs.get(digest).status)

    def spare(self, digest: str) -> bool:
        """Requeue a run whose process was asked to stop, without counting the attempt; return False if it has ended
        or must end."""
        try:
            status = self._store.runs.get(digest).status
        except NotFound:
            return True
        if status.status != "running" or self._store.runs.is_cancel_requested(digest):
            return False
        with ignore_redis_outage():
            requeue(self._store, self._queue, self._publisher, digest, status.attempt, is_spared=True)
        return True

    def _back(self, digest: str, status: Status, missing: float, sure: float) -> bool:
        """Requeue a run without a heartbeat for `missing` seconds; return False when that is too short."""
        is_known = status.status == "running" or self._queue.knows(digest)
        if missing < (sure if is_known else LOST_AFTER_ACCEPT):
            return False
        try:
            if status.status == "running":
                return requeue(self._store, self._queue, self._publisher, digest, status.attempt)
            self._queue.enqueue(digest, status.priority, client=status.client)
        except NotFound:  # deleted meanwhile
            return False
        with logs.about(digest):
            log.info("run %s was not in the queue and is requeued", digest[:16])
        return True


def requeue(
    store: Store, queue: RunQueue, publisher: Publisher, digest: str, attempt: int, *, is_spared: bool = False
) -> bool:
    """Requeue a run before all others after its worker was lost or asked to stop (`is_spared`); return False when it
    has ended."""
    status = store.runs.requeue(digest, attempt, LOST, is_spared=is_spared)
    if status is None:
        return False
    with logs.about(digest):
        log.warning("the worker of run %s was lost at attempt %s; it is %s now", digest[:16], attempt, status.status)
    publisher.publish(digest, status)
    if status.status == "queued":
        queue.enqueue(digest, status.priority, first=True, client=status.client)
    return True


@contextmanager
def ignore_redis_outage() -> Iterator[None]:
    """Log an outage of Redis and continue: Redis holds only data that may be lost."""
    try:
        yield
    except (RedisError, QueueAway) as error:
        log.warning("Redis does not answer: %s", error)


def watch(store: Store, queue: RunQueue, stopping: threading.Event) -> threading.Thread:
    """Start a thread that scans until `stopping`, for a process that is not a worker."""
    recovery = Recovery(store, queue)

    def scan() -> None:
        while not stopping.is_set():
            run_logged(recovery.scan)
            stopping.wait(EVERY)

    thread = threading.Thread(target=scan, name="recovery", daemon=True)
    thread.start()
    return thread


def run_logged(scan: Callable[[], object]) -> None:
    """Call `scan` once and log its failure: the next call may succeed."""
    try:
        scan()
    except (EngineError, OSError, sqlite3.Error) as error:
        log.warning("unfinished runs were not scanned: %s", error)
