"""A store, a real Redis or Valkey, and real forking workers, for tests that kill some of them."""

from __future__ import annotations

import os
import shlex
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from shadowtime.dashboard.cli.services import read_procfile
from shadowtime.workers import submit
from shadowtime.workers.connection import answers, connect
from shadowtime.workers.queue import RunQueue
from shadowtime.workers.redis_names import Names
from shadowtime.workers.redis_server import Server
from shadowtime.workers.store import open_store
from tests.workers.forked import Forked, work

ROOT = Path(__file__).resolve().parents[2]
PATHS = os.pathsep.join(dict.fromkeys([str(ROOT), *filter(None, os.environ.get("PYTHONPATH", "").split(os.pathsep))]))
"""PYTHONPATH of a process that finds the tests, and the same packages as these do."""
WEB = (sys.executable, "-m", *shlex.split(read_procfile(ROOT / "Procfile")["web"]))
"""Command of a web process."""
WORKER = (sys.executable, "-m", "shadowtime.workers.worker")
"""Command of a worker."""
DEADLINE = 30.0
"""Seconds that anything may take on a slow, shared machine."""

PAUSES = 0.01, 0.05
"""Seconds between two looks: the first, and the longest, half a second later."""


def wait_for(condition: Callable[[], Any], what: str, deadline: float = DEADLINE) -> Any:
    """The first true value of `condition`; an assertion error when there is none in time."""
    end, pause = time.monotonic() + deadline, PAUSES[0]
    while not (value := condition()):
        assert time.monotonic() < end, f"after {deadline:g} s there is still no: {what}"
        time.sleep(pause)
        pause = min(1.1 * pause, PAUSES[1])
    return value


def children(pid: int) -> list[int]:
    """Processes that another one has started."""
    found = subprocess.run(["ps", "-o", "pid=", "--ppid", str(pid)], capture_output=True, text=True, check=False)
    return [int(word) for word in found.stdout.split()]


class Lab:
    """Everything of one test below one folder; `close` ends what it started."""

    def __init__(self, folder: Path, port: int, database: str = ""):
        self.folder = folder
        self.gate = folder / "gate"
        self.port, self.database = port, database
        self.store = open_store(folder / "store", database)
        self.redis = Server(port)
        self.url = self.redis.url
        self.queue = RunQueue(connect(self.url), Names(self.store.identity))
        self.workers: list[subprocess.Popen | Forked] = []

    def __enter__(self) -> Lab:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def environment(self) -> dict[str, str]:
        return {
            **os.environ,
            "SHADOWTIME_STORE": str(self.folder / "store"),
            "SHADOWTIME_DATABASE": self.database,
            "REDIS_URL": self.url,
            "SHADOWTIME_TEST_GATE": str(self.gate),
            "PYTHONPATH": PATHS,
        }

    def start_redis(self) -> None:
        """A new, empty server on the same port."""
        self.redis = Server(self.port).start()

    def kill_redis(self) -> None:
        assert self.redis.process is not None
        self.redis.process.kill()
        self.redis.process.wait()
        assert not answers(self.url)

    def start_worker(self, *, gated: bool = False, by_command: bool = False) -> subprocess.Popen | Forked:
        """A worker that takes work; a gated one halts in each run until `open_gate`.

        It is forked from a warmed process, or (`by_command`) started by the command of the Procfile.
        """
        known = self.queue.health().workers
        worker: subprocess.Popen | Forked
        if by_command:
            assert not gated
            worker = subprocess.Popen(WORKER, cwd=ROOT, env=self.environment(), start_new_session=True)
        else:
            worker = Forked(ROOT, self.environment(), work, gated)
        self.workers.append(worker)
        wait_for(lambda: self.queue.health().workers > known or worker.poll() is not None, "worker", 60.0)
        assert worker.poll() is None, "the worker did not start"
        return worker

    def kill(self, worker: subprocess.Popen | Forked) -> None:
        """SIGKILL, as when a machine dies."""
        os.kill(worker.pid, signal.SIGKILL)
        worker.wait()

    def open_gate(self) -> None:
        self.gate.touch()

    def ask(self, seed: int = 0, jobs: int = 2000, algorithm: str = "easy", **request: Any) -> str:
        """Accept a run of a generated workload; gives its digest."""
        entry, _ = self.store.workloads.generate("uniform", {"jobs": jobs}, seed)
        question = {"workload": entry.id, "algorithm": algorithm, **request}
        return submit.accept(self.store, self.queue, question)[0].digest

    def status(self, digest: str) -> str:
        return self.store.runs.get(digest).status.status

    def wait_for_status(self, digest: str, status: str, deadline: float = DEADLINE) -> Any:
        """The run's status once it is `status`."""
        wait_for(lambda: self.status(digest) == status, f"{status} (it is {self.status(digest)})", deadline)
        return self.store.runs.get(digest).status

    def wait_for_segments(self, digest: str) -> int:
        """Rows that can be seen while the run goes on."""
        rows = wait_for(
            lambda: (
                self.store.runs.live(digest).rows("segments") or not self.store.runs.get(digest).status.is_unfinished
            ),
            "live segments",
        )
        assert self.status(digest) == "running", self.store.runs.get(digest).status
        return rows

    def close(self) -> None:
        for worker in self.workers:
            if worker.poll() is None:
                os.kill(worker.pid, signal.SIGKILL)
            worker.wait()
        self.redis.stop()
