"""Compile, or load what was compiled, before work comes."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from shadowtime.engine.output import ordering
from shadowtime.engine.registry import find
from shadowtime.engine.simulation import simulate
from shadowtime.engine.tables import SEGMENTS
from shadowtime.engine.workload.job import Workload, job_table


def warm(slugs: Iterable[str] = ("fcfs", "easy")) -> None:
    """Run each algorithm once on two jobs, so that the next run (or a forked child's) starts in milliseconds.

    Compiled code is kept on disk: seconds the first time ever, tenths of a second in a later process.
    """
    for slug in slugs:
        if "rigid" in find(slug).kinds:
            jobs = job_table(np.array([0.0, 0.0]), np.array([1.0, 1.0]), np.array([1, 1]))
            simulate(Workload("rigid", "warm-up", jobs, machine={"processors": 1}), slug)
    warm_ordering()


def warm_ordering() -> None:
    """The compiled steps that only large tables take."""
    one = np.zeros(1)
    ordering.by_start_and_lane(one, np.zeros(1, SEGMENTS["first"]), many=0)
    ordering.places(one, one, many=0)
