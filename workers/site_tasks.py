"""Compute the jobs of a real site: a small computation of the job's class, repeated.

The five classes of the paper's study, in numpy. A part of a parallel job does the same, less often.
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from typing import Any

import numpy as np

from shadowtime.workers import processes
from shadowtime.workers.connection import connect

MATRIX = np.random.default_rng(1).random((96, 96))
VALUES = np.random.default_rng(2).random(6_000)
GRID = np.linspace(0.0, 10.0, 6_000)
JOINED = 3600
"""Seconds after which Redis forgets where parts joined."""
LOOK = 5
"""Seconds of one wait for the other parts; longer ones would exceed the socket's timeout."""


def matvec() -> float:
    """A matrix times a vector, a few times."""
    vector = np.ones(96)
    for _ in range(8):
        vector = MATRIX @ vector
        vector /= vector.max()
    return float(vector[0])


def quad() -> float:
    """An integral by the trapezoidal rule."""
    heights = np.sin(GRID) * np.exp(-GRID)
    return float((heights[1:] + heights[:-1]).sum() * (GRID[1] - GRID[0]) / 2)


def isort() -> float:
    """An in-core sort of whole numbers."""
    return float(np.sort((VALUES * 1e6).astype(np.int64))[0])


def stats() -> float:
    """Mean, deviation and quartiles."""
    return float(VALUES.mean() + VALUES.std() + np.percentile(VALUES, [25, 50, 75]).sum())


def cg() -> float:
    """Steps of conjugate gradients on a second difference."""
    right = np.ones(500)
    x, r = np.zeros(500), right.copy()
    p, rr = r.copy(), float(r @ r)
    for _ in range(12):
        ap = 2.0 * p
        ap[1:] -= p[:-1]
        ap[:-1] -= p[1:]
        alpha = rr / float(p @ ap)
        x, r = x + alpha * p, r - alpha * ap
        rr, old = float(r @ r), rr
        p = r + rr / old * p
    return float(x[0])


COMPUTATIONS: tuple[Callable[[], float], ...] = (matvec, quad, isort, stats, cg)


def seconds_per_unit(batches: int = 5, batch: int = 40) -> list[float]:
    """Measure the seconds of one computation of each class on this machine: the best of a few batches."""
    taken = []
    for computation in COMPUTATIONS:
        times = []
        for _ in range(batches):
            began = time.perf_counter()
            for _ in range(batch):
                computation()
            times.append((time.perf_counter() - began) / batch)
        taken.append(min(times))
    return taken


def compute(url: str, answers: str, key: str, job_class: int, units: int, group: str, parts: int) -> None:
    """Run `units` computations once all parts of the group are there.

    Push (key, start, None) to the Redis list `answers` at the start and (key, start, end) at the end; `key` names the
    part.
    """
    processes.end_with_parent()
    connection = connect(url)
    if parts > 1:
        join(connection, f"{answers}:{group}", parts)
    began = time.monotonic()
    connection.rpush(answers, json.dumps([key, began, None]))
    computation = COMPUTATIONS[job_class % len(COMPUTATIONS)]
    for _ in range(units):
        computation()
    connection.rpush(answers, json.dumps([key, began, time.monotonic()]))


def join(connection: Any, place: str, parts: int) -> None:
    """Wait until all parts have called this with the same `place`; the last one lets all of them go."""
    gate = f"{place}:gate"
    if connection.incr(place) == parts:
        connection.rpush(gate, *["go"] * parts)
        connection.expire(gate, JOINED)
    connection.expire(place, JOINED)
    while connection.blpop([gate], timeout=LOOK) is None:
        continue
