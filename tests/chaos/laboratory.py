"""A store, a Redis and a worker in one process, whose seconds pass when the test says so."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import timedelta
from pathlib import Path
from unittest import mock

from rq.exceptions import NoSuchJobError
from rq.job import Job

from shadowtime.workers import recover, rerun, tasks, utc
from shadowtime.workers.exact import Proofs
from shadowtime.workers.kinds import BOUND, PIECE, RUN, kind_of
from shadowtime.workers.queue import SERIALIZER, RunQueue, open_queue
from shadowtime.workers.records.batches import LEASE
from shadowtime.workers.records.store import RecordStore
from shadowtime.workers.records.sweeps import RUNNING
from shadowtime.workers.settings import Settings
from shadowtime.workers.sweeps.feed import Feed
from tests.workers.sweeps.samples import expire

log = logging.getLogger(__name__)

PATIENCE = 30.0
"""Seconds within which everything that was accepted has to be at its end, once a worker is there."""
TICK = 0.5
TASKS = {RUN: tasks.run_task, PIECE: tasks.piece_task, BOUND: tasks.bound_task}


class Laboratory:
    """One process of a laboratory: what a web process accepts, and what a worker does."""

    def __init__(self, folder: Path, url: str, database: str = ""):
        self.settings = Settings(store=folder, redis_url=url, database=database)
        self.time = 0.0
        """Seconds that have passed since."""
        self._store: RecordStore | None = None
        self._queue: RunQueue | None = None

    @property
    def store(self) -> RecordStore:
        """The store, opened when it is first needed."""
        if self._store is None:
            self._store = RecordStore(self.settings.store, self.settings.database)
        return self._store

    @property
    def queue(self) -> RunQueue:
        if self._queue is None:
            self._queue = open_queue(self.settings, self.store)
        return self._queue

    def close(self) -> None:
        """Close all connections."""
        if self._queue is not None:
            self._queue.connection.close()
        if self._store is not None:
            self._store.database.close()

    @contextmanager
    def passing(self) -> Iterator[None]:
        """The clock of this laboratory is this machine's, and `time` on top."""
        real = utc.now
        with (
            mock.patch.object(utc, "now", lambda: real() + timedelta(seconds=self.time)),
            mock.patch.object(tasks, "environment", lambda: (self.settings, self.store)),
        ):
            yield

    def wait(self, seconds: float = TICK) -> None:
        """Let some seconds pass, in Redis too."""
        self.time += seconds
        redis = self.queue.connection
        for key in redis.scan_iter():
            left = redis.pttl(key)
            if left > 0:
                redis.pexpire(key, max(1, int(left - 1000 * seconds)))

    def work(self) -> int:
        """Do what is in the queue now, as a worker does; return how much it was."""
        n = 0
        while (job := self._take()) is not None:
            n += 1
            work = self.queue.names.work(job.id)
            handler = self.handlers()[kind_of(work)]
            self.queue.heartbeat(work, "worker")
            handler.check(work)
            TASKS[kind_of(work)](work)
            self.queue.remove(work)
            self.queue.clear_heartbeat(work)
            handler.left(work)
        return n

    def handlers(self) -> dict:
        """What a worker has to keep each kind of work going; they remember what they saw."""
        if not hasattr(self, "_handlers"):

            def clock() -> float:
                return self.time

            self._handlers = {
                RUN: recover.Recovery(self.store, self.queue, clock),
                PIECE: Feed(self.store, self.queue, clock),
                BOUND: Proofs(self.store, self.queue, clock),
            }
        return self._handlers

    def scan(self) -> None:
        """Requeue what was lost, as a worker does every two seconds."""
        for handler in self.handlers().values():
            handler.scan()
        for run in self.store.runs.list(status=["finished"]).rows:
            if rerun.is_requested(self.store, run.digest):  # the page of a link asks for it
                rerun.answer_of(self.store, self.queue, rerun.linked(self.store, run))

    def is_done(self) -> bool:
        """Whether nothing that was accepted waits or runs."""
        store = self.store
        is_swept = not any(sweep.status.status == RUNNING for sweep in store.sweeps.list())
        return (
            not store.runs.listed("queued", "running")
            and is_swept
            and not (store.bounds.requested() or store.reruns.waiting())
        )

    def settle(self) -> float:
        """Work until everything is done; return the seconds that it took, at most PATIENCE."""
        began, scanned = self.time, -recover.EVERY
        while True:
            if self.time - scanned >= recover.EVERY:
                self.scan()
                scanned = self.time
            self.work()
            if self.is_done():
                return self.time - began
            assert self.time - began < PATIENCE, f"not done after {PATIENCE:g} s: {self._left()}"
            self.wait()
            if not self.store.database.is_sqlite and LEASE < self.time - began <= LEASE + TICK:
                expire(self.store.database)  # its clock cannot be set

    def _left(self) -> str:
        unfinished = {digest[:8]: status.status for digest, status in self.store.runs.unfinished()}
        return f"{unfinished}, {[sweep.id for sweep in self.store.sweeps.running()]}, {self.store.bounds.requested()}"

    def _take(self) -> Job | None:
        """Take the next job from the queue; a record that is gone leaves nothing to do."""
        for queue in self.queue.queues.values():
            while (name := self.queue.connection.lpop(queue.key)) is not None:
                try:
                    return Job.fetch(name.decode(), self.queue.connection, SERIALIZER)
                except NoSuchJobError:
                    log.debug("the queue has no record of %s", name)
        return None
