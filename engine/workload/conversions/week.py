"""A week of a log, or a few in a row."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import numpy as np

from shadowtime.engine.errors import InvalidParameter
from shadowtime.engine.parameters import Whole
from shadowtime.engine.workload.conversions.conversion import EVERY, SAME, Conversion
from shadowtime.engine.workload.job import Workload, select
from shadowtime.engine.workload.words import count

WEEK = 604_800.0


def apply(workload: Workload, values: Mapping[str, Any], rng: np.random.Generator) -> Workload:
    """Jobs submitted in the weeks k to k + weeks - 1, submission times shifted so that the first week begins at 0.

    Weeks count from 0 and from the workload's own second 0, not from its first job (H. Casanova et al.,
    RR-7659, section 5.3). The clock moves along, so that dates stay true.
    """
    k, weeks = values["k"], values["weeks"]
    start = k * WEEK
    week = np.floor(workload.jobs["release"] / WEEK)
    index = np.flatnonzero((week >= k) & (week < k + weeks))
    if not len(index):
        spans = f"its jobs are submitted in weeks {week.min():,.0f} to {week.max():,.0f}"
        raise InvalidParameter(f"week: no job of {workload.name} is submitted in week {k:,}; {spans}")
    jobs, parts = select(workload.jobs, workload.parts, index)
    jobs["release"] = jobs["release"] - start
    clock = workload.clock and replace(workload.clock, unix_start=workload.clock.unix_start + start)
    name = f"Week {k:,}" if weeks == 1 else f"Weeks {k:,} to {k + weeks - 1:,}"
    said = f"{name} only: {len(index):,} of {count(len(workload), 'job')}."
    return workload.with_(jobs=jobs, parts=parts, clock=clock, report=(*workload.report, said))


WEEK_OF_LOG = Conversion(
    slug="week",
    title="A week of the log",
    summary="Keeps the jobs submitted in one week, or in a few in a row.",
    takes=EVERY,
    makes=SAME,
    parameters=(
        Whole("k", None, "Which week, the first is 0.", low=0, high=100_000),
        Whole("weeks", 1, "How many weeks in a row.", low=1, high=100_000),
    ),
    apply=apply,
)
