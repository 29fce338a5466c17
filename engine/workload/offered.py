"""Offered load: how much of a machine the jobs would keep busy."""

from __future__ import annotations

import math
from collections.abc import Mapping

import numpy as np

from shadowtime.engine.errors import InvalidParameter
from shadowtime.engine.workload.limits import LONGEST


def offered_load(jobs: Mapping[str, np.ndarray], lanes: int) -> float:
    """`sum n p / (P (max r - min r))` over all jobs, those wider than the machine included; no unit.

    Of packed jobs, `volume` stands for `n p`: size times time of their tasks; of moldable ones `work`, their least
    lane-seconds. A property of the question, not of the run; counts nodes, not CPU (DFRS). NaN when all jobs come at
    once.
    """
    if not len(jobs["release"]):
        return math.nan
    span = float(jobs["release"].max() - jobs["release"].min())
    names = [name for name in ("volume", "work") if name in jobs]
    work = jobs[names[0]] if names else jobs["processors"] * jobs["runtime"]
    return float(np.sum(work)) / (lanes * span) if span > 0.0 else math.nan


def gaps_for(jobs: Mapping[str, np.ndarray], lanes: int, rho: float) -> float:
    """The factor on all gaps between submissions that makes the offered load `rho`.

    Raises
    ------
    InvalidParameter
        When all jobs come at once, which no factor changes, or would be spread over too long a time.
    """
    factor = offered_load(jobs, lanes) / rho
    if math.isnan(factor):
        raise InvalidParameter(f"load = {rho:g} cannot be reached: all jobs are submitted at one instant")
    if not jobs["release"].max() * factor <= LONGEST:
        raise InvalidParameter(f"load = {rho:g} would spread the jobs over more than {LONGEST:.0g} s")
    return factor
