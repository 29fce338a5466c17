"""Memory of a fractional run: the jobs in the system, the state of each node, and work space for packings."""

from __future__ import annotations

from typing import Any

import numpy as np

from shadowtime.engine.families.fractional.names import LIMITS, OPTIMA, PERIODIC, SUBMISSION
from shadowtime.engine.kernel.binary_heap import ENTRY
from shadowtime.engine.kernel.state import new_state, rows_of
from shadowtime.engine.workload.job import Workload

NOTHING, GREEDY, _, GREEDY_PM, MCB8 = (np.int64(code) for code in range(5))
"""Action on submission, a position in SUBMISSION (2 is GreedyP); on completion NOTHING, GREEDY or MCB8."""
STRETCH_PER = np.int64(2)
"""Action every period, a position in PERIODIC (0 is NOTHING, 1 is per)."""
AVG = np.int64(1)
"""Rule for yields, a position in OPTIMA (0 is min, 2 is max)."""
MINFT, MINVT = np.int64(1), np.int64(2)
"""Limit that pins a running job to its nodes, a position in LIMITS (0 is NOTHING)."""

MEMO = rows_of(
    """period penalty bound next_period threshold eager smallest
    request_memory request_cpu least_memory memory_left best level""",
    """submission completion periodic optimum limit
    waiting running changed failures ranked marked rows crowded side unseated packings""",
)
"""One row: options, then counts of the lists below, then sums of a packing. `next_period`: the last alarm set;
`ranked`, `threshold`: guesses of the number of jobs in the next packing and of their least priority; `eager`: the least
priority that Greedy tries first; `smallest`: the least memory of a task; `best`: the yield (or 1 / stretch) of the best
packing, and `side` the half of `seat` that holds it."""

NODE = rows_of(
    "free load trial cpu memory ahead_cpu ahead_memory used need",
    "tasks first count live place",
)
"""A node: `free` memory, `load` of CPU needs and number of `tasks` that it holds; the other fields are work space."""

JOB = rows_of("", "candidate group at first runs changed")
"""Per unit: its row in `cand` (-1: none), its group, and its place in `wait` or `running`. The plan of the instant (see
`plan`): whether it `runs`, on the nodes `nodes[first : first + procs]`, and whether it is in the list `changed`."""

WAIT = rows_of("memory", "unit")
AGE = rows_of("release virtual_time", "")
"""A waiting or paused job, in two tables, since scans read only AGE of most jobs."""

GROUP = rows_of("", "level procs first count")
"""Jobs with equal numbers of tasks and equal levels of memory (whole parts of 1 / LEVELS); the waiting ones are `count`
rows from `first`. Scans skip whole groups that cannot fit."""
LEVELS = 32

CUTS = 10
"""Largest k of the memory test in `parts`; ten, since at most ten tasks of a tenth share a node."""

CAPACITY = rows_of("", "most least most_lanes least_lanes")
"""A level of memory: how many of its tasks fit at most and at least, and how many nodes have exactly this level free,
with rounding up and with rounding down."""

FAILURE = rows_of("memory", "procs")
"""A number of tasks of some memory that did not fit."""
FAILURES = 16

CANDIDATE = rows_of("cpu memory size need", "unit tasks left first next pinned")
"""A job to be packed: CPU and memory that a task needs at the tested yield, the larger of both (`size`), tasks `left`
without a node, the place of its nodes in `seat`, and its successor in the list C or M."""

ROW = rows_of("need yield_ grow base low high floor weight extra", "unit first tasks frozen shared column")
"""A running job while yields are computed: at level u its yield is `grow * u - base`, which is 0 at `low` and 1 at
`high`, until it is frozen; this applies only to `shared` jobs, which are on a crowded node. Its nodes are
`hold[first : first + tasks]`. For means: the yield is `floor + extra`, and `extra` has the weight `weight`."""

LINE = rows_of("value top sign room", "lane owner")
COLUMN = rows_of("gain top sign", "owner row")
"""Variables of the linear program inside and outside of the basis; `owner` is the row, or below 0 the slack of a node;
`sign` is -1 for a variable that is measured from its upper end `top`. At the start a column is that of `row`, and a
line has the CPU `room`."""

MOVING = rows_of("grow now way", "")
"""A row whose yield changes on the way to a corner: its `grow`, virtual time and yield now, and the change."""

CONSTRAINT = rows_of("", "lane root part")
PART = rows_of("", "lines columns line column entry")
"""Independent parts of a linear program: numbers of lines and columns, the first of each and of the entries in the
table. `root` leads to the first constraint of the same part."""

STEPS = 20_000
"""Limit on the steps of the simplex method; never reached in practice."""
LARGEST_TABLE = 40_000_000
"""Limit on the entries of the table of a linear program, 320 MB; the system allocates only pages that are used."""


def make(workload: Workload, parameters: dict[str, Any], lanes: int) -> Any:
    """Return the memory of one run; `parameters` include the options of the variant.

    Jobs in the system: `wait` and `age` by groups, `running`. Plan of the instant: `changed`, `nodes`. Orders: `best`,
    `order`, `marked` by priority, `by_cpu`, `by_memory`. Memory tests: `weight_left`, `capacity`, `failure`. Packing:
    `cand`, `place`, `jump`, `seat`. Yields: `row`, `stay`, `crowded`, `level`. A linear program: `constraint`, `part`,
    `line`, `column`, `table`, `moving`. Pages never written use no memory.
    """
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
    memo["next_period"] = -np.inf
    memo["ranked"] = 128
    memo["smallest"] = jobs["memory"].min()
    rows = np.zeros(n, JOB)
    rows["candidate"] = -1
    rows["first"] = np.cumsum(jobs["processors"]) - jobs["processors"]
    groups, rows["group"] = grouped(jobs["memory"], jobs["processors"])
    table = min(LARGEST_TABLE, n * lanes) if parameters["optimum"] == "avg" else 0
    nodes = np.zeros(lanes, NODE)
    nodes["free"] = 1.0
    tasks = int(jobs["processors"].sum())
    whole = "running changed order marked by_cpu by_memory place"
    return new_state(
        {
            "m": memo,
            "j": rows,
            "node": nodes,
            "group": groups,
            **{name: np.zeros(n + 1, np.int64) for name in whole.split()},
            "wait": np.zeros(n + 1, WAIT),
            "age": np.zeros(n + 1, AGE),
            "weight_left": np.zeros(CUTS + 1, np.int64),
            "failure": np.zeros(FAILURES, FAILURE),
            "capacity": np.zeros(LEVELS + 2, CAPACITY),
            "best": np.zeros(n + 1, ENTRY),
            "cand": np.zeros(n + 1, CANDIDATE),
            "jump": np.zeros(2 * LEVELS + 2, np.int64),
            "nodes": np.zeros(tasks + 1, np.int64),
            "seat": np.zeros(2 * tasks + 2, np.int64),
            "row": np.zeros(n + 1, ROW),
            "stay": np.zeros(tasks + 1, np.int64),
            "crowded": np.zeros(lanes + 1, np.int64),
            "level": np.zeros(lanes + 1),
            "line": np.zeros(lanes + 1, LINE),
            "column": np.zeros(n + 1, COLUMN),
            "constraint": np.zeros(lanes + 1, CONSTRAINT),
            "moving": np.zeros(n + 1, MOVING),
            "part": np.zeros(lanes + 1, PART),
            "table": np.zeros(table + 1),
        }
    )


def grouped(memory: np.ndarray, tasks: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return the groups of jobs, by level of memory and number of tasks, and the group of each job."""
    level = (memory * LEVELS).astype(np.int64)
    (levels, sizes), of_job, counts = np.unique(
        np.stack([level, tasks]), axis=1, return_inverse=True, return_counts=True
    )
    groups = np.zeros(len(counts), GROUP)
    groups["level"], groups["procs"], groups["first"] = levels, sizes, np.cumsum(counts) - counts
    return groups, of_job.reshape(-1)
