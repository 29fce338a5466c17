"""Workloads of multitask jobs: each task has a size, and a time on every machine where it may run.

JSON (`schema` golden-synchpack-1): `capacities` (one a machine), `jobs` ([{"w", "release"}]) and `tasks`
([{"job", "a", "p": {machine: seconds}}]); jobs, tasks and machines are numbered from 0 by position. A job ends with
the last of its tasks. Terms are those of the paper on SynchPack.

`parts` of such a workload: `first` (n + 1: job i owns the tasks `first[i]:first[i + 1]`); one value a task: `size` and
`task` (its position in the file); `options` (tasks + 1: task k may run on the machines `options[k]:options[k + 1]` of
`machine`, where it takes `time` [s]); one value a machine: `capacity`.
"""

from __future__ import annotations

from collections.abc import Mapping
from itertools import pairwise
from typing import Any

import numpy as np

from shadowtime.engine.errors import InvalidWorkload
from shadowtime.engine.tables import Table
from shadowtime.engine.workload import columns
from shadowtime.engine.workload.job import Workload, in_order, job_table, move_places
from shadowtime.engine.workload.limits import LARGEST_ID, LONGEST
from shadowtime.engine.workload.words import count, were

MIGRATORY, NONPREEMPTIVE, SINGLE = 0, 1, 2
"""Regimes, which decide the valid bounds: tasks may migrate; they may not; each task has one machine."""

REGIMES = {
    "multi_machine_migratory": MIGRATORY,
    "multi_machine_nonpreemptive": NONPREEMPTIVE,
    "single_machine_preemptive": SINGLE,
}
"""Regime by the `kind` of a file."""

SAME = 1e-9
"""A task fits if it exceeds the capacity by no more than this share: sizes are rounded."""

MACHINES = 100_000
PLACES = 20_000_000
"""Most machines of a workload, and most places of all tasks together: 0.3 GB."""


def read(instance: Mapping[str, Any]) -> Workload:
    """Return the workload of an instance in JSON; see the module.

    Raises
    ------
    InvalidWorkload
        With the item of the list and the rule.
    """
    items = columns.objects(instance, "jobs")
    tasks = columns.objects(instance, "tasks")
    capacity = _capacities(instance)
    weight = columns.column(items, "w", 1, low=0, high=LONGEST)
    release = columns.times(items, "release", 0)
    owner = _checked([task.get("job") for task in tasks], "job", low=0, high=len(items) - 1, whole=True).astype("i8")
    size = _checked([task.get("a") for task in tasks], "a", low=0, high=LONGEST, above=True)
    places, machine, time = _places(tasks, len(capacity))
    jobs_of = np.bincount(owner, minlength=len(items))
    if not jobs_of.all():
        raise InvalidWorkload(f"job {int(np.argmin(jobs_of)) + 1:,} of the list has no task.")
    order = np.argsort(owner, kind="stable")
    ids = columns.column(items, "id", low=-LARGEST_ID, high=LARGEST_ID, whole=True) if "id" in items[0] else None
    machines: dict[str, float] = {"nodes": len(capacity)}
    kind = instance.get("kind")
    if isinstance(kind, str) and kind in REGIMES:
        machines["regime"] = REGIMES[kind]
    bounds = instance.get("lb")
    if machines.get("regime") == MIGRATORY and isinstance(bounds, dict) and "epsilon" in bounds:
        machines["epsilon"] = columns.number(bounds, "epsilon", low=0.05, high=10)
    places, machine, time = move_places(places, machine, time, order)
    return assemble(
        release, weight, jobs_of, size[order], places, machine, time, capacity, machines,
        job_id=np.arange(len(items)) if ids is None else ids, task=order,
        user=columns.column(items, "user", -1, low=-1, high=LARGEST_ID, whole=True),
    ).with_(clock=columns.clock_of(instance.get("clock")))  # fmt: skip


def assemble(
    release: np.ndarray,
    weight: np.ndarray,
    tasks: np.ndarray,
    size: np.ndarray,
    places: np.ndarray,
    machine: np.ndarray,
    time: np.ndarray,
    capacity: np.ndarray,
    machines: Mapping[str, float] | None = None,
    *,
    task: np.ndarray | None = None,
    report: tuple[str, ...] = (),
    **others: np.ndarray,
) -> Workload:
    """Return a workload from columns: n jobs with `tasks` tasks each, and `places` machines for each task.

    `runtime` is that of the longest task of a job, each on its fastest machine; `volume` is the work of its tasks
    there, in seconds of an average machine. `others` are columns of the jobs. Jobs are put in order of submission.
    """
    places, machine, time, dropped = _dropped(np.asarray(size), places, machine, time, capacity)
    if dropped:
        report = (*report, f"{count(dropped, 'place')} too small for the task {were(dropped)} left out.")
    first = np.concatenate([[0], np.cumsum(tasks)]).astype("i8")
    options = np.concatenate([[0], np.cumsum(places)]).astype("i8")
    fastest = np.minimum.reduceat(time, options[:-1])
    jobs = job_table(
        release,
        np.maximum.reduceat(fastest, first[:-1]),
        tasks,
        **{"job_id": np.arange(len(release)), **others},
        weight=weight,
        volume=np.add.reduceat(size * fastest, first[:-1]) / capacity.mean(),
    )
    parts = {
        "first": first,
        "size": np.asarray(size, "f8"),
        "task": np.arange(len(size)) if task is None else task,
        "options": options,
        "machine": np.asarray(machine, "i8"),
        "time": np.asarray(time, "f8"),
        "capacity": np.asarray(capacity, "f8"),
    }
    jobs, parts = in_order(jobs, parts)
    text = f"{count(len(release), 'job')} with {count(len(size), 'task')} for {count(len(capacity), 'machine')}"
    low, high = int(places.min()), int(places.max())
    each = f"{low} a task" if low == high else f"{low} to {high} a task"
    return Workload(
        kind="multitask",
        name="",
        jobs=jobs,
        parts=parts,
        machine={"nodes": len(capacity), **(machines or {})},
        report=(*report, f"{text}, {each}."),
    )


def _dropped(
    size: np.ndarray, places: np.ndarray, machine: np.ndarray, time: np.ndarray, capacity: np.ndarray
) -> tuple[np.ndarray, np.ndarray, np.ndarray, int]:
    """Return the places without those too small for their task; a task that fits nowhere keeps all its places."""
    owner = np.repeat(np.arange(len(size)), places)
    fits = size[owner] <= capacity[machine] * (1.0 + SAME)
    keep = fits | (np.bincount(owner[fits], minlength=len(size)) == 0)[owner]
    return np.bincount(owner[keep], minlength=len(size)), machine[keep], time[keep], int((~keep).sum())


def too_large(workload: Workload) -> np.ndarray:
    """Return a mask of the jobs that can never run: they have a task that fits on none of its machines."""
    return unfit_tasks(workload) > 0


def unfit_tasks(workload: Workload) -> np.ndarray:
    """Return for each job the number of tasks that fit on none of their machines."""
    parts = workload.parts
    owner, _ = least_times(parts)
    fits = parts["size"][owner] <= parts["capacity"][parts["machine"]] * (1.0 + SAME)
    lost = np.bincount(owner[fits], minlength=len(parts["size"])) == 0
    return np.add.reduceat(lost.astype("i8"), parts["first"][:-1])


def least_times(parts: Table) -> tuple[np.ndarray, np.ndarray]:
    """Return the task of each place, and the least time of each task [s]."""
    owner = np.repeat(np.arange(len(parts["size"])), np.diff(parts["options"]))
    return owner, np.minimum.reduceat(parts["time"], parts["options"][:-1])


def regime(workload: Workload) -> int:
    """Return the regime of the file; without one SINGLE where each task has one machine, else MIGRATORY."""
    return int(workload.machine.get("regime", SINGLE if is_single(workload) else MIGRATORY))


def is_single(workload: Workload) -> bool:
    """Return whether every task has exactly one machine."""
    return len(workload.parts["machine"]) == len(workload.parts["size"])


def document(workload: Workload) -> dict[str, Any]:
    """Return the instance from which `read` makes `workload`, with tasks in the order of their jobs."""
    parts = workload.parts
    kinds = {code: kind for kind, code in REGIMES.items()}
    options, machine, time = (parts[name].tolist() for name in ("options", "machine", "time"))
    owner = np.repeat(np.arange(len(workload)), np.diff(parts["first"])).tolist()
    keys = {"id": "job_id", "w": "weight", "release": "release"}
    keys |= {"user": "user"} if (workload.jobs["user"] >= 0).any() else {}
    columns_of_jobs = (workload.jobs[name].tolist() for name in keys.values())
    jobs = [dict(zip(keys, values, strict=True)) for values in zip(*columns_of_jobs, strict=True)]
    tasks = [
        {"job": job, "a": size, "p": {str(machine[y]): time[y] for y in range(begin, end)}}
        for job, size, (begin, end) in zip(owner, parts["size"].tolist(), pairwise(options), strict=True)
    ]
    epsilon = {"lb": {"epsilon": workload.machine["epsilon"]}} if "epsilon" in workload.machine else {}
    return {
        "schema": "golden-synchpack-1", "kind": kinds[regime(workload)], **epsilon,
        "capacities": parts["capacity"].tolist(), **columns.clock_in(workload), "jobs": jobs, "tasks": tasks,
    }  # fmt: skip


def _checked(values: list[Any], key: str, **rule: Any) -> np.ndarray:
    return columns.numbers(values, lambda i: f"task {i + 1:,} of the list: {key}", **rule)


def _capacities(instance: Mapping[str, Any]) -> np.ndarray:
    values = instance.get("capacities")
    if not isinstance(values, list) or not values:
        raise InvalidWorkload("`capacities` must list one number a machine.")
    if len(values) > MACHINES:
        raise InvalidWorkload(f"it has {len(values):,} machines; {MACHINES:,} is the most.")
    return columns.numbers(values, lambda i: f"capacity {i + 1:,} of the list", low=0, high=LONGEST, above=True)


def _places(tasks: Any, machines: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return of all tasks how many machines, which (ascending within a task), and the time on each [s]."""
    names: list[int] = []
    times: list[Any] = []
    places = np.zeros(len(tasks), "i8")
    for k, task in enumerate(tasks):
        allowed = task.get("p")
        if not isinstance(allowed, dict) or not allowed:
            raise InvalidWorkload(f"task {k + 1:,} of the list: p must name a time on at least one machine.")
        for name in allowed:
            if not (name.isascii() and name.isdigit() and len(name) < 10 and int(name) < machines):
                rule = f"machines are 0 to {machines - 1}"
                raise InvalidWorkload(f"task {k + 1:,} of the list names machine {name[:20]!r}; {rule}.")
        mine = sorted(((int(name), value) for name, value in allowed.items()), key=lambda pair: pair[0])
        if len({machine for machine, _ in mine}) < len(mine):
            raise InvalidWorkload(f"task {k + 1:,} of the list names a machine twice.")
        places[k] = len(mine)
        names += [machine for machine, _ in mine]
        times += [value for _, value in mine]
    if len(names) > PLACES:
        raise InvalidWorkload(f"its tasks have {len(names):,} places; {PLACES:,} is the most.")
    owner = np.repeat(np.arange(1, len(tasks) + 1), places)
    time = columns.numbers(
        times, lambda i: f"task {owner[i]:,} of the list: a time of p", low=0, high=LONGEST, above=True
    )
    return places, np.array(names, "i8"), time
