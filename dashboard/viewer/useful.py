"""Useful CPU of a finished run over time, the same wherever it is drawn: beside one schedule, or for several runs."""

from __future__ import annotations

from typing import Protocol

import numpy as np

from shadowtime.engine.output.series import series_of
from shadowtime.engine.tables import Table, rows


class Tables(Protocol):
    """A stored run, or a schedule in memory."""

    def table(self, name: str) -> Table:
        """Return the table of that name."""


def useful(run: Tables) -> Table:
    """Step functions: useful CPU in lanes, how much of it is in the background, and what jobs could use (`demand`);
    counts of jobs that wait and run (`queued`, `running`).

    Jobs with a known usage of their processors may run under a scheduler that knows one tier alone: they hold
    their processors whole, but only their usage of them is useful.
    """
    series, segments = run.table("series"), run.table("segments")
    shown = {name: series[name] for name in ("time", "queued", "running")}
    if "cpu" in series:  # two tiers: progress and CPU differ, and the engine has recorded both
        cpu = {"useful": "cpu", "background": "cpu_background", "demand": "cpu_demand"}
        return {**shown, **{name: series[column] for name, column in cpu.items()}}
    jobs = run.table("jobs")
    if "usage" in jobs:
        series = series_of({**jobs, "cpu_need": jobs["usage"]}, segments)
        shown = {name: series[name] for name in ("time", "queued", "running")}
    background = np.zeros(rows(series))
    if segments["tier"].any():
        lower = segments["tier"] > 0
        steps = series_of(jobs, {name: column[lower] for name, column in segments.items()})
        at = np.searchsorted(steps["time"], series["time"], side="right") - 1
        background = np.where(at >= 0, steps["utilization"][at], 0.0)
    return {**shown, "useful": series["utilization"], "background": background, "demand": series["demand"]}
