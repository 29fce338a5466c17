"""Keep the workers of `shadowtime workers` running until they have no work left or a stop is requested."""

from __future__ import annotations

import os
import sys
import time
from pathlib import Path

from shadowtime.dashboard.cli.services import Service, Services
from shadowtime.dashboard.cli.up import TEND_EVERY, processes

PATIENCE = 20.0
"""Seconds that workers have to requeue their runs after a request to stop."""


class WorkerServices(Services):
    """Workers alone. One that is killed is restarted; one that ends by itself is not."""

    has_failed = False
    """A worker ended with an error."""

    def stop(self) -> None:
        """Signal all workers to stop, wait while they requeue their runs, and kill those that remain."""
        running = [service.process for service in self.services if service.process and service.running]
        for process in running:
            process.terminate()
        deadline = time.monotonic() + PATIENCE
        while time.monotonic() < deadline and any(process.poll() is None for process in running):
            time.sleep(0.01)
        super().stop()

    def _lost(self, service: Service, now: float) -> None:
        assert service.process is not None
        code = service.process.returncode
        if code < 0:
            super()._lost(service, now)
            return
        self.has_failed |= code != 0
        self.services = tuple(other for other in self.services if other is not service)
        self.say(f"ended (exit code {code})", service.name)


def serve(count: int, idle_end: int | None) -> int:
    """Run `count` workers in the foreground; return 1 if one of them ended with an error.

    Raises InvalidParameter: for a setting that every worker would refuse.
    """
    from shadowtime.workers.processes import StopRequest

    environment = worker_environment(idle_end)
    stopping = StopRequest.of_signals()
    workers = [service for service in processes(count) if service.name.startswith("worker.")]
    services = WorkerServices(workers, environment, Path.cwd())
    try:
        while services.services and not stopping.is_set():
            services.tend()
            stopping.wait(TEND_EVERY)
    finally:
        services.stop()
    return 1 if services.has_failed else 0


def worker_environment(idle_end: int | None) -> dict[str, str]:
    """Return the environment of the workers, checked: that of this process, with this Python first on the PATH."""
    from shadowtime.workers.connection import connect
    from shadowtime.workers.settings import Settings

    environment = {
        **os.environ,
        "PATH": os.pathsep.join([str(Path(sys.executable).parent), os.environ.get("PATH", os.defpath)]),
        "PYTHONUNBUFFERED": "1",
        "PYTHONSAFEPATH": "1",  # a file of the current folder must not stand in for a module
    }
    if idle_end is not None:
        environment["SHADOWTIME_IDLE_END"] = str(idle_end)
    connect(Settings.from_environment(environment).redis_url).close()
    return environment
