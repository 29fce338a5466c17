"""The availability profile as a list of reservations, scanned for every question: slow and obvious."""

from __future__ import annotations

from math import inf
from typing import Any


class SlotProfile:
    """Reservations (start, end, amount for each resource) on a machine; any exact numbers."""

    def __init__(self, capacity: tuple[Any, ...], now: Any = 0):
        self.capacity = capacity
        self.now = now
        self.taken: list[tuple[Any, Any, tuple[Any, ...]]] = []

    def insert(self, start: Any, end: Any, amount: tuple[Any, ...]) -> None:
        """Lower what is free over [start, end)."""
        self.taken.append((start, end, amount))

    def remove(self, start: Any, end: Any, amount: tuple[Any, ...]) -> None:
        """Take back what was inserted."""
        self.taken.remove((start, end, amount))

    def advance(self, now: Any) -> None:
        """Forget what is over."""
        self.now = max(self.now, now)
        self.taken = [row for row in self.taken if row[1] > self.now]

    def free(self, time: Any) -> tuple[Any, ...]:
        """What is free at an instant."""
        held = [amount for start, end, amount in self.taken if start <= time < end]
        return tuple(value - sum(column) for value, *column in zip(self.capacity, *held, strict=True))

    def instants(self) -> list[Any]:
        """Now and all later edges, ascending."""
        edges = {edge for start, end, _ in self.taken for edge in (start, end)}
        return [self.now, *sorted(edge for edge in edges if self.now < edge < inf)]

    def steps(self) -> list[tuple[Any, tuple[Any, ...]]]:
        """(begin, free) of each step; no two neighbours are equal."""
        steps: list[tuple[Any, tuple[Any, ...]]] = []
        for time in self.instants():
            free = self.free(time)
            if not steps or steps[-1][1] != free:
                steps.append((time, free))
        return steps

    def least(self, start: Any, end: Any, resource: int) -> Any:
        """Least free amount over [start, end), at `start` alone when that is empty."""
        inside = [time for time in self.instants() if start < time < end]
        return min(self.free(time)[resource] for time in (max(start, self.now), *inside))

    def earliest(self, time: Any, amount: tuple[Any, ...], length: Any, until: Any = inf) -> Any:
        """First instant from `time` on with room for `length`; all is free from `until` on."""
        first = max(time, self.now)
        steps = [(first, self.free(first)), *((at, self.free(at)) for at in self.instants() if at > first)]
        blocked = [
            (at, steps[y + 1][0] if y + 1 < len(steps) else inf)
            for y, (at, free) in enumerate(steps)
            if at < until and any(need > here for need, here in zip(amount, free, strict=True))
        ]
        for begin in [first, *(end for _, end in blocked if end < until)]:
            if not any((start < begin + length and begin < end) or start == begin for start, end in blocked):
                return begin
        return until
