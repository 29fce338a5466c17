"""Measure figures of merit, each printed by a command: `make bench`, or `python -m benchmarks.engine` for one part.

A benchmark prints one JSON object: its figures, their limits, and whether they are met.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import statistics
import sys
import time
from collections.abc import Callable, Mapping
from pathlib import Path


def durations(work: Callable[[], object], times: int, clock: Callable[[], float] = time.process_time) -> list[float]:
    """Return the durations of `times` calls [s]: processor time unless another `clock` is given."""
    taken = []
    for _ in range(times):
        began = clock()
        work()
        taken.append(clock() - began)
    return taken


def seconds(work: Callable[[], object], times: int = 5) -> float:
    """Return the median wall time of `work` [s], after one call that warms caches."""
    work()
    return statistics.median(durations(work, times, time.perf_counter))


def emit_by_segments(
    name: str, measure: Callable[[int], Mapping[str, object]], at_most: Mapping[str, float], segments: int, about: str
) -> int:
    """Measure with the number of rectangles of the option --segments, print, and return 0 when all limits are met.

    segments: the default number; about: the docstring of the benchmark, whose first line describes it.
    """
    arguments = argparse.ArgumentParser(description=about.splitlines()[0])
    arguments.add_argument("--segments", type=int, default=segments)
    return emit(name, measure(arguments.parse_args().segments), at_most)


def emit(name: str, figures: Mapping[str, object], at_most: Mapping[str, float]) -> int:
    """Print the figures with their limits; return 0 when all are met, else 1."""
    missed = {key: limit for key, limit in at_most.items() if not float(figures[key]) <= limit}  # type: ignore[arg-type]
    machine = {"python": platform.python_version(), "processors": os.cpu_count(), "load": os.getloadavg()[0]}
    print(json.dumps({"benchmark": name, "figures": figures, "at_most": at_most, "missed": missed, "machine": machine}))
    return 1 if missed else 0


def traces() -> Path:
    """Return the folder of real logs; without it, exit with a message that names the variable to set."""
    folder = os.environ.get("SHADOWTIME_TRACES")
    if not folder or not Path(folder).is_dir():
        sys.exit("SHADOWTIME_TRACES must name the folder of traces")
    return Path(folder)
