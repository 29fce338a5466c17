"""Execute many independent runs of a study on the cores of this machine, or on the executor that `instead` sets."""

from __future__ import annotations

import multiprocessing
import os
import time
from collections import deque
from collections.abc import Callable, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from contextvars import ContextVar
from typing import Any

from shadowtime.engine.runner.warm import warm

RECENT = 33
"""Number of finished runs that predict the time left: cells that were computed earlier are read back at once."""

Run = Callable[[Callable[[Any], Any], Sequence[Any], Callable[[str], None]], list[Any]]

instead: ContextVar[Run | None] = ContextVar("instead", default=None)
"""Executor of the cells of current studies; None: the cores of this machine, and nothing is stored."""


def run_cells(
    function: Callable[[Any], Any],
    cells: Sequence[Any],
    tell: Callable[[str], None],
    *,
    processes: int | None = None,
) -> list[Any]:
    """Return `function` of each cell, in the order of `cells`; `tell` gets a sentence with the progress and time left.

    Children are forked from a warmed parent, so compiled code is loaded once.
    """
    other = instead.get()
    if other is not None:
        return other(function, cells, tell)
    warm()
    ended = deque([time.perf_counter()], RECENT)
    results: list[Any] = [None] * len(cells)
    fork = multiprocessing.get_context("fork")
    with ProcessPoolExecutor(max_workers=processes or os.cpu_count() or 1, mp_context=fork) as pool:
        waiting = {pool.submit(function, cell): at for at, cell in enumerate(cells)}
        for done, future in enumerate(as_completed(waiting), 1):
            results[waiting[future]] = future.result()
            ended.append(time.perf_counter())
            left = (ended[-1] - ended[0]) / (len(ended) - 1) * (len(cells) - done)
            tell(f"{done} of {len(cells)} runs, about {left:.0f} s left")
    return results
