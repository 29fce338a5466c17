"""Execute a few small runs without compiled code: while workers compile, the first example need not wait for them.

numba takes a minute to compile on a new machine, the interpreter takes milliseconds for a few jobs. Answers are the
same to the last bit.
"""

from __future__ import annotations

import json
import os
import select
import subprocess
import sys
import threading
from collections.abc import Mapping, Sequence
from pathlib import Path

LONGEST = 60.0
"""Seconds after which the runs are left to the workers."""
PLACE = Path(__file__).resolve().parents[1]


class Interpreter:
    """A process of this web process that executes accepted runs, started when it is first needed.

    environment
        Variables by which it finds the store and the queue.
    """

    def __init__(self, environment: Mapping[str, str]):
        self._environment = {**environment, "NUMBA_DISABLE_JIT": "1"}
        self._process: subprocess.Popen[bytes] | None = None
        self._lock = threading.Lock()

    def prepare(self) -> None:
        """Start the process if it is not there; importing takes it seconds, which then pass before they are needed."""
        if self._lock.acquire(blocking=False):
            try:
                self._running()
            finally:
                self._lock.release()

    def execute(self, digests: Sequence[str]) -> bool:
        """Execute accepted runs, wait for them, and return whether all have finished.

        A run that a worker has taken meanwhile is left to that worker, and one that is not executed stays queued.
        """
        with self._lock:
            process = self._running()
            stdin, stdout = process.stdin, process.stdout
            assert stdin is not None and stdout is not None
            try:
                stdin.write(json.dumps(list(digests)).encode() + b"\n")
                stdin.flush()
                answered = select.select([stdout], [], [], LONGEST)[0] and stdout.readline()
            except BrokenPipeError:
                answered = b""
            if not answered:
                self._end()
            return answered == b"finished\n"

    def close(self) -> None:
        """End the process."""
        with self._lock:
            self._end()

    def _running(self) -> subprocess.Popen[bytes]:
        if self._process is None or self._process.poll() is not None:
            self._end()
            self._process = subprocess.Popen(
                [sys.executable, "-m", "shadowtime.workers.interpreting"],
                env={**os.environ, **self._environment},
                cwd=PLACE,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
            )
        return self._process

    def _end(self) -> None:
        process, self._process = self._process, None
        if process is not None:
            process.kill()
            process.communicate()
