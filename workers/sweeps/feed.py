"""Keeps the queue supplied with batches of sweeps, and puts back those whose worker is lost.

A few batches of each sweep wait in the queue at a time; whoever has ended one adds the next. Nothing here must be
remembered: what is open is read from the journals, and what somebody is at, Redis says.
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
from shadowtime.workers.sweeps.batch import Piece
from shadowtime.workers.sweeps.journals import Shelf

log = logging.getLogger(__name__)

AHEAD = 24
"""Batches of a sweep that wait or are worked at, at most: as many workers may share it."""
SURE = 3.0
"""Seconds for which nobody must hold a batch that the queue has heard of before it is queued again."""


class Feed:
    """Looks after all sweeps of a store; `scan` it every few seconds, from one process or from several."""

    def __init__(self, store: Store, queue: RunQueue, clock: Callable[[], float] = time.monotonic):
        self._store, self._queue, self._clock = store, queue, clock
        self._shelf = Shelf(store)
        self._missing: dict[str, float] = {}

    def scan(self) -> list[str]:
        """Ids of the batches that were queued now."""
        missing: dict[str, float] = {}
        queued = []
        for sweep in self._store.sweeps.running():
            for piece in self._wanted(sweep):
                since = missing[piece] = self._missing.get(piece, self._clock())
                if self._clock() - since >= SURE or not self._queue.knows(piece):
                    self._queue.enqueue(piece, sweep.status.priority, client=sweep.status.client)
                    queued.append(piece)
        self._missing = missing
        return queued

    def go_on(self, piece_id: str) -> None:
        """A worker has left a batch: queue it again where it is not through, or the next one."""
        try:
            sweep: Sweep = self._store.sweeps.get(Piece.parse(piece_id).digest)
            if sweep.status.status == RUNNING:
                self.supply(sweep)
        except NotFound:
            return
        except OSError as error:  # a full disk ends no worker; the next scan says what this one could not
            log.warning("after %s nothing could be written down: %s", piece_id, error)

    def supply(self, sweep: Sweep) -> None:
        """Queue batches of a sweep that the queue has not heard of."""
        for piece in self._wanted(sweep):
            if not self._queue.knows(piece):
                self._queue.enqueue(piece, sweep.status.priority, client=sweep.status.client)

    def _wanted(self, sweep: Sweep) -> list[str]:
        """The first open batches of a sweep that neither wait nor are worked at; a sweep without any is finished."""
        journals = self._shelf.get(sweep)
        pieces = [Piece(sweep.digest, batch).id for batch in journals.open()[:AHEAD]]
        if not pieces:
            with suppress(Conflict, NotFound):  # somebody else has said so, or restarted it
                if self._store.sweeps.get(sweep.digest).status.round == journals.round:
                    ended = {"status": FINISHED, "ended": utc_now(), "counts": journals.outcomes.counts()}
                    self._store.sweeps.change(sweep.digest, (RUNNING,), "finished", **ended)
                    log.info("sweep %s is finished", sweep.id)
            return []
        held = self._queue.held(pieces)
        return [piece for piece in pieces if piece not in held]
