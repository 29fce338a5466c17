"""Run a whole sweep on this machine: on all cores, without store or queue."""

from __future__ import annotations

import os
import time
from collections import deque
from collections.abc import Callable, Generator
from contextlib import closing
from typing import Any

from shadowtime.workers.sweeps import outcomes
from shadowtime.workers.sweeps.bench import Bench, Load
from shadowtime.workers.sweeps.children import Children, Work
from shadowtime.workers.sweeps.failed import line_of, logged, source_of
from shadowtime.workers.sweeps.outcomes import Outcomes
from shadowtime.workers.sweeps.spec import SweepSpec
from shadowtime.workers.sweeps.time_left import TimeLeft
from shadowtime.workers.warm import warm

LONGEST_BATCH = 32
"""Runs that a process gets at once: few enough that no core idles at the end."""
NEWS_EVERY = 0.1
"""Seconds between two progress messages."""
LOST = "its process ended without an answer; the run may need more memory than there is, or its code ended the process"


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
    found, left = Outcomes(spec), TimeLeft(len(spec), at_a_time(processes))
    said = time.monotonic()
    with closing(lines(spec, load, processes=processes)) as ended:
        for done, line in enumerate(ended, 1):
            found.put(line)
            left.add(line)
            now = time.monotonic()
            if now - said > NEWS_EVERY or done == len(spec):
                said = now
                on_progress(left.sentence())
    return found


def lines(
    spec: SweepSpec, load: Load, *, processes: int | None = None, first: int = 0
) -> Generator[dict[str, Any], None, None]:
    """Yield the line of each run from number `first` as it ends, from so many processes of this machine (None: one a
    core).

    Close it where it is not read to its end: that ends the processes.
    """
    slugs = {variant["algorithm"] for variant in spec.variants}
    warm(slugs & {"fcfs", "easy"} or {"easy"})
    processes = at_a_time(processes)
    todo = batches(range(first, len(spec)), processes)
    with closing(_lines(timed(Bench(spec, load)), todo, processes)) as ended:
        yield from logged(ended, set())


def at_a_time(processes: int | None) -> int:
    """Return how many runs are executed at a time; None: one a core."""
    return processes or os.cpu_count() or 1


def timed(bench: Bench) -> Work:
    """Return `run_one` with the duration of each run in its line [s].

    The first run of an algorithm in a process has none: it also loads or compiles code.
    """
    known: set[str] = set()

    def work(index: int) -> dict[str, Any]:
        began = time.monotonic()
        line = run_one(bench, index)
        slug = bench.spec.variants[bench.spec.cell(index).variant]["algorithm"]
        if slug in known:
            line["took"] = time.monotonic() - began
        known.add(slug)
        return line

    return work


def run_one(bench: Bench, index: int) -> dict[str, Any]:
    """Return the line of one run, successful or not; `failed.logged` takes the traceback out of it."""
    cell, is_single = bench.spec.cell(index), len(bench.spec.seeds) == 1
    run = None
    try:
        question = bench.question(cell)
        run = question.spec.id
        summary = bench.execute(question, has_intervals=is_single).summary
    except (Exception, SystemExit) as error:
        slug = bench.spec.variants[cell.variant]["algorithm"]
        if isinstance(error, SystemExit) and source_of(error, slug) is None:
            raise
        return line_of(error, index, run, slug)
    return outcomes.finished(index, question, summary, is_single)


def batches(numbers: range, processes: int) -> list[range]:
    """Split neighbouring numbers into some batches for each process."""
    size = max(1, min(LONGEST_BATCH, len(numbers) // (4 * processes)))
    return [numbers[first : first + size] for first in range(0, len(numbers), size)]


def _lines(work: Work, todo: list[range], processes: int) -> Generator[dict[str, Any], None, None]:
    """Yield lines as runs end. A run whose process dies is repeated alone at the end: others that ran at the same time
    may have taken its memory."""
    waiting, repeated = deque(todo), []
    with Children(work, min(processes, len(todo))) as children:
        while True:
            while waiting and (child := children.free()):
                child.give(waiting.popleft())
            if not (ready := children.ready()):
                break
            for child in ready:
                line = child.receive()
                if line is not None:
                    yield line
                    continue
                children.remove(child)
                repeated.append(child.rest[0])
                if child.rest[1:]:
                    waiting.appendleft(child.rest[1:])
    for index in repeated:
        yield _alone(work, index)


def _alone(work: Work, index: int) -> dict[str, Any]:
    """Return the line of a run that has a process of its own."""
    with Children(work, 1) as children:
        child = children.free()
        assert child is not None
        child.give(range(index, index + 1))
        children.ready()
        return child.receive() or outcomes.failed(index, None, LOST)
