"""Schedule jobs that arrive over time in batches: at the end of one, an off-line algorithm schedules all arrived jobs.

If no job waits, the next batch begins at the next arrival. With a rho-approximation of the makespan inside, the
result is 2 rho-competitive: let r be the first release among the jobs of the last batch; it is after the start of
the previous batch. That batch takes at most rho OPT, and OPT >= r + the optimum of the last batch alone, so the end is
at most r + rho OPT + rho (OPT - r) <= 2 rho OPT. Jobs released at one instant are a single batch.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

import numpy as np

from shadowtime.engine.errors import UnsupportedWorkload
from shadowtime.engine.families.moldable.policies.dual import is_monotonic
from shadowtime.engine.families.moldable.workload import minimums, times
from shadowtime.engine.runner.plan import Plan, bands_of
from shadowtime.engine.runner.watch import Watch
from shadowtime.engine.tables import ARRIVALS, BANDS, Table, concatenate, empty
from shadowtime.engine.workload.job import Workload


@dataclass(frozen=True, eq=False)
class Sketch:
    """A schedule of n moldable jobs that are all released at second 0."""

    start: np.ndarray
    """Start of each job [s]."""
    size: np.ndarray
    """Processors of each job, i8."""
    time: np.ndarray
    """Time of each job on its processors [s]."""
    shelf: np.ndarray
    """Place of each job: DEMT's batch from 0; or 0 small, 1 shelf 0, 2 shelf 1, 3 shelf 2; or -1."""
    bands: Table = field(default_factory=lambda: empty(BANDS))
    counters: Mapping[str, int] = field(default_factory=dict)
    """Counts of the algorithm, such as which final schedule was selected."""

    @cached_property
    def makespan(self) -> float:
        """Last end [s]."""
        return float((self.start + self.time).max())

    def minsum(self, weight: np.ndarray) -> float:
        """Return the sum of weight x end [s]."""
        return float(np.sum(weight * (self.start + self.time)))


def sketch(p: np.ndarray, start: np.ndarray, size: np.ndarray, shelf: np.ndarray | None = None, **others) -> Sketch:
    """Return a sketch with the times of `p`, n x m seconds."""
    n = len(p)
    time = p[np.arange(n), size - 1]
    return Sketch(start, size, time, np.full(n, -1) if shelf is None else shelf, **others)


Offline = Callable[[np.ndarray, np.ndarray, Mapping[str, Any], np.random.Generator, Watch], Sketch]
"""Times (n x m seconds), weights, parameters, random generator and watch -> schedule."""


def plan(
    workload: Workload, values: Mapping[str, Any], lanes: int, rng: np.random.Generator, watch: Watch,
    offline: Offline, *, monotonic: bool,
) -> Plan:  # fmt: skip
    """Return the plan of all batches under `offline`.

    Jobs whose minimum is above `lanes` have no piece: they are rejected. With `monotonic`, the algorithm needs jobs
    whose work does not decrease with more processors, from their minimum on.

    Raises
    ------
    UnsupportedWorkload
        If `monotonic` and some job is not.
    """
    fitting = np.flatnonzero(minimums(workload) <= lanes)
    n, release, weight = len(fitting), workload.jobs["release"][fitting], workload.jobs["weight"][fitting]
    found: list[tuple[float, Sketch, np.ndarray]] = []
    done, now = 0, -np.inf
    while done < n:
        now = max(now, float(release[done]))
        rows = np.arange(done, int(np.searchsorted(release, now, side="right")))
        p = times(workload, lanes, fitting[rows])
        if monotonic and not is_monotonic(p):
            raise UnsupportedWorkload(
                f"{workload.name} has jobs whose work falls with more processors; gang and sequential take them, "
                "the dual approximation takes monotonic jobs only"
            )
        watch.part(done / n, (done + len(rows)) / n)
        made = offline(p, weight[rows], values, rng, watch)
        found.append((now, made, p[:, -1].copy()))
        now += made.makespan
        done += len(rows)
    bands: list[Table] = []
    counted: Counter[str] = Counter()
    many = len(found) > 1
    for number, (begin, made, _) in enumerate(found):
        bands.append(bands_of([(begin, begin + made.makespan, 0, ARRIVALS, number)] if many else []))
        inner = made.bands
        moved: Table = {name: begin + inner[name] for name in ("start", "end")}
        bands.append({**inner, **moved, "level": inner["level"] + np.uint8(many)})
        counted.update(made.counters)
    if not found:
        found = [(0.0, Sketch(np.zeros(0), np.zeros(0, "i8"), np.zeros(0), np.zeros(0, "i8")), np.zeros(0))]
    parts = [(begin + made.start, made.time, made.size, least, made.shelf) for begin, made, least in found]
    start, time, size, least, shelf = (np.concatenate(column) for column in zip(*parts, strict=True))
    batch = np.repeat(np.arange(len(found)), [len(part[0]) for part in parts])
    columns = {"processors": size, "runtime": least, "batch": batch, "shelf": shelf}
    counters = {"batches": len(found), **dict(sorted(counted.items()))}
    planned = Plan.of_jobs(
        start, time, size, lanes, columns=columns, bands=concatenate(bands, BANDS), counters=counters
    )
    return planned if n == len(workload) else _with_rejected(planned, workload, fitting)


def _with_rejected(made: Plan, workload: Workload, fitting: np.ndarray) -> Plan:
    """Return a plan of the jobs `fitting` as one of all jobs of the workload; the others have no piece."""
    jobs = workload.jobs
    columns = {
        "processors": minimums(workload),
        "runtime": jobs["runtime"].copy(),
        "batch": np.full(len(workload), -1),
        "shelf": np.full(len(workload), -1),
    }
    for name, column in columns.items():
        column[fitting] = made.columns[name]
    work = jobs["runtime"].astype("f8")
    assert made.work is not None
    work[fitting] = made.work
    return replace(made, unit=fitting, columns=columns, work=work)
