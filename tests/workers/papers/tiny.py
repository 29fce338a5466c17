"""A study of forty small cells, for tests that stop workers in the middle; as a program, a worker that knows it."""

from __future__ import annotations

import os
import sys
import time
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar

from shadowtime.workers.papers import registry
from shadowtime.workers.papers.cells import run_cells
from shadowtime.workers.papers.registry import Paper
from shadowtime.workers.papers.report import Claim, Figure, Grade, Report

CELLS = 40


def slow_square(cell: int) -> float:
    """The square, after a while; every call leaves a line where SHADOWTIME_TEST_CALLS says."""
    if cell < 0:
        raise ValueError("a cell below nothing")
    if path := os.environ.get("SHADOWTIME_TEST_CALLS"):
        with Path(path).open("a") as file:
            file.write(f"{cell}\n")
        time.sleep(0.05)
    return float(cell * cell)


@dataclass(frozen=True)
class Sized:
    """A cell with a size."""

    size: int


@dataclass(frozen=True)
class Measured:
    """An answer with a measured time."""

    MEASURED: ClassVar[tuple[str, ...]] = ("seconds",)
    square: int
    seconds: float


def measured(cell: Sized) -> Measured:
    """The square, and how long it took."""
    return Measured(cell.size**2, time.perf_counter())


def missing(cell: Sized) -> list[float]:
    """A value that there is not, and one that there is."""
    return [float("nan"), 1.0]


def study(scale: str, tell) -> Report:
    first = run_cells(slow_square, range(CELLS // 2), tell)
    then = run_cells(slow_square, range(CELLS // 2, CELLS), tell)
    figure = Figure("Squares", "", ["square"], [(f"n = {n}", [value]) for n, value in enumerate([*first, *then])])
    claim = Claim("Squares grow", "they do", {"whole numbers": "they do"}, {"whole numbers": Grade.SIZE}, "it is so")
    return Report("tiny", "Squares", "Euclid", scale, ["By multiplying."], [claim], [figure], 0.0)


def failing(scale: str, tell) -> Report:
    run_cells(slow_square, [-1], tell)
    raise AssertionError("never here")


def register() -> None:
    registry._PAPERS["tiny"] = Paper("tiny", "Squares", "Euclid", study)
    registry._PAPERS["failing"] = Paper("failing", "Nothing", "Nobody", failing)


def forget() -> None:
    for name in ("tiny", "failing"):
        registry._PAPERS.pop(name, None)


if __name__ == "__main__":
    from shadowtime.workers import worker
    from tests.workers.papers import tiny

    tiny.register()
    sys.exit(worker.main())
