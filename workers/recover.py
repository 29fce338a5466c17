"""Queue every unfinished run that no worker holds.

Redis may have been emptied, a worker killed, a machine switched off. The records say which runs are queued, and until
when a worker holds each running one: it renews its lease every two seconds. A run whose lease does not change for some
seconds is requeued.
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
from shadowtime.workers.records.runs import LEASE
from shadowtime.workers.store import Status, Store

log = logging.getLogger(__name__)

EVERY = 2.0
"""Seconds between two scans."""
MANY, SHARE = 1_000, 0.04
"""Waiting runs from which on scans take at most this share of the time: one of 10,000 runs takes 90 ms."""
LOST_AFTER = 2.5
"""Seconds that a queued run is missing in the queue before it is queued again: a worker may just be taking it."""
LOST_AFTER_ACCEPT = 1.0
"""The same for a run that the queue has no record of: the process that accepted it may be about to queue it. If both
queued it, the record of the worker that runs it would be deleted."""
LOST = "the worker stopped each time; the run may need more memory than there is, or its code ends the process"


class Recovery:
    """Requeue the lost runs of a store; call `scan` every few seconds, from one process or from several."""

    def __init__(self, store: Store, queue: RunQueue, clock: Callable[[], float] = time.monotonic):
        self._store = store
        self._queue = queue
        self._clock = clock
        self._publisher = Publisher(queue.connection, queue.names)
        self._due: float | None = None
        """No further scan begins before this time, after one of a long queue."""
        self._missing: dict[str, float] = {}
        self._leases: dict[tuple[str, int, str | None], float] = {}
        """Digest, attempt and lease of running runs, and when this process first saw them."""

    def scan(self) -> list[str]:
        """Queue the accepted runs that no queue holds, and requeue those whose lease has expired; return their digests.

        Raises
        ------
        QueueAway
            When Redis does not answer: then there is nothing to put them into.
        """
        if self._due is not None and self._clock() < self._due:
            return []
        began, self._due = time.perf_counter(), None
        # The store is read first: a run that leaves the queue between the two reads has a worker's heartbeat.
        queued = self._store.runs.listed("queued")
        held, now = self._queue.held(queued), self._clock()
        self._missing = {digest: self._missing.get(digest, now) for digest in queued if digest not in held}
        late = [digest for digest, since in self._missing.items() if self._is_late(digest, now - since)]
        statuses = dict(self._store.runs.unfinished(frozenset(late))) if late else {}
        back = [digest for digest, status in statuses.items() if self._enqueue(digest, status)]
        self._leases = {held: self._leases.get(held, now) for held in self._store.runs.leases()}
        lost = [held for held, since in self._leases.items() if now - since >= LEASE]
        if len(queued) >= MANY:
            self._due = now + (time.perf_counter() - began) / SHARE
        return back + [digest for digest, attempt, _ in lost if self._requeue(digest, attempt)]

    def check(self, digest: str) -> None:
        """Accept any id: whether the store knows the run is seen when it is begun."""

    def renew(self, digest: str, worker: str) -> None:
        """Extend the lease of a run; one that its worker has lost cannot be finished by it."""
        self._store.runs.renew(digest, worker)

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

    def _is_late(self, digest: str, missing: float) -> bool:
        """Return whether a queued run has been missing in the queue for too long."""
        return missing >= LOST_AFTER_ACCEPT and (missing >= LOST_AFTER or not self._queue.knows(digest))

    def _enqueue(self, digest: str, status: Status) -> bool:
        if status.status != "queued":  # a worker has begun it meanwhile
            return False
        self._queue.enqueue(digest, status.priority, client=status.client)
        with logs.about(digest):
            log.info("run %s was not in the queue and is requeued", digest[:16])
        return True

    def _requeue(self, digest: str, attempt: int) -> bool:
        with suppress(NotFound):  # deleted meanwhile
            return requeue(self._store, self._queue, self._publisher, digest, attempt)
        return False


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
    except QueueAway as error:
        log.warning("%s", error)
    except RedisError as error:
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
    except (EngineError, OSError, RedisError, sqlite3.Error) as error:
        log.warning("unfinished runs were not scanned: %s", error)
