"""SynchPack-3: jobs in the order of a linear program; preemptive list scheduling of the tasks on their machines."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from shadowtime.engine.families.multitask.packing.instance import Instance
from shadowtime.engine.families.multitask.packing.order import order_of
from shadowtime.engine.families.multitask.policies.list_schedule import job_ranks, list_schedule
from shadowtime.engine.families.multitask.policies.online import preemptive
from shadowtime.engine.runner.plan import Plan
from shadowtime.engine.runner.watch import Watch


def plan(
    instance: Instance, release: np.ndarray, parameters: Mapping[str, Any], rng: np.random.Generator, watch: Watch
) -> Plan:
    """Return the plan of all tasks; `release` of each job [s], the first at 0."""

    def planned(part: Instance, horizon: float) -> Plan:
        order = order_of(part, parameters["order"], watch)
        return list_schedule(part, job_ranks(part, order), horizon)

    return preemptive(instance, release, parameters, watch, planned)
