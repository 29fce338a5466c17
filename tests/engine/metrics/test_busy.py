"""Maps of a busy machine, held against sums second by second."""

from __future__ import annotations

from functools import partial

import numpy as np
import pytest

from shadowtime.engine.metrics.busy import MOST_DAYS, MOST_GROUPS, bounds, by_group, by_hour, days, in_use
from shadowtime.engine.tables import LOST, RUN
from shadowtime.engine.workload.job import Clock
from shadowtime.engine.workload.local_time import local

BEGIN = 1130367600.0
"""2005-10-27 01:00 in Stockholm, three days before its summer time ends."""
WALL = partial(local, clock=Clock(BEGIN, zone="Europe/Stockholm"))
STEP = 60


def rectangles(n=200, lanes=150, seed=3):
    """Rectangles over four days, whose times are whole minutes."""
    rng = np.random.default_rng(seed)
    first = rng.integers(0, lanes, n)
    start = rng.integers(0, 4 * 1440, n) * float(STEP)
    return {
        "first": first,
        "last": np.minimum(first + rng.integers(0, 30, n), lanes - 1),
        "start": start,
        "end": np.minimum(start + rng.integers(1, 900, n) * float(STEP), 4 * 86400.0),
        "share": rng.choice([0.5, 1.0], n),
        "kind": rng.choice([RUN, LOST], n, p=[0.9, 0.1]),
    }


def in_minutes(segments, lanes, minutes):
    """Share held of each lane in each minute: lanes x minutes."""
    held = np.zeros((lanes, minutes))
    for row in range(len(segments["first"])):
        if segments["kind"][row] == RUN:
            at = slice(int(segments["start"][row] / STEP), int(segments["end"][row] / STEP))
            held[segments["first"][row] : segments["last"][row] + 1, at] += segments["share"][row]
    return held


def wall_clock(minutes):
    """Hour and number of the day of each minute."""
    wall = WALL((np.arange(minutes) + 0.5) * STEP)
    return (wall % 86400 // 3600).astype(int), (wall // 86400).astype(int)


def test_days_begin_at_local_midnights_and_one_has_25_hours():
    span = days(600.0, 4 * 86400.0, WALL)

    assert (np.diff(span.edges) * 6 / 3600).round().tolist() == [137, 144, 144, 150]
    assert span.first == int(WALL(np.array([600.0]))[0] // 86400)


def test_a_day_begins_once_where_the_clock_falls_back_over_midnight():
    """At 00:01 of 1 November 2009 it was 23:01 again in St John's."""
    wall = partial(local, clock=Clock(1_256_904_000.0, zone="America/St_Johns"))  # 30 October, 09:30
    span = days(0.0, 4 * 86400.0, wall)

    assert len(span) == 5
    assert np.isfinite(
        by_hour(in_use(np.array([0.0]), np.array([4 * 86400.0]), np.array([1.0])), 1, span)[:, 1:4]
    ).all()


@pytest.mark.parametrize(("start", "end"), [(5.0, 5.0), (5.0, 4.0), (0.0, (MOST_DAYS + 1) * 86400.0)])
def test_a_span_without_length_or_of_many_years_has_no_days(start, end):
    assert days(start, end, WALL) is None


def test_hours_are_means_over_minutes_also_of_the_hour_that_comes_twice():
    segments, lanes, minutes = rectangles(), 150, 4 * 1440
    runs = segments["kind"] == RUN
    size = (segments["last"] - segments["first"] + 1) * segments["share"]
    used = in_use(segments["start"][runs], segments["end"][runs], size[runs])
    held = in_minutes(segments, lanes, minutes).sum(axis=0)
    hour, day = wall_clock(minutes)
    span = days(0.0, 4 * 86400.0, WALL)
    found = by_hour(used, lanes, span)

    assert found.shape == (24, 4)
    assert np.isnan(found[0, 0]) and np.isfinite(found[1:, 0]).all() and np.isfinite(found[:, 1:]).all()
    for (h, d), share in np.ndenumerate(found):
        here = (hour == h) & (day - span.first == d)
        assert share == pytest.approx(held[here].mean() / lanes if here.any() else np.nan, nan_ok=True)


@pytest.mark.parametrize("lanes", [1, 3, 64, 65, 150])
def test_groups_are_means_over_lanes_and_minutes(lanes):
    segments, minutes = rectangles(lanes=lanes), 4 * 1440
    held = in_minutes(segments, lanes, minutes)
    _, day = wall_clock(minutes)
    span = days(0.0, 4 * 86400.0, WALL)
    pieces = ({name: column[at : at + 37] for name, column in segments.items()} for at in range(0, 200, 37))
    found = by_group(pieces, lanes, span)
    edges = bounds(lanes)

    assert found.shape == (len(edges) - 1, 4) and len(edges) - 1 <= MOST_GROUPS
    assert edges[0] == 0 and edges[-1] == lanes and len(set(np.diff(edges)[:-1].tolist())) <= 1
    for (g, d), share in np.ndenumerate(found):
        assert share == pytest.approx(held[edges[g] : edges[g + 1], day - span.first == d].mean())


def test_lanes_beyond_the_machine_are_left_out():
    segments = {"first": [0, 3, 4], "last": [3, 9, 9], "start": [0.0] * 3, "end": [86400.0] * 3, "share": [1.0] * 3}
    table = {name: np.array(column) for name, column in {**segments, "kind": [RUN] * 3}.items()}

    assert by_group([table], 4, days(0.0, 86400.0, lambda seconds: seconds)).ravel().tolist() == [1, 1, 1, 2]


def test_jobs_without_an_end_are_not_in_use():
    used = in_use(np.array([0.0, 5.0, np.nan]), np.array([10.0, np.nan, 3.0]), np.array([2, 3, 4]))

    assert used.time.tolist() == [0.0, 10.0] and used.value.tolist() == [2.0, 0.0]
    assert used.integral(np.array([-1.0, 4.0, 99.0])).tolist() == [0.0, 8.0, 20.0]
    assert in_use(*np.empty((3, 0))).integral(np.array([1.0])).tolist() == [0.0]
