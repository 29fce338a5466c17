"""Two-tier JSON: rigid jobs whose processes say how much of a processor they use.

Fields of a job: `id`, `submit`, `processes`, `runtime`, `estimate`, `usage` and `phi` (one list each, one value per
process), `loss`, `weight` and `user`; the case has `processors`, `migration_cost` and a `clock` as in rigid JSON. The
papers on KEASY and MEASY define them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import chain, pairwise
from typing import Any

import numpy as np

from shadowtime.engine.errors import InvalidWorkload
from shadowtime.engine.workload import columns
from shadowtime.engine.workload.job import Workload
from shadowtime.engine.workload.limits import LONGEST
from shadowtime.engine.workload.words import count


def read(instance: Mapping[str, Any]) -> Workload:
    """Return the workload of one case: `parts` has `first`, `usage` and `phi`, jobs have `loss`."""
    items = columns.objects(instance, "jobs")
    loss = columns.column(items, "loss", 0, low=0, high=1)
    jobs = columns.table(items, "submit", "processes", "estimate", loss=loss)
    processes, runtime, estimate = jobs["processors"], jobs["runtime"], jobs["requested"]
    short = np.flatnonzero(estimate < runtime)
    if len(short):
        i = int(short[0])
        rule = f"it must be at least the runtime {runtime[i]:g} in a two-tier workload"
        raise InvalidWorkload(f"job {i + 1:,} of the list: estimate is {estimate[i]:g}; {rule}.")
    parts = {
        "first": np.concatenate([[0], np.cumsum(processes)]).astype("i8"),
        "usage": _per_process(items, "usage", processes, above=True),
        "phi": _per_process(items, "phi", processes, above=False),
    }
    machine = columns.size_of_machine(instance) | columns.stated(instance, "migration_cost", low=0, high=LONGEST)
    report = f"{count(len(items), 'job')} with {count(len(parts['usage']), 'process', 'processes')} read."
    return columns.workload("two_tier", instance, jobs, parts, machine, report)


def document(workload: Workload) -> dict[str, Any]:
    """Return the instance from which `read` makes `workload`."""
    stated = {key: workload.machine[key] for key in ("processors", "migration_cost") if key in workload.machine}
    names = {"job_id": "id", "release": "submit", "processors": "processes", "requested": "estimate"}
    first, usage, phi = (workload.parts[name].tolist() for name in ("first", "usage", "phi"))
    jobs = [
        {**job, "usage": usage[start:end], "phi": phi[start:end]}
        for job, (start, end) in zip(columns.rows(workload.jobs, names), pairwise(first), strict=True)
    ]
    return {"kind": "two_tier", **stated, **columns.clock_in(workload), "jobs": jobs}


def _per_process(items: Sequence[Mapping[str, Any]], key: str, processes: np.ndarray, *, above: bool) -> np.ndarray:
    """Return the lists under `key`, concatenated; values are in [0, 1], one per process of the job."""
    for position, (item, length) in enumerate(zip(items, processes, strict=True), 1):
        values = item.get(key)
        if not isinstance(values, list) or len(values) != length:
            raise InvalidWorkload(
                f"job {position:,} of the list: {key} must list {count(int(length), 'value')}, one a process."
            )
    flat = list(chain.from_iterable(item[key] for item in items))
    owner = np.repeat(np.arange(1, len(items) + 1), processes)
    return columns.numbers(
        flat, lambda i: f"job {owner[i]:,} of the list: a value of {key}", low=0, high=1, above=above
    )
