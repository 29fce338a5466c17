"""Wall clocks of sites beside those of Python."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import numpy as np
import pytest

from shadowtime.engine.workload.job import Clock
from shadowtime.engine.workload.local_time import hours, local, weekdays

AUTUMN = 1130000000.0


@pytest.mark.parametrize("zone", ["Europe/Stockholm", "US/Pacific", "Asia/Kolkata", "Australia/Lord_Howe", "UTC"])
def test_wall_clocks_are_those_of_python(zone):
    seconds = np.append(np.arange(0.0, 400 * 86400, 1733.0), np.nan)
    wall = local(seconds, Clock(AUTUMN, zone=zone))
    for second, found in zip(seconds[:-1].tolist(), wall[:-1].tolist(), strict=True):
        date = (datetime.fromtimestamp(AUTUMN, UTC) + timedelta(seconds=second)).astimezone(ZoneInfo(zone))
        assert found == date.replace(tzinfo=UTC).timestamp()
    assert np.isnan(wall[-1])


@pytest.mark.parametrize("zone", ["", "Mars/Olympus", "../etc"])
def test_an_unknown_zone_has_its_offset_all_year(zone):
    clock = Clock(0.0, 3600.0, zone)
    half_a_year = np.array([0.0, 182 * 86400.0])
    assert hours(local(half_a_year, clock)).tolist() == [1, 1]


def test_without_a_date_the_clock_begins_with_the_workload():
    wall = local(np.array([0.0, 7200.0]), None)
    assert (hours(wall).tolist(), weekdays(wall).tolist()) == ([0, 2], [3, 3])
