"""Measure what processes use: memory over time, and CPU time. From /proc, so on Linux alone."""

from __future__ import annotations

import os
import re
import time
from collections import defaultdict
from collections.abc import Iterable, Mapping
from pathlib import Path

KEPT = re.compile(rb"^shadowtime_kept_bytes (\S+)$", re.MULTILINE)
TICKS = os.sysconf("SC_CLK_TCK")


class Usage:
    """Samples of groups of processes, each group given by a name and the ids of its roots."""

    def __init__(self, roots: Mapping[str, Iterable[int]]):
        self._roots = {name: [*ids] for name, ids in roots.items()}
        self._samples: dict[str, list[tuple[float, float, float]]] = defaultdict(list)

    def sample(self) -> None:
        """Record the megabytes of each group, without forks of workers (they run for one run only)."""
        now = time.monotonic()
        for name, ids in self._roots.items():
            resident, own = (sum(sizes) / 1e6 for sizes in zip(*map(memory, ids), strict=True))
            self._samples[name].append((now, resident, own))

    def latest(self, name: str) -> tuple[float, float]:
        """Return the latest sample [MB]: resident memory, and what of it is of the processes alone."""
        return self._samples[name][-1][1:]

    def growth(self, name: str, since: float) -> float:
        """Return the growth of what is of the processes alone, in megabytes an hour, from the time `since` [s] on."""
        return slope([(when, own) for when, _, own in self._samples[name] if when >= since]) * 3600


def slope(points: list[tuple[float, float]]) -> float:
    """Return how much a value grows a second, by least squares over times [s] and values; 0 of less than three."""
    if len(points) < 3:
        return 0.0
    middle = sum(when for when, _ in points) / len(points)
    level = sum(value for _, value in points) / len(points)
    spread = sum((when - middle) ** 2 for when, _ in points)
    return sum((when - middle) * (value - level) for when, value in points) / spread


def kept(metrics: bytes) -> float:
    """Return what a web process keeps of runs for the next viewer [MB], by its answer to `/metrics`."""
    found = KEPT.search(metrics)
    assert found is not None, "no metric says what is kept"
    return float(found[1]) / 1e6


def memory(process: int) -> tuple[int, int]:
    """Return the resident bytes of a process, and those that no file is behind; 0 when it has ended.

    Each connection of SQLite maps the whole database: its pages are resident as many times, and are memory once, which
    the system takes back when it needs it.
    """
    try:
        lines = Path(f"/proc/{process}/status").read_text().splitlines()
    except (FileNotFoundError, ProcessLookupError):
        return 0, 0
    sizes = {name: int(rest.split()[0]) * 1024 for name, _, rest in (line.partition(":") for line in lines)
             if name in ("VmRSS", "RssAnon")}  # fmt: skip
    return sizes.get("VmRSS", 0), sizes.get("RssAnon", 0)


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
