"""The kernel's clock: its origin, its resolution, and the conversion of its times to those of the workload.

The kernel counts seconds from an `origin`: the multiple of 2^20 s (12 days) at or before the first submission. A
workload that starts within 12 days of its second 0 has origin 0. Every `release - origin` is exact, since both are
multiples of the spacing of float64 at the release. A workload shifted by a multiple of 2^20 s therefore has the same
kernel times, bit for bit.

Two instants closer than `TIE * max(1, t)`, t seconds after the origin, are one. Tables count from the workload's
second 0 again: there, times are as fine as float64 is (0.24 us at 1.7e9 s).
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import replace

import numpy as np

from shadowtime.engine.errors import InvalidWorkload
from shadowtime.engine.tables import BACKFILL, CORRECT, RESERVE, Table, take
from shadowtime.engine.workload.job import Workload

TIE = 1e-12
"""Completions within TIE * max(1, t) of an instant t belong to it: rounding of remaining / rate."""

STEP = 2.0**20
"""Origins are multiples of it [s]: at the first submission, instants 1.1 us apart are distinct."""

INSTANTS = (RESERVE, BACKFILL, CORRECT)
"""Kinds of events whose `value` is a time."""

ON_THE_CLOCK = ("release", "eligible", "recorded_start", "recorded_end")
"""Columns of a workload that hold instants."""

LEAST = 100.0
"""A runtime is at least so many times the resolution at its release; flows are then right to 1 %."""


def origin_of(workload: Workload) -> float:
    """Return the second of the workload's own clock at which the kernel's clock starts; it may be negative."""
    return origin_before(float(workload.jobs["release"].min()))


def origin_before(first: float) -> float:
    """Return the origin of a workload whose first submission is at `first` [s]."""
    return STEP * math.floor(first / STEP)


def on_kernel_clock(workload: Workload) -> Workload:
    """Return the workload with its instants counted from its origin, dates unchanged: itself where the origin is 0."""
    origin = origin_of(workload)
    if origin == 0.0:
        return workload
    moved = {name: workload.jobs[name] - origin for name in ON_THE_CLOCK if name in workload.jobs}
    clock = workload.clock and replace(workload.clock, unix_start=workload.clock.unix_start + origin)
    return workload.with_(jobs={**workload.jobs, **moved}, clock=clock)


def resolution(release: np.ndarray, origin: float) -> np.ndarray:
    """Return how far apart instants near each release must be to differ, in the kernel and in the tables [s]."""
    return np.maximum(TIE * np.maximum(1.0, np.abs(release - origin)), np.spacing(np.abs(release)))


def check_resolution(workload: Workload) -> None:
    """Check that every runtime is at least LEAST times the resolution at its release.

    Raises
    ------
    InvalidWorkload
        Naming the first job that is too short, and the shortest runtime that can be simulated at its release.
    """
    jobs = workload.jobs
    if not len(workload):
        return
    fine = LEAST * resolution(jobs["release"], origin_of(workload))
    short = (jobs["runtime"] > 0.0) & (jobs["runtime"] < fine)
    if short.any():
        i = int(np.argmax(short))
        raise InvalidWorkload(
            f"{workload.name}: job {jobs['job_id'][i]} runs for {jobs['runtime'][i]:.3g} s and is submitted at "
            f"{jobs['release'][i]:.15g} s, where times are resolved to {fine[i] / LEAST:.2g} s: a job must run for at "
            f"least {fine[i]:.2g} s there. Count the times from the first submission."
        )


def workload_time(times: np.ndarray, origin: float) -> np.ndarray:
    """Return kernel times [s] on the workload's clock: the least float64 at or above each sum with the origin.

    Rounding up keeps order and releases, and no flow becomes shorter than its runtime.
    """
    if origin == 0.0:
        return times
    total = times + origin
    # Knuth's TwoSum: `total + lost` is the exact sum.
    part = total - times
    lost = (times - (total - part)) + (origin - part)
    return np.where(lost > 0.0, np.nextafter(total, np.inf), total)


def moved(table: Table, names: Iterable[str], origin: float) -> Table:
    """Return the table with the columns `names` on the workload's clock."""
    if origin == 0.0:
        return table
    return {**table, **{name: workload_time(table[name], origin) for name in names}}


def moved_segments(segments: Table, origin: float) -> Table:
    """Return rectangles on the workload's clock, without those whose length is rounded to 0 there."""
    if origin == 0.0:
        return segments
    there = moved(segments, ("start", "end"), origin)
    keep = there["end"] > there["start"]
    return there if keep.all() else take(there, keep)


def moved_events(events: Table, origin: float) -> Table:
    """Return events on the workload's clock, the promised starts and shadow times in `value` too."""
    if origin == 0.0:
        return events
    there = moved(events, ("time",), origin)
    is_instant = np.isin(events["kind"], INSTANTS)
    there["value"] = np.where(is_instant, workload_time(events["value"], origin), events["value"])
    return there
