"""Memory of a two-tier run: the processes on each processor, and the queue."""

from __future__ import annotations

from typing import Any

import numpy as np

from shadowtime.engine.families.rigid.policies.state import BLOCK, GONE
from shadowtime.engine.kernel.cache import compiled
from shadowtime.engine.kernel.state import new_state, rows_of
from shadowtime.engine.workload.job import Workload

KEASY, REASY, MEASY = (np.int64(code) for code in range(3))
POLICIES = {"keasy": KEASY, "reasy": REASY, "measy": MEASY}

UNKNOWN_WIDE = 0.7
"""Usage that the scheduler assumes for each process of a parallel job if usages are unknown; 1 for a serial job."""

MEMO = rows_of(
    "migration_cost threshold shadow recorded_shadow",
    """head tail recorded_head foreground waiting idle_behind policy loss_always all_extra by_formula backfills""",
)
"""One row. `head..tail` are the jobs not in the foreground (queued or background); `foreground` counts the rows of
`busy`, `waiting` those of `queue`; `idle_behind` counts processors that may take a background process."""

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

RUN = 8
"""Length of the runs that are sorted by insertion before they are merged."""

CHOICE = rows_of("usage", "lane")
"""A processor to be sorted by its neighbour's usage."""


def decreasing(first: np.ndarray, usage: np.ndarray) -> np.ndarray:
    """Return the order of each job's processes by decreasing usage, stably.

    `first`: n + 1 offsets into `usage`. One sort of all 4.7 million processes together takes ten times as long.
    """
    order = np.arange(len(usage))
    longest = int(np.diff(first).max(initial=0))
    _decrease(first, usage, order, np.empty((2, longest)), np.empty(longest, np.int64))
    return order


@compiled
def _decrease(first, usage, order, keys, other):
    """Merge-sort each job's part of `order`, from runs of `RUN` rows sorted by insertion.

    `keys` holds 2 rows for the usages of the longest job, `other` one row for its places.
    """
    key, spare = keys[0], keys[1]
    for job in range(len(first) - 1):
        lo, n = first[job], first[job + 1] - first[job]
        for i in range(n):
            value, place = usage[lo + i], order[lo + i]
            j, base = i, i - i % RUN
            while j > base and key[j - 1] < value:
                key[j], order[lo + j] = key[j - 1], order[lo + j - 1]
                j -= 1
            key[j], order[lo + j] = value, place
        width = RUN
        while width < n:
            for left in range(0, n, 2 * width):
                middle, right = min(left + width, n), min(left + 2 * width, n)
                a, b = left, middle
                for i in range(left, right):
                    if a < middle and (b == right or key[a] >= key[b]):
                        spare[i], other[i] = key[a], order[lo + a]
                        a += 1
                    else:
                        spare[i], other[i] = key[b], order[lo + b]
                        b += 1
            for i in range(n):
                key[i], order[lo + i] = spare[i], other[i]
            width *= 2


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
    memo["all_extra"] = parameters["extra"] == "all"
    memo["recorded_head"], memo["recorded_shadow"] = -1, np.nan
    memo["idle_behind"] = lanes
    jobs = np.zeros(n, JOB)
    jobs["loss"] = workload.jobs["loss"]
    jobs["first"][1:] = np.cumsum(procs)[:-1]
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
            "choice": np.zeros(lanes + 1, CHOICE),
        }
    )
