"""The kernel's state at the beginning of a run: units as the workload, or the plan, decides them, on empty lanes."""

from __future__ import annotations

from typing import Any

import numpy as np

from shadowtime.engine import tables
from shadowtime.engine.families.units import Units
from shadowtime.engine.kernel.state import REJECTED, UNIT, arrays_for, new_state
from shadowtime.engine.output.submissions import Unfit
from shadowtime.engine.runner.plan import Plan


def lay_out(
    units: Units, plan: Plan | None, origin: float, *, keep_rates: bool, reserves: bool, sizes: tuple[int, ...]
) -> tuple[Any, Unfit]:
    """Return a fresh state of the kernel, and why units that can never run are rejected.

    origin, keep_rates, reserves, sizes: as of `arrays_for`.
    """
    rows = np.zeros(len(units), UNIT)
    rows["start"] = rows["end"] = np.nan
    for name, column in units.columns().items():
        rows[name] = column
    rows["release"] -= origin
    rejected, unfit = units.rejected, units.unfit
    extra = 0 if plan is None else plan.extra_lanes
    if plan is not None and plan.work is not None:
        rows["procs"] = plan.sizes_of(len(rows))
        sizes = (*sizes, *plan.resized(len(rows)).tolist())
        rows["runtime"] = rows["remaining"] = rows["estimate"] = plan.work
        without = rows["procs"] == 0
        if (without & ~rejected).any():
            unfit = Unfit(tables.BY_POLICY, np.full(len(rows), np.nan))
        rejected = without
    rows["state"][rejected] = REJECTED
    arrays = arrays_for(
        rows, units.lanes + extra, units.exclusive, origin=origin, keep_rates=keep_rates, reserves=reserves, sizes=sizes
    )
    return new_state(arrays), unfit
