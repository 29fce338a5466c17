"""Conversions for all families: one week, or some consecutive weeks, of a log; another offered load."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

import numpy as np

from shadowtime.engine.errors import InvalidParameter
from shadowtime.engine.parameters import Real, Whole
from shadowtime.engine.workload.conversions.conversion import EVERY, SAME, Conversion
from shadowtime.engine.workload.job import Parameters, Workload, select, stated_lanes
from shadowtime.engine.workload.offered import gaps_for, offered_load
from shadowtime.engine.workload.words import count

WEEK = 604_800.0
"""Seconds of a week."""


def apply_week(workload: Workload, values: Parameters, rng: np.random.Generator) -> Workload:
    """Return the jobs submitted in the weeks k to k + weeks - 1, with submission times relative to the first week.

    k counts weeks from 0 and from the workload's own second 0, not from its first job (H. Casanova et al.,
    RR-7659, section 5.3); sentences for people count from 1. The clock is shifted too, so that dates stay correct.
    """
    k, weeks = values["k"], values["weeks"]
    start = k * WEEK
    week = np.floor(workload.jobs["release"] / WEEK)
    index = np.flatnonzero((week >= k) & (week < k + weeks))
    if not len(index):
        spans = f"its jobs are submitted in weeks {week.min() + 1:,.0f} to {week.max() + 1:,.0f}"
        raise InvalidParameter(f"week: no job of {workload.name} is submitted in week {k + 1:,} (k={k}); {spans}")
    jobs, parts = select(workload.jobs, workload.parts, index)
    for name in {"release", "recorded_start", "recorded_end", "eligible"} & jobs.keys():
        jobs[name] = jobs[name] - start
    clock = workload.clock and replace(workload.clock, unix_start=workload.clock.unix_start + start)
    name = f"Week {k + 1:,}" if weeks == 1 else f"Weeks {k + 1:,} to {k + weeks:,}"
    sentence = f"{name} only (k={k}): {len(index):,} of {count(len(workload), 'job')}."
    return workload.with_(jobs=jobs, parts=parts, clock=clock, report=(*workload.report, sentence))


_of_any = partial(Conversion, takes=EVERY, makes=SAME)

WEEK_OF_LOG = _of_any(
    slug="week",
    title="A week of the log",
    summary="Keeps the jobs submitted in one week, or in some consecutive weeks.",
    parameters=(
        Whole("k", None, "Number of the week; the first is 0.", low=0, high=100_000),
        Whole("weeks", 1, "Number of consecutive weeks.", low=1, high=100_000),
    ),
    apply=apply_week,
)


def apply_load(workload: Workload, values: Parameters, rng: np.random.Generator) -> Workload:
    """Return the same jobs with scaled gaps after the first submission; all else stays the same."""
    lanes = int(values["processors"] or stated_lanes(workload))
    if not lanes:
        raise InvalidParameter(f"load: {workload.name} does not state how large its machine is; add processors=N")
    release = workload.jobs["release"]
    before = offered_load(workload.jobs, lanes)
    first = release.min()
    factor = gaps_for(workload.jobs, lanes, values["rho"])
    at_its_time = {name: column for name, column in workload.jobs.items() if not name.startswith("recorded_")}
    jobs = {**at_its_time, "release": first + (release - first) * factor}
    if "eligible" in jobs:  # a job waits as long as before until it may start
        jobs["eligible"] = jobs["release"] + np.maximum(0.0, jobs["eligible"] - release)
    sentence = f"Gaps between submissions times {factor:.3g}: offered load {values['rho']:g} instead of {before:.3g}."
    return workload.with_(jobs=jobs, report=(*workload.report, sentence))


LOAD = _of_any(
    slug="load",
    title="Another load",
    summary="Scales the gaps between submissions to reach a given offered load.",
    parameters=(
        Real("rho", None, "Offered load: work over what the machine could do while jobs arrive.",
             low=0.0, high=100.0, above=True),
        Whole("processors", 0, "Processors (or nodes) that the load is measured on; 0 is the workload's machine.",
              low=0, high=1_000_000),
    ),
    apply=apply_load,
)  # fmt: skip
