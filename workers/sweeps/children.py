"""Fork processes that execute runs of a sweep and end with it: at its end, at Ctrl-C, or when the parent is killed."""

from __future__ import annotations

import multiprocessing
import os
import signal
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from multiprocessing.connection import Connection, wait
from multiprocessing.context import ForkProcess
from typing import Any, cast

from shadowtime.workers.processes import end_with_parent

FORK = multiprocessing.get_context("fork")
ENDS_WITHIN = 1.0
"""Seconds that an idle process gets to end by itself."""

Work = Callable[[int], dict[str, Any]]
"""Number of a run -> its line."""


class Child:
    """One process: it executes a range of runs and sends the line of each run as that ends."""

    def __init__(self, process: ForkProcess, pipe: Connection):
        self.process, self.pipe = process, pipe
        self.rest = range(0)
        """Runs that it has been given and not answered yet; it executes the first of them."""

    def give(self, batch: range) -> None:
        """Send the next batch; a process that has died is noticed by `receive`."""
        self.rest = batch
        with suppress(OSError):
            self.pipe.send(batch)

    def receive(self) -> dict[str, Any] | None:
        """Return the line of the current run; None if the process has died."""
        try:
            line = cast(dict[str, Any], self.pipe.recv())
        except (EOFError, OSError):
            return None
        self.rest = self.rest[1:]
        return line

    def end(self) -> int | None:
        """Kill the process, wait for it, and return its exit code, which is negative for a signal."""
        self.process.kill()
        self.process.join()
        self.pipe.close()
        return self.process.exitcode


class Children:
    """Processes of one sweep. None is left when the context ends, whatever ended it."""

    def __init__(self, work: Work, most: int):
        self._work, self._most = work, most
        self._all: list[Child] = []

    def __enter__(self) -> Children:
        return self

    def __exit__(self, kind: type[BaseException] | None, *error: object) -> None:
        with deferred_signals():
            for child in self._all:
                if kind is None:
                    child.pipe.close()  # what it reads ends, and so does it
                    child.process.join(ENDS_WITHIN)
                else:
                    child.process.kill()
            for child in self._all:
                child.end()

    def free(self) -> Child | None:
        """Return a process without work, started if need be; None when all are busy."""
        idle = next((child for child in self._all if not child.rest), None)
        return self._start() if idle is None and len(self._all) < self._most else idle

    def ready(self) -> list[Child]:
        """Wait for busy processes that have sent a line or have died; return them, none if no process is busy."""
        busy = {child.pipe: child for child in self._all if child.rest}
        return [busy[cast(Connection, pipe)] for pipe in wait(list(busy))] if busy else []

    def remove(self, child: Child) -> int | None:
        """Forget a process that has died, and return its exit code."""
        with deferred_signals():
            self._all.remove(child)
            return child.end()

    def _start(self) -> Child:
        with deferred_signals():
            ours, theirs = FORK.Pipe()
            inherited = [*(child.pipe for child in self._all), ours]
            process = FORK.Process(target=_serve, args=(self._work, theirs, inherited, os.getpid()))
            process.start()
            theirs.close()
            self._all.append(Child(process, ours))
        return self._all[-1]


@contextmanager
def deferred_signals() -> Iterator[None]:
    """Call the handlers of SIGINT and SIGTERM at the end of the block: neither a fork nor its end is interrupted.

    Python calls handlers in the main thread alone; in other threads this does nothing.
    """
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    arrived: list[tuple[int, Any]] = []
    known = {number: signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM)}
    replaced = {number: handler for number, handler in known.items() if callable(handler)}
    try:
        for number in replaced:
            signal.signal(number, lambda *given: arrived.append(given))
        yield
    finally:
        for number, handler in replaced.items():
            signal.signal(number, handler)
        for sent, frame in arrived[:1]:
            replaced[signal.Signals(sent)](sent, frame)


def _serve(work: Work, pipe: Connection, inherited: Sequence[Connection], parent: int) -> None:
    """Execute batches until the pipe ends. The parent decides what a signal of the terminal means."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    end_with_parent()
    if os.getppid() != parent:
        return
    for one in inherited:  # an end that stays open here would hide that the parent has gone
        one.close()
    with suppress(EOFError, ConnectionError):
        while True:
            for index in pipe.recv():
                pipe.send(work(index))
