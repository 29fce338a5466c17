"""The exact step functions of a run: utilization, demand, waiting and running jobs over time.

Each curve is computed from rectangles part by part, so that they need not all be in memory.
"""

from __future__ import annotations

from typing import Protocol

import numpy as np

from shadowtime.engine import tables
from shadowtime.engine.output.ordering import by_group
from shadowtime.engine.output.sums import Sums, settled
from shadowtime.engine.tables import END, EVENT_KINDS, KILL, PAUSE, REJECT, REJECTED, RESUME, RUN, STALL, START, Table
from shadowtime.engine.workload.job import Workload
from shadowtime.engine.workload.sharing import nodes_alone

_RUNNING = np.zeros(len(EVENT_KINDS))
_RUNNING[[START, RESUME]] = 1.0
_RUNNING[[END, PAUSE, KILL]] = -1.0
"""Change of the number of running jobs, by kind of event."""
STALLED = ("job", "start", "end", "tier")


class Curve(Protocol):
    """The series of a run, accumulated from parts of its rectangles."""

    def add(self, segments: Table) -> None:
        """Add rectangles; in the order of the table the result is the same to the last bit."""

    def table(self, jobs: Table, events: Table | None, rates: Table) -> Table:
        """Return the rows of SERIES after all rectangles were added."""


def draw(curve: Curve, segments: Table) -> Curve:
    """Add the rectangles of a table, which may be on disk, to `curve` part by part, and return it."""
    for part in tables.parts(segments, "start"):
        curve.add(part)
    return curve


def series_of(jobs: Table, segments: Table, events: Table | None = None, *, exclusive: bool = True) -> Table:
    """Return utilization and demand (in lanes) and the numbers of queued and running jobs; rows of SERIES.

    `utilization` counts lanes x share of the segments of kind run; if jobs have a CPU need and hold whole nodes
    (`exclusive`), only the CPU that they use. `demand` is size times CPU need of all released, unfinished jobs; a
    rejected job counts only if it ran before, until its rejection. `queued` counts released jobs that hold no lane:
    waiting or paused. Running jobs are counted from `events` if given, which is faster than from rectangles: a job may
    have many.
    """
    curve = Areas(jobs, exclusive=exclusive, count=events is None)
    return draw(curve, segments).table(jobs, events, {})


class Areas:
    """The curve of `series_of`; with `count`, running jobs are counted from the rectangles."""

    def __init__(self, jobs: Table, *, exclusive: bool, count: bool = False):
        self._sums, self._count, self._used = Sums(), count, None
        self._last = np.full(len(jobs["job_id"]), np.nan)
        if "cpu_need" in jobs and exclusive:
            need = jobs["cpu_need"]
            self._used = need * jobs["processors"] / nodes_alone(jobs) if "memory" in jobs else need

    def add(self, segments: Table) -> None:
        lanes = (segments["last"] - segments["first"] + 1) * segments["share"]
        if self._used is not None:
            lanes = lanes * self._used[segments["job"]]
        first, last = self._sums.span(segments)
        runs = segments["kind"] == RUN
        self._sums.add("utilization", first[runs], last[runs], lanes[runs])
        if self._count:
            once = _first_rectangles(segments)
            self._sums.add("running", first[once], last[once], np.ones(len(once)))
            np.fmax.at(self._last, segments["job"], segments["end"])

    def table(self, jobs: Table, events: Table | None, rates: Table) -> Table:
        need = jobs["cpu_need"] if "cpu_need" in jobs else np.ones(len(jobs["job_id"]))
        presence = _Presence(self._sums, jobs, events, self._last)
        running = self._sums.total("running") if events is None else presence.running(events)
        base = presence.table(need * jobs["processors"], running)
        return {**base, "utilization": self._sums.total("utilization")}


class _Presence:
    """The jobs in the system, on the axis of a curve whose rectangles were all added.

    A job that was rejected after it ran leaves at that event or, without events, with its last rectangle (`last`).
    """

    def __init__(self, sums: Sums, jobs: Table, events: Table | None, last: np.ndarray | None = None):
        self._sums = sums
        rejected, left = jobs["state"] == REJECTED, jobs["end"]
        ran = rejected & np.isfinite(jobs["start"])
        if ran.any():
            gone = last if events is None else _rejections(events, len(left))
            assert gone is not None, "without events, rectangles are counted"
            left = np.where(ran, gone, left)
        self._admitted, self._ended = ~rejected | ran, np.isfinite(left)
        release, end = jobs["release"][self._admitted], left[self._ended]
        sums.reach(release, end)
        self._release, self._end = sums.find(release), sums.find(end)

    def of(self, amount: np.ndarray) -> np.ndarray:
        """Return the sum of `amount` over released, unfinished jobs; jobs that were rejected at once do not count."""
        return self._sums.steps((self._release, amount[self._admitted]), (self._end, -amount[self._ended]))

    def table(self, size: np.ndarray, running: np.ndarray) -> Table:
        """Return the columns of SERIES with `demand` as the sum of `size` (one value per job) and `utilization` 0."""
        return {
            "time": self._sums.times,
            "utilization": np.zeros(len(running)),
            "demand": self.of(size),
            "queued": self.of(np.ones(len(size))) - running,
            "running": running,
        }

    def running(self, events: Table) -> np.ndarray:
        """Return the number of running jobs, counted from the events."""
        changes = np.zeros(len(self._sums.times))
        for part in tables.parts(events, "time"):
            change = _RUNNING[part["kind"]]
            counts = np.flatnonzero(change)
            np.add.at(changes, self._sums.find(part["time"][counts]), change[counts])
        return settled(np.cumsum(changes))


def _rejections(events: Table, jobs: int) -> np.ndarray:
    """Return when each of so many jobs was rejected [s]; NaN for the others."""
    found = np.full(jobs, np.nan)
    for part in tables.parts(events, "time"):
        rows = part["kind"] == REJECT
        found[part["job"][rows]] = part["time"][rows]
    return found


def _first_rectangles(segments: Table) -> np.ndarray:
    """Return one row per job and instant at which its rectangles begin, so that a job on many lanes counts once."""
    job, start = segments["job"], segments["start"]
    fresh = np.ones(len(job), bool)
    # Segments are ordered by start, then lane: only rows of the same instant can belong to one start.
    again = ~tables.is_new(start)
    rows = np.flatnonzero(again | np.append(again[1:], False))
    order = rows[np.lexsort((job[rows], start[rows]))]
    fresh[order[~tables.is_new(job[order], start[order])]] = False
    return np.flatnonzero(fresh)


class TwoTierAreas:
    """The curve of SERIES and of two tiers, in processors; stalls are stored, one per job and instant.

    `utilization` is progress per second (sum of size x rate), `cpu` useful CPU (sum over processes of usage x
    rate), `cpu_background` its part in the background, `cpu_demand` the CPU that all released, unfinished jobs
    could use, `held` and `held_background` the slots held in each tier. Work that a kill discards later counts while
    it is done: the useful work of a run is that of its metrics.

    Parameters
    ----------
    instants
        At which rates change though no rectangle begins or ends; there are none in a whole run.
    """

    def __init__(self, workload: Workload, instants: np.ndarray | None = None):
        self._sums = Sums()
        if instants is not None:
            self._sums.reach(instants)
        self._cpu = np.add.reduceat(workload.parts["usage"], workload.parts["first"][:-1])
        self._stalls = [{name: np.zeros(0, tables.SEGMENTS[name]) for name in STALLED}]

    def add(self, segments: Table) -> None:
        # The rectangles of a job are neighbours, and widths are whole numbers: a fourth of the rows, the same sums.
        begins = np.flatnonzero(tables.is_new(segments["start"], segments["end"], segments["tier"]))
        groups = tables.take({name: segments[name] for name in ("start", "end", "tier")}, begins)
        width = np.add.reduceat(segments["last"] - segments["first"] + 1, begins).astype(float)
        first, last = self._sums.span(groups)
        for name, tier in (("held", 0), ("held_background", 1)):
            which = groups["tier"] == tier
            self._sums.add(name, first[which], last[which], width[which])
        rows = np.flatnonzero(segments["kind"] == STALL)
        self._stalls.append(_once({name: segments[name][rows] for name in STALLED}))

    def table(self, jobs: Table, events: Table | None, rates: Table) -> Table:
        sums, cpu, size = self._sums, self._cpu, jobs["processors"].astype(float)
        presence = _Presence(sums, jobs, events)
        assert events is not None
        base = presence.table(size, presence.running(events))
        stalls = _once(tables.concatenate(self._stalls, tables.SEGMENTS))
        change = _effective_changes(jobs, stalls, rates)
        place = np.tile(sums.find(change["time"]), 2)
        useful = cpu[change["job"]] * change["difference"]
        background = change["tier"] == 1
        return {
            **base,
            "utilization": sums.steps((place, size[change["job"]] * change["difference"])),
            "cpu": sums.steps((place, useful)),
            "cpu_background": sums.steps((place[background], useful[background])),
            "cpu_demand": presence.of(cpu),
            "held": sums.total("held"),
            "held_background": sums.total("held_background"),
        }


def _effective_changes(jobs: Table, stalls: Table, rates: Table) -> Table:
    """Return the changes of each job's rate of progress, per tier: the `time` of n changes, and twice as many rows of
    `job tier difference`, what begins at each time and then what ends there.

    A rate set during a stall applies from the end of the stall; until then it is 0. A job that changes its tier
    subtracts its rate from the old tier.
    """
    ended = np.flatnonzero(np.isfinite(jobs["end"]))
    job = np.concatenate([rates["job"], ended, stalls["job"]]).astype(np.int64)
    time = np.concatenate([rates["time"], jobs["end"][ended], stalls["start"]])
    rate = np.concatenate([rates["rate"], np.zeros(len(ended) + len(stalls["job"]))])
    tier = np.concatenate([rates["tier"], np.zeros(len(ended), np.uint8), stalls["tier"]])
    rank = np.concatenate([np.ones(len(rates["job"])), np.ones(len(ended)), np.zeros(len(stalls["job"]))])
    order = np.lexsort((rank, time))
    order = order[by_group(job[order], len(jobs["end"]))]
    job, time, rate, tier, rank = job[order], time[order], rate[order], tier[order], rank[order]
    after, until = np.flatnonzero(rank == 0) + 1, stalls["end"]
    while len(after):
        goes_on = after < len(job)
        after, until = after[goes_on], until[goes_on]
        goes_on = (job[after] == job[after - 1]) & (time[after] < until)
        after, until = after[goes_on], until[goes_on]
        time[after] = until
        after = after + 1
    same_job = np.zeros(len(job), bool)
    same_job[1:] = job[1:] == job[:-1]
    before = np.where(same_job, np.roll(rate, 1), 0.0)
    was_tier = np.where(same_job, np.roll(tier, 1), tier)
    return {
        "time": time,
        "job": np.concatenate([job, job]),
        "tier": np.concatenate([tier, was_tier]),
        "difference": np.concatenate([rate, -before]),
    }


def _once(stalls: Table) -> Table:
    """Return each stall once, by job and start."""
    table = tables.take(stalls, np.lexsort((stalls["start"], stalls["job"])))
    return tables.take(table, tables.is_new(table["job"], table["start"]))


class PackedAreas:
    """The curve of SERIES for multitask jobs; a job runs while any of its tasks runs.

    The intervals in which each job runs are stored. `demand` of each job, in lanes: the sizes of all its tasks over the
    mean capacity of a machine.
    """

    def __init__(self, demand: np.ndarray):
        self._sums, self._demand = Sums(), demand
        self._busy = [{name: np.zeros(0, tables.SEGMENTS[name]) for name in ("job", "start", "end")}]

    def add(self, segments: Table) -> None:
        first, last = self._sums.span(segments)
        runs = segments["kind"] == RUN
        self._sums.add("utilization", first[runs], last[runs], segments["share"][runs])
        self._busy.append(_joined(segments, first, last, len(self._sums.times)))

    def table(self, jobs: Table, events: Table | None, rates: Table) -> Table:
        sums = self._sums
        presence = _Presence(sums, jobs, events)
        busy = tables.concatenate(self._busy, tables.SEGMENTS)
        busy = _joined(busy, sums.find(busy["start"]), sums.find(busy["end"]), len(sums.times))
        one = np.ones(len(busy["job"]))
        running = sums.steps((sums.find(busy["start"]), one), (sums.find(busy["end"]), -one))
        base = presence.table(self._demand, running)
        return {**base, "utilization": sums.total("utilization")}


def _joined(segments: Table, first: np.ndarray, last: np.ndarray, instants: int) -> Table:
    """Return the disjoint intervals in which each job holds any of its rectangles: `job start end`.

    `first`, `last`: places of the starts and ends of the rectangles among `instants` instants.
    """
    order = np.lexsort((first, segments["job"]))
    # Each job's places are offset to a range of their own, so that one running maximum serves all jobs.
    base = segments["job"][order].astype("i8") * (instants + 1)
    at, reach = first[order] + base, np.maximum.accumulate(last[order] + base)
    opens = np.ones(len(order), bool)
    opens[1:] = at[1:] > reach[:-1]
    opening = np.flatnonzero(opens)
    ends = np.maximum.reduceat(segments["end"][order], opening) if len(opening) else segments["end"]
    return {"job": segments["job"][order][opening], "start": segments["start"][order][opening], "end": ends}
