"""Memory of a two-tier run: the processes on each processor, and the queue."""

from __future__ import annotations

from typing import Any

import numpy as np

from shadowtime.engine.families.rigid.policies.state import BLOCK, GONE
from shadowtime.engine.kernel.binary_heap import ENTRY
from shadowtime.engine.kernel.ordering import sort_parts
from shadowtime.engine.kernel.state import new_state, rows_of
from shadowtime.engine.output.threads import each
from shadowtime.engine.workload.job import Workload

KEASY, REASY, MEASY = (np.int64(code) for code in range(3))
POLICIES = {"keasy": KEASY, "reasy": REASY, "measy": MEASY}

UNKNOWN_WIDE = 0.7
"""Usage that the scheduler assumes for each process of a parallel job if usages are unknown; 1 for a serial job."""

MEMO = rows_of(
    "migration_cost threshold shadow recorded_shadow",
    """head tail recorded_head running waiting idle_behind policy loss_always all_extra by_formula
    continues""",
)
"""One row. `head..tail` are the jobs not in the foreground (queued or background); `running` counts the rows of
`busy`, `waiting` those of `queue`; `idle_behind` counts processors that may take a background process. `continues`:
step 1 goes on after a job that cannot be deployed."""

JOB = rows_of("loss", "first stamp seen")
"""Per unit: its foreground loss, its first process in `usage`, the last instant at which its rate was updated (`stamp`)
and at which it was counted as a blocker (`seen`)."""

SEAT = rows_of("front front_seen back back_seen phi", "may_take")
"""Per processor: usage of the foreground process (`front`), true and as the scheduler sees it; the same and phi of the
background process (`back`); whether it may take a background process. Usages of empty slots are undefined."""

BUSY = rows_of("end", "unit procs")
"""A foreground job and its predicted end."""

WAITING = rows_of("estimate", "unit")
"""A queued job; rows by (estimate, arrival)."""


SHORT = 64
"""Largest number of processes of a job that compiled code sorts; numpy sorts more."""


def decreasing(first: np.ndarray, usage: np.ndarray) -> np.ndarray:
    """Return the order of each job's processes by decreasing usage, stably; `first`: n + 1 offsets into `usage`."""
    order, middle = np.arange(len(usage)), int(np.searchsorted(first, len(usage) / 2))
    each(lambda part: _sort(part, usage, order), (first[: middle + 1], first[middle:]), len(usage))
    return order


def _sort(first: np.ndarray, usage: np.ndarray, order: np.ndarray) -> None:
    """Sort `order` within each job; jobs of one size above SHORT together."""
    sort_parts(first, usage, SHORT, order)
    sizes = np.diff(first)
    wide = np.flatnonzero(sizes > SHORT)
    if not len(wide):
        return
    by_size = wide[np.argsort(sizes[wide], kind="stable")]
    widths, starts = np.unique(sizes[by_size], return_index=True)
    for width, jobs in zip(widths, np.split(first[by_size], starts[1:]), strict=True):
        processes = jobs[:, None] + np.arange(width)
        order[processes] = jobs[:, None] + np.argsort(-usage[processes], axis=1, kind="stable")


def make(workload: Workload, parameters: dict[str, Any], lanes: int) -> Any:
    """Return the memory of one run; `policy` among the parameters names the algorithm.

    The processes of each job are sorted by decreasing usage as the scheduler sees it, stably:
    `hold[first + y]` of the kernel is then the processor of process `usage[job.first + y]`.
    """
    n, procs = len(workload), workload.jobs["processors"]
    usage, phi = workload.parts["usage"], workload.parts["phi"]
    if parameters["usage_known"]:
        order = decreasing(workload.parts["first"], usage)
        usage, phi = usage[order], phi[order]
        seen = usage
    else:
        seen = np.repeat(np.where(procs == 1, 1.0, UNKNOWN_WIDE), procs)
    memo = np.zeros(1, MEMO)
    memo["policy"] = POLICIES[parameters["policy"]]
    memo["migration_cost"] = parameters.get("migration_cost", 0.0)
    memo["threshold"], memo["loss_always"] = parameters["threshold"], parameters["loss"] == "always"
    memo["by_formula"] = parameters.get("reading") == "formula"
    memo["continues"] = parameters.get("refusal") == "continue"
    memo["all_extra"] = parameters["extra"] == "all"
    memo["recorded_head"], memo["recorded_shadow"] = -1, np.nan
    memo["idle_behind"] = lanes
    jobs = np.zeros(n, JOB)
    jobs["loss"] = workload.jobs["loss"]
    jobs["first"] = workload.parts["first"][:-1]
    seats = np.zeros(lanes, SEAT)
    seats["may_take"] = 1
    return new_state(
        {
            "m": memo,
            "j": jobs,
            "seat": seats,
            "usage": np.ascontiguousarray(usage),
            "phi": np.ascontiguousarray(phi),
            "seen": np.ascontiguousarray(seen),
            "size": np.full(n + 1, GONE, np.int64),
            "smallest": np.full(n // BLOCK + 2, GONE, np.int64),
            "busy": np.zeros(2 * lanes + 2, BUSY),
            "queue": np.zeros(n + 1, WAITING),
            "choice": np.zeros(lanes + 1, ENTRY),
        }
    )
