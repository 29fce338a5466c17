"""Many independent runs of a study, over the cores of this machine, or wherever `instead` has them done."""

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
"""Ends that say how long a run takes: of a study that goes on, the first ones are read back at once."""

Run = Callable[[Callable[[Any], Any], Sequence[Any], Callable[[str], None]], list[Any]]

instead: ContextVar[Run | None] = ContextVar("instead", default=None)
"""Who runs the cells of the studies that are made now; None: the cores of this machine, and nothing is kept."""


def run_cells(
    function: Callable[[Any], Any],
    cells: Sequence[Any],
    tell: Callable[[str], None],
    *,
    processes: int | None = None,
) -> list[Any]:
    """`function` of each cell, in the order of `cells`; `tell` hears how far it is and how long it may take.

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
