"""Offered load: the work of the jobs over the capacity of the machine while they arrive."""

from __future__ import annotations

import math
from collections.abc import Mapping

import numpy as np

from shadowtime.engine.errors import InvalidParameter
from shadowtime.engine.workload.limits import LONGEST


def offered_load(jobs: Mapping[str, np.ndarray], lanes: int) -> float:
    """Return `sum n p / (P (max r - min r))` over all jobs, including those wider than the machine; no unit.

    The load belongs to the workload, not to a run; it counts nodes, not CPU (DFRS). NaN if all jobs are released at one
    instant.
    """
    if not len(jobs["release"]):
        return math.nan
    span = float(jobs["release"].max() - jobs["release"].min())
    return float(np.sum(work_per_job(jobs))) / (lanes * span) if span > 0.0 else math.nan


def work_per_job(jobs: Mapping[str, np.ndarray]) -> np.ndarray:
    """Return the work of each job [lane-seconds]: size times runtime, `n p`.

    Multitask jobs have `volume` (size times time of their tasks) instead, and moldable jobs `work`, their least
    lane-seconds. Of jobs of classes it is the time on their best machine: in the table of a run, `processors` is what
    they were given.
    """
    for name in ("volume", "work"):
        if name in jobs:
            return jobs[name]
    return jobs["runtime"] if "job_class" in jobs else jobs["processors"] * jobs["runtime"]


def gaps_for(jobs: Mapping[str, np.ndarray], lanes: int, rho: float) -> float:
    """Return the factor on all gaps between submissions that gives the offered load `rho`.

    Raises
    ------
    InvalidParameter
        If all jobs are released at one instant, or the scaled releases exceed `LONGEST`.
    """
    factor = offered_load(jobs, lanes) / rho
    if math.isnan(factor):
        raise InvalidParameter(f"load = {rho:g} cannot be reached: all jobs are submitted at one instant")
    first, last = float(jobs["release"].min()), float(jobs["release"].max())
    if not first + (last - first) * factor <= LONGEST:
        raise InvalidParameter(f"load = {rho:g} would spread the jobs over more than {LONGEST:,.0f} s")
    return factor
