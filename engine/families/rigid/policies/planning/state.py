"""Memory of the plan-based policy: that of a backfilling policy, and the numbers of its search."""

from __future__ import annotations

from typing import Any

import numpy as np

from shadowtime.engine.families.rigid.policies.backfilling.state import arrays
from shadowtime.engine.kernel.state import new_state, rows_of
from shadowtime.engine.workload.job import Workload

SEARCH = rows_of("cooling", "iterations steps by_slowdown word last_word")
"""One row. `steps`: plans tried at each temperature. `word` and `last_word`: state of the random numbers."""


def make(workload: Workload, parameters: dict[str, Any], lanes: int, rng: np.random.Generator) -> Any:
    """Return the memory of one run.

    `line` is the order of the plan at hand, `tried` the best order, `found` the planned start of each unit [s],
    `second` the keys of an initial order; `at` is the profile of running jobs, `at2` that of the plan.
    """
    search = np.zeros(1, SEARCH)
    search["iterations"], search["steps"] = parameters["iterations"], parameters["steps"]
    search["cooling"] = parameters["cooling"]
    search["by_slowdown"] = parameters["objective"] == "slowdown"
    search["word"], search["last_word"] = rng.integers(1, 2**32, 2)
    return new_state({**arrays(workload, parameters, lanes), "search": search})
