"""Processes kept running together: started, their lines prefixed, restarted when lost, stopped in time.

honcho and foreman read the same Procfile, but end everything when one process ends. Here a killed worker
is replaced: its work is on disk, and the next one continues it.
"""

from __future__ import annotations

import contextlib
import os
import re
import shlex
import signal
import string
import subprocess
import sys
import threading
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

PATIENCE = 1.0
"""Seconds to end after a first signal, before a second one."""
GRACE = 0.4
"""Seconds after the second request, before processes are killed."""
SHORT_LIFE = 15.0
"""A process that ends sooner [s] waits before it is started again, so that a broken one does not spin."""
LONGEST_PAUSE = 10.0


def read_procfile(path: Path) -> dict[str, str]:
    """Names and commands of a Procfile, in its order. A command may hold $NAME; no shell runs it."""
    lines = re.findall(r"^([A-Za-z0-9_-]+):\s*(.+?)\s*$", path.read_text(encoding="utf-8"), re.MULTILINE)
    return dict(lines)


@dataclass
class Service:
    """One process that should be running; `process` is its current process."""

    name: str
    command: str
    process: subprocess.Popen | None = None
    started: float = 0.0
    short_lives: int = 0
    due: float = 0.0
    """When it is to be started (again), on the monotonic clock [s]."""

    @property
    def running(self) -> bool:
        return self.process is not None and self.process.poll() is None


class Services:
    """All processes of one set-up. The first of them serves the others: it is started first and stopped last."""

    def __init__(self, services: Sequence[Service], environment: Mapping[str, str], folder: Path):
        self.services = tuple(services)
        self.environment = dict(environment)
        self.folder = folder
        self.width = max(len(service.name) for service in services)

    def tend(self) -> None:
        """Start what is due and notice what has ended; call it a few times a second."""
        now = time.monotonic()
        for service in self.services:
            if service.process is None and now >= service.due:
                self._start(service, now)
            elif service.process is not None and service.process.poll() is not None:
                self._lost(service, now)

    def stop(self) -> None:
        """End everything within two seconds: a signal, a second one, then kill."""
        self._end(self.services[1:])
        self._end(self.services[:1])

    def say(self, line: str, name: str = "") -> None:
        """Write one line to the terminal, with the `name` of its process; from the first one that cannot be written on,
        write none."""
        try:
            print(f"{name.ljust(self.width)} | {line}" if name else line, flush=True)
        except OSError:  # our output was closed; the processes must neither end nor block on a full pipe
            sys.stdout = open(os.devnull, "w")  # noqa: SIM115

    def _start(self, service: Service, now: float) -> None:
        from shadowtime.workers.processes import end_with_parent

        service.started = now
        service.process = subprocess.Popen(
            shlex.split(string.Template(service.command).safe_substitute(self.environment)),
            cwd=self.folder,
            env=self.environment,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            start_new_session=True,  # Ctrl-C reaches us alone, and we end the others in order
            preexec_fn=end_with_parent,  # even when we are killed, nothing stays behind
        )
        threading.Thread(target=self._relay, args=(service.name, service.process), daemon=True).start()

    def _relay(self, name: str, process: subprocess.Popen) -> None:
        assert process.stdout is not None
        for line in process.stdout:
            self.say(line.decode("utf-8", "replace").rstrip(), name)

    def _lost(self, service: Service, now: float) -> None:
        assert service.process is not None
        code = service.process.returncode
        how = f"killed by {signal.Signals(-code).name}" if code < 0 else f"exit code {code}"
        service.short_lives = service.short_lives + 1 if now - service.started < SHORT_LIFE else 0
        pause = min(LONGEST_PAUSE, 2.0 ** (service.short_lives - 2)) if service.short_lives else 0.0
        service.process, service.due = None, now + pause
        self.say(f"ended ({how}); it is started again" + (f" in {pause:g} s" if pause else ""), service.name)

    def _end(self, services: Sequence[Service]) -> None:
        for sent, patience in ((signal.SIGTERM, PATIENCE), (signal.SIGTERM, GRACE), (signal.SIGKILL, GRACE)):
            left = [service.process for service in services if service.process and service.running]
            for process in left:
                _signal(process, sent)
            deadline = time.monotonic() + patience
            while time.monotonic() < deadline and any(process.poll() is None for process in left):
                time.sleep(0.01)


def _signal(process: subprocess.Popen, sent: signal.Signals) -> None:
    with contextlib.suppress(ProcessLookupError):
        os.killpg(process.pid, sent)
