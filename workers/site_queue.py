"""Represent the machines of a real site as RQ queues, with a forking worker each.

Started as `python -m shadowtime.workers.site_queue SESSION MACHINE`.
"""

from __future__ import annotations

import json
import logging
import os
import subprocess
import sys
import time
from collections.abc import Iterable
from typing import Any

from rq.command import send_stop_job_command
from rq.exceptions import DeserializationError, InvalidJobOperation, NoSuchJobError
from rq.job import Job, JobStatus
from rq.queue import Queue
from rq.worker import Worker

from shadowtime.workers import processes
from shadowtime.workers.connection import connect, queue_away
from shadowtime.workers.queue import SERIALIZER

log = logging.getLogger("workers")

TASK = "shadowtime.workers.site_tasks.compute"
"""The one function that a machine runs."""
LONGEST = 3600
"""Seconds after which the worker kills a part of a job."""
LOST = (JobStatus.FAILED, JobStatus.STOPPED, JobStatus.CANCELED)


def name_of(session: str, machine: int) -> str:
    """Return RQ's name of the queue of a machine."""
    return f"shadowtime-site-{session}-{machine}"


class MachineWorker(Worker):
    """One machine: executes one part of a job at a time, and refuses other tasks."""

    def execute_job(self, job: Job, queue: Queue) -> None:
        """Execute a part of a job in a fork; refuse any other task."""
        try:
            is_part = job.func_name == TASK
        except DeserializationError:
            is_part = False
        if is_part:
            super().execute_job(job, queue)
        else:
            log.error("refused: the queue holds %r, which is not a part of a job", job.id)


class Machines:
    """Send parts of jobs to the machines of one session, and receive their answers."""

    def __init__(self, url: str, session: str, machines: int):
        self.url, self.session = url, session
        self.connection = connect(url, timeout=30.0)
        self.answers = f"shadowtime:site:{session}:answers"
        self.workers: list[subprocess.Popen[bytes]] = []
        self._queues = [
            Queue(name_of(session, m), connection=self.connection, serializer=SERIALIZER) for m in range(machines)
        ]

    def start(self) -> None:
        """Start a worker process for each machine; return when all are ready.

        Raises
        ------
        RuntimeError
            When one ends before it was ready.
        """
        for machine in range(len(self._queues)):
            self.workers.append(self._start(machine))
        for machine in range(len(self._queues)):
            self._await(machine)

    def restart(self, machine: int) -> None:
        """Start a new worker in place of one that ended."""
        self.workers[machine].wait()
        self.workers[machine] = self._start(machine)
        self._await(machine)

    def ended(self) -> list[int]:
        """Return the machines whose worker has ended."""
        return [m for m, worker in enumerate(self.workers) if worker.poll() is not None]

    def send(self, machine: int, key: str, job_class: int, units: int, group: str, parts: int) -> None:
        """Queue a part of a job on a machine; the `parts` of a `group` begin together."""
        with queue_away():
            self._queues[machine].enqueue_call(
                TASK, args=(self.url, self.answers, key, job_class, units, group, parts), job_id=self._id(key),
                timeout=LONGEST, result_ttl=0, failure_ttl=60,
            )  # fmt: skip

    def stop(self, key: str) -> None:
        """Stop a part: remove it from its queue, or kill its process."""
        with queue_away():
            for queue in self._queues:
                queue.remove(self._id(key))
            try:
                send_stop_job_command(self.connection, self._id(key), serializer=SERIALIZER)
            except (NoSuchJobError, InvalidJobOperation):
                return  # it has ended, or has not begun

    def lost(self, keys: Iterable[str]) -> list[str]:
        """Return the parts whose process ended without an answer."""
        found = []
        with queue_away():
            for key in keys:
                try:
                    job = Job.fetch(self._id(key), connection=self.connection, serializer=SERIALIZER)
                    if job.get_status() in LOST:
                        found.append(key)
                except NoSuchJobError:
                    continue  # it has finished: its answer is in transit
        return found

    def answer(self, timeout: float) -> tuple[str, float, float | None] | None:
        """Return (key, began, ended) of a part, on this machine's monotonic clock [s]; None after `timeout`.

        `ended` is None when the part has just begun.
        """
        with queue_away():
            found: Any = self.connection.blpop([self.answers], timeout=max(0.01, min(timeout, 10.0)))
        return None if found is None else tuple(json.loads(found[1]))

    def close(self) -> None:
        """End the workers and delete the session's queues."""
        for worker in self.workers:
            worker.kill()
        for worker in self.workers:
            worker.wait()
        with queue_away():
            for queue in self._queues:
                queue.delete(delete_jobs=True)
            self.connection.delete(self.answers)
        self.connection.close()

    def _id(self, key: str) -> str:
        return f"{self.session}-{key}"

    def _start(self, machine: int) -> subprocess.Popen[bytes]:
        command = [sys.executable, "-m", "shadowtime.workers.site_queue", self.url, self.session, str(machine)]
        alone = {**os.environ, "OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1"}  # a machine is one core
        return subprocess.Popen(command, stdout=subprocess.DEVNULL, env=alone)

    def _await(self, machine: int, deadline: float = 60.0) -> None:
        until = time.monotonic() + deadline
        while Worker.count(queue=self._queues[machine]) < 1:
            if self.workers[machine].poll() is not None or time.monotonic() > until:
                raise RuntimeError(f"the worker of machine {machine + 1} did not start")
            time.sleep(0.02)


def main(url: str, session: str, machine: str) -> None:
    """Execute parts of jobs until killed; ends with the parent process."""
    processes.end_with_parent()
    import shadowtime.workers.site_tasks  # noqa: F401  (the forks find it loaded)

    connection = connect(url, timeout=30.0)
    queue = Queue(name_of(session, int(machine)), connection=connection, serializer=SERIALIZER)
    worker = MachineWorker([queue], connection=connection, serializer=SERIALIZER, log_job_description=False)
    worker.work(logging_level="WARNING")


if __name__ == "__main__":
    main(*sys.argv[1:])
