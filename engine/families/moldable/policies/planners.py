"""The planners named by the registry entries, and functions that compile their steps before time is measured."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

import numpy as np

from shadowtime.engine.families.moldable.policies import rivals
from shadowtime.engine.families.moldable.policies.demt import demt
from shadowtime.engine.families.moldable.policies.online import plan
from shadowtime.engine.families.moldable.workload import moldable
from shadowtime.engine.parameters import resolve
from shadowtime.engine.runner.plan import Plan
from shadowtime.engine.runner.watch import Watch
from shadowtime.engine.workload.job import Workload

plan_demt = partial(plan, offline=demt, monotonic=True)
plan_dual = partial(plan, offline=rivals.dual, monotonic=True)
plan_gang = partial(plan, offline=rivals.gang, monotonic=False)
plan_sequential = partial(plan, offline=rivals.sequential, monotonic=False)
plan_list_shelf = partial(plan, offline=rivals.list_shelf, monotonic=True)
plan_list_lptf = partial(plan, offline=rivals.list_lptf, monotonic=True)
plan_list_saf = partial(plan, offline=rivals.list_saf, monotonic=True)
plan_list_wspt = partial(plan, offline=rivals.list_wspt, monotonic=True)


def warm_demt(workload: Workload, values: Mapping[str, Any]) -> None:
    """Compile or load the steps of DEMT."""
    from shadowtime.engine.families.moldable.entries import DEMT

    _run(plan_demt, resolve(DEMT.parameters, {}, "demt"))


def warm_shelves(workload: Workload, values: Mapping[str, Any]) -> None:
    """Compile or load the steps of the two shelves and of the lists on their allotments."""
    _run(plan_list_saf, {"accuracy": 1e-3})


def warm_plain(workload: Workload, values: Mapping[str, Any]) -> None:
    """Compile or load the steps of gang and sequential schedules."""
    _run(plan_sequential, {})


def _run(planner: Callable[..., Plan], values: Mapping[str, Any]) -> None:
    """Plan three jobs on two processors."""
    p = np.array([2.0, 1.0, 3.0, 2.0, 0.5, 0.5])
    three = moldable(np.zeros(3), np.array([0, 2, 4, 6]), p, 2, "")
    planner(three, values, 2, np.random.default_rng(0), Watch())
