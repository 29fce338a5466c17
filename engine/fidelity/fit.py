"""The search for the values of the quick model: one parameter at a time, over named grids.

A round tries every other value of every parameter, and takes the one with the smallest distance, if it is smaller by
GAIN than before; at most ROUNDS rounds. Nothing is drawn, so a fit is always the same. A parameter that makes nothing
better stays as in EASY.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

from shadowtime.engine.fidelity.evidence import Evidence
from shadowtime.engine.fidelity.loop import NEVER
from shadowtime.engine.fidelity.model import CLOSED, Values, waits
from shadowtime.engine.fidelity.score import distance
from shadowtime.engine.fidelity.split import Part
from shadowtime.engine.workload.job import Workload

HOUR, DAY = 3600.0, 86_400.0
GAIN = 0.02
ROUNDS = 5
GRIDS: Mapping[str, Sequence[Any]] = {
    "held_out": (0.0, 0.025, 0.05, 0.075, 0.1, 0.15, 0.2, 0.25, 0.3),
    "closed": tuple(range(len(CLOSED))),
    "down_time": (False, True),
    "user_jobs": (NEVER, 64, 48, 32, 24, 16, 12, 8, 6, 4, 3, 2),
    "user_share": (NEVER, 0.75, 0.5, 0.35, 0.25, 0.15),
    "queue": (0.0, 6 * HOUR, DAY, 3 * DAY, 10 * DAY),
    "fair_share": (0.0, 6 * HOUR, DAY, 3 * DAY, 10 * DAY),
    "size": (0.0, HOUR, 6 * HOUR, -HOUR, -6 * HOUR),
    "length": (0.0, 0.5, 2.0, 8.0),
}
"""The values that are tried; the first is that of EASY."""


class Step(NamedTuple):
    """A parameter that the search changed."""

    name: str
    value: Any
    distance: float
    """Over the fitted half, after the change."""


class Fit(NamedTuple):
    """What a search found."""

    values: Values
    begin: float
    """Distance of EASY over the fitted half."""
    steps: tuple[Step, ...]
    simulations: int

    @property
    def end(self) -> float:
        """Distance over the fitted half."""
        return self.steps[-1].distance if self.steps else self.begin


def fit(log: Workload, part: Part, lanes: int, seen: Evidence, watch: Callable[[int], None] = lambda done: None) -> Fit:
    """Return the values of the quick model that fit a part of a log best.

    Parameters
    ----------
    watch
        Called with the number of simulations before each.
    """
    counted = slice(part.counted - part.first, None)
    recorded = (log.jobs["recorded_start"] - log.jobs["release"])[part.rows][counted]
    done = 0

    def far(values: Values) -> float:
        nonlocal done
        watch(done)
        done += 1
        return distance(recorded, waits(log, part, lanes, seen, values, bounded=True)[counted])

    values, steps = Values(), []
    begin = best = far(values)
    for _ in range(ROUNDS):
        tried = [(far(replace(values, **{name: value})), name, value) for name, value in _others(log, seen, values)]
        found, name, value = min(tried, key=lambda one: one[0])
        if not found <= best - GAIN:
            break
        best, values = found, replace(values, **{name: value})
        steps.append(Step(name, value, best))
    return Fit(values, begin, tuple(steps), done)


def _others(log: Workload, seen: Evidence, values: Values) -> Iterator[tuple[str, Any]]:
    """Yield each other value of each parameter that the log may tell something of."""
    silent = set()
    if log.clock is None:
        silent.add("closed")
    if not seen.stops:
        silent.add("down_time")
    if not seen.queue.any():
        silent.add("queue")
    for name, grid in GRIDS.items():
        if name not in silent:
            yield from ((name, value) for value in grid if value != getattr(values, name))
