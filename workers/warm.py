"""Compile algorithms, or load them from the cache, before the first run."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from shadowtime.engine.output import ordering
from shadowtime.engine.registry import find
from shadowtime.engine.simulation import simulate
from shadowtime.engine.tables import SEGMENTS
from shadowtime.engine.workload.job import Workload, job_table

COMMON = ("fcfs", "easy")


def warm(slugs: Iterable[str] = COMMON) -> None:
    """Run each rigid algorithm once on two jobs, so that the next run, also in a forked child, starts in milliseconds.

    Compiled code is cached on disk: this takes seconds the first time, tenths of a second in a later process.
    """
    for slug in slugs:
        if "rigid" in find(slug).kinds:
            jobs = job_table(np.array([0.0, 0.0]), np.array([1.0, 1.0]), np.array([1, 1]))
            simulate(Workload("rigid", "warm-up", jobs, machine={"processors": 1}), slug)
    warm_ordering()


def warm_ordering() -> None:
    """Compile the steps that only large tables use."""
    from shadowtime.engine.workload.conversions.exchange import exchange

    one = np.zeros(1)
    ordering.by_start_and_lane(one, np.zeros(1, SEGMENTS["first"]), many=0)
    ordering.places(one, one, many=0)
    ordering.by_group(np.zeros(1, np.int64), 1, many=0)
    exchange(one, np.zeros(1, np.int64))


def load(*slugs: str) -> None:
    """Execute the four-job sample once under each of `slugs`, or FCFS and EASY, so that the next run finds all code
    compiled and loaded."""
    from shadowtime.engine.workload.samples import find_sample
    from shadowtime.workers.execute import execute
    from shadowtime.workers.spec import RunSpec

    sample = find_sample("four").read()
    for slug in slugs or COMMON:
        execute(RunSpec.of(sample, slug), sample, on_piece=lambda piece: None)
