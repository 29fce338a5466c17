"""The step functions of a run, exact: utilization, demand, waiting and running jobs over time."""

from __future__ import annotations

import numpy as np

from engine.tables import REJECTED, RUN, SERIES, STALL, Table, empty
from engine.workload.job import Workload


def _steps(times: np.ndarray, *changes: tuple[np.ndarray, np.ndarray]) -> np.ndarray:
    """Value at each of the sorted `times` of the step function that changes by `amount` at `at`."""
    total = np.zeros(len(times))
    for at, amount in changes:
        total += np.bincount(np.searchsorted(times, at), weights=amount, minlength=len(times))[: len(times)]
    return np.cumsum(total)


def lane_weight(jobs: Table) -> np.ndarray:
    """CPU that one lane of each job can use: its `cpu_need` where the model has one, else 1."""
    return jobs["cpu_need"] if "cpu_need" in jobs else np.ones(len(jobs["job_id"]))


def series_of(jobs: Table, segments: Table) -> Table:
    """Breakpoints of utilization and demand (in lanes) and of queued and running jobs; rows of SERIES.

    `utilization` is the share of lanes in segments of kind run, not counting idle need (an EASY job holds its
    node whole but uses its CPU need). `demand` is size times CPU need of all jobs released and not ended.
    Rejected jobs never ask. `queued` counts released jobs that hold no lane: waiting or paused.
    """
    useful = segments["kind"] == RUN
    work = {name: segments[name][useful] for name in ("job", "first", "last", "start", "end", "share")}
    lanes = (work["last"] - work["first"] + 1) * work["share"]
    if "cpu_need" in jobs:
        lanes = lanes * np.where(work["share"] == 1.0, jobs["cpu_need"][work["job"]], 1.0)
    base = _presence(jobs, segments, lane_weight(jobs) * jobs["processors"])
    return {**base, "utilization": _exact(_steps(base["time"], (work["start"], lanes), (work["end"], -lanes)))}


def _presence(jobs: Table, segments: Table, size: np.ndarray) -> Table:
    """Columns of SERIES with `demand` in units of `size` (one value a job) and `utilization` still 0."""
    asks = jobs["state"] != REJECTED
    release, end, size = jobs["release"][asks], jobs["end"][asks], size[asks]
    ended = np.isfinite(end)
    times = np.unique(np.concatenate([release, end[ended], segments["start"], segments["end"]]))
    if not len(times):
        return empty(SERIES)
    held = _jobs_holding(jobs, segments)
    running = _steps(times, (held["start"], np.ones(len(held["start"]))), (held["end"], -np.ones(len(held["end"]))))
    present = _steps(times, (release, np.ones(len(release))), (end[ended], -np.ones(int(ended.sum()))))
    return {
        "time": times,
        "utilization": np.zeros(len(times)),
        "demand": _exact(_steps(times, (release, size), (end[ended], -size[ended]))),
        "queued": present - running,
        "running": running,
    }


def two_tier_series(workload: Workload, jobs: Table, segments: Table, rates: Table) -> Table:
    """The columns of SERIES, and those of two tiers, all in processors:

    `utilization` progress per second (sum of size x rate), `cpu` useful CPU (sum over processes of usage x
    rate), `cpu_background` the part of it behind, `cpu_demand` the CPU that all released, unfinished jobs
    could use, `held` and `held_background` the slots held in each tier.
    """
    size = jobs["processors"].astype(float)
    cpu = np.add.reduceat(workload.parts["usage"], workload.parts["first"][:-1])
    base = _presence(jobs, segments, size)
    times = base["time"]
    change = _effective_changes(jobs, segments, rates)
    behind = change["tier"] == 1
    width = (segments["last"] - segments["first"] + 1).astype(float)

    def held(tier: int) -> np.ndarray:
        there = segments["tier"] == tier
        return _steps(times, (segments["start"][there], width[there]), (segments["end"][there], -width[there]))

    def sum_of(weight: np.ndarray, which: np.ndarray | slice) -> np.ndarray:
        amount = (weight[change["job"]] * change["difference"])[which]
        return _exact(_steps(times, (change["time"][which], amount)))

    ended = np.isfinite(jobs["end"])
    asks = jobs["state"] != REJECTED
    wanted = _steps(times, (jobs["release"][asks], cpu[asks]), (jobs["end"][ended], -cpu[ended]))
    return {
        **base,
        "utilization": sum_of(size, slice(None)),
        "cpu": sum_of(cpu, slice(None)),
        "cpu_background": sum_of(cpu, behind),
        "cpu_demand": _exact(wanted),
        "held": held(0),
        "held_background": held(1),
    }


def _effective_changes(jobs: Table, segments: Table, rates: Table) -> Table:
    """Differences of each job's rate of progress, per tier: `time job tier difference`.

    A rate given to a stalled job counts from the end of its stall; until then it is 0. A job that changes
    tier gives its rate back to the old tier.
    """
    ended = np.flatnonzero(np.isfinite(jobs["end"]))
    stalls = _stalls(segments)
    job = np.concatenate([rates["job"], ended, stalls["job"]]).astype(np.int64)
    time = np.concatenate([rates["time"], jobs["end"][ended], stalls["start"]])
    rate = np.concatenate([rates["rate"], np.zeros(len(ended) + len(stalls["job"]))])
    tier = np.concatenate([rates["tier"], np.zeros(len(ended), np.uint8), stalls["tier"]])
    rank = np.concatenate([np.ones(len(rates["job"])), np.ones(len(ended)), np.zeros(len(stalls["job"]))])
    order = np.lexsort((rank, time, job))
    job, time, rate, tier, rank = job[order], time[order].copy(), rate[order], tier[order], rank[order]
    for row, until in zip(np.flatnonzero(rank == 0), stalls["end"], strict=True):
        after = row + 1
        while after < len(job) and job[after] == job[row] and time[after] < until:
            time[after] = until
            after += 1
    same_job = np.zeros(len(job), bool)
    same_job[1:] = job[1:] == job[:-1]
    before = np.where(same_job, np.roll(rate, 1), 0.0)
    was_tier = np.where(same_job, np.roll(tier, 1), tier)
    return {
        "time": np.concatenate([time, time]),
        "job": np.concatenate([job, job]),
        "tier": np.concatenate([tier, was_tier]),
        "difference": np.concatenate([rate, -before]),
    }


def _stalls(segments: Table) -> Table:
    """The stalls, once each, by job and start."""
    rows = np.flatnonzero(segments["kind"] == STALL)
    rows = rows[np.lexsort((segments["start"][rows], segments["job"][rows]))]
    job, start = segments["job"][rows], segments["start"][rows]
    fresh = np.ones(len(rows), bool)
    fresh[1:] = (job[1:] != job[:-1]) | (start[1:] != start[:-1])
    return {name: segments[name][rows[fresh]] for name in ("job", "start", "end", "tier")}


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
