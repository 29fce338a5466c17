"""Read the clock of a JSON instance: {"unix_start", "utc_offset", "zone"}."""

from __future__ import annotations

from typing import Any

from shadowtime.engine.workload import columns
from shadowtime.engine.workload.job import Clock, zone_name
from shadowtime.engine.workload.limits import LONGEST


def clock_of(given: Any) -> Clock | None:
    """Return the clock of an instance, or None if it has none."""
    if not isinstance(given, dict):
        return None
    return Clock(
        columns.number(given, "unix_start", low=0, high=LONGEST),
        columns.number({"utc_offset": 0, **given}, "utc_offset", low=-86_400, high=86_400),
        zone_name(given.get("zone")),
    )
