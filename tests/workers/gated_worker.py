"""The real worker, but each run halts after its first slices until the file $SHADOWTIME_TEST_GATE is there.

The compiled engine finishes any workload of a test in milliseconds; this lets a test do things in the middle.
"""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from shadowtime.engine.schedule import Slice
from shadowtime.engine.simulation import Simulation
from shadowtime.engine.tables import take
from shadowtime.workers import execute, worker

BEFORE = 3
"""Slices before the gate."""


class Gated(Simulation):
    """Hands control back often, and waits."""

    def slices(self, budget: int = 0, seconds: float | None = None) -> Iterator[Slice]:
        gate = Path(os.environ["SHADOWTIME_TEST_GATE"])
        for number, piece in enumerate(super().slices(budget=500)):
            if number == BEFORE:
                while not gate.exists():
                    yield replace(piece, segments=take(piece.segments, slice(0)), events=take(piece.events, slice(0)))
                    time.sleep(0.02)
            yield piece


def install() -> None:
    """Let every run of this process halt at the gate."""
    execute.Simulation = Gated  # type: ignore[misc]


if __name__ == "__main__":
    worker.warm()
    install()
    worker.warm = lambda: None
    sys.exit(worker.main())
