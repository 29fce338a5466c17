"""Hold a batch of a sweep while a process works on it: a thread renews the lease, also beside compiled code."""

from __future__ import annotations

import logging
import secrets
import threading
import time
from types import TracebackType

from shadowtime.workers.processes import worker_name
from shadowtime.workers.records.batches import RENEW_EVERY, Batches, Lease, LeaseLost

log = logging.getLogger(__name__)

LASTING = 1.0
"""Seconds after which a renewal records the run that is being executed. The outcome of such a run is recorded as soon
as it ends, so that a run on record without an outcome is the one at which a worker was lost."""


class HeldBatch:
    """A lease that is renewed until the end of the block, and then given back.

    It is not given back when the process is ended, by an exception that is no `Exception`: the worker counts as lost.
    """

    def __init__(self, batches: Batches, lease: Lease):
        self.lease = lease
        self.is_lost = False
        """Another worker has the batch, or the sweep was deleted."""
        self._batches = batches
        self._run: tuple[int, float] | None = None
        self._ended = threading.Event()
        self._thread = threading.Thread(target=self._renew, name="lease", daemon=True)

    def begin(self, run: int, *, is_recorded: bool) -> None:
        """Note which run is executed from now on; recorded at once, or when it has lasted for a while.

        Raises
        ------
        LeaseLost
            When it is to be recorded, and the worker does not hold the batch any more.
        """
        self._run = run, time.monotonic()
        if is_recorded:
            self._batches.renew(self.lease, run)

    def end(self) -> None:
        """Note that no run is executed now."""
        self._run = None

    def __enter__(self) -> HeldBatch:
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._ended.set()
        self._thread.join()
        if kind is None or issubclass(kind, Exception):
            try:
                self._batches.release(self.lease)
            except OSError as refused:  # the lease will expire
                log.warning("a batch of sweep %s was not given back: %s", self.lease.sweep[:16], refused)

    def _renew(self) -> None:
        while not self._ended.wait(RENEW_EVERY):
            run, now = self._run, time.monotonic()
            try:
                self._batches.renew(self.lease, run[0] if run is not None and now - run[1] >= LASTING else None)
            except LeaseLost:
                self.is_lost = True
                return
            except OSError as error:  # the next renewal may succeed in time
                log.warning("the lease on a batch of sweep %s was not renewed: %s", self.lease.sweep[:16], error)


def own_prefix() -> str:
    """Return how the names begin under which this worker and the processes that it forks hold batches."""
    return f"{worker_name()}:"


def shift_name() -> str:
    """Return a new name for a shift of this worker."""
    return own_prefix() + secrets.token_hex(4)
