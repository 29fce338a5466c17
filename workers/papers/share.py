"""Execute one worker's share of a study: unclaimed cells, each result stored, so that any process may be killed.

Every worker that takes part runs the same study. For a list of cells it computes those that have neither a result nor a
claim, and waits for the others: in the end each worker has all results, and the first one writes the report.
"""

from __future__ import annotations

import secrets
import threading
import time
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

from redis.exceptions import RedisError

from shadowtime.workers.papers.packed import key_of, packed, unpacked
from shadowtime.workers.queue import RunQueue
from shadowtime.workers.records.papers import Study
from shadowtime.workers.warm import warm

CLAIM_SECONDS = 8
"""A claim that is not renewed expires after this time."""
RENEW_EVERY = 2.0
REPORT_EVERY = 0.5
PAUSE = 0.1
"""Seconds between two checks for results of other workers."""


class ShiftOver(Exception):
    """Other work waits for this worker, or the study was cancelled: results so far are stored."""


class Share:
    """Compute cells of a study together with other workers.

    expected
        Cells of the whole study, if known: for the time left.
    is_over
        Whether this worker must stop; called between cells.
    """

    def __init__(
        self, study: Study, queue: RunQueue, expected: int, is_over: Callable[[], bool], *, warmed: bool = False
    ):
        self._study, self._connection, self._names = study, queue.connection, queue.names
        self._expected, self._is_over = expected, is_over
        self._me = secrets.token_hex(8)
        self._claimed: str | None = None
        self._before = 0
        self._began, self._first = time.monotonic(), study.count()
        self._reported = 0.0
        self._stopping = threading.Event()
        self._warmed = warmed

    def __enter__(self) -> Share:
        threading.Thread(target=self._renew, name="claim", daemon=True).start()
        return self

    def __exit__(self, *error: object) -> None:
        self._stopping.set()
        self._release()

    def run(self, function: Callable[[Any], Any], cells: Sequence[Any], tell: Callable[[str], None]) -> list[Any]:
        """Return `function` of each cell, in the order of `cells`, computed by any worker.

        Raises
        ------
        ShiftOver
            When this worker must stop before all are answered.
        """
        if not self._warmed:
            warm()
            self._warmed = True
        keys = [key_of(function, cell) for cell in cells]
        by_key = dict(zip(keys, cells, strict=True))
        answers = self._study.answers(list(by_key))
        while missing := {key: cell for key, cell in by_key.items() if key not in answers}:
            self._compute(function, missing, len(keys))
            answers = self._study.answers(list(by_key))
            if len(answers) < len(by_key) and self._is_over():  # another worker has finished the study
                raise ShiftOver
        self._before += len(keys)
        return [unpacked(answers[key]["value"]) for key in keys]

    def _compute(self, function: Callable[[Any], Any], open_cells: dict[str, Any], cells: int) -> None:
        """Compute cells by key until each has an answer, of this worker or another."""
        while open_cells:
            progressed = False
            for key in list(open_cells):
                self._check(cells)
                if self._study.answer(key) is not None:
                    del open_cells[key]
                elif self._claim(key):
                    if self._study.answer(key) is None:  # kept, and its claim released, since it was looked for
                        began = time.process_time()
                        value = packed(function(open_cells[key]))
                        self._study.keep(key, time.process_time() - began, value)
                    self._release()
                    del open_cells[key]
                    progressed = True
            if open_cells and not progressed:
                time.sleep(PAUSE)

    def _check(self, cells: int) -> None:
        """Report the progress at intervals; raise ShiftOver when this worker must stop."""
        now = time.monotonic()
        if now - self._reported < REPORT_EVERY:
            return
        self._reported = now
        done = self._study.count()
        total = max(self._expected, self._before + cells, done)
        speed = (done - self._first) / (now - self._began)
        left = (total - done) / speed if done > self._first else None
        self._study.report({"done": done, "total": total, "seconds_left": left})
        if self._is_over():
            raise ShiftOver

    def _claim(self, key: str) -> bool:
        """Claim a cell; without Redis there are no claims, and computing a cell twice is harmless."""
        try:
            taken = self._connection.set(self._name(key), self._me, nx=True, ex=CLAIM_SECONDS)
        except RedisError:
            taken = True
        if taken:
            self._claimed = key
        return bool(taken)

    def _release(self) -> None:
        key, self._claimed = self._claimed, None
        if key is not None:
            self._quietly(partial(self._connection.delete, self._name(key)))

    def _renew(self) -> None:
        while not self._stopping.wait(RENEW_EVERY):
            key = self._claimed
            if key is not None:
                self._quietly(partial(self._connection.expire, self._name(key), CLAIM_SECONDS))

    def _name(self, key: str) -> str:
        return self._names.key(f"paper:{self._study.name}-{self._study.scale}:{key}")

    def _quietly(self, action: Callable[[], object]) -> None:
        try:
            action()
        except RedisError:
            return  # a claim that is not renewed expires: the cell may be computed twice, with the same result
