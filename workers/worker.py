"""A worker: takes one run at a time from the queue and executes it in a forked process.

It compiles what is common before it takes work, so that a forked run starts in milliseconds. It says every two
seconds that it lives, looks after runs that were lost, and outlives Redis: a run goes on without it.
"""

from __future__ import annotations

import gc
import logging
import os
import resource
import signal
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import timedelta
from pathlib import Path
from typing import Any

from redis import Redis
from redis.exceptions import RedisError
from rq.exceptions import DeserializationError
from rq.job import Job
from rq.queue import Queue
from rq.timeouts import HorseMonitorTimeoutException
from rq.utils import now
from rq.worker import Worker
from rq.worker_registration import register

from shadowtime.engine.errors import EngineError
from shadowtime.engine.runner.warm import warm_ordering
from shadowtime.engine.workload.samples import find_sample
from shadowtime.workers import exact, logs, processes, recover, tasks
from shadowtime.workers.connection import AWAY, connect, shown
from shadowtime.workers.errors import NotFound, QueueAway
from shadowtime.workers.exact import Proofs
from shadowtime.workers.execute import execute
from shadowtime.workers.live import Publisher
from shadowtime.workers.papers.parts import Part, Parts
from shadowtime.workers.queue import BOUND, GRACE, PART, SERIALIZER, SWEEP, RunQueue, queue_name, task_of
from shadowtime.workers.settings import GIGABYTE, Settings
from shadowtime.workers.spec import RunSpec
from shadowtime.workers.store import Store
from shadowtime.workers.store.base import PRIORITIES
from shadowtime.workers.sweeps.batch import Piece, spare
from shadowtime.workers.sweeps.feed import Feed

log = logging.getLogger("workers")

BEAT_EVERY = 2
"""Seconds between two signs of life."""
LEAVE = 0.5
"""Seconds that a run may still take when its worker is asked to stop; then it is put back."""
ALIVE = 6
"""Seconds for which a sign of life holds."""
COMMON = ("fcfs", "easy")
NICENESS = 10
"""How far workers stand back from the web process where both want the same processors."""
SHORTEST_PAUSE, LONGEST_PAUSE = 0.1, 2.0
"""Seconds before Redis is tried again."""
LONG_LIFE = 5.0
RESERVED = 4 * GIGABYTE
"""Of address space: mapped files, stacks and arenas of threads."""


MORE_CALLS = ("_success_callback_name", "_failure_callback_name", "_stopped_callback_name", "webhooks")
"""What RQ would call besides a task: none of ours has any."""


class RunWorker(Worker):
    """RQ's forking worker, of which this project needs: short signs of life, and a Redis that may go and come."""

    def __init__(self, store: Store, connection: Redis, settings: Settings):
        super().__init__(
            [queue_name(priority) for priority in PRIORITIES],
            connection=connection,
            serializer=SERIALIZER,
            worker_ttl=ALIVE,
            job_monitoring_interval=BEAT_EVERY,
            log_job_description=False,
        )
        self.store = store
        self.settings = settings
        self.run_queue = RunQueue(connection, settings.run_timeout)
        self.recovery = recover.Recovery(store, self.run_queue)
        self.parts = Parts(settings.store, self.run_queue)
        self.feed = Feed(store, self.run_queue)
        self.proofs = Proofs(store, settings.store, self.run_queue)
        self.publisher = Publisher(connection)
        self.stop_by: float | None = None
        """When what goes on is put back, on the monotonic clock [s]; None while nobody asked us to stop."""
        self._scanned = 0.0

    @property
    def dequeue_timeout(self) -> int:
        return BEAT_EVERY

    def request_stop(self, signum: Any, frame: Any) -> None:
        """Asked to end: what goes on may end by itself if it is quick, and is put back else."""
        self.stop_by = time.monotonic() + LEAVE
        if self._horse_pid and signal.getsignal(signal.SIGALRM) not in (signal.SIG_DFL, None):
            signal.setitimer(signal.ITIMER_REAL, LEAVE)  # we wait for it: the next look is then, not at the next beat
        super().request_stop(signum, frame)

    def heartbeat(self, timeout: int | None = None, pipeline: Any = None) -> None:
        """A sign of life; after Redis was emptied it also says again who we are."""
        super().heartbeat(ALIVE, pipeline)
        if pipeline is None and not self.connection.sismember(self.redis_workers_keys, self.key):
            self.connection.hset(self.key, mapping=self.serialize())
            register(self)

    def get_heartbeat_ttl(self, job: Job) -> int:
        return ALIVE

    @property
    def should_run_maintenance_tasks(self) -> bool:
        return time.monotonic() - self._scanned >= recover.EVERY

    def run_maintenance_tasks(self) -> None:
        """Look after lost runs every few seconds, and let RQ tidy up now and then."""
        self._scanned = time.monotonic()
        recover.carefully(self.recovery.scan)
        recover.carefully(self.parts.scan)
        recover.carefully(self.feed.scan)
        recover.carefully(self.proofs.scan)
        if self.last_cleaned_at is None or now() - self.last_cleaned_at > timedelta(seconds=self.maintenance_interval):
            super().run_maintenance_tasks()

    def execute_job(self, job: Job, queue: Queue) -> None:
        """Run it in a fork; what became of it is what the store says."""
        digest = run_of(job)
        if digest is None:
            log.error("refused: the queue holds %r, which is no work of ours", job.id)
            self.run_queue.remove(job.id)
            return
        with away_is_no_reason_to_stop():
            self.run_queue.beat(digest, self.name)
            self.prepare_execution(job)
        with logs.about(digest):
            self.fork_work_horse(job, queue)
            self.monitor_work_horse(job, queue)
        with away_is_no_reason_to_stop():
            self.run_queue.still(digest)
            if digest.startswith(PART):
                self.parts.go_on(digest)
            elif digest.startswith(SWEEP):
                self.feed.go_on(digest)

    def monitor_work_horse(self, job: Job, queue: Queue) -> None:
        """Wait for the fork, giving signs of life meanwhile; end it when it is far beyond its time."""
        digest = job.id
        job.started_at = now()
        deadline = time.monotonic() + self.settings.run_timeout + GRACE
        late = stopped = False
        while True:
            try:
                with self.death_penalty_class(BEAT_EVERY, HorseMonitorTimeoutException):
                    _, code, _ = self.wait_for_horse()
                break
            except HorseMonitorTimeoutException:
                with away_is_no_reason_to_stop():
                    self.run_queue.beat(digest, self.name)
                    self.maintain_heartbeats(job)
                    self.heartbeat()
                    if self.should_run_maintenance_tasks:
                        self.run_maintenance_tasks()
                if time.monotonic() > deadline:
                    late = True
                    self.kill_horse()
                elif self.stop_by is not None and time.monotonic() >= self.stop_by:
                    stopped = True
                    self.kill_horse()
        self._horse_pid = 0
        if code != os.EX_OK:
            with away_is_no_reason_to_stop():
                self.run_queue.still(digest)  # else what is put back would seem to go on here
            if stopped and self.spare(digest):
                log.info("asked to stop: %s is put back", digest)
            else:
                self.settle(digest, late)
            with away_is_no_reason_to_stop():
                self._stopped_job_id = None
                self.cleanup_after(job)

    def settle(self, digest: str, late: bool = False) -> None:
        """The fork ended without an answer: say in the store what the run is now, and queue it again if need be."""
        if digest.startswith(PART):
            self.parts.lost(digest)
            return
        if digest.startswith(SWEEP):
            log.warning("the process of %s is gone", digest)  # the next one at it writes down over which run
            return
        if digest.startswith(BOUND):
            self.proofs.lost(digest)
            return
        try:
            status = self.store.runs.get(digest).status
            if status.status != "running":
                return
            if late:
                sentence = f"ended from outside after {self.settings.run_timeout + GRACE:,g} s"
                self.store.runs.fail(digest, sentence, status.attempt)
            elif not self.store.runs.cancelled(digest):
                with away_is_no_reason_to_stop():
                    recover.put_back(self.store, self.run_queue, self.publisher, digest, status.attempt)
                return
            self.publisher.publish(digest, self.store.runs.get(digest).status)
        except NotFound:
            return

    def spare(self, digest: str) -> bool:
        """We were asked to stop, and have ended the fork: what it was at is done again, and not held against it. False
        when that needs no more than what is done for any fork that ended."""
        if digest.startswith((PART, BOUND)):
            return True  # nothing is written of it: whoever looks after them next queues it again
        if digest.startswith(SWEEP):
            return spare(Piece.parse(digest), self.store)
        try:
            status = self.store.runs.get(digest).status
        except NotFound:
            return True
        if status.status != "running" or self.store.runs.is_cancel_wanted(digest):
            return False
        with away_is_no_reason_to_stop():
            recover.put_back(self.store, self.run_queue, self.publisher, digest, status.attempt, is_spared=True)
        return True

    def cleanup_after(self, job: Job) -> None:
        """Take a lost attempt out of RQ's books, unless the run is queued again already."""
        with self.connection.pipeline() as pipeline:
            self.cleanup_execution(job, pipeline)
            pipeline.execute()
        if job.id not in self.run_queue.waiting():
            self.run_queue.remove(job.id)

    def teardown(self) -> None:
        """Say goodbye, if somebody listens."""
        if not self.is_horse:
            with away_is_no_reason_to_stop():
                self.register_death()
            if self.pubsub_thread is not None:
                self.pubsub_thread.stop()

    def set_shutdown_requested_date(self) -> None:
        with away_is_no_reason_to_stop():
            super().set_shutdown_requested_date()

    def main_work_horse(self, job: Job, queue: Queue) -> None:
        """The fork: it ends with its worker, and holds no more memory than it may."""
        processes.end_with_parent()
        hold(self.settings.run_memory)
        super().main_work_horse(job, queue)


def hold(memory: int) -> None:
    """Let this process have no more than so many bytes of its own from now on; 0: as many as there are.

    What it allocates is held to the byte (RLIMIT_DATA). Beside that its address space is (RLIMIT_AS): files that it
    maps and what threads reserve without using it stand there too, so that it is a wider lid.
    """
    if not memory:
        return
    resource.setrlimit(resource.RLIMIT_DATA, (memory, memory))
    statm = Path("/proc/self/statm")
    if statm.exists():  # else no Linux, and nobody says how much there is now
        most = int(statm.read_text().split()[0]) * resource.getpagesize() + memory + RESERVED
        resource.setrlimit(resource.RLIMIT_AS, (most, most))


def run_of(job: Job) -> str | None:
    """Return the id of the run, part of a paper or of a sweep, or bound that an RQ job computes; None for other jobs.

    Jobs queued before version 0.2 name their task without the package; they get today's name.
    """
    try:
        if job.id.startswith(PART):
            Part.parse(job.id)
        elif job.id.startswith(SWEEP):
            Piece.parse(job.id)
        elif job.id.startswith(BOUND):
            exact.parse(job.id)
        if job.func_name == task_of(job.id).removeprefix("shadowtime."):
            job.func_name = task_of(job.id)
        is_run = job.func_name == task_of(job.id) and list(job.args) == [job.id] and not job.kwargs
        is_run = is_run and not any(getattr(job, name) for name in MORE_CALLS)
    except (DeserializationError, NotFound):
        return None
    return job.id if is_run else None


@contextmanager
def away_is_no_reason_to_stop() -> Iterator[None]:
    """Redis is told what it may forget anyway: that it does not listen is logged and no more."""
    try:
        yield
    except (RedisError, QueueAway) as error:
        log.warning("Redis does not answer: %s", error)


def warm() -> None:
    """Run a tiny workload through the common algorithms, so that forks find all compiled and loaded."""
    began = time.perf_counter()
    sample = find_sample("four").read()
    for slug in COMMON:
        spec = RunSpec.of(sample, slug)
        execute(spec, sample, on_piece=lambda piece: None)
    warm_ordering()
    gc.collect()
    gc.freeze()  # what is loaded now stays shared with the forks
    log.info("warm after %.1f s", time.perf_counter() - began)


def work(settings: Settings, store: Store) -> None:
    """Take work until asked to stop, whatever becomes of Redis meanwhile."""
    pause = SHORTEST_PAUSE
    while True:
        began = time.monotonic()
        connection = connect(settings.redis_url, timeout=BEAT_EVERY + 10.0)
        worker: RunWorker | None = None
        try:
            connection.ping()
            worker = RunWorker(store, connection, settings)
            worker.work(logging_level="WARNING")
        except AWAY as error:
            log.warning("Redis does not answer at %s: %s", shown(settings.redis_url), error)
        if worker is not None and worker.stop_by is not None:
            return
        time.sleep(pause)
        pause = min(2 * pause, LONGEST_PAUSE) if time.monotonic() - began < LONG_LIFE else SHORTEST_PAUSE


def main() -> int:
    """The Procfile's `worker`."""
    try:
        os.nice(NICENESS)
        settings, store = tasks.environment()  # the forks find both made
        logs.configure(settings)
        warm()
        recover.carefully(store.reindex)
        work(settings, store)
    except EngineError as error:
        print(f"worker: {error}", file=sys.stderr, flush=True)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
