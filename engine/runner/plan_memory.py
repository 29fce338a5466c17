"""A plan laid out for compiled code."""

from __future__ import annotations

from typing import Any

import numpy as np

from shadowtime.engine.errors import PolicyError
from shadowtime.engine.kernel.state import NOBODY, new_state, rows_of
from shadowtime.engine.runner.plan import Plan

MEMO = rows_of("asked", "next next_end pieces ends late exclusive")
"""One row. `next` is the first piece not begun, `next_end` the first end of `pauses` not handled, `late` how many
pieces wait for their lanes, `asked` the last alarm asked for."""

PIECE = rows_of("start end rate share", "unit first last final")
"""A piece; rows by start. It holds `lanes[first:last]`; `final` is the last of its unit."""


def make(plan: Plan, units: int, exclusive: bool) -> Any:
    """A fresh memory for one run of `plan` over `units` units.

    `m` memo; `piece` pieces by start; `lanes` their lanes; `pauses` pieces that are not final, by end; `late` pieces
    that wait for their lanes; `current` the piece of each unit that runs.

    Raises
    ------
    PolicyError
        For a unit that does not exist, or one whose pieces are not equally wide: compiled code checks no bounds.
    """
    if not ((plan.unit >= 0) & (plan.unit < units)).all():
        raise PolicyError(f"the plan names a unit that is not among 0 to {units - 1}")
    if not (plan.sizes_of(units)[plan.unit] == plan.size).all():
        raise PolicyError("the plan gives a unit another number of lanes in a later piece")
    order = np.lexsort((plan.unit, plan.start))
    pieces = np.zeros(len(order) + 1, PIECE)[: len(order)]
    one = np.ones(len(order))
    pieces["unit"], pieces["start"] = plan.unit[order], plan.start[order]
    pieces["end"] = (plan.start + plan.time)[order]
    pieces["rate"] = one if plan.rate is None else plan.rate[order]
    pieces["share"] = one if plan.share is None else plan.share[order]
    pieces["first"], pieces["last"] = plan.first[:-1][order], plan.first[1:][order]
    final = np.zeros(units, np.int64)
    final[pieces["unit"]] = np.arange(len(order))  # of repeated units the last assignment stands
    pieces["final"] = final[pieces["unit"]] == np.arange(len(order))
    pauses = np.flatnonzero(pieces["final"] == 0)
    pauses = pauses[np.argsort(pieces["end"][pauses], kind="stable")]
    memo = np.zeros(1, MEMO)
    memo["asked"] = -np.inf
    memo["pieces"], memo["ends"], memo["exclusive"] = len(order), len(pauses), exclusive
    return new_state(
        {
            "m": memo,
            "piece": pieces,
            "lanes": plan.lanes.astype(np.int64),
            "pauses": pauses.astype(np.int64),
            "late": np.zeros(len(order) + 1, np.int64),
            "current": np.full(units, NOBODY),
        }
    )
