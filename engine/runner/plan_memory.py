"""The arrays of a plan for compiled code."""

from __future__ import annotations

from typing import Any

import numpy as np

from shadowtime.engine.errors import PolicyError
from shadowtime.engine.kernel.state import NO_ROW, new_state, rows_of
from shadowtime.engine.runner.plan import Plan

MEMO = rows_of("alarm window", "next next_end pieces ends late exclusive fitted")
"""One row. `next` is the first piece not begun, `next_end` the first row of `pauses` not handled, `late` the number of
pieces that wait for their lanes, `alarm` the time of the last alarm set. Times within `window` times the kernel's tie
window are one instant. `fitted`: the last piece of a unit gets the rate at which it ends as planned."""

PIECE = rows_of("start end rate share", "unit first last next")
"""A piece; rows by start. It holds `lanes[first:last]`; `next` is the row of its unit's next piece."""


def make(plan: Plan, units: int, exclusive: bool) -> Any:
    """Return the memory of one run of `plan` over `units` units.

    `m` is one row of MEMO; `piece` the pieces by start; `lanes` their lanes; `pauses` the pieces that are not the last
    of their unit, by end; `late` the pieces that wait for their lanes; `current` the running piece of each unit.

    Raises
    ------
    PolicyError
        If a unit does not exist, or its pieces differ in their number of lanes: compiled code checks no bounds.
    """
    if not ((plan.unit >= 0) & (plan.unit < units)).all():
        raise PolicyError(f"the plan names a unit that is not among 0 to {units - 1}")
    if not (plan.sizes_of(units)[plan.unit] == plan.size).all():
        raise PolicyError("the plan gives the pieces of a unit different numbers of lanes")
    order = np.lexsort((plan.unit, plan.start))
    pieces = np.zeros(len(order) + 1, PIECE)[: len(order)]
    one = np.ones(len(order))
    pieces["unit"], pieces["start"], pieces["end"] = plan.unit[order], plan.start[order], plan.end[order]
    pieces["rate"] = one if plan.rate is None else plan.rate[order]
    pieces["share"] = one if plan.share is None else plan.share[order]
    pieces["first"], pieces["last"] = plan.first[:-1][order], plan.first[1:][order]
    pieces["next"] = _next_of_unit(pieces["unit"])
    pauses = np.flatnonzero(pieces["next"] != NO_ROW)
    pauses = pauses[np.argsort(pieces["end"][pauses], kind="stable")]
    memo = np.zeros(1, MEMO)
    memo["alarm"] = -np.inf
    memo["fitted"] = plan.work is None
    memo["window"] = 2.0 if plan.work is None else 1.0
    memo["pieces"], memo["ends"], memo["exclusive"] = len(order), len(pauses), exclusive
    return new_state(
        {
            "m": memo,
            "piece": pieces,
            "lanes": plan.lanes.astype(np.int64),
            "pauses": pauses.astype(np.int64),
            "late": np.zeros(len(order) + 1, np.int64),
            "current": np.full(units, NO_ROW),
        }
    )


def _next_of_unit(unit: np.ndarray) -> np.ndarray:
    """Return for each row the next row of the same unit, or NO_ROW."""
    following = np.full(len(unit), NO_ROW)
    by_unit = np.argsort(unit, kind="stable")
    same = unit[by_unit[1:]] == unit[by_unit[:-1]]
    following[by_unit[:-1][same]] = by_unit[1:][same]
    return following
