"""Execute several short runs in one fork, since a fork costs as much as a short run: it copies each page it writes to.

The fork takes the next run from the queue itself and writes its job into a pipe, so that the worker knows whose lease
to renew, and which run to requeue when the fork ends early.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Sequence
from typing import Any

from rq.exceptions import InvalidJobOperation
from rq.executions import Execution
from rq.job import Job
from rq.queue import Queue
from rq.registry import StartedJobRegistry
from rq.worker import Worker

from shadowtime.workers.kinds import RUN, kind_of
from shadowtime.workers.queue import SERIALIZER
from shadowtime.workers.redis_names import Names

SHARED_SECONDS = 1.0
"""Seconds after which a fork takes no further run, so that nothing a run may leave in a process lasts."""
PIPE_BYTES = 1 << 16
"""Size of a pipe in Linux. A line has 200 bytes and a run takes 10 ms or more, so that a second fills a third."""


class JobPipe:
    """A pipe from a fork to its worker that tells which job the fork executes.

    It is made before the fork; then the fork calls `in_fork` and the worker `in_worker`, before all else.
    """

    def __init__(self) -> None:
        self._read, self._write = os.pipe()
        os.set_blocking(self._read, False)
        os.set_blocking(self._write, False)
        self._rest = b""

    def in_fork(self) -> None:
        """Keep the end to write to."""
        os.close(self._read)

    def in_worker(self) -> None:
        """Keep the end to read from."""
        os.close(self._write)

    def put(self, job: Job, execution: Execution) -> None:
        """Write which job the fork executes from now on."""
        line = json.dumps([job.id, job.origin, execution.id])
        os.write(self._write, line.encode() + b"\n")

    def latest(self, connection: Any) -> tuple[Job, Execution] | None:
        """Return the job that the fork began last; None where it began none since the last call."""
        try:
            self._rest += os.read(self._read, PIPE_BYTES)
        except BlockingIOError:
            return None
        *lines, self._rest = self._rest.split(b"\n")
        if not lines:
            return None
        job_id, origin, execution = json.loads(lines[-1])
        job = Job(job_id, connection=connection, serializer=SERIALIZER)
        job.origin = origin
        return job, Execution(execution, job_id, connection)

    def close(self) -> None:
        """Close the end to read from."""
        os.close(self._read)


class ForkingWorker(Worker):
    """RQ's forking worker; a job that is removed from the queue while a fork executes it is no error."""

    def handle_job_success(self, job: Job, queue: Queue, started_job_registry: StartedJobRegistry) -> None:
        try:
            super().handle_job_success(job, queue, started_job_registry)
        except InvalidJobOperation:  # its key is gone, or holds a heartbeat alone
            with self.connection.pipeline() as pipeline:
                self.cleanup_execution(job, pipeline)
                pipeline.delete(job.key)
                pipeline.execute()


def next_run(queues: Sequence[Queue], names: Names, is_ours: Callable[[Job, str], bool]) -> tuple[Job, Queue] | None:
    """Take the work that a worker would take next, if it is a run.

    Returns
    -------
    tuple or None
        The job and its queue; None where no work waits, the next is no run, or another worker took it first.
    """
    for queue in queues:
        first = queue.get_job_ids(0, 1)
        if not first:
            continue
        work = names.work(first[0])
        job = queue.fetch_job(first[0]) if kind_of(work) is RUN else None
        if job is None or not is_ours(job, work):
            return None
        # Several workers may see it; it belongs to the one that removes it.
        return (job, queue) if queue.connection.lrem(queue.key, 1, job.id) else None
    return None
