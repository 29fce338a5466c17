"""Questions that were understood before: which runs a request is about, without a child that reads its workload.

The same words about the same workload are the same question for as long as this process lives: they are understood
once, also when many ask at the same time.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Mapping
from concurrent.futures import Future
from threading import Lock
from typing import Any

from cachetools import LRUCache

from shadowtime.dashboard.access.guard import Guarded
from shadowtime.workers.spec import canonical
from shadowtime.workers.version import sources_version

MOST_BYTES = 4_000_000
"""Of the questions that are kept: some four thousand."""
OBJECTS = 400
"""Bytes of a question beside its letters."""

Answer = list[dict[str, Any]]


class Understood:
    """What requests are about, by their words.

    Parameters
    ----------
    ask
        Understands a request, as the intake does; what it raises goes to all who ask the same at that time.
    """

    def __init__(self, ask: Callable[[Mapping[str, Any]], Answer], most_bytes: int = MOST_BYTES):
        self._ask = ask
        self._kept: LRUCache[str, tuple[int, str]] = LRUCache(most_bytes, getsizeof=lambda kept: kept[0])
        self._asked: dict[str, Future[Answer]] = {}
        self._lock = Lock()

    def runs(self, key: str | None, question: Mapping[str, Any]) -> Answer:
        """Return the `spec` and the number of `jobs` of each run that a request asks for; `key` is its `key_of`."""
        if key is None:
            return self._ask(question)
        with self._lock:
            found = self._kept.get(key)
            if found is not None:
                return json.loads(found[1])
            future = self._asked.get(key)
            is_first = future is None
            if future is None:
                future = self._asked[key] = Future()
        if is_first:
            self._understand(key, question, future)
        return future.result()

    def _understand(self, key: str, question: Mapping[str, Any], future: Future[Answer]) -> None:
        try:
            answer = self._ask(question)
        except BaseException as error:
            future.set_exception(error)
        else:
            text = canonical(answer)
            size = len(key) + len(text) + OBJECTS
            with self._lock:
                if size <= self._kept.maxsize:
                    self._kept[key] = size, text
            future.set_result(answer)
        finally:
            with self._lock:
                del self._asked[key]


def key_of(store: Guarded, question: Mapping[str, Any]) -> str | None:
    """Return a text for all requests in these words about this workload; None for what is no question.

    Raises
    ------
    NotFound
        For a workload that is not in the `store`.
    """
    if not isinstance(question.get("workload"), str):
        return None
    reference, _, case = question["workload"].partition("#")
    return canonical({**question, "workload": [store.workloads.get(reference).digest, case]})


def words_of(key: str | None, owner: str | None) -> str | None:
    """Return a digest of a request by `owner` for the records; None for what is no question. It covers the version of
    all sources, which decide how a request is understood."""
    return key and hashlib.sha256(canonical([key, owner, sources_version()]).encode()).hexdigest()
