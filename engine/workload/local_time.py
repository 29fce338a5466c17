"""Hours and days of a workload as a wall clock of its site shows them, changes to summer time included."""

from __future__ import annotations

from datetime import UTC, datetime, tzinfo

import numpy as np

from shadowtime.engine.workload.job import Clock

HOUR, DAY = 3600.0, 86400.0
QUARTER = 900.0
"""Every zone's distance to UTC is a multiple of this [s], and changes at a multiple."""
THURSDAY = 3
"""Weekday of 1 January 1970, from Monday as 0."""


def local(seconds: np.ndarray, clock: Clock | None) -> np.ndarray:
    """Return instants of a workload as seconds since 1970-01-01 00:00 of the local wall clock; NaN stays NaN.

    Parameters
    ----------
    seconds
        n instants from the workload's own second 0 [s].
    clock
        The date of second 0, and the time zone of the site; None: the instants stay as they are.
    """
    own = np.asarray(seconds, dtype="f8")
    if clock is None:
        return own
    unix = own + clock.unix_start
    return unix + _offsets(unix, clock.time_zone)


def hours(wall: np.ndarray) -> np.ndarray:
    """Return the hour of the day, 0 to 23, of seconds that `local` returned."""
    return (np.floor(wall / HOUR) % 24).astype("i8")


def weekdays(wall: np.ndarray) -> np.ndarray:
    """Return the day of the week, Monday as 0, of seconds that `local` returned."""
    return ((np.floor(wall / DAY) + THURSDAY) % 7).astype("i8")


def _offsets(unix: np.ndarray, zone: tzinfo) -> np.ndarray:
    """Return the seconds by which `zone` is ahead of UTC at each instant; 0 where it is NaN."""
    known = np.isfinite(unix)
    if not known.any():
        return np.zeros(len(unix))
    day = np.floor(np.where(known, unix, unix[known][0]) / DAY).astype("i8")
    first = int(day.min())
    at_midnight = np.array([_offset(n * DAY, zone) for n in range(first, int(day.max()) + 2)])
    found = at_midnight[day - first]
    changes = np.flatnonzero((at_midnight[1:] != at_midnight[:-1])[day - first] & known)
    if len(changes):
        quarters, which = np.unique(np.floor(unix[changes] / QUARTER), return_inverse=True)
        found[changes] = np.array([_offset(quarter * QUARTER, zone) for quarter in quarters])[which]
    return np.where(known, found, 0.0)


def _offset(unix: float, zone: tzinfo) -> float:
    ahead = datetime.fromtimestamp(unix, UTC).astimezone(zone).utcoffset()
    return ahead.total_seconds() if ahead is not None else 0.0
