"""Changes of rates of progress, beside a loop over rows."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from shadowtime.engine import tables
from shadowtime.engine.output.series import TwoTierAreas, _effective_changes
from shadowtime.engine.workload.job import Workload

JOBS = 3
instant = st.integers(0, 12).map(float)
changes = st.tuples(instant, st.integers(0, JOBS - 1), st.integers(0, 1), st.integers(0, 4))
rates_of_jobs = st.lists(changes, max_size=14)
stalls_of_jobs = st.sets(st.tuples(st.integers(0, JOBS - 1), instant), max_size=6)


def plain(jobs, stalls, rates):
    """The changes as rows `time job tier difference`: a rate set during a stall applies from its end."""
    rows = [(job, time, 0, 0.0, tier, until) for job, time, until, tier in zip(*map(list, stalls), strict=True)]
    rows += [(job, time, 1, rate, tier, None) for time, job, tier, rate in zip(*map(list, rates), strict=True)]
    rows += [(job, end, 1, 0.0, 0, None) for job, end in enumerate(jobs) if np.isfinite(end)]
    rows.sort(key=lambda row: row[:3])
    times = [row[1] for row in rows]
    for i, (job, _, _, _, _, until) in enumerate(rows):
        after = i + 1
        while until is not None and after < len(rows) and rows[after][0] == job and times[after] < until:
            times[after] = until
            after += 1
    begun = [(time, row[0], row[4], row[3]) for time, row in zip(times, rows, strict=True)]
    ended = []
    for i, (time, job, tier, _) in enumerate(begun):
        is_first = i == 0 or begun[i - 1][1] != job
        ended.append((time, job, tier if is_first else begun[i - 1][2], -0.0 if is_first else -begun[i - 1][3]))
    return begun + ended


@given(rates_of_jobs, stalls_of_jobs, st.lists(st.none() | instant, min_size=JOBS, max_size=JOBS), st.data())
def test_rates_set_during_stalls_apply_from_their_ends(rates, stalls, ends, data):
    rates.sort(key=lambda row: row[0])
    ends = np.array([np.nan if end is None else end for end in ends])
    where = sorted(stalls)
    until = [start + data.draw(st.integers(1, 5)) for _, start in where]
    tiers = [data.draw(st.integers(0, 1)) for _ in where]
    of_rates = [np.array([row[i] for row in rates], "f8") for i in range(4)]
    of_stalls = [np.array(column, "f8") for column in ([j for j, _ in where], [s for _, s in where], until, tiers)]
    changes = _effective_changes(
        {"end": ends},
        dict(zip(("job", "start", "end", "tier"), of_stalls, strict=True)),
        dict(zip(("time", "job", "tier", "rate"), of_rates, strict=True)),
    )
    found = zip(np.tile(changes["time"], 2), changes["job"], changes["tier"], changes["difference"], strict=True)

    assert [tuple(map(float, row)) for row in found] == [
        tuple(map(float, row)) for row in plain(ends, of_stalls, of_rates)
    ]


def test_no_rectangles_add_nothing():
    parts = {"usage": np.array([0.5]), "first": np.array([0, 1]), "phi": np.array([1.0])}
    curve = TwoTierAreas(Workload("two_tier", "one", {"job_id": np.array([1])}, parts=parts))
    curve.add(tables.empty(tables.SEGMENTS))

    assert curve._sums.times.tolist() == []
