"""Memory of FCFS and EASY between decisions: arrays of rows beside the kernel's state."""

from __future__ import annotations

from typing import Any

import numpy as np

from shadowtime.engine.kernel.state import new_state, rows_of
from shadowtime.engine.workload.job import Workload

BLOCK = 64
"""Jobs per block of the queue; a block stores its smallest size, so that a scan skips blocks in which no job fits."""

GONE = 2**62
"""Size of a job that no longer waits: larger than any machine."""

MEMO = rows_of(
    "shadow recorded_shadow",
    "head tail recorded_head running occupied free_ranges one_by_one all_extra from_top serial",
)
"""One row. `head..tail` are the jobs that may wait; `occupied` counts the processors of the `running` rows of `busy`;
`recorded_head` and `recorded_shadow` are those of the last recorded reservation."""

BUSY = rows_of("end", "unit procs serial")
"""A running job and its expected end; rows sorted by (end, serial)."""

RANGE = rows_of("", "lo hi")
"""Free processors lo..hi, both included; rows are sorted and never adjacent."""


def make(workload: Workload, parameters: dict[str, Any], lanes: int) -> Any:
    """Return the memory of one run: all processors free, empty queue."""
    return new_state(arrays(workload, parameters, lanes))


def arrays(workload: Workload, parameters: dict[str, Any], lanes: int) -> dict[str, np.ndarray]:
    """Return the arrays of `make`, to which a policy may add its own.

    `m` memo; `size` processors of each waiting unit (GONE if it does not wait), `smallest` size of each block of
    units; `busy` running jobs by expected end; `until` expected end of each running unit; `ranges` of free processors.
    """
    units = len(workload)
    memo = np.zeros(1, MEMO)
    memo["recorded_head"] = -1
    memo["recorded_shadow"] = np.nan
    memo["free_ranges"] = 1
    memo["one_by_one"] = parameters.get("event_order") == "submissions-first"
    memo["all_extra"] = parameters.get("extra", "all") == "all"
    memo["from_top"] = workload.kind == "two_tier"
    free = np.zeros(lanes + 2, RANGE)
    free[0] = (0, lanes - 1)
    return {
        "m": memo,
        "size": np.full(units + 1, GONE, np.int64),
        "smallest": np.full(units // BLOCK + 2, GONE, np.int64),
        "busy": np.zeros(2 * lanes + 2, BUSY),
        "ranges": free,
        "until": np.zeros(units + 1),
    }
