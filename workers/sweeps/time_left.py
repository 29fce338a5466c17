"""Forecast how long a local sweep still takes."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from typing import Any

RUNS_A_PROCESS = 2
"""Timed runs of each process before there is a forecast."""


class TimeLeft:
    """Forecast from the durations of the runs that have ended.

    Parameters
    ----------
    runs
        Of the sweep, in all.
    processes
        Number of runs that are executed at a time; None where an executor decides that: the forecast is then the rate
        at which runs have ended since the first ones did.
    """

    def __init__(self, runs: int, processes: int | None, clock: Callable[[], float] = time.monotonic):
        self._runs, self._processes, self._clock = runs, processes, clock
        self._done = self._timed = 0
        self._took = 0.0
        self._first: tuple[float, int] | None = None

    def add(self, line: Mapping[str, Any]) -> None:
        """Count a run; `took` [s] is missing in lines of runs that also loaded or compiled code."""
        self._done += 1
        if "took" in line:
            self._timed += 1
            self._took += line["took"]

    def seconds(self) -> float | None:
        """Return the time left [s]; None while too few runs have ended."""
        rest = self._runs - self._done
        if rest == 0:
            return 0.0
        if self._processes is None:
            return self._by_rate(rest)
        if self._timed < RUNS_A_PROCESS * self._processes:
            return None
        return self._took / self._timed * max(1.0, rest / self._processes)

    def sentence(self) -> str:
        """Return how many runs have ended, and the time left where it is known."""
        left = self.seconds()
        return f"{self._done:,} of {self._runs:,} runs" + ("" if left is None else f", about {left:.0f} s left")

    def _by_rate(self, rest: int) -> float | None:
        now = self._clock()
        if self._first is None:
            self._first = now, self._done
        began, first = self._first
        ended = self._done - first
        return (now - began) / ended * rest if ended > 0 and now > began else None
