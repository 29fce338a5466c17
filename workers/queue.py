"""Queue runs with RQ on Redis: one queue a priority, JSON and never pickles.

The store is the truth about a run; Redis may lose its content, and `workers.recover` restores it. Only this file,
`worker.py` and `shared_fork.py` use RQ.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass
from typing import Any

from redis import Redis
from rq import Queue
from rq.command import send_stop_job_command
from rq.exceptions import DuplicateJobError, InvalidJobOperation, NoSuchJobError
from rq.executions import ExecutionRegistry
from rq.job import Job
from rq.serializers import JSONSerializer
from rq.timeouts import JobTimeoutException as TimedOut
from rq.worker_registration import get_keys

from shadowtime.workers.compiling import Start
from shadowtime.workers.connection import connect, queue_away
from shadowtime.workers.fair_queue import IN_TURN
from shadowtime.workers.kinds import kind_of
from shadowtime.workers.redis_names import Names
from shadowtime.workers.settings import Settings
from shadowtime.workers.store.base import PRIORITIES
from shadowtime.workers.store.contract import Store

__all__ = ["Health", "RunQueue", "TimedOut", "open_queue"]

PARTS_PRIORITY = "low"
JOB = Job.key_for("")
"""Prefix of the key of RQ's record of a job."""
SERIALIZER = JSONSerializer
HEARTBEAT_TTL = 5
"""Seconds after the last heartbeat when a worker counts as lost."""
START = "start"
"""Key of what workers announce that start."""
LOADING = 30
"""Seconds for which a worker that begins may load its code; it sends no heartbeat yet."""
GRACE = 30
"""Seconds beyond a run's timeout after which the worker kills its process: compiled code cannot be interrupted, and a
result that was computed in time is stored meanwhile."""

_NOTE = "if redis.call('exists', KEYS[1]) == 1 then redis.call('hset', KEYS[1], 'meta', ARGV[1]) end"


@dataclass(frozen=True)
class Health:
    """State of the queue."""

    redis: bool
    workers: int = 0
    waiting: int = 0
    start: Start | None = None
    """How far workers that start have come; None when none starts."""

    def as_dict(self) -> dict[str, Any]:
        return asdict(self)


class RunQueue:
    """Keep runs that wait for a worker. Every method but `health` raises QueueAway when Redis does not answer."""

    def __init__(
        self, connection: Redis, names: Names, timeout: float = Settings.run_timeout, *, is_async: bool = True
    ):
        """Connect the queues; with `is_async` False a run is executed where it is enqueued: for tests."""
        self.connection = connection
        self.names = names
        self.timeout = timeout
        self.queues = {
            name: Queue(names.queue(name), connection=connection, serializer=SERIALIZER, is_async=is_async)
            for name in PRIORITIES
        }
        self._in_turn = connection.register_script(IN_TURN)

    def enqueue(
        self, digest: str, priority: str = "default", *, first: bool = False, client: str | None = None
    ) -> None:
        """Queue a run for a worker; a second call changes nothing.

        Clients are served in turn, however many runs each has queued; `first`: before all other runs of its priority.
        """
        with queue_away():
            try:
                self._push(digest, priority, first, client)
            except DuplicateJobError:
                if digest in self.held([digest]):
                    return
                self._forget(digest)  # remainder of an ended or lost attempt
                self._push(digest, priority, first, client)

    def remove(self, digest: str) -> None:
        """Remove a run from the queue."""
        with queue_away():
            self._forget(digest)

    def stop(self, digest: str) -> None:
        """Ask the worker of a run to kill its process now. The store must hold the run's new state already."""
        with queue_away():
            try:
                send_stop_job_command(self.connection, self.names.job(digest), serializer=SERIALIZER)
            except (NoSuchJobError, InvalidJobOperation):
                return  # it has ended meanwhile, or its worker will read the store

    def waiting(self) -> list[str]:
        """Return the digests in the order in which workers will take them."""
        with queue_away():
            return [self.names.work(job) for queue in self.queues.values() for job in queue.get_job_ids()]

    def position(self, digest: str) -> int | None:
        """Return the number of runs before it; None when it is not in the queue."""
        before = 0
        with queue_away():
            for queue in self.queues.values():
                place: Any = self.connection.lpos(queue.key, self.names.job(digest))
                if place is not None:
                    return before + place
                before += queue.count
        return None

    def held(self, digests: Iterable[str]) -> set[str]:
        """Return those of `digests` that wait in a queue or have a valid heartbeat.

        A heartbeat that would be valid for longer than its TTL was written before Redis' clock went back: it does not
        count.
        """
        asked = set(digests)
        with queue_away():
            waiting = asked.intersection(self.waiting())
            others = [*(asked - waiting)]
            with self.connection.pipeline(transaction=False) as pipeline:
                for digest in others:
                    pipeline.pttl(self._beat(digest))
                left = pipeline.execute()
        return waiting.union(d for d, ms in zip(others, left, strict=True) if 0 < ms <= 1000 * HEARTBEAT_TTL)

    def knows(self, digest: str) -> bool:
        """Return whether RQ has a record of it, even of a lost attempt."""
        with queue_away():
            return Job.exists(self.names.job(digest), self.connection)

    def heartbeat(self, digest: str, worker: str) -> None:
        """Renew the heartbeat of a run for its worker."""
        with queue_away():
            self.connection.set(self._beat(digest), worker, ex=HEARTBEAT_TTL)

    def clear_heartbeat(self, digest: str) -> None:
        """Delete the heartbeat of a run: its worker has ended it."""
        with queue_away():
            self.connection.delete(self._beat(digest))

    def uptime(self) -> float:
        """Return the seconds since Redis started: older heartbeats are not known to it."""
        with queue_away():
            found: Any = self.connection.info("server")
        return float(found.get("uptime_in_seconds", 0))

    def note_progress(self, digest: str, progress: Mapping[str, Any]) -> None:
        """Record the progress in RQ's record of the run, where it has one."""
        with queue_away():
            self.connection.eval(_NOTE, 1, Job.key_for(self.names.job(digest)), json.dumps(dict(progress)))

    def progress(self, digest: str) -> dict[str, Any] | None:
        """Return the latest progress: fresher than `status.json` read through a network file system."""
        with queue_away():
            noted = self.connection.hget(Job.key_for(self.names.job(digest)), "meta")
        return json.loads(noted) or None if noted else None

    def health(self) -> Health:
        """Return whether Redis answers, how many workers are alive, how many runs wait."""
        try:
            with queue_away():
                keys = list(get_keys(next(iter(self.queues.values()))))
                with self.connection.pipeline(transaction=False) as pipeline:
                    for key in keys:
                        pipeline.exists(key)
                    for queue in self.queues.values():
                        pipeline.llen(queue.key)
                    pipeline.get(self.names.key(START))
                    *found, start = pipeline.execute()
                begun = Start(**json.loads(start)) if start else None
                return Health(True, sum(map(bool, found[: len(keys)])), sum(found[len(keys) :]), begun)
        except ConnectionError:
            return Health(False)

    def announce(self, start: Start, seconds: int = HEARTBEAT_TTL) -> None:
        """Publish for some seconds how far workers that start have come."""
        with queue_away():
            self.connection.set(self.names.key(START), json.dumps(start.as_dict()), ex=seconds)

    def _beat(self, digest: str) -> str:
        return self.names.key(f"beat:{digest}")

    def _push(self, digest: str, priority: str, first: bool, client: str | None) -> None:
        queue, job = self.queues[priority], self.names.job(digest)
        queue.enqueue_call(
            kind_of(digest).task,
            args=(digest,),
            job_id=job,
            description=digest[:16],
            timeout=int(self.timeout + GRACE),
            result_ttl=0,
            failure_ttl=60,
            at_front=first,
            unique=True,
        )
        keys = (queue.key, Job.key_for(job), self._clients(priority))
        self._in_turn(keys, (job, client or "", JOB, int(first)))

    def _clients(self, priority: str) -> str:
        return self.names.key(f"clients:{priority}")

    def _forget(self, digest: str) -> None:
        """Delete all of RQ's records of it. `Job.delete` cannot: it fails where a dead worker's execution has
        expired."""
        job = self.names.job(digest)
        with self.connection.pipeline() as pipeline:
            for queue in self.queues.values():
                pipeline.lrem(queue.key, 0, job)
                pipeline.zrem(queue.failed_job_registry.key, job)
            pipeline.delete(Job.key_for(job), ExecutionRegistry(job, self.connection).key)
            removed = pipeline.execute()
        if any(removed[:-1:2]):
            self.connection.delete(*map(self._clients, self.queues))


def open_queue(settings: Settings, store: Store) -> RunQueue:
    """Return the queue of a store; nothing is sent yet."""
    return RunQueue(connect(settings.redis_url), Names(store.identity), settings.run_timeout)
