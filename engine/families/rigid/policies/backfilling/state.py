"""Memory of a backfilling policy between decisions: arrays beside the kernel's state."""

from __future__ import annotations

from typing import Any

import numpy as np

from shadowtime.engine.families.rigid.orders import EXPRESSION, ORDERS, expression_of
from shadowtime.engine.families.rigid.policies.state import BUSY, RANGE
from shadowtime.engine.families.rigid.predictions import grouping
from shadowtime.engine.kernel.state import NO_ROW, new_state, rows_of
from shadowtime.engine.workload.job import Workload

MEMO = rows_of(
    "shadow first argument factor reserve_after next",
    """running occupied free_ranges one_by_one all_extra from_top serial
    waiting smallest order changes backfill_order resorts depth window holds_all
    prediction correction past keeps_profile promises outdated relearned left moved head holders""",
)
"""One row. `waiting` jobs stand in `queue`, none smaller than `smallest`. `order`: code of the queue's order, which
`changes` with time or not; `backfill_order`: code of the order of backfilling, QUEUE for the queue's own, which
`resorts` at each pass or not. `next`: earliest reservation. `outdated`: reservations must be made again.
`relearned`: the prediction of some waiting job changed since the last pass. `left`: a job ended since then. `head`: the
job with the reservation of EASY.
`holders`: number of units in `holder`, whose reservations are recorded; some `moved` since they were. `promises`:
whether reservations never become later."""

QUEUE, PREDICTED = -1, -2
"""Orders of backfilling beside those of the queue: the queue's own order, and the shortest prediction first."""
CORRECTIONS = ("request", "gradual", "double")
REQUEST, GRADUAL, DOUBLE = (np.int64(code) for code in range(3))


def make(workload: Workload, parameters: dict[str, Any], lanes: int) -> Any:
    """Return the memory of one run: all processors free, empty queue."""
    return new_state(arrays(workload, parameters, lanes))


def arrays(workload: Workload, parameters: dict[str, Any], lanes: int) -> dict[str, np.ndarray]:
    """Return the arrays of `make`, to which a policy may add its own.

    By unit: `key` and `second`, its keys in the two orders; `rank`, its position in the queue; `predicted`, its
    predicted run time [s]; `until`, its expected end while it runs; `fixes`, the number of corrections; `begin`, its
    reservation [s], NaN without one; `reserved`, its length [s]; `recorded`, the begin last recorded; `listed`, whether
    it stands in `holder`; `promise`, the latest start that slack backfilling allows; `group`, whose past its prediction
    uses (-1: none).

    By group: `ended`, the number of jobs that ended; `past`, their run times from `offset` on; `guess`, the prediction.

    `span`, `at`, `free` are the availability profile, `span2`, `at2`, `free2` a second one for trials.
    """
    n = len(workload)
    depth, window = int(parameters.get("depth", 1)), int(parameters.get("window", 0))
    order, backfill_order = str(parameters["order"]), str(parameters.get("backfill_order", "queue"))
    expression = expression_of(order)
    groups = grouping(workload, str(parameters["prediction"]))
    memo = np.zeros(1, MEMO)
    memo["first"] = workload.jobs["release"].min(initial=np.inf)
    memo["factor"] = parameters.get("factor", 0.0)
    memo["reserve_after"] = parameters.get("reserve_after", 0.0)
    memo["next"] = np.inf
    memo["free_ranges"], memo["head"] = 1, NO_ROW
    memo["one_by_one"] = parameters.get("event_order") == "submissions-first"
    memo["all_extra"] = True
    memo["from_top"] = workload.kind == "two_tier"
    memo["order"] = EXPRESSION if expression else list(ORDERS).index(order)
    memo["changes"] = expression.changes if expression else ORDERS[order].changes
    memo["backfill_order"] = _code(backfill_order)
    memo["resorts"] = backfill_order in ORDERS and ORDERS[backfill_order].changes
    memo["depth"], memo["window"] = depth, window
    memo["prediction"], memo["argument"], memo["past"] = groups.method, groups.argument, groups.keep
    memo["correction"] = CORRECTIONS.index(str(parameters.get("correction", "request")))
    ranges = np.zeros(lanes + 2, RANGE)
    ranges[0] = (0, lanes - 1)
    memo["promises"] = bool(parameters.get("promises"))
    memo["keeps_profile"] = bool(parameters.get("keeps_profile"))
    steps = 2 * (n + lanes) + 3 if parameters.get("has_profile") else 0
    return {
        "m": memo,
        "busy": np.zeros(2 * lanes + 2, BUSY),
        "ranges": ranges,
        "queue": np.zeros(n + 1, np.int64),
        "back": np.zeros(n + 1, np.int64),
        "key": np.zeros(n + 1),
        "second": np.zeros(n + 1),
        "rank": np.zeros(n + 1, np.int64),
        "predicted": np.zeros(n + 1),
        "until": np.zeros(n + 1),
        "fixes": np.zeros(n + 1, np.int64),
        "begin": np.full(n + 1, np.nan),
        "reserved": np.zeros(n + 1),
        "recorded": np.full(n + 1, np.nan),
        "holder": np.zeros(n + 1, np.int64),
        "listed": np.zeros(n + 1, np.int64),
        "promise": np.full(n + 1, np.inf),
        "group": groups.group,
        "ended": np.zeros(groups.number + 1, np.int64),
        "offset": groups.offset,
        "past": np.zeros(groups.room + 1),
        "guess": np.full(groups.number + 1, np.inf),
        "code": expression.codes if expression else np.zeros(1, np.int64),
        "number": expression.numbers if expression else np.zeros(1),
        "stack": np.zeros(128),
        "span": np.array([0, 1]),
        "at": np.full(steps + 1, -np.inf),
        "free": np.full(steps + 1, lanes, np.int64),
        "span2": np.array([0, 1]),
        "at2": np.zeros(steps + 1),
        "free2": np.full(steps + 1, lanes, np.int64),
        "found": np.zeros(n + 1),
        "line": np.zeros(n + 1, np.int64),
        "tried": np.zeros(n + 1, np.int64),
        "least": np.zeros((window + 1) * (lanes + 1) + 1, np.int64),
        "chosen": np.zeros(window + 1, np.int64),
    }


def _code(backfill_order: str) -> int:
    if backfill_order == "queue":
        return QUEUE
    return PREDICTED if backfill_order == "sjbf" else list(ORDERS).index(backfill_order)
