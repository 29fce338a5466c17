"""What a fractional run remembers: which jobs are in the system, what each node has left, and room to try packings."""

from __future__ import annotations

from typing import Any

import numpy as np

from shadowtime.engine.families.fractional.names import LIMITS, OPTIMA, PERIODIC, SUBMISSION
from shadowtime.engine.families.fractional.policies.sorting import DIGITS
from shadowtime.engine.kernel.state import new_state, rows_of
from shadowtime.engine.workload.job import Workload

NOTHING, GREEDY, GREEDY_P, GREEDY_PM, MCB8 = (np.int64(code) for code in range(5))
"""What is done on submission (all), on completion (NOTHING, GREEDY, MCB8)."""
PER, STRETCH_PER = np.int64(1), np.int64(2)
"""What is done every period, beside NOTHING."""
MIN, AVG, MAX = (np.int64(code) for code in range(3))
"""How yields are chosen."""
MINFT, MINVT = np.int64(1), np.int64(2)
"""What holds a running job where it is, beside NOTHING."""

MEMO = rows_of(
    """period penalty bound told_tick threshold eager smallest
    wanted_memory wanted_cpu least_memory memory_left best level""",
    """submission completion periodic optimum limit
    waiting running failures ranked marked rows crowded stale side unseated packings""",
)
"""One row: options, then counts of the lists below, then sums of a packing. `told_tick`: the last alarm set;
`ranked`, `threshold`: guesses of how many jobs the next packing looks at, and of their least priority; `eager`: the
least that Greedy tries first; `smallest`: the least memory of a task; `best`: the yield (or 1 / stretch) of the best
packing, and `side` the half of `seat` that it stands in."""

NODE = rows_of(
    "free load trial cpu memory ahead_cpu ahead_memory used need",
    "tasks first count live place stale",
)
"""A node: `free` memory, `load` of CPU needs and number of `tasks` that it holds; the rest is room to try things in."""

JOB = rows_of("", "rank_cpu rank_memory candidate group at")
"""Per unit: its places by decreasing CPU need and by decreasing memory (ties: earlier first), its
row in `cand` (-1: none), its group and its place in `wait` or `running`."""

WAIT = rows_of("memory", "unit")
AGE = rows_of("release virtual_time", "")
"""A job that waits or is paused, in two rows, since all are scanned for their age."""

GROUP = rows_of("", "level procs first count")
"""Jobs with as many tasks and as many whole parts of LEVELS of memory: those that wait are `count` rows from `first`.
What cannot fit is passed over by groups."""
LEVELS = 32

CUTS = 10
"""Of a node into 2, 3, ... parts, to say what memory cannot hold: no more than ten tasks of a tenth share a node."""

BEST = rows_of("priority", "unit")
"""A unit in an order by priority."""

CAPACITY = rows_of("", "most least most_lanes least_lanes")
"""A level of memory: how many tasks of it fit at most and at least, and how many nodes have just so much free, if
rounding is in their favour and if it is not."""

FAILURE = rows_of("memory", "procs")
"""So many tasks of so much memory did not fit."""
FAILURES = 16

CANDIDATE = rows_of("cpu memory need", "unit tasks left first next_cpu next_memory pinned")
"""A job to be packed: CPU and memory that a task asks for at the yield under test, tasks `left` without a node,
where its nodes stand in `seat`, and its successors in the lists C and M."""

JUMP = rows_of("", "cpu memory")
"""A level: the first of the lists C and M that may fit into so much CPU or memory."""

ROW = rows_of("need yield_ grow base low high floor weight extra", "unit first tasks frozen shared column")
"""A running job while yields are shared out: at level u its yield is `grow * u - base`, which is 0 at `low` and 1 at
`high`, until it is frozen; only one that is `shared`, on a node that is asked for too much, needs that. Its nodes are
`hold[first : first + tasks]`. For means: it gets `extra` beyond its `floor`, which counts `weight` times."""

LINE = rows_of("value top sign", "lane owner")
COLUMN = rows_of("gain top sign", "owner")
"""Of a linear program: the variables in and out of the basis; `owner` is the row, or below 0 a node's slack; `sign` is
-1 for one that is measured from its upper end `top`."""

STEPS = 20_000
"""Of the simplex method: never reached in practice."""
LARGEST_TABLE = 40_000_000
"""Numbers in the table of a linear program, 320 MB if all were used: memory is taken only as far as it is."""


def make(workload: Workload, parameters: dict[str, Any], lanes: int) -> Any:
    """A fresh memory for one run; `parameters` hold the variant's options too."""
    jobs = workload.jobs
    n = len(workload)
    memo = np.zeros(1, MEMO)
    submission = SUBMISSION.index(parameters["submission"])
    memo["submission"] = submission
    if parameters["on_completion"]:
        memo["completion"] = MCB8 if submission == MCB8 else GREEDY
    memo["periodic"] = PERIODIC.index(parameters["periodic"])
    memo["optimum"] = OPTIMA.index(parameters["optimum"])
    memo["limit"], memo["bound"] = LIMITS.index(parameters["limit"]), parameters["bound"]
    memo["period"], memo["penalty"] = parameters.get("period", 600.0), parameters["penalty"]
    memo["told_tick"] = -np.inf
    memo["ranked"] = 128
    memo["smallest"] = jobs["memory"].min()
    rows = np.zeros(n, JOB)
    rows["candidate"] = -1
    groups, rows["group"] = grouped(jobs["memory"], jobs["processors"])
    rows["rank_cpu"], rows["rank_memory"] = ranks(jobs["cpu_need"]), ranks(jobs["memory"])
    table = min(LARGEST_TABLE, n * lanes) if parameters["optimum"] == "avg" else 0
    return new_state(_arrays(memo, rows, groups, int(jobs["processors"].sum()), n, lanes, table))


def ranks(values: np.ndarray) -> np.ndarray:
    """The place of each value in decreasing order, ties as they stand."""
    place = np.empty(len(values), np.int64)
    place[np.argsort(-values, kind="stable")] = np.arange(len(values))
    return place


def grouped(memory: np.ndarray, tasks: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The groups of jobs, by memory and number of tasks, and the one of each job."""
    level = (memory * LEVELS).astype(np.int64)
    (levels, sizes), of_job, counts = np.unique(
        np.stack([level, tasks]), axis=1, return_inverse=True, return_counts=True
    )
    groups = np.zeros(len(counts), GROUP)
    groups["level"], groups["procs"], groups["first"] = levels, sizes, np.cumsum(counts) - counts
    return groups, of_job.reshape(-1)


def _arrays(
    memo: np.ndarray, jobs: np.ndarray, groups: np.ndarray, tasks: int, n: int, lanes: int, table: int
) -> dict[str, np.ndarray]:
    """`wait` and `age` by groups, `running` the jobs in the system; `best`, `order` and `marked` lists by priority,
    `by_cpu` and `by_memory` by rank (`of_cpu`, `of_memory`: the unit of each rank), `spare`, `side` and `tally` to sort
    in; `weight_left` what memory can hold, `capacity` how many tasks of each level of memory fit, `failure` what did
    not; `cand`, `place`, `jump`, `seat` a packing; `row`, `stay`, `crowded`, `level`, `stale` shares of nodes; `line`,
    `column`, `table` a linear program. Unwritten room is free."""
    nodes = np.zeros(lanes, NODE)
    nodes["free"] = 1.0
    return {
        "m": memo,
        "j": jobs,
        "node": nodes,
        "group": groups,
        "wait": np.zeros(n + 1, WAIT),
        "age": np.zeros(n + 1, AGE),
        "running": np.zeros(n + 1, np.int64),
        "weight_left": np.zeros(CUTS + 1, np.int64),
        "failure": np.zeros(FAILURES, FAILURE),
        "capacity": np.zeros(LEVELS + 2, CAPACITY),
        "of_cpu": np.argsort(jobs["rank_cpu"]),
        "of_memory": np.argsort(jobs["rank_memory"]),
        "side": np.zeros(n + 1, np.int64),
        "tally": np.zeros(DIGITS, np.int64),
        "by_cpu": np.zeros(n + 1, np.int64),
        "by_memory": np.zeros(n + 1, np.int64),
        "best": np.zeros(n + 1, BEST),
        "spare": np.zeros(n + 1, BEST),
        "order": np.zeros(n + 1, np.int64),
        "marked": np.zeros(n + 1, np.int64),
        "cand": np.zeros(n + 1, CANDIDATE),
        "jump": np.zeros(LEVELS + 1, JUMP),
        "place": np.zeros(n + 1, np.int64),
        "seat": np.zeros(2 * tasks + 2, np.int64),
        "row": np.zeros(n + 1, ROW),
        "stay": np.zeros(tasks + 1, np.int64),
        "crowded": np.zeros(lanes + 1, np.int64),
        "level": np.zeros(lanes + 1),
        "stale": np.zeros(lanes + 1, np.int64),
        "line": np.zeros(lanes + 1, LINE),
        "column": np.zeros(n + 1, COLUMN),
        "table": np.zeros(table + 1),
    }
