"""Figures that the study of MEASY states for its workloads, for comparison, and the common end of its generators.

X. Liu et al., Scheduling parallel jobs using migration and consolidation in the cloud, Mathematical Problems in
Engineering 2012, article 695757. Machine of 320 processors.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from shadowtime.engine.tables import Table
from shadowtime.engine.workload.job import Parameters, Workload, job_table
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


def merged(arrivals: Sequence[np.ndarray], n: int) -> tuple[np.ndarray, np.ndarray]:
    """Return the first n arrivals of some streams, ascending, and the number of the stream of each."""
    index = np.argsort(np.concatenate(arrivals), kind="stable")[:n]
    owner = np.repeat(np.arange(len(arrivals)), [len(stream) for stream in arrivals])
    return np.concatenate(arrivals)[index], owner[index]


def workload_of(
    release: np.ndarray, runtime: np.ndarray, size: np.ndarray, values: Parameters, stated: Stated | None = None
) -> Workload:
    """Return drawn jobs as a workload: sizes cut to the machine, gaps scaled to `load`, releases floored to seconds.

    `release` [s], which ascends, `runtime` [s] and `size` have n values; a `load` of 0 keeps the gaps. The report
    compares the jobs with the figures `stated`.
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
