"""Execute several short runs in one fork: a fork costs more than a short run, since it copies each page it writes to.

The fork takes the next run from the queue itself and writes it into a pipe, so that the worker knows which run to keep
alive, to requeue or to record as lost.
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable, Sequence
from typing import Any

from rq.executions import Execution
from rq.job import Job
from rq.queue import Queue

from shadowtime.workers import small
from shadowtime.workers.kinds import RUN, kind_of
from shadowtime.workers.queue import SERIALIZER
from shadowtime.workers.redis_names import Names

LONGEST = 1.0
"""Seconds after which a fork takes no further run: what a run may leave in a process does not last."""
MOST = 1 << 16
"""Bytes that a pipe holds at least; the lines of LONGEST seconds are a third of it."""


class Turns:
    """What a fork executes, from the fork to its worker. Made before the fork; each side calls its own method first."""

    def __init__(self) -> None:
        self._read, self._write = os.pipe()
        os.set_blocking(self._read, False)
        os.set_blocking(self._write, False)
        self._rest = b""

    def in_fork(self) -> None:
        """Keep the end of the fork."""
        os.close(self._read)

    def in_worker(self) -> None:
        """Keep the end of the worker."""
        os.close(self._write)

    def put(self, job: Job, execution: Execution) -> None:
        """Say which job the fork executes from now on."""
        line = json.dumps([job.id, job.origin, execution.id])
        os.write(self._write, line.encode() + b"\n")

    def latest(self, connection: Any) -> tuple[Job, Execution] | None:
        """Return the job that the fork began last since the last call; None for no other."""
        try:
            self._rest += os.read(self._read, MOST)
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
        """Close the end of the worker."""
        os.close(self._read)


def has_compiled_code() -> bool:
    """Return whether this process has loaded compiled code; without it only small runs are executed in their time."""
    kernel = sys.modules.get(small.KERNEL)
    return kernel is not None and not kernel.PLAIN


def next_run(queues: Sequence[Queue], names: Names, is_ours: Callable[[Job, str], bool]) -> tuple[Job, Queue] | None:
    """Take the work that a worker would take next, if it is a run as this project queues it; None where it is not, or
    another worker was faster."""
    for queue in queues:
        first = queue.get_job_ids(0, 1)
        if not first:
            continue
        work = names.work(first[0])
        job = queue.fetch_job(first[0]) if kind_of(work) is RUN else None
        if job is None or not is_ours(job, work):
            return None
        # Of several workers that see it, the one that removes it has it.
        return (job, queue) if queue.connection.lrem(queue.key, 1, job.id) else None
    return None
