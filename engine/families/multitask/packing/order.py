"""The order of jobs of SynchPack-3, by the program chosen for its size."""

from __future__ import annotations

import numpy as np

from shadowtime.engine.families.multitask.packing.cuts import solve_cuts
from shadowtime.engine.families.multitask.packing.full_order import full_order
from shadowtime.engine.families.multitask.packing.instance import Instance
from shadowtime.engine.families.multitask.packing.loads import loads_of
from shadowtime.engine.families.multitask.packing.primal_dual import primal_dual
from shadowtime.engine.runner.watch import Watch

FULL_UP_TO, CUTS_UP_TO = 50, 500
"""Jobs up to which `auto` solves LP3 in full (0.2 s), and by cutting planes (0.3 s). All keep the factor 4."""


def order_of(instance: Instance, how: str, watch: Watch | None = None) -> np.ndarray:
    """Return the jobs that have tasks, ordered by C of the program, ties by row."""
    loads = loads_of(instance)
    there = np.flatnonzero(loads.longest > 0.0)
    if how == "auto":
        how = "lp3" if len(there) <= FULL_UP_TO else "cuts" if len(there) <= CUTS_UP_TO else "primal-dual"
    if how == "primal-dual":
        return primal_dual(loads)[0]
    ends = full_order(loads, watch)[1] if how == "lp3" else solve_cuts(instance, loads, watch)[1]
    return there[np.argsort(_rounded(ends[there]), kind="stable")]


def _rounded(ends: np.ndarray) -> np.ndarray:
    """Return ranks of the values; values that differ only by rounding errors have one rank."""
    order = np.argsort(ends, kind="stable")
    fresh = np.ones(len(ends))
    fresh[1:] = np.diff(ends[order]) > 1e-9 * np.maximum(1.0, ends[order][1:])
    ranks = np.empty(len(ends))
    ranks[order] = np.cumsum(fresh)
    return ranks
