"""Run a whole sweep on this machine: on all cores, without store or queue."""

from __future__ import annotations

import logging
import multiprocessing
import os
import time
from collections.abc import Callable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from typing import Any

from shadowtime.engine.errors import EngineError
from shadowtime.workers.sweeps import outcomes
from shadowtime.workers.sweeps.bench import Bench, Load
from shadowtime.workers.sweeps.outcomes import Outcomes
from shadowtime.workers.sweeps.spec import SweepSpec
from shadowtime.workers.warm import warm

log = logging.getLogger(__name__)

LONGEST_BATCH = 32
"""Runs that a process gets at once: few enough that progress moves and no core idles at the end."""
NEWS_EVERY = 0.1
"""Seconds between two progress messages."""
LOST = "its process ended without an answer; the run may need more memory than there is"

_BENCH: Bench | None = None
"""In a forked child: the cache that its runs share."""


def run_sweep(
    spec: SweepSpec,
    load: Load,
    on_progress: Callable[[str], None] = lambda sentence: None,
    *,
    processes: int | None = None,
) -> Outcomes:
    """Execute all runs of a sweep; `on_progress` gets a sentence with the progress and the expected time left.

    A failed run is part of the outcomes, and the others continue. Children are forked from a warmed parent.
    """
    found = Outcomes(spec)
    began = said = time.monotonic()
    for done, line in enumerate(lines(spec, load, processes=processes), 1):
        found.put(line)
        now = time.monotonic()
        if now - said > NEWS_EVERY or done == len(spec):
            said = now
            left = (now - began) / done * (len(spec) - done)
            on_progress(f"{done:,} of {len(spec):,} runs, about {left:.0f} s left")
    return found


def lines(spec: SweepSpec, load: Load, *, processes: int | None = None, first: int = 0) -> Iterator[dict[str, Any]]:
    """Yield the line of each run from number `first` as it ends, from so many processes of this machine (None: one a
    core)."""
    global _BENCH
    slugs = {variant["algorithm"] for variant in spec.variants}
    warm(slugs & {"fcfs", "easy"} or {"easy"})
    _BENCH = Bench(spec, load)
    try:
        yield from _lines(range(first, len(spec)), processes or os.cpu_count() or 1)
    finally:
        _BENCH = None


def run_one(bench: Bench, index: int) -> dict[str, Any]:
    """Return the line of one run, successful or not."""
    cell = bench.spec.cell(index)
    run = None
    try:
        question = bench.question(cell)
        run = question.spec.id
        summary = bench.execute(question).summary
    except (EngineError, MemoryError) as error:
        return outcomes.failed(index, run, str(error) or "needs more memory than there is")
    except Exception as error:
        log.exception("run %s of the sweep failed inside", run or index)
        return outcomes.failed(index, run, f"internal error ({type(error).__name__}: {error})"[:300])
    return outcomes.finished(index, question, summary, len(bench.spec.seeds) == 1)


def batches(numbers: range, processes: int) -> list[range]:
    """Split neighbouring numbers into some batches for each process."""
    size = max(1, min(LONGEST_BATCH, len(numbers) // (4 * processes)))
    return [numbers[first : first + size] for first in range(0, len(numbers), size)]


def _lines(numbers: range, processes: int) -> Iterator[dict[str, Any]]:
    """Yield lines as runs end. A batch whose process dies is repeated run by run, so that only the culprit fails."""
    todo = batches(numbers, processes)
    while todo:
        lost: list[range] = []
        for batch, lines in _pooled(todo, processes):
            if lines is not None:
                yield from lines
            elif len(batch) == 1:
                yield outcomes.failed(batch[0], None, LOST)
            else:
                lost += [range(index, index + 1) for index in batch]
        todo = lost


def _pooled(todo: list[range], processes: int) -> Iterator[tuple[range, list[dict[str, Any]] | None]]:
    """Yield batches with their lines, as they end; None for one whose process died.

    A dead process breaks its pool with all waiting batches; single runs get a pool each, so that none fails because of
    another.
    """
    fork = multiprocessing.get_context("fork")
    together = [todo] if len(todo[0]) > 1 or len(todo) == 1 else [[batch] for batch in todo]
    for some in together:
        with ProcessPoolExecutor(max_workers=min(processes, len(some)), mp_context=fork) as pool:
            waiting: dict[Future[list[dict[str, Any]]], range] = {pool.submit(_run, batch): batch for batch in some}
            while waiting:
                ended, _ = wait(waiting, return_when=FIRST_COMPLETED)
                for future in ended:
                    batch = waiting.pop(future)
                    try:
                        yield batch, future.result()
                    except BrokenProcessPool:
                        yield batch, None


def _run(batch: range) -> list[dict[str, Any]]:
    assert _BENCH is not None, "a child is forked while a sweep runs"
    return [run_one(_BENCH, index) for index in batch]
