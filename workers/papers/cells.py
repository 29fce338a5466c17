"""Execute many independent runs of a study on the cores of this machine, or on the executor that `instead` sets."""

from __future__ import annotations

import multiprocessing
import os
import time
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from contextvars import ContextVar
from functools import partial
from typing import Any, Protocol

from shadowtime.workers.papers.packed import key_of, packed, unpacked
from shadowtime.workers.warm import warm

RECENT = 33
"""Number of finished runs that predict the time left."""

Run = Callable[[Callable[[Any], Any], Sequence[Any], Callable[[str], None]], list[Any]]

instead: ContextVar[Run | None] = ContextVar("instead", default=None)
"""Executor of the cells of current studies; None: the cores of this machine, and nothing is stored."""


class Answers(Protocol):
    """Where answers of cells are stored: `records.papers.Study`."""

    def answers(self, keys: Sequence[str]) -> Mapping[str, Mapping[str, Any]]: ...

    def keep(self, key: str, seconds: float, value: Any) -> None: ...


def run_cells(
    function: Callable[[Any], Any],
    cells: Sequence[Any],
    progress: Callable[[str], None],
    *,
    processes: int | None = None,
    answers: Answers | None = None,
) -> list[Any]:
    """Return `function` of each cell, in the order of `cells`; `progress` gets a sentence with the time left.

    Children are forked from a warmed parent, so compiled code is loaded once.

    answers
        Where answers are looked up first, and stored as they come: a study that was stopped resumes there.
    """
    other = instead.get()
    if other is not None:
        return other(function, cells, progress)
    results: list[Any] = [None] * len(cells)
    open_cells = dict(enumerate(cells))
    if answers is not None:
        keys = [key_of(function, cell) for cell in cells]
        known = answers.answers(keys)
        for at, key in enumerate(keys):
            if key in known:
                results[at] = unpacked(known[key]["value"])
                del open_cells[at]
    if not open_cells:
        return results
    warm()
    ended = deque([time.perf_counter()], RECENT)
    fork = multiprocessing.get_context("fork")
    with ProcessPoolExecutor(max_workers=processes or os.cpu_count() or 1, mp_context=fork) as pool:
        waiting = {pool.submit(_timed, function, cell): at for at, cell in open_cells.items()}
        try:
            for done, future in enumerate(as_completed(waiting), 1 + len(cells) - len(open_cells)):
                at = waiting[future]
                results[at], seconds = future.result()
                if answers is not None:
                    answers.keep(key_of(function, cells[at]), seconds, packed(results[at]))
                ended.append(time.perf_counter())
                left = (ended[-1] - ended[0]) / (len(ended) - 1) * (len(cells) - done)
                progress(f"{done} of {len(cells)} runs, about {left:.0f} s left")
        except BaseException:
            pool.shutdown(wait=False, cancel_futures=True)  # else all other cells run before the error is seen
            raise
    return results


def resumable(answers: Answers) -> Run:
    """Return an executor on the cores of this machine that stores each answer, and continues where it was stopped."""
    return partial(run_cells, answers=answers)


def _timed(function: Callable[[Any], Any], cell: Any) -> tuple[Any, float]:
    """Return the answer of a cell and its processor time [s]."""
    began = time.process_time()
    return function(cell), time.process_time() - began
