"""Cut one week, or some consecutive weeks, out of a log."""

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
    """Return the jobs submitted in the weeks k to k + weeks - 1, with submission times relative to the first week.

    Weeks count from 0 and from the workload's own second 0, not from its first job (H. Casanova et al.,
    RR-7659, section 5.3). The clock is shifted too, so that dates stay correct.
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
    sentence = f"{name} only: {len(index):,} of {count(len(workload), 'job')}."
    return workload.with_(jobs=jobs, parts=parts, clock=clock, report=(*workload.report, sentence))


WEEK_OF_LOG = Conversion(
    slug="week",
    title="A week of the log",
    summary="Keeps the jobs submitted in one week, or in some consecutive weeks.",
    takes=EVERY,
    makes=SAME,
    parameters=(
        Whole("k", None, "Number of the week; the first is 0.", low=0, high=100_000),
        Whole("weeks", 1, "Number of consecutive weeks.", low=1, high=100_000),
    ),
    apply=apply,
)
