"""Memory of gang scheduling: the Ousterhout matrix, and whose turn it is."""

from __future__ import annotations

from typing import Any

import numpy as np

from shadowtime.engine.families.rigid.policies.preempting.homes import homes
from shadowtime.engine.kernel.state import new_state, rows_of
from shadowtime.engine.workload.job import Workload

TURNS = rows_of("slice turn_ends alarm", "level fill rows active head tail stamp")
"""One row. The matrix has `rows`, at most `level`; the one at position `active` has its turn until `turn_ends`;
`alarm` is the time of the alarm that is set. Times are infinite where there is none. Units from `head` to `tail` are
submitted and not in the matrix. `stamp` counts the arrangements."""

SLOT = rows_of("", "room members")
"""A row of the matrix: free columns, and units."""


def make(workload: Workload, parameters: dict[str, Any], lanes: int) -> Any:
    """Return the memory of one run: an empty matrix.

    `order` the slot at each position of the matrix; `cell` one value a slot and column, 1 where a unit has it; `member`
    the units of each slot, in the order in which they came; `slot_of` the slot of each unit; `taken` and `chosen` the
    last arrangement that uses a column, and a unit.
    """
    n, level = len(workload), int(parameters["level"])
    turns = np.zeros(1, TURNS)
    turns["slice"], turns["level"], turns["fill"] = parameters["slice"], level, parameters["fill"]
    turns["turn_ends"] = turns["alarm"] = np.inf
    return new_state(
        {
            "turns": turns,
            "slot": np.zeros(level, SLOT),
            "order": np.arange(level),
            "cell": np.zeros(level * lanes, np.int64),
            "member": np.zeros(level * lanes, np.int64),
            "slot_of": np.zeros(n + 1, np.int64),
            "taken": np.zeros(lanes, np.int64),
            "chosen": np.zeros(n + 1, np.int64),
            **homes(workload, lanes),
        }
    )
