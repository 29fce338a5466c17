"""One worker's share of a study: cells that nobody has yet, each answer kept, so that any process may die meanwhile.

Every worker that takes part runs the same study. Where it asks for its cells, it takes those that are neither
answered nor claimed, and waits for the others: all have all answers in the end, and the first writes the report.
"""

from __future__ import annotations

import secrets
import threading
import time
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

from redis import Redis
from redis.exceptions import RedisError

from shadowtime.engine.runner.warm import warm
from shadowtime.workers.papers.kept import Place
from shadowtime.workers.papers.packed import key_of, packed, unpacked

CLAIM_SECONDS = 8
"""A claim of a process that says nothing for so long holds no more."""
RENEW_EVERY = 2.0
REPORT_EVERY = 0.5
PAUSE = 0.1
"""Seconds between two looks whether others have answered."""


class ShiftOver(Exception):
    """Others want this worker, or nobody wants the study: what is answered is kept."""


class Share:
    """Answers cells of `place` together with whoever else does.

    expected
        Cells that the whole study has, as far as known: for the time left.
    is_over
        Whether this worker must stop here; asked between cells.
    """

    def __init__(
        self, place: Place, connection: Redis, expected: int, is_over: Callable[[], bool], *, warmed: bool = False
    ):
        self._place, self._connection = place, connection
        self._expected, self._is_over = expected, is_over
        self._me = secrets.token_hex(8)
        self._claimed: str | None = None
        self._before = 0
        self._began, self._first = time.monotonic(), len(place.known())
        self._told = 0.0
        self._stopping = threading.Event()
        self._warmed = warmed

    def __enter__(self) -> Share:
        threading.Thread(target=self._renew, name="claim", daemon=True).start()
        return self

    def __exit__(self, *error: object) -> None:
        self._stopping.set()
        self._release()

    def run(self, function: Callable[[Any], Any], cells: Sequence[Any], tell: Callable[[str], None]) -> list[Any]:
        """`function` of each cell, in the order of `cells`, whoever answered it.

        Raises
        ------
        ShiftOver
            When this worker must stop before all are answered.
        """
        if not self._warmed:
            warm()
            self._warmed = True
        keys = [key_of(function, cell) for cell in cells]
        open_cells = dict(zip(keys, cells, strict=True))
        for key in self._place.known():
            open_cells.pop(key, None)
        while open_cells:
            progressed = False
            for key in list(open_cells):
                self._check(len(keys))
                if self._place.answer(key) is not None:
                    del open_cells[key]
                elif self._claim(key):
                    began = time.process_time()
                    value = packed(function(open_cells[key]))
                    self._place.keep(key, time.process_time() - began, value)
                    self._release()
                    del open_cells[key]
                    progressed = True
            if open_cells and not progressed:
                time.sleep(PAUSE)
        self._before += len(keys)
        return [unpacked(self._answer(key)) for key in keys]

    def _answer(self, key: str) -> Any:
        found = self._place.answer(key)
        if found is None:  # somebody finished the study, or began it anew, since we looked
            raise ShiftOver
        return found["value"]

    def _check(self, cells: int) -> None:
        """Say how far it is now and then; end here if need be."""
        now = time.monotonic()
        if now - self._told < REPORT_EVERY:
            return
        self._told = now
        done = len(self._place.known())
        total = max(self._expected, self._before + cells, done)
        speed = (done - self._first) / (now - self._began)
        left = (total - done) / speed if done > self._first else None
        self._place.report({"done": done, "total": total, "seconds_left": left})
        if self._is_over():
            raise ShiftOver

    def _claim(self, key: str) -> bool:
        """It is ours to answer; without Redis nobody knows, and answering twice does no harm."""
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
        return f"shadowtime:paper:{self._place.name}-{self._place.scale}:{key}"

    def _quietly(self, action: Callable[[], object]) -> None:
        try:
            action()
        except RedisError:
            return  # a claim that is not renewed expires: the cell may be answered twice, alike
