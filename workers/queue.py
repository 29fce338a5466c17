"""The queue of runs: RQ on Redis, one queue a priority, JSON and never pickles.

The store is the truth about a run; what Redis holds may be lost and is put back by `workers.recover`. Only this
file and `worker.py` know RQ.
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

from shadowtime.workers.connection import connect, queue_away
from shadowtime.workers.settings import Settings
from shadowtime.workers.store.base import PRIORITIES

__all__ = ["Health", "RunQueue", "TimedOut", "open_queue", "queue_name", "task_of"]

TASK = "shadowtime.workers.tasks.run_task"
"""The function that a worker calls with the digest of a run."""
PART, PART_TASK = "paper-", "shadowtime.workers.tasks.part_task"
"""How the id of a part of a paper begins, and the function that a worker calls with it."""
SWEEP, SWEEP_TASK = "sweep-", "shadowtime.workers.tasks.piece_task"
"""The same of a batch of a sweep's runs."""
BOUND, BOUND_TASK = "bound-", "shadowtime.workers.tasks.bound_task"
"""The same of the exact bound of a run of very many jobs."""
PARTS_PRIORITY = "low"
JOB = Job.key_for("")
"""How the key of RQ's record of a job begins."""
SERIALIZER = JSONSerializer
BEAT = "shadowtime:beat:"
BEAT_SECONDS = 5
"""A worker that was not heard for so long is gone."""
GRACE = 30
"""Seconds beyond a run's timeout after which its process is ended from outside."""

_NOTE = "if redis.call('exists', KEYS[1]) == 1 then redis.call('hset', KEYS[1], 'meta', ARGV[1]) end"


_FAIRLY = """
if redis.call('exists', KEYS[2]) == 0 then return end
redis.call('hset', KEYS[2], 'client', ARGV[2])
if ARGV[3] == '1' or redis.call('lrem', KEYS[1], -1, ARGV[1]) == 0 then return end
local waiting = redis.call('sort', KEYS[1], 'by', 'nosort', 'get', '#', 'get', ARGV[4] .. '*->client')
local turn, of = {}, {}
for place = 1, #waiting, 2 do
  local client = waiting[place + 1] or ''
  turn[place] = of[client] or 0
  of[client] = turn[place] + 1
end
local mine = of[ARGV[2]] or 0
for place = 1, #waiting, 2 do
  if turn[place] > mine then
    redis.call('linsert', KEYS[1], 'before', waiting[place], ARGV[1])
    return
  end
end
redis.call('rpush', KEYS[1], ARGV[1])
"""
"""Gives what was just put at the end its place in turn: the n-th of a client after the n-th of every other. What a
worker has taken meanwhile stays taken."""


@dataclass(frozen=True)
class Health:
    """How the queue is."""

    redis: bool
    workers: int = 0
    waiting: int = 0

    def as_dict(self) -> dict[str, Any]:
        return asdict(self)


class RunQueue:
    """Runs that wait for a worker. Every method but `health` raises QueueAway when Redis does not answer."""

    def __init__(self, connection: Redis, timeout: float = Settings.run_timeout, *, is_async: bool = True):
        """With `is_async` False a run is executed where it is enqueued: for tests."""
        self.connection = connection
        self.timeout = timeout
        self.queues = {
            name: Queue(queue_name(name), connection=connection, serializer=SERIALIZER, is_async=is_async)
            for name in PRIORITIES
        }

    def enqueue(
        self, digest: str, priority: str = "default", *, first: bool = False, client: str | None = None
    ) -> None:
        """Let a worker run it. Saying so twice is saying so once.

        Clients are served in turn, whoever has queued how many; `first`: before all others of
        its priority.
        """
        with queue_away():
            try:
                self._push(digest, priority, first, client)
            except DuplicateJobError:
                if digest in self.held([digest]):
                    return
                self._forget(digest)  # what an ended or lost attempt left
                self._push(digest, priority, first, client)

    def remove(self, digest: str) -> None:
        """It need not be run any more."""
        with queue_away():
            self._forget(digest)

    def stop(self, digest: str) -> None:
        """Have the worker that runs it end its process now. What the run then is, the store must say already."""
        with queue_away():
            try:
                send_stop_job_command(self.connection, digest, serializer=SERIALIZER)
            except (NoSuchJobError, InvalidJobOperation):
                return  # it has ended meanwhile, or its worker looks at the store by itself

    def waiting(self) -> list[str]:
        """Digests in the order in which workers will take them."""
        with queue_away():
            return [digest for queue in self.queues.values() for digest in queue.get_job_ids()]

    def position(self, digest: str) -> int | None:
        """How many are before it; None when it does not wait here."""
        before = 0
        with queue_away():
            for queue in self.queues.values():
                place: Any = self.connection.lpos(queue.key, digest)
                if place is not None:
                    return before + place
                before += queue.count
        return None

    def held(self, digests: Iterable[str]) -> set[str]:
        """Those of `digests` that wait in a queue, or whose worker was heard in the last seconds.

        A sign of life that would hold for longer was given before Redis' clock went back: it says nothing any more.
        """
        asked = set(digests)
        with queue_away():
            waiting = asked.intersection(self.waiting())
            others = [*(asked - waiting)]
            with self.connection.pipeline(transaction=False) as pipeline:
                for digest in others:
                    pipeline.pttl(BEAT + digest)
                left = pipeline.execute()
        return waiting.union(d for d, ms in zip(others, left, strict=True) if 0 < ms <= 1000 * BEAT_SECONDS)

    def knows(self, digest: str) -> bool:
        """RQ has a record of it, be it of an attempt that was lost."""
        with queue_away():
            return Job.exists(digest, self.connection)

    def beat(self, digest: str, worker: str) -> None:
        """A worker says that it runs it, and goes on saying so."""
        with queue_away():
            self.connection.set(BEAT + digest, worker, ex=BEAT_SECONDS)

    def still(self, digest: str) -> None:
        """Nobody runs it any more."""
        with queue_away():
            self.connection.delete(BEAT + digest)

    def uptime(self) -> float:
        """Seconds since Redis was started: as long as nobody who was heard before can be known."""
        with queue_away():
            found: Any = self.connection.info("server")
        return float(found.get("uptime_in_seconds", 0))

    def note_progress(self, digest: str, progress: Mapping[str, Any]) -> None:
        """Keep the progress in RQ's record of the run, where it has one."""
        with queue_away():
            self.connection.eval(_NOTE, 1, Job.key_for(digest), json.dumps(dict(progress)))

    def progress(self, digest: str) -> dict[str, Any] | None:
        """What was noted last: fresher than `status.json` seen through a network file system."""
        with queue_away():
            noted = self.connection.hget(Job.key_for(digest), "meta")
        return json.loads(noted) or None if noted else None

    def health(self) -> Health:
        """Whether Redis answers, how many workers are alive, how many runs wait."""
        try:
            with queue_away():
                keys = list(get_keys(connection=self.connection))
                with self.connection.pipeline(transaction=False) as pipeline:
                    for key in keys:
                        pipeline.exists(key)
                    for queue in self.queues.values():
                        pipeline.llen(queue.key)
                    found = pipeline.execute()
                return Health(True, sum(map(bool, found[: len(keys)])), sum(found[len(keys) :]))
        except ConnectionError:
            return Health(False)

    def _push(self, digest: str, priority: str, first: bool, client: str | None) -> None:
        queue = self.queues[priority]
        queue.enqueue_call(
            task_of(digest),
            args=(digest,),
            job_id=digest,
            description=digest[:16],
            timeout=int(self.timeout + GRACE),
            result_ttl=0,
            failure_ttl=60,
            at_front=first,
            unique=True,
        )
        keys = (queue.key, Job.key_for(digest))
        self.connection.eval(_FAIRLY, len(keys), *keys, digest, client or "", "1" if first else "0", JOB)

    def _forget(self, digest: str) -> None:
        """Take it out of RQ's books. `Job.delete` cannot: it fails where a dead worker's execution has expired."""
        with self.connection.pipeline() as pipeline:
            for queue in self.queues.values():
                pipeline.lrem(queue.key, 0, digest)
                pipeline.zrem(queue.failed_job_registry.key, digest)
            pipeline.delete(Job.key_for(digest), ExecutionRegistry(digest, self.connection).key)
            pipeline.execute()


def task_of(work: str) -> str:
    """The function for what the queue holds under that id: a run's digest, a part of a paper, a batch of a sweep, the
    exact bound of a run."""
    tasks = {PART: PART_TASK, SWEEP: SWEEP_TASK, BOUND: BOUND_TASK}
    return next((task for begin, task in tasks.items() if work.startswith(begin)), TASK)


def queue_name(priority: str) -> str:
    """What RQ calls the queue of a priority."""
    return f"shadowtime-{priority}"


def open_queue(settings: Settings) -> RunQueue:
    """The queue of this installation; nothing is sent yet."""
    return RunQueue(connect(settings.redis_url), settings.run_timeout)
