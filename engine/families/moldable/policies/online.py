"""Schedule jobs that arrive over time in batches: at the end of one, an off-line algorithm schedules all arrived jobs.

If no job waits, the next batch begins at the next arrival. With a rho-approximation of the makespan inside, the
result is 2 rho-competitive: let r be the first release among the jobs of the last batch; it is after the start of
the previous batch. That batch takes at most rho OPT, and OPT >= r + the optimum of the last batch alone, so the end is
at most r + rho OPT + rho (OPT - r) <= 2 rho OPT. Jobs released at one instant are a single batch.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from typing import Any

import numpy as np

from shadowtime.engine.errors import UnsupportedWorkload
from shadowtime.engine.families.moldable.policies.canonical import is_monotonic
from shadowtime.engine.families.moldable.policies.sketch import Sketch
from shadowtime.engine.families.moldable.workload import times
from shadowtime.engine.runner.plan import Plan, bands_of
from shadowtime.engine.runner.watch import Watch
from shadowtime.engine.tables import ARRIVALS, BANDS, Table, concatenate
from shadowtime.engine.workload.job import Workload

Offline = Callable[[np.ndarray, np.ndarray, Mapping[str, Any], np.random.Generator, Watch], Sketch]
"""Times (n x m seconds), weights, parameters, random generator and watch -> schedule."""


def batches(
    release: np.ndarray, schedule: Callable[[np.ndarray], Sketch]
) -> Iterator[tuple[float, np.ndarray, Sketch]]:
    """Yield (begin, rows, their schedule from second 0) of each batch; `release` ascends."""
    done, now = 0, -np.inf
    while done < len(release):
        now = max(now, float(release[done]))
        arrived = int(np.searchsorted(release, now, side="right"))
        rows = np.arange(done, arrived)
        made = schedule(rows)
        yield now, rows, made
        now += made.makespan
        done = arrived


def plan(
    workload: Workload,
    values: Mapping[str, Any],
    lanes: int,
    rng: np.random.Generator,
    watch: Watch,
    offline: Offline,
    *,
    monotonic: bool,
) -> Plan:
    """Return the plan of all batches under `offline`.

    With `monotonic`, the algorithm needs jobs whose work does not decrease with more processors.

    Raises
    ------
    UnsupportedWorkload
        If `monotonic` and some job is not.
    """
    n, weight = len(workload), workload.jobs["weight"]
    start, time, shortest = np.empty(n), np.empty(n), np.empty(n)
    size, batch, shelf = (np.empty(n, np.int64) for _ in range(3))
    bands: list[Table] = []
    counted: Counter[str] = Counter()

    def schedule(rows: np.ndarray) -> Sketch:
        p = times(workload, lanes, rows)
        if monotonic and not is_monotonic(p):
            raise UnsupportedWorkload(
                f"{workload.name} has jobs whose work falls with more processors; gang and sequential take them, "
                "the dual approximation takes monotonic jobs only"
            )
        shortest[rows] = p[:, -1]
        watch.part(rows[0] / n, (rows[-1] + 1) / n)
        return offline(p, weight[rows], values, rng, watch)

    found = list(batches(workload.jobs["release"], schedule))
    for number, (begin, rows, made) in enumerate(found):
        start[rows], time[rows], size[rows] = begin + made.start, made.time, made.size
        batch[rows], shelf[rows] = number, made.shelf
        many = len(found) > 1
        bands.append(bands_of([(begin, begin + made.makespan, 0, ARRIVALS, number)] if many else []))
        inner = made.bands
        moved: Table = {
            "start": begin + inner["start"],
            "end": begin + inner["end"],
            "level": inner["level"] + np.uint8(many),
        }
        bands.append({**inner, **moved})
        counted.update(made.counters)
    columns = {"processors": size, "runtime": shortest, "batch": batch, "shelf": shelf}
    counters = {"batches": len(found), **dict(sorted(counted.items()))}
    return Plan.of_jobs(start, time, size, lanes, columns=columns, bands=concatenate(bands, BANDS), counters=counters)
