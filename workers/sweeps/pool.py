"""A sweep over any `concurrent.futures.Executor`: threads, processes, or the machines of dask, Ray or MPI.

What is submitted is a function of this module with plain data (texts, numbers, workloads of numpy arrays, algorithms
that a person registered), so that every executor can send it elsewhere. The package must be installed there.
"""

from __future__ import annotations

from collections.abc import Generator, Mapping, Sequence
from concurrent.futures import FIRST_COMPLETED, Executor, Future, wait
from typing import Any

from shadowtime.engine import registry
from shadowtime.engine.algorithm import Algorithm
from shadowtime.engine.workload.generators.generate import generate
from shadowtime.engine.workload.job import Workload
from shadowtime.workers.sweeps.bench import Bench
from shadowtime.workers.sweeps.failed import logged
from shadowtime.workers.sweeps.local import run_one
from shadowtime.workers.sweeps.spec import SweepSpec

BATCHES = 200
"""About how many batches a sweep has: progress moves in half percents, and each carries its workloads once."""
LONGEST = 32
"""Runs of one batch at most."""
AHEAD = 256
"""Batches that an executor has at once: the others, and their workloads, are not yet made."""

Key = tuple[str, str | None]
"""Digest and case of a workload that no generator draws."""


def lines(
    spec: SweepSpec, workloads: Mapping[Key, Workload], own: Sequence[Algorithm], executor: Executor
) -> Generator[dict[str, Any], None, None]:
    """Yield the line of each run as its batch ends.

    Parameters
    ----------
    spec
        The question.
    workloads
        Those that no generator draws; each batch carries the ones that its runs need.
    own
        Algorithms of the question that only this process has.
    executor
        Runs the batches. It stays open.

    Raises
    ------
    Exception
        What the executor raises when it loses a batch (`BrokenProcessPool` and its like); a run that fails by itself is
        a line like others.
    """
    todo = iter(batches(len(spec)))
    waiting: set[Future[list[dict[str, Any]]]] = set()
    known: set[str] = set()
    try:
        while True:
            while len(waiting) < AHEAD and (batch := next(todo, None)) is not None:
                waiting.add(executor.submit(run_batch, spec.json, _needed(spec, workloads, batch), tuple(own), *batch))
            if not waiting:
                return
            ended, waiting = wait(waiting, return_when=FIRST_COMPLETED)
            for future in ended:
                yield from logged(future.result(), known)
    finally:
        for future in waiting:
            future.cancel()


def batches(runs: int) -> list[tuple[int, int]]:
    """Return first run and end of each batch; neighbours share their jobs."""
    size = max(1, min(LONGEST, runs // BATCHES))
    return [(first, min(runs, first + size)) for first in range(0, runs, size)]


def run_batch(
    text: str, workloads: Mapping[Key, Workload], own: Sequence[Algorithm], first: int, end: int
) -> list[dict[str, Any]]:
    """Return the lines of the runs `first` to `end` - 1 of a sweep, given as its canonical text."""
    for entry in own:
        registry.register(entry, replace=True)

    def load(source: Mapping[str, Any]) -> Workload:
        if "generator" in source:
            return generate(source["generator"], source["parameters"], source["seed"])
        return workloads[source["digest"], source["case"]]

    bench = Bench(SweepSpec.from_json(text), load)
    return [run_one(bench, index) for index in range(first, end)]


def _needed(spec: SweepSpec, workloads: Mapping[Key, Workload], batch: tuple[int, int]) -> dict[Key, Workload]:
    sources = (spec.source(spec.cell(index)) for index in range(*batch))
    keys = {(source["digest"], source["case"]) for source in sources if "digest" in source}
    return {key: workloads[key] for key in keys}
