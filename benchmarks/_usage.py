"""Measure what processes use: resident memory over time, and CPU time. From /proc, so on Linux alone."""

from __future__ import annotations

import os
import time
from collections import defaultdict
from collections.abc import Iterable, Mapping
from pathlib import Path

PAGE = os.sysconf("SC_PAGE_SIZE")
TICKS = os.sysconf("SC_CLK_TCK")


class Usage:
    """Samples of groups of processes, each group given by a name and the ids of its roots."""

    def __init__(self, roots: Mapping[str, Iterable[int]]):
        self._roots = {name: [*ids] for name, ids in roots.items()}
        self._samples: dict[str, list[tuple[float, float]]] = defaultdict(list)

    def sample(self) -> None:
        """Record the resident megabytes of each group, without forks of workers (they run for one run only)."""
        now = time.monotonic()
        for name, ids in self._roots.items():
            self._samples[name].append((now, sum(map(resident, ids)) / 1e6))

    def latest(self, name: str) -> float:
        """Return the latest sample [MB]."""
        return self._samples[name][-1][1]

    def growth(self, name: str, since: float) -> float:
        """Return the growth in megabytes an hour, by least squares over the samples from the time `since` [s] on."""
        points = [(when, value) for when, value in self._samples[name] if when >= since]
        if len(points) < 3:
            return 0.0
        middle = sum(when for when, _ in points) / len(points)
        level = sum(value for _, value in points) / len(points)
        spread = sum((when - middle) ** 2 for when, _ in points)
        return sum((when - middle) * (value - level) for when, value in points) / spread * 3600


def resident(process: int) -> int:
    """Return the resident bytes of a process; 0 when it has ended."""
    try:
        return int(Path(f"/proc/{process}/statm").read_text().split()[1]) * PAGE
    except (FileNotFoundError, ProcessLookupError):
        return 0


def cpu_seconds(process: int) -> float:
    """Return the CPU seconds of a process and of its children that have ended and were waited for."""
    try:
        words = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
    except (FileNotFoundError, ProcessLookupError):
        return 0.0
    return sum(map(int, words[11:15])) / TICKS


def children(process: int) -> list[int]:
    """Return its running children."""
    found = []
    for task in Path(f"/proc/{process}/task").glob("*/children"):
        found += [int(word) for word in task.read_text().split()]
    return found
