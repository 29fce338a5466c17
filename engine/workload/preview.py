"""Preview of a workload before any run: three histograms and some facts, as JSON values."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from shadowtime.engine.registry import find_family
from shadowtime.engine.workload.job import Workload, stated_lanes
from shadowtime.engine.workload.local_time import hours, local
from shadowtime.engine.workload.offered import offered_load
from shadowtime.engine.workload.words import count


def preview(workload: Workload, lanes: int | None = None) -> dict[str, Any]:
    """Return facts, histograms and the report of the reader.

    Parameters
    ----------
    lanes
        Processors (or nodes) of the machine; None: as the workload states.

    Returns
    -------
    {"kind", "name", "report": sentences, "facts": {...}, "hours", "processors", "runtimes"}, the last three
    {"labels" or "edges", "counts"}; unknown facts are None.
    """
    lanes = lanes or stated_lanes(workload) or None
    family = find_family(workload.kind)
    too_wide = family.too_wide(workload, lanes) if lanes is not None else None
    report = [*workload.report]
    if too_wide:
        need = "needs" if too_wide == 1 else "need"
        report.append(f"{count(too_wide, 'job')} {need} more than {lanes:,} processors and will be rejected.")
    return {
        "kind": workload.kind,
        "name": workload.name,
        "report": losses_first(report),
        "facts": _facts(workload, lanes, too_wide),
        "hours": jobs_by_hour(workload),
        "processors": family.histogram_of_sizes(workload),
        "runtimes": jobs_by_runtime(workload),
    }


LOSSES = ("left out", "will be rejected")
"""Words of sentences about jobs that are not simulated."""


def losses_first(report: Sequence[str]) -> list[str]:
    """Return the sentences of a report, after the first one those that say what was left out before the others."""
    return [*report[:1], *sorted(report[1:], key=lambda said: not any(words in said for words in LOSSES))]


def jobs_by_hour(workload: Workload) -> dict[str, Any]:
    """Count the jobs submitted in each hour of the day, by the site's wall clock if the workload has dates."""
    found = hours(local(workload.jobs["release"], workload.clock))
    return {"labels": [str(h) for h in range(24)], "counts": np.bincount(found, minlength=24).tolist()}


def jobs_by_runtime(workload: Workload) -> dict[str, Any]:
    """Count the jobs by runtime: below 1 s, then in doubling bins; `edges` [s] has one value more than `counts`."""
    power = np.floor(np.log2(np.maximum(workload.jobs["runtime"], 0.5))).astype("i8")
    counts = np.bincount(power + 1).tolist()
    return {"edges": [0.0, *(2.0**k for k in range(len(counts)))], "counts": counts}


def _facts(workload: Workload, lanes: int | None, too_wide: int | None) -> dict[str, Any]:
    jobs = workload.jobs
    first, last = float(jobs["release"].min()), float(jobs["release"].max())
    load = offered_load(jobs, lanes) if lanes else math.nan
    users = np.unique(jobs["user"][jobs["user"] >= 0])
    return {
        "jobs": len(workload),
        "first_submit": first,
        "last_submit": last,
        "span": last - first,
        "lanes": lanes,
        "offered_load": None if math.isnan(load) else load,
        "serial_share": float((jobs["processors"] == 1).mean()),
        "largest_job": int(jobs["processors"].max()),
        "longest_runtime": float(jobs["runtime"].max()),
        "users": len(users) or None,
        "estimates": workload.has_estimates,
        "rejected": too_wide,
    }
