"""The planners named in the registry, and functions that compile their steps before planning is timed."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np

from shadowtime.engine.families.multitask.generator import MULTITASK
from shadowtime.engine.families.multitask.packing.instance import Instance, instance_of
from shadowtime.engine.families.multitask.policies import synchpack_1, synchpack_2, synchpack_3
from shadowtime.engine.runner.plan import Plan, bands_of
from shadowtime.engine.runner.plan_tidy import tidy
from shadowtime.engine.runner.watch import Watch
from shadowtime.engine.workload.job import Workload

Packer = Callable[[Instance, np.ndarray, Mapping[str, Any], np.random.Generator, Watch], Plan]
"""Tasks, releases of jobs from 0 on [s], parameters, random generator and watch -> plan of the instance's tasks."""


def plan(
    workload: Workload, values: Mapping[str, Any], lanes: int, rng: np.random.Generator, watch: Watch, packer: Packer
) -> Plan:
    """Return the plan of all tasks that can run; its units are those of the run."""
    instance, units = instance_of(workload)
    release = workload.jobs["release"]
    origin = float(release.min())
    packed = packer(instance, release - origin, values, rng, watch)
    tidied = tidy(packed.moved(np.arange(instance.tasks), origin), release)
    task, machine = tidied.unit, tidied.lanes
    bands = [(a + origin, b + origin, level, kind, number) for a, b, level, kind, number in watch.bands]
    return replace(
        tidied,
        unit=units[task],
        rate=instance.fastest[task] / instance.time_on(task, machine),
        share=instance.size[task] / instance.capacity[machine],
        bands=bands_of(bands),
    )


def warm(workload: Workload, values: Mapping[str, Any], packer: Packer) -> None:
    """Compile the planner: plan two small jobs that take the same branches, with the same parameters."""
    local = int(np.diff(workload.parts["options"]).max(initial=1) > 1)
    alike = {"jobs": 2, "machines": 2, "mean_tasks": 2.0, "local": 1 + local}
    load = {"load": 0.5} if np.ptp(workload.jobs["release"]) > 0 else {}
    small = MULTITASK.make(MULTITASK.resolve(alike | load, 0)[0], np.random.default_rng(0))
    plan(small, values, 2, np.random.default_rng(0), Watch(), packer)


plan_synchpack_1, warm_synchpack_1 = partial(plan, packer=synchpack_1.plan), partial(warm, packer=synchpack_1.plan)
plan_synchpack_2, warm_synchpack_2 = partial(plan, packer=synchpack_2.plan), partial(warm, packer=synchpack_2.plan)
plan_synchpack_3, warm_synchpack_3 = partial(plan, packer=synchpack_3.plan), partial(warm, packer=synchpack_3.plan)
