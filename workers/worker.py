"""Take one run at a time from the queue and execute it in a forked process, which goes on with the next short ones.

The worker loads the common algorithms before it takes work, so that a forked run starts in milliseconds. Where they are
not compiled yet, a child compiles them while the worker takes its first runs. It sends a heartbeat every two seconds
and requeues lost runs. A run continues while Redis does not answer.
"""

from __future__ import annotations

import gc
import logging
import os
import signal
import sys
import time
from contextlib import suppress
from datetime import timedelta
from functools import partial
from typing import Any

from redis import Redis
from rq.exceptions import DeserializationError, StopRequested
from rq.job import Job
from rq.queue import Queue
from rq.timeouts import HorseMonitorTimeoutException
from rq.utils import now
from rq.worker_registration import register

from shadowtime.engine.errors import EngineError, QuestionError
from shadowtime.workers import compiling, laboratory, logs, processes, recover, tasks
from shadowtime.workers.connection import AWAY, connect, shown
from shadowtime.workers.errors import NotFound, QueueAway
from shadowtime.workers.exact import Proofs
from shadowtime.workers.kinds import BOUND, PART, PIECE, RUN, Handler, Kind, kind_of
from shadowtime.workers.notices.sender import Sender
from shadowtime.workers.papers.parts import Parts
from shadowtime.workers.queue import GRACE, LOADING, SERIALIZER, RunQueue, open_queue
from shadowtime.workers.recover import ignore_redis_outage
from shadowtime.workers.redis_names import Names
from shadowtime.workers.rerun import RerunFeed
from shadowtime.workers.settings import Settings
from shadowtime.workers.shared_fork import SHARED_SECONDS, ForkingWorker, JobPipe, next_run
from shadowtime.workers.small import has_compiled_code
from shadowtime.workers.store import Store
from shadowtime.workers.store.base import PRIORITIES
from shadowtime.workers.sweeps.feed import Feed
from shadowtime.workers.version import plugin_folders
from shadowtime.workers.warm import load, warm_ordering
from shadowtime.workers.warm_records import warm_records

log = logging.getLogger("workers")

HEARTBEAT_EVERY = 2
"""Seconds between two heartbeats."""
TIDY_EVERY = 3600.0
"""Seconds between two removals of what crashed processes left."""
STOP_GRACE = 0.5
"""Seconds that a run may still take when its worker is asked to stop; then it is requeued."""
WORKER_TTL = 6
"""Seconds for which a heartbeat is valid."""
SHORTEST_PAUSE, LONGEST_PAUSE = 0.1, 2.0
"""Seconds before Redis is tried again."""
STABLE_AFTER = 5.0


MORE_CALLS = ("_success_callback_name", "_failure_callback_name", "_stopped_callback_name", "webhooks")
"""Callbacks that RQ would call besides a task: jobs of this project have none."""


class RunWorker(ForkingWorker):
    """RQ's forking worker with short heartbeats, which survives an outage of Redis."""

    def __init__(self, store: Store, connection: Redis, settings: Settings):
        names = Names(store.identity)
        super().__init__(
            [names.queue(priority) for priority in PRIORITIES],
            connection=connection,
            serializer=SERIALIZER,
            worker_ttl=WORKER_TTL,
            job_monitoring_interval=HEARTBEAT_EVERY,
            log_job_description=False,
        )
        self.store = store
        self.settings = settings
        self.run_queue = RunQueue(connect(settings.redis_url, timeout=HEARTBEAT_EVERY), names, settings.run_timeout)
        processes.worker_name()  # the forks have the same
        self.handlers: dict[Kind, Handler] = {
            RUN: recover.Recovery(store, self.run_queue),
            PART: Parts(store, self.run_queue),
            PIECE: Feed(store, self.run_queue),
            BOUND: Proofs(store, self.run_queue),
        }
        self.reruns = RerunFeed(store, self.run_queue)
        self.notices = Sender(store, settings)
        self.stop_by: float | None = None
        """Time when the current work is requeued, on the monotonic clock [s]; None unless a stop was requested."""
        self.has_ended_idle = False
        """No work came for SHADOWTIME_IDLE_END seconds."""
        self.refusal: laboratory.Misfit | None = None
        """Why this worker does not fit the laboratory any more."""
        self.compiler: compiling.Compiler | None = None
        """Compiles what is common beside the first runs; None once this process has loaded it."""
        self._pipe: JobPipe
        """From the fork."""
        self._has_plugins = bool(plugin_folders())
        """Code of plug-ins may change the process in which it runs: each run has a fork of its own then."""
        self._scanned = 0.0
        self._tidied = time.monotonic()

    @property
    def dequeue_timeout(self) -> int:
        return HEARTBEAT_EVERY

    def request_stop(self, signum: Any, frame: Any) -> None:
        """Stop after the current work if it is quick, and requeue it else."""
        self.stop_by = time.monotonic() + STOP_GRACE
        if self._horse_pid and signal.getsignal(signal.SIGALRM) not in (signal.SIG_DFL, None):
            signal.setitimer(signal.ITIMER_REAL, STOP_GRACE)  # wake the waiting worker before its next heartbeat
        super().request_stop(signum, frame)

    def dequeue_job_and_maintain_ttl(
        self, timeout: int | None, max_idle_time: int | None = None
    ) -> tuple[Job, Queue] | None:
        """Wait for work; return None after `max_idle_time` seconds without any, if none waits then."""
        while (taken := super().dequeue_job_and_maintain_ttl(timeout, max_idle_time)) is None:
            if not self.is_work_waiting():
                log.info("no work for %s s: the worker ends", max_idle_time)
                self.has_ended_idle = True
                break
        return taken

    def is_work_waiting(self) -> bool:
        """Return whether work waits in the queue, or a run in the store for a scan to queue it; True if unknown."""
        self.run_maintenance_tasks()
        with ignore_redis_outage():
            return bool(self.run_queue.waiting() or self.store.runs.listed("queued"))
        return True

    def heartbeat(self, timeout: int | None = None, pipeline: Any = None) -> None:
        """Send a heartbeat; register the worker again after Redis was emptied."""
        super().heartbeat(WORKER_TTL, pipeline)
        if pipeline is None:
            self.go_on_starting()
        if pipeline is None and not self.connection.sismember(self.redis_workers_keys, self.key):
            self.connection.hset(self.key, mapping=self.serialize())
            register(self)

    def go_on_starting(self) -> None:
        """Announce what is compiled meanwhile; load it between two runs, once all of it is there."""
        if self.compiler is None:
            return
        if not self.compiler.is_over():
            self.run_queue.announce(compiling.start())
        elif not self._horse_pid:
            self.compiler = None
            warm()
            warm_records(self.store)

    def get_heartbeat_ttl(self, job: Job) -> int:
        return WORKER_TTL

    @property
    def should_run_maintenance_tasks(self) -> bool:
        return time.monotonic() - self._scanned >= recover.EVERY

    def run_maintenance_tasks(self) -> None:
        """Requeue lost runs every few seconds, and let RQ clean up now and then."""
        self._scanned = time.monotonic()
        if not self._horse_pid and self.is_refused():
            raise StopRequested
        for handler in self.handlers.values():
            recover.run_logged(handler.scan)
        recover.run_logged(self.reruns.scan)
        recover.run_logged(self.notices.scan)
        if time.monotonic() - self._tidied >= TIDY_EVERY:
            self._tidied = time.monotonic()
            recover.run_logged(self.store.tidy)
        if self.last_cleaned_at is None or now() - self.last_cleaned_at > timedelta(seconds=self.maintenance_interval):
            super().run_maintenance_tasks()
        if self.stop_by is not None and not self._stop_requested:
            raise StopRequested  # again: the first was raised inside a scan, where the database layer catches errors

    def execute_job(self, job: Job, queue: Queue) -> None:
        """Execute the job in a fork; the store records the result."""
        work = self.run_queue.names.work(job.id)
        if not self.is_ours(job, work):
            log.error("refused: the queue holds %r, which is not a task of this project", job.id)
            self.run_queue.remove(work)
            return
        if self.is_refused():
            self.run_queue.remove(work)  # the scan of another process queues it again
            raise StopRequested
        with ignore_redis_outage():
            self.run_queue.heartbeat(work, self.name)
            self.prepare_execution(job)
        with logs.about(work):
            self._pipe = JobPipe()
            self.fork_work_horse(job, queue)
            self._pipe.in_worker()
            try:
                self.monitor_work_horse(job, queue)
            finally:
                self._pipe.close()
        with ignore_redis_outage():
            self.run_queue.clear_heartbeat(work)
            self.handlers[kind_of(work)].left(work)

    def is_refused(self) -> bool:
        """Return whether this worker does not fit the laboratory any more."""
        try:
            laboratory.check(self.store, self.settings)
        except laboratory.Misfit as error:
            self.refusal = error
        except OSError as error:  # the database or the disk does not answer
            log.warning("whether this worker fits the laboratory is not known: %s", error)
        return self.refusal is not None

    def is_ours(self, job: Job, work: str) -> bool:
        """Return whether an RQ job is as this project queues it."""
        kind = kind_of(work)
        try:
            self.handlers[kind].check(work)
            is_task = job.func_name == kind.task and list(job.args) == [work] and not job.kwargs
        except (DeserializationError, NotFound):
            return False
        return is_task and not any(getattr(job, name) for name in MORE_CALLS)

    def monitor_work_horse(self, job: Job, queue: Queue) -> None:
        """Wait for the fork and send heartbeats meanwhile; kill it when it is far beyond its time limit."""
        work, deadline = self._begun(job)
        handler = self.handlers[kind_of(work)]
        late = stopped = False
        beating = set()
        while True:
            has_ended = False
            with suppress(HorseMonitorTimeoutException):
                with self.death_penalty_class(HEARTBEAT_EVERY, HorseMonitorTimeoutException):
                    _, code, _ = self.wait_for_horse()
                has_ended = True
            if begun := self._pipe.latest(self.connection):
                job, self.execution = begun
                work, deadline = self._begun(job)
            if has_ended:
                break
            recover.run_logged(partial(handler.renew, work, processes.worker_name()))
            beating.add(work)
            with ignore_redis_outage():
                self.run_queue.heartbeat(work, self.name)
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
        with ignore_redis_outage():
            # The fork clears the heartbeat of a run that it ends; this process may have sent one after that.
            for one in {*beating, work}:
                self.run_queue.clear_heartbeat(one)
        if code != os.EX_OK:
            if stopped and handler.spare(work):
                log.info("stop requested: %s is requeued", work)
            else:
                handler.lost(work, f"killed after {self.settings.run_timeout + GRACE:,g} s" if late else "")
            with ignore_redis_outage():
                self._stopped_job_id = None
                self.cleanup_after(job)

    def _begun(self, job: Job) -> tuple[str, float]:
        """Return the work that the fork executes from now on, and when it is killed."""
        job.started_at = now()
        return self.run_queue.names.work(job.id), time.monotonic() + self.settings.run_timeout + GRACE

    def cleanup_after(self, job: Job) -> None:
        """Delete RQ's records of a lost attempt, unless the run is queued again already."""
        with self.connection.pipeline() as pipeline:
            self.cleanup_execution(job, pipeline)
            pipeline.execute()
        work = self.run_queue.names.work(job.id)
        if work not in self.run_queue.waiting():
            self.run_queue.remove(work)

    def teardown(self) -> None:
        """Deregister the worker, if Redis answers."""
        if not self.is_horse:
            with ignore_redis_outage():
                self.register_death()
            if self.pubsub_thread is not None:
                self.pubsub_thread.stop()

    def set_shutdown_requested_date(self) -> None:
        with ignore_redis_outage():
            super().set_shutdown_requested_date()

    def main_work_horse(self, job: Job, queue: Queue) -> None:
        """Run the task in the fork: it ends with its worker and has a memory limit."""
        processes.end_with_parent()
        self._pipe.in_fork()
        processes.limit_memory(self.settings.run_memory)
        super().main_work_horse(job, queue)

    def perform_job(self, job: Job, queue: Queue) -> bool:
        """Execute the job in the fork, and after a run also the next ones in the queue, until a second has passed."""
        names, began = self.run_queue.names, time.monotonic()
        is_done = super().perform_job(job, queue)
        if kind_of(names.work(job.id)) is not RUN or self._has_plugins or not has_compiled_code():
            return is_done
        while is_done and time.monotonic() - began < SHARED_SECONDS:
            taken = next_run(self.queues, names, self.is_ours)
            if taken is None:
                break
            work = names.work(taken[0].id)
            self.run_queue.heartbeat(work, self.name)
            self._pipe.put(taken[0], self.prepare_execution(taken[0]))
            is_done = super().perform_job(*taken)
            self.run_queue.clear_heartbeat(work)
        return is_done


def warm() -> None:
    """Run a tiny workload through the common algorithms, so that forks find all compiled and loaded."""
    began = time.perf_counter()
    load()
    warm_ordering()
    gc.collect()
    gc.freeze()  # what is loaded now stays shared with the forks
    log.info("warm after %.1f s", time.perf_counter() - began)


def work(settings: Settings, store: Store, compiler: compiling.Compiler | None = None) -> None:
    """Take work until a stop is requested or none has come for `settings.idle_end`, also across outages of Redis.

    compiler
        Compiles what is common, if this process has not loaded it.

    Raises
    ------
    QueueAway
        If Redis has not answered for `settings.idle_end`.
    Misfit
        If this worker does not fit the laboratory any more.
    """
    pause = SHORTEST_PAUSE
    answered = time.monotonic()
    while True:
        began = time.monotonic()
        connection = connect(settings.redis_url, timeout=HEARTBEAT_EVERY + 10.0)
        worker: RunWorker | None = None
        try:
            connection.ping()
            worker = RunWorker(store, connection, settings)
            worker.compiler = compiler
            worker.work(logging_level="WARNING", max_idle_time=settings.idle_end or None)
        except AWAY as error:
            log.warning("Redis does not answer at %s: %s", shown(settings.redis_url), error)
        if worker is not None:
            compiler = worker.compiler
            if worker.refusal is not None:
                raise worker.refusal
            if worker.stop_by is not None or worker.has_ended_idle:
                return
            answered = time.monotonic()
        elif 0 < settings.idle_end <= time.monotonic() - answered:
            raise QueueAway
        time.sleep(pause)
        pause = min(2 * pause, LONGEST_PAUSE) if time.monotonic() - began < STABLE_AFTER else SHORTEST_PAUSE


def main() -> int:
    """Run the Procfile's `worker`."""
    processes.end_quickly()
    try:
        settings, store = tasks.environment()  # the forks find both made
        logs.configure(settings)
        processes.yield_to_others(settings.nice)
        laboratory.wait(store, settings)
        queue = open_queue(settings, store)
        with ignore_redis_outage():
            queue.announce(compiling.start(), LOADING)
        compiler = compiling.Compiler() if compiling.missing() else None
        if compiler is None:
            warm()
            warm_records(store)
        recover.run_logged(store.tidy)
        work(settings, store, compiler)
    except EngineError as error:
        print(f"worker: {error}", file=sys.stderr, flush=True)
        return 2 if isinstance(error, QuestionError) else 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
