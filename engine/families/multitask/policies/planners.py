"""The planners named in the registry, and functions that compile their steps before planning is timed."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np

from shadowtime.engine.families.multitask.generator import MULTITASK
from shadowtime.engine.families.multitask.packing.instance import Instance, instance_of
from shadowtime.engine.families.multitask.packing.order import order_of
from shadowtime.engine.families.multitask.policies.lists import job_ranks, list_schedule
from shadowtime.engine.families.multitask.policies.online import Busy, Offline, over_time
from shadowtime.engine.families.multitask.policies.synchpack_1 import synchpack_1
from shadowtime.engine.families.multitask.policies.synchpack_2 import synchpack_2
from shadowtime.engine.runner.plan import Plan, bands_of, tidy
from shadowtime.engine.runner.watch import Watch
from shadowtime.engine.workload.job import Workload

Packer = Callable[[Mapping[str, Any], np.random.Generator, Watch], Offline]
"""Parameters, random generator and watch -> the planner of jobs that are all there."""


def synchpack_3(values: Mapping[str, Any], rng: np.random.Generator, watch: Watch) -> Offline:
    """Return SynchPack-3: jobs in the order of a linear program; preemptive list scheduling on their machines."""

    def planned(part: Instance, horizon: float, busy: Busy) -> Plan:
        return list_schedule(part, job_ranks(part, order_of(part, values["order"], watch)), horizon)

    return planned


def plan(
    workload: Workload,
    values: Mapping[str, Any],
    lanes: int,
    rng: np.random.Generator,
    watch: Watch,
    packer: Packer,
    preempts: bool = True,
) -> Plan:
    """Return the plan of all tasks that can run; its units are those of the run."""
    instance, units = instance_of(workload)
    if not instance.tasks:  # no job fits the machines
        return Plan.joined([])
    release = workload.jobs["release"]
    origin = float(release.min())
    packed = over_time(instance, release - origin, values, watch, packer(values, rng, watch), preempts)
    tidied = tidy(packed.moved(np.arange(instance.tasks), origin), release, float(instance.time.min()))
    task, machine = tidied.unit, tidied.lanes
    bands = [(a + origin, b + origin, level, kind, number) for a, b, level, kind, number in watch.bands]
    return replace(
        tidied,
        unit=units[task],
        rate=instance.fastest[task] / instance.time_on(task, machine),
        share=instance.size[task] / instance.capacity[machine],
        bands=bands_of(bands),
    )


def warm(workload: Workload, values: Mapping[str, Any], planner: Callable[..., Plan]) -> None:
    """Compile the planner: plan two small jobs that take the same branches, with the same parameters."""
    local = int(np.diff(workload.parts["options"]).max(initial=1) > 1)
    alike = {"jobs": 2, "machines": 2, "mean_tasks": 2.0, "local": 1 + local}
    load = {"load": 0.5} if np.ptp(workload.jobs["release"]) > 0 else {}
    small = MULTITASK.make(MULTITASK.resolve(alike | load, 0)[0], np.random.default_rng(0))
    planner(small, values, 2, np.random.default_rng(0), Watch())


plan_synchpack_1 = partial(plan, packer=synchpack_1)
plan_synchpack_2 = partial(plan, packer=synchpack_2, preempts=False)
plan_synchpack_3 = partial(plan, packer=synchpack_3)
warm_synchpack_1 = partial(warm, planner=plan_synchpack_1)
warm_synchpack_2 = partial(warm, planner=plan_synchpack_2)
warm_synchpack_3 = partial(warm, planner=plan_synchpack_3)
