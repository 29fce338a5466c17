"""Everything that was accepted is run: what the store calls unfinished and nobody holds is queued again.

Redis may have been emptied, a worker killed, a machine switched off. The store says what is to be done; a worker
that is at it says so every two seconds. What nobody holds for longer than that is lost, and put back.
"""

from __future__ import annotations

import logging
import sqlite3
import threading
import time
from collections.abc import Callable

from shadowtime.engine.errors import EngineError
from shadowtime.workers import logs
from shadowtime.workers.errors import NotFound
from shadowtime.workers.live import Publisher
from shadowtime.workers.queue import RunQueue
from shadowtime.workers.store import Status, Store
from shadowtime.workers.store.base import UNFINISHED

log = logging.getLogger(__name__)

EVERY = 2.0
"""Seconds between two looks."""
SURE = 2.5
"""Seconds for which nobody must hold a run before it is lost: somebody may just be taking it."""
SURE_UNKNOWN = 1.0
"""The same of a run that the queue has never heard of: whoever has just accepted it may be about to queue it. Queued by
both, it would be taken from the one worker's books while it runs there."""
SURE_AFTER_START = 6.0
"""The same while Redis has only just come up: workers say again what they hold."""
LOST = "the worker stopped each time; the run may need more memory than there is"


class Recovery:
    """Looks after the runs of a store; `scan` it every few seconds, from one process or from several."""

    def __init__(self, store: Store, queue: RunQueue, clock: Callable[[], float] = time.monotonic):
        self._store = store
        self._queue = queue
        self._clock = clock
        self._publisher = Publisher(queue.connection)
        self._missing: dict[str, float] = {}

    def scan(self) -> list[str]:
        """Digests of the runs that were put back now.

        Raises
        ------
        QueueAway
            When Redis does not answer: then there is nothing to put them into.
        """
        sure = SURE if self._queue.uptime() > 2 * SURE_AFTER_START else SURE_AFTER_START
        # The store first: what is taken from the queue between the two questions is held by its worker then.
        listed = self._store.runs.listed(*UNFINISHED)
        held = self._queue.held(listed)
        # Folders are opened only of what nobody holds: thousands may wait.
        missing = [digest for digest in listed if digest not in held]
        unfinished = dict(self._store.runs.unfinished(frozenset(missing))) if missing else {}
        now = self._clock()
        self._missing = {digest: self._missing.get(digest, now) for digest in unfinished}
        return [
            digest
            for digest, since in self._missing.items()
            if self._back(digest, unfinished[digest], now - since, sure)
        ]

    def _back(self, digest: str, status: Status, missing: float, sure: float) -> bool:
        """Put one back that nobody has held for so long [s]; False when it is too soon to say so."""
        is_known = status.status == "running" or self._queue.knows(digest)
        if missing < (sure if is_known else SURE_UNKNOWN):
            return False
        try:
            if status.status == "running":
                return put_back(self._store, self._queue, self._publisher, digest, status.attempt)
            self._queue.enqueue(digest, status.priority, client=status.client)
        except NotFound:  # deleted meanwhile
            return False
        with logs.about(digest):
            log.info("run %s was not in the queue and is put back", digest[:16])
        return True


def put_back(
    store: Store, queue: RunQueue, publisher: Publisher, digest: str, attempt: int, *, is_spared: bool = False
) -> bool:
    """The worker of a running attempt is gone, or was asked to stop (`is_spared`): queue the run again, before all
    others; False when it has ended."""
    status = store.runs.put_back(digest, attempt, LOST, is_spared=is_spared)
    if status is None:
        return False
    with logs.about(digest):
        log.warning("the worker of run %s is gone at attempt %s; it is %s now", digest[:16], attempt, status.status)
    publisher.publish(digest, status)
    if status.status == "queued":
        queue.enqueue(digest, status.priority, first=True, client=status.client)
    return True


def watch(store: Store, queue: RunQueue, stopping: threading.Event) -> threading.Thread:
    """A thread that scans until `stopping`, for a process that is no worker."""
    recovery = Recovery(store, queue)

    def scan() -> None:
        while not stopping.is_set():
            carefully(recovery.scan)
            stopping.wait(EVERY)

    thread = threading.Thread(target=scan, name="recovery", daemon=True)
    thread.start()
    return thread


def carefully(scan: Callable[[], object]) -> None:
    """One look, whose failure is logged: the next one may do better."""
    try:
        scan()
    except (EngineError, OSError, sqlite3.Error) as error:
        log.warning("unfinished runs were not looked after: %s", error)
