"""Memory of a controller: one struct of arrays of rows.

- `m` numbers of the run, one row; `job` the jobs; `node` the nodes, and `then` a copy for hypothetical ends.
- `queue` rows of waiting jobs by tier, priority and number; `spare` scratch of the same length.
- `running` rows of running jobs by planned end; `ends` the heap of their true ends.
- `arrival` rows of jobs by the instant at which they may wait; `after` and `follower` the jobs that wait for others.
- `held_node`, `held_units`: nodes of job j and its units there, from `job[j].hold` on.
- `partition`, `part_bits`: partitions, and their nodes as bits of `words` words each.
- `group` accounts and users with usage, parents before children; `child` their order for Fair Tree.
- `qos`, `by_user`, `by_account`: limits and what is held under each.
- `interval`, `free_bits`: intervals of a backfill pass and the nodes that are not reserved in each.
- `candidate`, `up_bits`: sets of nodes; `pick_node`, `pick_units`: the nodes chosen last.
- `edge` instants at which nodes go down or come back.
"""

from __future__ import annotations

import numpy as np

from shadowtime.engine.kernel.state import rows_of

FUTURE, HELD, WAITING, RUNS, ENDED, UNFIT = (np.int64(code) for code in range(6))
"""States of a job; HELD: it depends on jobs that have not ended."""
NONE = np.int64(-1)
BITS = 62
"""Nodes in a word of a set: one bit less than a signed word has without its sign."""

MEMO = rows_of(
    """now base decay last_calc next_calc calc_period tick next_full last_pass next_backfill
    sched_interval batch_sched_delay bf_interval bf_window bf_resolution kill_wait
    weight_age weight_fair_share weight_job_size weight_partition weight_qos max_age checkpoint horizon""",
    """jobs nodes words partitions groups users waiting running ends next_arrival next_edge edges
    depth max_job_test max_job_user has_backfill flagged accrue classic
    tracks_memory contiguous leaf version main_version backfill_version root asks_all
    picks intervals free_cores starts main_starts backfill_starts main_passes backfill_passes
    requeues lost has_limits tried_depth unlisted windows stuck room most_room rest least may most_cores
    cursor""",
)
"""One row. Times are seconds of the workload's clock; `base` plus these is the controller's epoch.

`tick` is the phase of the main loop's seconds. `version` changes with each start, end, arrival, recomputation and
outage; `main_version` and `backfill_version` are those of the last pass that started nothing. Until `horizon`, a
backfill pass of the same version has the same result. `asks_all`: expected starts are recorded, so that no pass stops
early."""

JOB = rows_of(
    """ready submit runtime limit unit_memory nice size_factor of_partition of_qos of_tres usage_factor
    priority age fair start end planned counted expected""",
    """id cores units unit_cores node_gpus on_each spread least may whole plain partition user person qos account state
    listed hold room held held_cores needs due""",
)
"""`of_partition`, `of_qos` and `of_tres` are weighted factors. `units` are the tasks of a job; a
node that takes some must hold `on_each` of them and `node_gpus` GPUs, and holds `spread` at most. The job takes at
least `least` nodes (0: does not say) and at most `may`. `room` the places from `hold` on; `held` the nodes in use,
`held_cores` the cores. `counted`: until when its usage is recorded. `expected`: start that the last backfill pass
planned. `due`: it starts now in a schedule that is followed. `plain`: a job of single cores that asks no more of a
node. `user` and `account` are rows of the tree; `person` is the first row of that user in any account."""

NODE = rows_of("memory free_memory freed", "cores gpus free_cores free_gpus up")
"""`freed`: the last end of a job there."""
PARTITION = rows_of("", "tier cores nodes")
GROUP = rows_of(
    "shares usage level factor limit_cores limit_jobs user_jobs", "parent is_user first children cores jobs"
)
QOS = rows_of("limit_cores limit_jobs user_cores user_jobs account_cores account_jobs", "cores jobs")
HELD_BY = rows_of("", "cores jobs")
INTERVAL = rows_of("begin end", "next most")
"""`most`: cores of the free nodes, at most."""
EDGE = rows_of("at", "kind first last")
"""Nodes `edge_node[first:last]` go down (kind 0), drain (1), or come back (2)."""
DOWN, DRAIN, BACK = np.int64(0), np.int64(1), np.int64(2)
WINDOW = rows_of("begin end", "first last")
"""A maintenance of nodes `window_node[first:last]`."""
