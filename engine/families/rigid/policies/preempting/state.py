"""Memory of selective suspension: that of EASY, and the suspended units."""

from __future__ import annotations

from typing import Any

import numpy as np

from shadowtime.engine.families.rigid.policies.preempting.homes import homes
from shadowtime.engine.families.rigid.policies.state import arrays
from shadowtime.engine.kernel.state import new_state, rows_of
from shadowtime.engine.workload.job import Workload

SUSPENSION = rows_of("factor period", "suspended candidates victims alarmed")
"""One row. `factor`: ratio of expansion factors from which a job is suspended; `period` [s] between two passes while
a job waits, for which an alarm is set (`alarmed`); the rest are numbers of units in arrays."""


def make(workload: Workload, parameters: dict[str, Any], lanes: int) -> Any:
    """Return the memory of one run.

    `away` suspended units; `line` idle units, by expansion factor; `expansion` factor of each unit that was sorted by
    it; `victim` the units that an idle one suspends.
    """
    n = len(workload)
    suspension = np.zeros(1, SUSPENSION)
    suspension["factor"], suspension["period"] = parameters["sf"], parameters["period"]
    return new_state(
        {
            **arrays(workload, parameters, lanes),
            **homes(workload, lanes),
            "suspension": suspension,
            "away": np.zeros(n + 1, np.int64),
            "line": np.zeros(n + 1, np.int64),
            "expansion": np.zeros(n + 1),
            "victim": np.zeros(lanes + 1, np.int64),
        }
    )
