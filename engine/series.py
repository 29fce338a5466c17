"""The step functions of a run, exact: utilization, demand, waiting and running jobs over time."""

from __future__ import annotations

import numpy as np

from engine.tables import REJECTED, RUN, SERIES, Table, empty


def _steps(times: np.ndarray, *changes: tuple[np.ndarray, np.ndarray]) -> np.ndarray:
    """Value at each of the sorted `times` of the step function that changes by `amount` at `at`."""
    total = np.zeros(len(times))
    for at, amount in changes:
        total += np.bincount(np.searchsorted(times, at), weights=amount, minlength=len(times))[: len(times)]
    return np.cumsum(total)


def lane_weight(jobs: Table) -> np.ndarray:
    """CPU that one lane of each job can use: its `cpu_need` where the model has one, else 1."""
    return jobs["cpu_need"] if "cpu_need" in jobs else np.ones(len(jobs["job_id"]))


def series_of(jobs: Table, segments: Table, *, until: float | None = None) -> Table:
    """Breakpoints of utilization and demand (in lanes) and of queued and running jobs; rows of SERIES.

    `utilization` is the share of lanes in segments of kind run, not counting idle need (an EASY job holds its
    node whole but uses its CPU need). `demand` is size times CPU need of all jobs released and not ended.
    Rejected jobs never ask. `queued` counts released jobs that hold no lane: waiting or paused.

    until: cut a run that still goes on at this time; jobs without an end then run on.
    """
    asks = jobs["state"] != REJECTED
    release, end = jobs["release"][asks], jobs["end"][asks]
    size = jobs["processors"][asks] * lane_weight(jobs)[asks]
    ended = np.isfinite(end)
    useful = segments["kind"] == RUN
    work = {name: segments[name][useful] for name in ("job", "first", "last", "start", "end", "share")}
    lanes = (work["last"] - work["first"] + 1) * work["share"]
    if "cpu_need" in jobs and "yield" not in jobs:
        lanes = lanes * np.where(work["share"] == 1.0, jobs["cpu_need"][work["job"]], 1.0)
    times = np.unique(np.concatenate([release, end[ended], segments["start"], segments["end"]]))
    if until is not None:
        times = times[times <= until]
    if not len(times):
        return empty(SERIES)
    held = _jobs_holding(jobs, segments)
    running = _steps(times, (held["start"], np.ones(len(held["start"]))), (held["end"], -np.ones(len(held["end"]))))
    present = _steps(times, (release, np.ones(len(release))), (end[ended], -np.ones(int(ended.sum()))))
    return {
        "time": times,
        "utilization": _exact(_steps(times, (work["start"], lanes), (work["end"], -lanes))),
        "demand": _exact(_steps(times, (release, size), (end[ended], -size[ended]))),
        "queued": present - running,
        "running": running,
    }


def _exact(values: np.ndarray) -> np.ndarray:
    """Sums of fractions leave dust where nothing is left; whole numbers stay exact."""
    values[np.abs(values) < 1e-9] = 0.0
    return values


def _jobs_holding(jobs: Table, segments: Table) -> dict[str, np.ndarray]:
    """From when to when each job holds lanes: the rectangles of a job that share an instant count once."""
    if np.array_equal(segments["start"], jobs["start"][segments["job"]]):
        first = np.zeros(len(jobs["job_id"]), np.int64)
        first[segments["job"]] = np.arange(len(segments["job"]))
        shown = first[np.unique(segments["job"])] if len(first) else first
        return {"start": segments["start"][shown], "end": segments["end"][shown]}
    order = np.lexsort((segments["start"], segments["job"]))
    job, start, end = segments["job"][order], segments["start"][order], segments["end"][order]
    fresh = np.ones(len(job), bool)
    fresh[1:] = (job[1:] != job[:-1]) | (start[1:] != start[:-1])
    return {"start": start[fresh], "end": end[fresh]}
