"""Questions to the child processes, from any thread of the web process."""

from __future__ import annotations

import json
import logging
import os
import subprocess
import sys
import threading
from collections import Counter
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

from shadowtime.dashboard.access import visitors
from shadowtime.dashboard.access.refusal import Refusal
from shadowtime.dashboard.serving.threads import let_others_compute

ROOT = Path(__file__).resolve().parents[2]
CHILDREN = 2
"""Children that read files or draw workloads. As many may answer LOOKS, and one more any other question, so that no
submission waits for a file or a preview."""
FILES = ("add", "draw")
"""Questions that make a workload: each may take long, and writes much."""
LOOKS = ("fidelity", "preview", "priority", "site", "slurm_site")
"""Questions of viewers, who may send any number: one at a time of each client."""
PATIENCE = 20.0
"""Seconds that a question waits for a free child."""
MOST_WAITING = 24
"""Questions of a sort that wait for a free child, of all clients together: each holds a thread of the web process."""
MOST_WAITING_EACH = 12
"""The same, of one client."""
LONGEST = 300.0
"""Seconds that a child may take."""

BUSY = "Other requests are being read. Send it again in a moment."

log = logging.getLogger(__name__)


class Intake:
    """Up to `children` child processes for files and one more for questions, `children` of them for `LOOKS`; started
    when first needed and replaced when lost.

    environment
        Their environment beyond that of this process, such as the store's directory.
    """

    def __init__(self, environment: Mapping[str, str] | None = None, *, children: int = CHILDREN):
        self._environment = dict(environment or {})
        self._files, self._looks, self._questions = _Places(children), _Places(children), _Places(children + 1)
        self._free: list[_Child] = []

    def ask(self, question: str, /, *, timeout: float = LONGEST, **values: Any) -> Any:
        """The answer to a question of `questions.py`, whose arguments are `values`.

        A child that is lost over it may have been ended from outside, as by a system that runs out of memory: the
        question is sent once more, to a new child.

        Raises Refusal: what the question raised on purpose; 429 when all children are busy, or the client's previous
            look takes long; 400 when two were lost over it, or it took too long.
        """
        asked = {"question": question, "values": values}
        with let_others_compute(), self._place(question):
            try:
                try:
                    reply = self._ask(self._take(), asked, timeout)
                except _Ended:
                    reply = self._ask(_Child(self._environment), asked, timeout)
            except _Lost as lost:
                raise Refusal(400, str(lost)) from None
        if "error" in reply:
            raise Refusal(reply["status"], reply["error"])
        return reply["answer"]

    @contextmanager
    def _place(self, question: str) -> Iterator[None]:
        if question in FILES:
            with self._files.one():
                yield
        elif question in LOOKS:
            with self._looks.one(visitors.here().client), self._questions.one():
                yield
        else:
            with self._questions.one():
                yield

    def _ask(self, child: _Child, asked: Mapping[str, Any], timeout: float) -> dict[str, Any]:
        reply = child.ask(asked, timeout)
        self._free.append(child)
        return reply

    def _take(self) -> _Child:
        """The child that answered last (it holds the workload of the previous request), else a new one."""
        while True:
            try:
                child = self._free.pop()
            except IndexError:
                return _Child(self._environment)
            if child.alive:
                return child
            child.end()

    def close(self) -> None:
        """End the children that wait; for tests. In service they end with the web process."""
        while self._free:
            self._free.pop().end()


class _Places:
    """So many questions at a time, one of each named client; the others wait, but not where many wait already, nor for
    long."""

    def __init__(self, places: int):
        self._places = places
        self._changed = threading.Condition()
        self._held: Counter[str] = Counter()
        self._waiting: Counter[str] = Counter()

    @contextmanager
    def one(self, client: str = "") -> Iterator[None]:
        """A place, until the `with` ends; Refusal when there is none. Without a client it is not limited to one."""
        with self._changed:
            is_full = client and self._waiting[client] >= MOST_WAITING_EACH
            if is_full or self._waiting.total() >= MOST_WAITING:
                raise Refusal(429, BUSY)
            self._waiting[client] += 1
            is_free = self._changed.wait_for(lambda: self._is_free(client), PATIENCE)
            _less(self._waiting, client)
            if not is_free:
                raise Refusal(429, BUSY)
            self._held[client] += 1
        try:
            yield
        finally:
            with self._changed:
                _less(self._held, client)
                self._changed.notify_all()

    def _is_free(self, client: str) -> bool:
        return self._held.total() < self._places and not (client and self._held[client])


def _less(counts: Counter[str], client: str) -> None:
    """Count one less; clients without any are not kept."""
    counts[client] -= 1
    if not counts[client]:
        del counts[client]


class _Lost(Exception):
    """The child has gone, or had to be ended, over a question."""


class _Ended(_Lost):
    """The child has gone by itself."""


class _Child:
    def __init__(self, environment: Mapping[str, str]):
        self.process = subprocess.Popen(
            [sys.executable, "-m", "shadowtime.dashboard.intake"],
            cwd=ROOT,
            env={**os.environ, **environment},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
        )

    @property
    def alive(self) -> bool:
        return self.process.poll() is None

    def ask(self, question: Mapping[str, Any], timeout: float) -> dict[str, Any]:
        stdin, stdout = self.process.stdin, self.process.stdout
        assert stdin is not None and stdout is not None
        late = threading.Event()

        def give_up() -> None:
            late.set()
            self.process.kill()

        alarm = threading.Timer(timeout, give_up)
        alarm.daemon = True
        alarm.start()
        try:
            stdin.write(json.dumps(question).encode() + b"\n")
            stdin.flush()
            line = stdout.readline()
        except BrokenPipeError:
            line = b""
        finally:
            alarm.cancel()
        if line.endswith(b"\n"):
            return json.loads(line)
        self.end()
        if late.is_set():
            raise _Lost(f"It was given up after {timeout:g} s. Nothing was stored.")
        log.error("the intake ended with code %s over %s", self.process.returncode, question["question"])
        raise _Ended("It needs more memory than one request may use here. Nothing was stored.")

    def end(self) -> None:
        self.process.kill()
        self.process.wait()
        for pipe in (self.process.stdin, self.process.stdout):
            with suppress(BrokenPipeError):  # what it had not yet read of a question
                if pipe is not None:
                    pipe.close()
