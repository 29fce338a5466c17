"""Workers that are forked from one warmed process: to import and warm takes each 1.2 s of processor otherwise."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Mapping
from multiprocessing import get_context
from pathlib import Path

CONTEXT = get_context("forkserver")
CONTEXT.set_forkserver_preload(["tests.workers.warmed"])


class Forked:
    """A worker as `subprocess.Popen` gives one."""

    def __init__(self, folder: Path, environment: Mapping[str, str], *, gated: bool):
        self._process = CONTEXT.Process(target=_work, args=(str(folder), dict(environment), gated))
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
            raise subprocess.TimeoutExpired("a forked worker", timeout or 0.0)
        return code

    def send_signal(self, number: signal.Signals) -> None:
        """Send a signal, unless it has ended."""
        if self.poll() is None:
            os.kill(self.pid, number)


def _work(folder: str, environment: dict[str, str], gated: bool) -> None:
    """What the worker's command does, in a process that has a session, a folder and an environment of its own."""
    from shadowtime.workers import worker

    os.setsid()
    os.chdir(folder)
    os.environ.clear()
    os.environ.update(environment)
    if gated:
        from tests.workers import gated_worker

        gated_worker.install()
    worker.warm = lambda: None
    sys.exit(worker.main())
