"""Workers and web processes that are forked from one warmed process.

To import and warm takes a worker 1.2 s of processor otherwise, a web process 2.3 s.
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Callable, Mapping
from multiprocessing import get_context
from pathlib import Path

CONTEXT = get_context("forkserver")
CONTEXT.set_forkserver_preload(["tests.workers.warmed"])


class Forked:
    """A process as `subprocess.Popen` gives one, which has a session, a folder and an environment of its own."""

    def __init__(self, folder: Path, environment: Mapping[str, str], target: Callable[..., None], *given: object):
        self._process = CONTEXT.Process(target=_begin, args=(str(folder), dict(environment), target, given))
        self._process.start()
        assert self._process.pid is not None
        self.pid = self._process.pid

    def poll(self) -> int | None:
        """Return the exit code (minus the signal that ended it), or None while it runs."""
        return self._process.exitcode

    def wait(self, timeout: float | None = None) -> int:
        """Return the exit code once it has ended; an error when it has not in time [s]."""
        self._process.join(timeout)
        if (code := self.poll()) is None:
            raise subprocess.TimeoutExpired("a forked process", timeout or 0.0)
        return code

    def send_signal(self, number: signal.Signals) -> None:
        """Send a signal, unless it has ended."""
        if self.poll() is None:
            os.kill(self.pid, number)


def _begin(folder: str, environment: dict[str, str], target: Callable[..., None], given: tuple[object, ...]) -> None:
    os.setsid()
    os.chdir(folder)
    os.environ.clear()
    os.environ.update(environment)
    target(*given)


def work(gated: bool) -> None:
    """Do what the command of a worker does, or what `tests.workers.gated_worker` does."""
    from shadowtime.workers import worker

    if gated:
        from tests.workers import gated_worker

        gated_worker.install()
    worker.warm = lambda: None
    sys.exit(worker.main())


def serve(*words: str) -> None:
    """Do what the command `gunicorn` does with those words."""
    from gunicorn.app.wsgiapp import run

    sys.argv = ["gunicorn", *words]
    run()
