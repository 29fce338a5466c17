"""Keep batches of sweeps in the queue, and requeue those whose worker was lost.

A few batches of each sweep wait in the queue at a time; the worker that finishes one adds the next. No state is kept in
memory: open batches are read from the outcomes, batches in work from their leases and from the heartbeats in Redis.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Callable
from contextlib import suppress

from shadowtime.workers.errors import Conflict, NotFound
from shadowtime.workers.queue import RunQueue
from shadowtime.workers.records.sweeps import FINISHED, RUNNING, Sweep
from shadowtime.workers.store import VisibleStore
from shadowtime.workers.sweeps.batch import Piece, abandon, spare
from shadowtime.workers.sweeps.progress import ProgressCache

log = logging.getLogger(__name__)

AHEAD = 24
"""Largest number of batches of a sweep in the queue or in work: as many workers may share it."""
LOST_AFTER = 3.0
"""Seconds without a heartbeat before a batch with a queue record is queued again."""


class Feed:
    """Supply all sweeps of a store; call `scan` every few seconds, from one process or from several."""

    def __init__(self, store: VisibleStore, queue: RunQueue, clock: Callable[[], float] = time.monotonic):
        self._store, self._queue, self._clock = store, queue, clock
        self._progress = ProgressCache(store)
        self._missing: dict[str, float] = {}

    def scan(self) -> list[str]:
        """Queue missing batches and return their ids."""
        missing: dict[str, float] = {}
        queued = []
        for sweep in self._store.sweeps.running():
            for piece in self._due_batches(sweep):
                since = missing[piece] = self._missing.get(piece, self._clock())
                if self._clock() - since >= LOST_AFTER or not self._queue.knows(piece):
                    self._queue.enqueue(piece, sweep.status.priority, client=sweep.status.client)
                    queued.append(piece)
        self._missing = missing
        return queued

    def check(self, piece_id: str) -> None:
        """Raise NotFound for an id that names no batch."""
        Piece.parse(piece_id)

    def renew(self, piece_id: str, worker: str) -> None:
        """The process of a batch renews its lease itself."""

    def lost(self, piece_id: str, sentence: str = "") -> None:
        """Let the next worker have the batch of a lost process at once; it counts the lost run."""
        log.warning("the process of %s was lost", piece_id)
        try:
            abandon(Piece.parse(piece_id), self._store)
        except OSError as error:  # the lease will expire
            log.warning("the lease on %s was not ended: %s", piece_id, error)

    def spare(self, piece_id: str) -> bool:
        """Record that a stop request ended the process, unless another one works on the batch already."""
        try:
            return spare(Piece.parse(piece_id), self._store)
        except OSError as error:  # the lease will expire, and the stop counts as a lost worker
            log.warning("the lease on %s was not ended: %s", piece_id, error)
            return False

    def left(self, piece_id: str) -> None:
        """Queue a batch that a worker has left, or the next one when it is complete."""
        try:
            sweep: Sweep = self._store.sweeps.get(Piece.parse(piece_id).digest)
            if sweep.status.status == RUNNING:
                self.supply(sweep)
        except NotFound:
            return
        except OSError as error:  # a full disk must not end the worker; the next scan records it
            log.warning("after %s nothing could be recorded: %s", piece_id, error)

    def supply(self, sweep: Sweep) -> None:
        """Queue batches of a sweep that have no queue record."""
        for piece in self._due_batches(sweep):
            if not self._queue.knows(piece):
                self._queue.enqueue(piece, sweep.status.priority, client=sweep.status.client)

    def _due_batches(self, sweep: Sweep) -> list[str]:
        """Return the first open batches of a sweep that are neither queued nor in work; finish a sweep without any."""
        progress = self._progress.get(sweep)
        batches = progress.open()
        if not batches:
            with suppress(Conflict, NotFound):  # another process has recorded it, or restarted the sweep
                ended = {"status": FINISHED, "counts": progress.outcomes.counts()}
                self._store.sweeps.change(sweep.digest, (RUNNING,), "finished", of_round=progress.round, **ended)
                log.info("sweep %s is finished", sweep.id)
            return []
        in_work = self._store.sweeps.batches.held(sweep.digest)
        pieces = [Piece(sweep.digest, batch).id for batch in batches[:AHEAD] if batch not in in_work]
        queued = self._queue.held(pieces)
        return [piece for piece in pieces if piece not in queued]
