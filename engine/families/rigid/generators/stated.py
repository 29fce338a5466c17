"""What the study of MEASY says of its workloads, to be put beside ours.

X. Liu et al., Scheduling parallel jobs using migration and consolidation in the cloud, Mathematical Problems in
Engineering 2012, article 695757. Machine of 320 processors.
"""

from __future__ import annotations

from dataclasses import dataclass

from shadowtime.engine.tables import Table
from shadowtime.engine.workload.words import count

PROCESSORS = 320


@dataclass(frozen=True)
class Stated:
    """What it states of one workload."""

    jobs: int
    mean_size: float
    mean_runtime: float
    serial: str
    """Share of jobs of one processor, in its words."""


def comparison(jobs: Table, processors: int, stated: Stated) -> str:
    """Mean size, mean runtime and serial share of `jobs`; theirs beside it where the machine is as large as theirs."""
    size, runtime, serial = jobs["processors"].mean(), jobs["runtime"].mean(), (jobs["processors"] == 1).mean()
    ours = f"Mean size {size:.1f} processors, mean runtime {runtime:,.1f} s, {100 * serial:.1f} % serial"
    if processors != PROCESSORS:
        return f"{ours}."
    theirs = f"{stated.mean_size:g}, {stated.mean_runtime:,.1f} s and {stated.serial}"
    return f"{ours}; Liu et al. 2012 state {theirs} for {count(stated.jobs, 'job')}."
