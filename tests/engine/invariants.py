"""What every schedule must be, whatever made it: checked from the tables alone, slowly and obviously."""

from __future__ import annotations

from collections import defaultdict
from itertools import pairwise

import numpy as np

from shadowtime.engine.tables import END, FINISHED, REJECTED, RUN, START


def rectangles(schedule):
    """Segments as a list of dicts."""
    names = list(schedule.segments)
    return [dict(zip(names, row, strict=True)) for row in zip(*schedule.segments.values(), strict=True)]


def check_schedule(schedule, *, exclusive=True, rate_is_one=True):
    """Capacity, releases, work and the agreement of the four tables."""
    jobs = schedule.jobs
    use = use_of(jobs, exclusive)
    segments = [{**s, "use": s["share"] * use[s["job"]]} for s in rectangles(schedule)]
    _check_capacity(segments, schedule.lanes, exclusive)
    per_job = defaultdict(list)
    for segment in segments:
        assert segment["end"] > segment["start"]
        assert 0 <= segment["first"] <= segment["last"] < schedule.lanes
        per_job[segment["job"]].append(segment)
    for row in range(len(jobs["job_id"])):
        mine = per_job[row]
        if jobs["state"][row] == REJECTED:
            assert not mine and np.isnan(jobs["start"][row]) and np.isnan(jobs["end"][row])
            continue
        assert jobs["state"][row] == FINISHED
        assert jobs["start"][row] >= jobs["release"][row]
        assert min(s["start"] for s in mine) == jobs["start"][row]
        assert max(s["end"] for s in mine) == jobs["end"][row]
        if rate_is_one:
            ran = [s for s in mine if s["kind"] == RUN]
            area = sum((s["end"] - s["start"]) * (s["last"] - s["first"] + 1) * s["use"] for s in ran)
            took = jobs["executed"] if "executed" in jobs else jobs["runtime"]  # classed: time depends on the machine
            asked = took[row] * jobs["processors"][row] * need_of(jobs)[row]
            assert abs(area - asked) <= 1e-9 * max(1.0, asked), f"job {row} got {area} of {asked}"
    _check_events(schedule)
    _check_series(schedule, segments)


def need_of(jobs):
    """CPU that one process of each job uses at full rate."""
    return jobs["cpu_need"] if "cpu_need" in jobs else np.ones(len(jobs["job_id"]))


def use_of(jobs, exclusive):
    """CPU in use per lane and share: fractional jobs that hold nodes whole do not use all of them."""
    if not exclusive or "cpu_need" not in jobs:
        return np.ones(len(jobs["job_id"]))
    per_node = np.floor(np.minimum(1.0 / jobs["cpu_need"], 1.0 / jobs["memory"]) + 1e-9)
    return jobs["cpu_need"] * jobs["processors"] / np.ceil(jobs["processors"] / per_node)


def _check_capacity(segments, lanes, exclusive):
    for lane in range(lanes):
        for tier in (0, 1):
            here = sorted(
                (s for s in segments if s["first"] <= lane <= s["last"] and s["tier"] == tier),
                key=lambda s: s["start"],
            )
            if exclusive:
                for one, two in pairwise(here):
                    assert two["start"] >= one["end"], f"lane {lane} tier {tier}: {one} and {two}"
            else:
                for instant in {s["start"] for s in here}:
                    assert sum(s["share"] for s in here if s["start"] <= instant < s["end"]) <= 1 + 1e-6


def _check_events(schedule):
    events, jobs = schedule.events, schedule.jobs
    assert (np.diff(events["time"]) >= 0).all()
    started, ended = events["kind"] == START, events["kind"] == END
    done = np.flatnonzero(jobs["state"] == FINISHED)
    first_start = np.full(len(jobs["job_id"]), np.inf)
    np.minimum.at(first_start, events["job"][started], events["time"][started])
    assert np.array_equal(first_start[done], jobs["start"][done])
    assert sorted(events["job"][ended].tolist()) == done.tolist()
    assert np.array_equal(jobs["end"][events["job"][ended]], events["time"][ended])


def _check_series(schedule, segments):
    """The step functions against sums over rectangles and jobs, at each breakpoint."""
    series, jobs = schedule.series, schedule.jobs
    asks = jobs["state"] != REJECTED
    for at, time in list(enumerate(series["time"]))[:400]:
        now = [s for s in segments if s["start"] <= time < s["end"]]
        useful = sum((s["last"] - s["first"] + 1) * s["use"] for s in now if s["kind"] == RUN)
        if "held" in series:  # two tiers: rates are not areas
            slots = [sum(s["last"] - s["first"] + 1 for s in now if s["tier"] == tier) for tier in (0, 1)]
            assert [series["held"][at], series["held_background"][at]] == slots
            assert series["utilization"][at] <= sum(slots) + 1e-9
        else:
            assert abs(series["utilization"][at] - useful) < 1e-6
        present = asks & (jobs["release"] <= time) & (time < jobs["end"])
        holding = len({s["job"] for s in now})
        assert abs(series["demand"][at] - (jobs["processors"] * need_of(jobs))[present].sum()) < 1e-6
        assert series["running"][at] == holding
        assert series["queued"][at] == present.sum() - holding
