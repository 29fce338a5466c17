"""Keep batches of sweeps in the queue, and requeue those whose worker was lost.

A few batches of each sweep wait in the queue at a time; the worker that finishes one adds the next. No state is kept in
memory: open batches are read from the journals, batches in work from the heartbeats in Redis.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Callable
from contextlib import suppress

from shadowtime.workers.errors import Conflict, NotFound
from shadowtime.workers.queue import RunQueue
from shadowtime.workers.store import Store
from shadowtime.workers.store.base import utc_now
from shadowtime.workers.store.sweeps import FINISHED, RUNNING, Sweep
from shadowtime.workers.sweeps.batch import Piece, spare
from shadowtime.workers.sweeps.journals import Shelf

log = logging.getLogger(__name__)

AHEAD = 24
"""Largest number of batches of a sweep in the queue or in work: as many workers may share it."""
LOST_AFTER = 3.0
"""Seconds without a heartbeat before a batch with a queue record is queued again."""


class Feed:
    """Supply all sweeps of a store; call `scan` every few seconds, from one process or from several."""

    def __init__(self, store: Store, queue: RunQueue, clock: Callable[[], float] = time.monotonic):
        self._store, self._queue, self._clock = store, queue, clock
        self._shelf = Shelf()
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

    def lost(self, piece_id: str, sentence: str = "") -> None:
        """Leave a lost process to the next worker of the batch, which records the lost run."""
        log.warning("the process of %s was lost", piece_id)

    def spare(self, piece_id: str) -> bool:
        """Record that a stop request ended the process, unless another one works on the batch already."""
        return spare(Piece.parse(piece_id), self._store)

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
        journals = self._shelf.get(sweep)
        pieces = [Piece(sweep.digest, batch).id for batch in journals.open()[:AHEAD]]
        if not pieces:
            with suppress(Conflict, NotFound):  # another process has recorded it, or restarted the sweep
                if self._store.sweeps.get(sweep.digest).status.round == journals.round:
                    ended = {"status": FINISHED, "ended": utc_now(), "counts": journals.outcomes.counts()}
                    self._store.sweeps.change(sweep.digest, (RUNNING,), "finished", **ended)
                    log.info("sweep %s is finished", sweep.id)
            return []
        held = self._queue.held(pieces)
        return [piece for piece in pieces if piece not in held]
