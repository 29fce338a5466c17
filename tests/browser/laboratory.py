"""The whole product in processes of its own, as `shadowtime up` keeps them, for tests that look through a browser.

Gated workers are real, but hold every run after its first slices until `gate` is there: the compiled engine would
finish any workload of a test before a page could show it.
"""

from __future__ import annotations

import json
import os
import signal
import sys
import threading
import urllib.error
import urllib.request
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from shadowtime.dashboard.cli.services import Service, Services, read_procfile
from tests.workers.lab import wait_for

ROOT = Path(__file__).resolve().parents[2]
DEADLINE = 60.0
"""Seconds that anything may take on a slow, shared machine."""


class Laboratory:
    """Redis, the web process and `workers` workers on ports of their own, with a new store in `folder`."""

    def __init__(self, folder: Path, port: int, redis_port: int, workers: int = 2, *, gated: bool = True):
        self.url = f"http://127.0.0.1:{port}"
        self.gate = folder / "gate"
        commands = read_procfile(ROOT / "Procfile")
        lines = [Service("redis", commands["redis"]), Service("web", commands["web"])]
        worker = "python -m tests.workers.gated_worker" if gated else commands["worker"]
        lines += [Service(f"worker.{i + 1}", worker) for i in range(workers)]
        environment = {
            **os.environ,
            "PATH": os.pathsep.join([str(Path(sys.executable).parent), os.environ.get("PATH", os.defpath)]),
            "HOST": "127.0.0.1",
            "PORT": str(port),
            "REDIS_URL": f"redis://127.0.0.1:{redis_port}/0",
            "SHADOWTIME_STORE": str(folder / "store"),
            "SHADOWTIME_TEST_GATE": str(self.gate),
            "PYTHONUNBUFFERED": "1",
        }
        self._workers = workers
        self._services = Services(lines, environment, ROOT)
        self._lock = threading.Lock()
        self._stopping = threading.Event()
        self._ready = threading.Event()
        # A process asks to end with the thread that started it, so one thread starts and tends them all.
        self._tending = threading.Thread(target=self._tend, daemon=True)

    def __enter__(self) -> Laboratory:
        self._tending.start()
        try:
            wait_for(lambda: self.health().get("workers") == self._workers, "laboratory with all its workers", DEADLINE)
        except BaseException:
            self.__exit__()
            raise
        return self

    def __exit__(self, *error: object) -> None:
        self._stopping.set()
        self._tending.join()

    def _tend(self) -> None:
        try:
            while not self._stopping.is_set():
                with self._lock:
                    self._services.tend()
                self._stopping.wait(0.05)
        finally:
            self._services.stop()

    def kill(self, name: str, *, for_good: bool = False) -> None:
        """SIGKILL; `for_good`: it is not started again before `restore`."""
        with self._lock:
            service = self._service(name)
            assert service.process is not None
            os.kill(service.process.pid, signal.SIGKILL)
            service.process.wait()
            if for_good:
                service.process, service.due = None, float("inf")

    def restore(self, name: str) -> None:
        """Start again what was killed for good."""
        self._service(name).due = 0.0

    def _service(self, name: str) -> Service:
        return next(service for service in self._services.services if service.name == name)

    def open_gate(self) -> None:
        """Let every run go on to its end."""
        self.gate.touch()

    def health(self) -> Mapping[str, Any]:
        """What /healthz says, also when it says it with 503; empty before anything answers."""
        try:
            return self._ask("/healthz")
        except urllib.error.HTTPError as error:
            return json.load(error)
        except OSError:
            return {}

    def run(self, run_id: str) -> Any:
        """A run as the API gives it."""
        return self._ask(f"/api/runs/{run_id}")

    def runs(self) -> list[Any]:
        """All runs, newest first."""
        return self._ask("/api/runs")["runs"]

    def draw(self, jobs: int = 2000, seed: int = 0) -> str:
        """Store a uniform workload; gives its id."""
        question = {"generator": "uniform", "parameters": {"jobs": jobs}, "seed": seed}
        return self._ask("/api/workloads", question)["id"]

    def queue(self, workload: str, algorithm: str, **question: Any) -> str:
        """Queue a run; gives its id."""
        return self._ask("/api/runs", {"workload": workload, "algorithm": algorithm, **question})["id"]

    def wait_for_status(self, run_id: str, status: str) -> Any:
        """The run once it is so."""
        wait_for(lambda: self.run(run_id)["status"] == status, f"run that is {status}", DEADLINE)
        return self.run(run_id)

    def _ask(self, path: str, question: Mapping[str, Any] | None = None) -> Any:
        body = None if question is None else json.dumps(question).encode()
        request = urllib.request.Request(self.url + path, body, {"Content-Type": "application/json"})
        with urllib.request.urlopen(request, timeout=30) as answer:
            return json.load(answer)
