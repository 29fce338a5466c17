"""Threads that compute answers, a few at a time.

Python runs one thread at a time, and a thread that has waited for the disk, the database or a socket goes on only after
those that compute: with many requests at once, each of the short waits of a request lasts long. So a few threads take
one request after another, and one that has to wait for something slow lets another thread compute. Requests that can
wait let others go first, for a while. (Measured: `docs/explanation/reliability.md`, Load.)
"""

from __future__ import annotations

import heapq
import itertools
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

MOST, MOST_REMOTE = 2, 8
"""Requests that are computed at the same time; where the records or tables are on other machines, they mostly wait."""
STUCK = 0.25
"""Seconds without a change after which those that compute count as waiting, and one more may compute."""

_here = threading.local()


class Threads:
    """Threads that do tasks in the order in which they are due.

    Parameters
    ----------
    limit
        Number of threads, those that wait for something slow among them.
    most
        Number of threads that compute at the same time, unless all of these seem to wait for something.
    """

    def __init__(self, limit: int, most: int):
        self._limit, self._most = limit, most
        self._tasks: list[tuple[float, int, Callable[[], None]]] = []
        """A heap: when each is due, its number, and what it is."""
        self._numbers = itertools.count()
        self._changed = threading.Condition()
        self._since = 0.0
        """When a task began or ended last."""
        self._started = self._idle = self._computing = 0
        self._extra = 0
        """Threads that may compute beyond `most`, while as many as `most` go on."""

    @property
    def is_full(self) -> bool:
        """Whether a task waits for a thread that may compute."""
        return bool(self._tasks)

    def submit(self, task: Callable[[], None], patience: float = 0.0) -> None:
        """Have a thread do a task after all that are due before it: now, or in `patience` seconds."""
        due = time.monotonic() + patience
        with self._changed:
            heapq.heappush(self._tasks, (due, next(self._numbers), task))
            self._begin()

    def allow_more(self, now: float) -> None:
        """Let one more thread compute if tasks wait and none has begun or ended for STUCK seconds.

        To be called at least that often while `is_full`; `now` is the time of the steady clock [s].
        """
        with self._changed:
            if self._tasks and now - self._since > STUCK:
                self._extra += 1
                self._since = now
                self._begin()

    def stop(self) -> None:
        """Begin no other task."""
        with self._changed:
            self._tasks.clear()

    @contextmanager
    def waiting(self) -> Iterator[None]:
        """Let another thread compute meanwhile. This one goes on afterwards at once, beside `most` others."""
        with self._changed:
            self._leave()
            self._begin()
        try:
            yield
        finally:
            with self._changed:
                self._computing += 1

    @property
    def _may_begin(self) -> bool:
        return bool(self._tasks) and self._computing < self._most + self._extra

    def _begin(self) -> None:
        """Wake or start a thread, if there is a task and it may be computed."""
        if not self._may_begin:
            return
        if self._idle:
            self._idle -= 1
            self._changed.notify()
        elif self._started < self._limit:
            self._started += 1
            threading.Thread(target=self._work, name="answer", daemon=True).start()

    def _leave(self) -> None:
        self._computing -= 1
        self._since = time.monotonic()
        if self._computing < self._most:
            self._extra = 0

    def _work(self) -> None:
        _here.threads = self
        while True:
            with self._changed:
                while not self._may_begin:
                    self._idle += 1
                    self._changed.wait()
                _, _, task = heapq.heappop(self._tasks)
                self._computing += 1
                self._since = time.monotonic()
            try:
                task()
            except BaseException:  # this thread ends with it
                with self._changed:
                    self._started -= 1
                    self._leave()
                    self._begin()
                raise
            with self._changed:
                self._leave()


@contextmanager
def let_others_compute() -> Iterator[None]:
    """Let another of the threads compute while this one, if it is one of them, waits for a client, a process or a
    network."""
    threads: Threads | None = getattr(_here, "threads", None)
    if threads is None:
        yield
        return
    _here.threads = None
    try:
        with threads.waiting():
            yield
    finally:
        _here.threads = threads
