"""Figures that the study of MEASY states for its workloads, for comparison, and the common end of its generators.

X. Liu et al., Scheduling parallel jobs using migration and consolidation in the cloud, Mathematical Problems in
Engineering 2012, article 695757. Machine of 320 processors.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from shadowtime.engine.tables import Table
from shadowtime.engine.workload.job import Workload, job_table
from shadowtime.engine.workload.offered import gaps_for
from shadowtime.engine.workload.words import count, were

PROCESSORS = 320


@dataclass(frozen=True)
class Stated:
    """Figures stated for one workload."""

    jobs: int
    mean_size: float
    mean_runtime: float
    serial: str
    """Share of jobs of one processor, as the study words it."""


def comparison(jobs: Table, processors: int, stated: Stated) -> str:
    """Return a sentence on mean size, mean runtime and serial share of `jobs`, with theirs for an equal machine."""
    size, runtime, serial = jobs["processors"].mean(), jobs["runtime"].mean(), (jobs["processors"] == 1).mean()
    ours = f"Mean size {size:.1f} processors, mean runtime {runtime:,.1f} s, {100 * serial:.1f} % serial"
    if processors != PROCESSORS:
        return f"{ours}."
    theirs = f"{stated.mean_size:g}, {stated.mean_runtime:,.1f} s and {stated.serial}"
    return f"{ours}; Liu et al. 2012 state {theirs} for {count(stated.jobs, 'job')}."


def workload_of(
    release: np.ndarray, runtime: np.ndarray, size: np.ndarray, values: Mapping[str, Any], stated: Stated | None = None
) -> Workload:
    """Return drawn jobs as a workload: sizes cut to the machine, gaps scaled to `load`, releases floored to seconds.

    Parameters
    ----------
    release, runtime, size
        n values each; releases [s] ascend.
    values
        Parameters of the generator: `processors`, and `load` (0: gaps are not scaled).
    stated
        Figures to compare with in the report.
    """
    processors = values["processors"]
    cut = int((size > processors).sum())
    jobs = job_table(release, runtime, np.minimum(size, processors))
    factor = gaps_for(jobs, processors, values["load"]) if values["load"] else 1.0
    jobs["release"] = np.floor(release * factor)
    report = [f"{count(len(release), 'job')} drawn."]
    if stated:
        report.append(comparison(jobs, processors, stated))
    if cut:
        report.append(f"{count(cut, 'size')} above {processors:,} processors {were(cut)} cut to {processors:,}.")
    return Workload(kind="rigid", name="", jobs=jobs, machine={"processors": processors}, report=tuple(report))
