"""The step functions of a run, exact: utilization, demand, waiting and running jobs over time."""

from __future__ import annotations

import numpy as np

from shadowtime.engine.output.ordering import places
from shadowtime.engine.tables import END, EVENT_KINDS, KILL, PAUSE, REJECTED, RESUME, RUN, STALL, START, Table
from shadowtime.engine.workload.job import Workload
from shadowtime.engine.workload.sharing import nodes_alone

_RUNNING = np.zeros(len(EVENT_KINDS))
_RUNNING[[START, RESUME]] = 1.0
_RUNNING[[END, PAUSE, KILL]] = -1.0
"""By kind of event: a job takes lanes, or leaves them."""


class _Axis:
    """The breakpoints of a run, and where on them its rectangles begin and end: looked up once for all columns."""

    def __init__(self, jobs: Table, segments: Table):
        self.asks = jobs["state"] != REJECTED
        self.ended = np.isfinite(jobs["end"])
        runs = [_changes(segments[name]) for name in ("start", "end")]
        release, end = jobs["release"][self.asks], jobs["end"][self.ended]
        self.times = np.unique(np.concatenate([release, end, *runs]))
        self.release, self.end = self.find(release), self.find(end)
        self.first, self.last = self.find(segments["start"]), self.find(segments["end"])

    def find(self, values: np.ndarray) -> np.ndarray:
        """Places of `values`, which are breakpoints."""
        return places(self.times, values)

    def steps(self, *changes: tuple[np.ndarray, np.ndarray]) -> np.ndarray:
        """Values at all breakpoints of the step function that changes by an amount at each place."""
        total = np.zeros(len(self.times))
        for place, amount in changes:
            total += np.bincount(place, weights=amount, minlength=len(self.times))
        return _exact(np.cumsum(total))

    def lasting(self, amount: np.ndarray, which: np.ndarray) -> np.ndarray:
        """Sum of `amount` over the chosen rectangles that cover each breakpoint."""
        return self.steps((self.first[which], amount[which]), (self.last[which], -amount[which]))

    def present(self, amount: np.ndarray) -> np.ndarray:
        """Sum of `amount` over the jobs that are released and not ended; rejected jobs never ask."""
        return self.steps((self.release, amount[self.asks]), (self.end, -amount[self.ended]))


def _changes(values: np.ndarray) -> np.ndarray:
    """Values that differ from the one before."""
    fresh = np.ones(len(values), bool)
    fresh[1:] = values[1:] != values[:-1]
    return values[fresh]


def _exact(values: np.ndarray) -> np.ndarray:
    """Sums of fractions leave dust where nothing is left; whole numbers stay exact."""
    values[np.abs(values) < 1e-9] = 0.0
    return values


def series_of(jobs: Table, segments: Table, events: Table | None = None, *, exclusive: bool = True) -> Table:
    """Breakpoints of utilization and demand (in lanes) and of queued and running jobs; rows of SERIES.

    `utilization` is the share of lanes in segments of kind run; where jobs have a CPU need and hold nodes whole
    (`exclusive`), what they use of them. `demand` is size times CPU need of all jobs released and not ended.
    Rejected jobs never ask. `queued` counts released jobs that hold no lane: waiting or paused. With `events`
    at hand, who runs is counted from them: sooner than from the rectangles, of which a job may have many.
    """
    lanes = (segments["last"] - segments["first"] + 1) * segments["share"]
    need = np.ones(len(jobs["job_id"]))
    if "cpu_need" in jobs:
        need = jobs["cpu_need"]
        if exclusive:
            used = need * jobs["processors"] / nodes_alone(jobs) if "memory" in jobs else need
            lanes = lanes * used[segments["job"]]
    axis = _Axis(jobs, segments)
    base = _presence(axis, segments, events, need * jobs["processors"])
    return {**base, "utilization": axis.lasting(lanes, segments["kind"] == RUN)}


def _presence(axis: _Axis, segments: Table, events: Table | None, size: np.ndarray) -> Table:
    """Columns of SERIES with `demand` in units of `size` (one value a job) and `utilization` still 0."""
    if events is None:
        running = axis.lasting(np.ones(len(segments["job"])), _first_rectangles(segments))
    else:
        change = _RUNNING[events["kind"]]
        counts = np.flatnonzero(change)
        running = axis.steps((axis.find(events["time"][counts]), change[counts]))
    return {
        "time": axis.times,
        "utilization": np.zeros(len(axis.times)),
        "demand": axis.present(size),
        "queued": axis.present(np.ones(len(size))) - running,
        "running": running,
    }


def _first_rectangles(segments: Table) -> np.ndarray:
    """One row of each job and instant at which its rectangles begin: a job that holds many lanes runs once."""
    job, start = segments["job"], segments["start"]
    fresh = np.ones(len(job), bool)
    # In order of start, then lane: the rectangles of a job are neighbours but for other jobs of that instant.
    rows = np.flatnonzero(np.append(False, start[1:] == start[:-1]) | np.append(start[1:] == start[:-1], False))
    order = rows[np.lexsort((job[rows], start[rows]))]
    again = (job[order[1:]] == job[order[:-1]]) & (start[order[1:]] == start[order[:-1]])
    fresh[order[1:][again]] = False
    return np.flatnonzero(fresh)


def two_tier_series(workload: Workload, jobs: Table, segments: Table, events: Table, rates: Table) -> Table:
    """The columns of SERIES, and those of two tiers, all in processors:

    `utilization` progress per second (sum of size x rate), `cpu` useful CPU (sum over processes of usage x
    rate), `cpu_background` the part of it behind, `cpu_demand` the CPU that all released, unfinished jobs
    could use, `held` and `held_background` the slots held in each tier.
    """
    size = jobs["processors"].astype(float)
    cpu = np.add.reduceat(workload.parts["usage"], workload.parts["first"][:-1])
    axis = _Axis(jobs, segments)
    base = _presence(axis, segments, events, size)
    change = _effective_changes(jobs, segments, rates)
    place = axis.find(change["time"])
    width = (segments["last"] - segments["first"] + 1).astype(float)
    useful = cpu[change["job"]] * change["difference"]
    behind = change["tier"] == 1
    return {
        **base,
        "utilization": axis.steps((place, size[change["job"]] * change["difference"])),
        "cpu": axis.steps((place, useful)),
        "cpu_background": axis.steps((place[behind], useful[behind])),
        "cpu_demand": axis.present(cpu),
        "held": axis.lasting(width, segments["tier"] == 0),
        "held_background": axis.lasting(width, segments["tier"] == 1),
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


def packed_series(jobs: Table, segments: Table, demand: np.ndarray) -> Table:
    """Rows of SERIES for jobs whose tasks are packed: a job runs while any of its tasks does.

    demand: of each job, in lanes: the sizes of all its tasks over the mean capacity of a machine.
    """
    axis = _Axis(jobs, segments)
    order = np.lexsort((segments["start"], segments["job"]))
    # Places of a job are shifted by a stretch of its own, so that one running maximum serves all jobs.
    base = segments["job"][order].astype("i8") * (len(axis.times) + 1)
    first, reach = axis.first[order] + base, np.maximum.accumulate(axis.last[order] + base)
    opens = np.ones(len(order), bool)
    opens[1:] = first[1:] > reach[:-1]
    closes = np.append(opens[1:], True)[: len(order)]
    one = np.ones(int(opens.sum()))
    running = axis.steps(((first - base)[opens], one), ((reach - base)[closes], -one))
    ones = np.ones(len(demand))
    return {
        "time": axis.times,
        "utilization": axis.lasting(segments["share"], segments["kind"] == RUN),
        "demand": axis.present(demand),
        "queued": axis.present(ones) - running,
        "running": running,
    }


def _stalls(segments: Table) -> Table:
    """The stalls, once each, by job and start."""
    rows = np.flatnonzero(segments["kind"] == STALL)
    rows = rows[np.lexsort((segments["start"][rows], segments["job"][rows]))]
    job, start = segments["job"][rows], segments["start"][rows]
    fresh = np.ones(len(rows), bool)
    fresh[1:] = (job[1:] != job[:-1]) | (start[1:] != start[:-1])
    return {name: segments[name][rows[fresh]] for name in ("job", "start", "end", "tier")}
