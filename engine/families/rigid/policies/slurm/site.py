"""A workload and its cluster as a controller's memory."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

import numpy as np

from shadowtime.engine.errors import InvalidPlatform
from shadowtime.engine.families.rigid.policies.slurm import state as rows
from shadowtime.engine.families.rigid.policies.slurm.accounts import Accounts
from shadowtime.engine.families.rigid.policies.slurm.jobs import codes, job_rows
from shadowtime.engine.families.rigid.policies.slurm.usage import begin as begin_usage
from shadowtime.engine.families.rigid.policies.slurm.waits_for import followers
from shadowtime.engine.kernel.binary_heap import ENTRY
from shadowtime.engine.kernel.state import new_state
from shadowtime.engine.workload.job import Workload
from shadowtime.engine.workload.slurm.cluster import Cluster, Limits, Partition, Qos

COPIED = (
    "calc_period", "sched_interval", "batch_sched_delay", "bf_interval", "bf_resolution", "kill_wait", "weight_age",
    "weight_fair_share", "weight_job_size", "weight_partition", "weight_qos", "max_age",
)  # fmt: skip
"""Parameters that the memory has under their own names."""
HALF = 0.693
"""Slurm's ln 2 (rule 13)."""


class Site(NamedTuple):
    """A controller's memory, and what went into it."""

    memory: Any
    cluster: Cluster
    rows: np.ndarray
    """Rows of JOB at the beginning."""
    unknown: Mapping[str, set[str]]
    """Names in the log that the cluster does not have: of partitions, QOS, users."""


def cluster_of(workload: Workload, lanes: int) -> Cluster:
    """Return the cluster of a workload; one without gets nodes of equal size and one partition.

    Raises
    ------
    InvalidPlatform
        If the nodes of the cluster have another number of cores than the platform.
    """
    cluster = workload.cluster
    if cluster is None:
        cores = int(workload.machine.get("cores_per_node", 1))
        cores = cores if lanes % cores == 0 else 1
        size = np.full(lanes // cores, cores, "i8")
        everywhere = Partition("all", np.arange(len(size)), is_default=True)
        names = tuple(f"n{z + 1}" for z in range(len(size)))
        return Cluster(names, size, np.zeros(len(size)), np.zeros(len(size), "i8"), (everywhere,))
    if int(cluster.cores.sum()) != lanes:
        raise InvalidPlatform(
            f"the nodes of the site have {int(cluster.cores.sum()):,} cores, the platform has {lanes:,}: leave the "
            "platform out, or choose another algorithm"
        )
    return cluster


def site_of(workload: Workload, parameters: Mapping[str, Any], lanes: int, rng: np.random.Generator) -> Site:
    """Return the memory of a controller before its first second.

    The generator draws the phases of the main loop's seconds and of its full passes, of the backfill loop and of the
    recomputation of priorities.
    """
    cluster = cluster_of(workload, lanes)
    accounts = Accounts(workload, cluster)
    default = next((at for at, one in enumerate(cluster.partitions) if one.is_default), 0)
    partition, lost = codes(workload, "partition", [one.name for one in cluster.partitions], default)
    qos, lost_qos = codes(workload, "qos", [one.name for one in cluster.qos], -1)
    jobs = job_rows(workload, cluster, accounts, partition, qos, parameters)
    unknown = {"partition": lost if workload.cluster else set(), "QOS": lost_qos if cluster.qos else set(),
               "user": accounts.unknown}  # fmt: skip
    needs, after, follower = followers(workload, jobs["state"] == rows.UNFIT)
    jobs["needs"] = needs
    jobs["ready"][needs > 0] = jobs["submit"][needs > 0]
    arrays = {"job": jobs, "after": after, "follower": follower}
    arrays |= of_nodes(cluster) | of_accounts(accounts) | of_qos(cluster, len(accounts.tree))
    arrival = np.argsort(jobs["ready"], kind="stable")
    arrays["arrival"] = arrival[jobs["state"][arrival] != rows.UNFIT].astype("i8")
    begin = float(np.floor(jobs["submit"].min()))
    base = float(workload.clock.unix_start) if workload.clock else -begin
    memo = memo_of(parameters, begin, rng)
    memo["base"] = base
    memo["jobs"], memo["nodes"], memo["words"] = len(arrays["arrival"]), len(cluster.cores), words_for(cluster)
    memo["partitions"], memo["groups"] = len(cluster.partitions), len(accounts.tree)
    memo["users"] = int(arrays["group"]["is_user"].sum())
    memo["free_cores"], memo["tracks_memory"] = int(cluster.cores.sum()), cluster.tracks_memory
    memo["has_limits"], memo["most_cores"] = has_limits(cluster), int(cluster.cores.max())
    arrays |= outages(cluster, base, begin)
    memo["edges"], memo["windows"] = len(arrays["edge"]) - 1, len(arrays["window"]) - 1
    arrays |= scratch(arrays, memo, cluster)
    arrays["m"] = memo
    memory = new_state(arrays)
    begin_usage(memory)
    return Site(memory, cluster, jobs, unknown)


def memo_of(parameters: Mapping[str, Any], begin: float, rng: np.random.Generator) -> np.ndarray:
    """Return the row of MEMO with the parameters, and the phases of the loops from second `begin` on."""
    memo = np.zeros(1, rows.MEMO)
    for name in COPIED:
        memo[name] = parameters[name]
    half = parameters["half_life"]
    memo["decay"] = max(0.0, 1.0 - HALF / half) if half > 0 else 1.0
    memo["bf_window"] = 60.0 * parameters["bf_window"]
    memo["depth"], memo["has_backfill"] = parameters["default_queue_depth"], parameters["backfill_loop"]
    memo["max_job_test"], memo["max_job_user"] = parameters["bf_max_job_test"], parameters["bf_max_job_user"]
    memo["accrue"], memo["classic"] = parameters["accrue_always"], parameters["fair_share"] == "classic"
    placement, _, leaf = parameters["placement"].partition(":")
    memo["contiguous"], memo["leaf"] = placement == "contiguous", int(leaf.removeprefix("leaf=") or 18) \
        if placement == "topology" else 0  # fmt: skip
    requeue, _, interval = parameters["requeue"].partition(":")
    memo["checkpoint"] = float(interval.removeprefix("interval=") or 3600.0) if requeue == "checkpoint" else 0.0
    memo["tick"] = rng.random()
    memo["next_full"] = begin + memo["tick"] + rng.integers(0, int(np.ceil(parameters["sched_interval"])))
    memo["next_backfill"] = begin + rng.random() * parameters["bf_interval"]
    memo["next_calc"] = begin + rng.random() * parameters["calc_period"]
    memo["now"] = memo["last_calc"] = begin
    memo["last_pass"] = -np.inf
    memo["main_version"] = memo["backfill_version"] = -1
    return memo


def words_for(cluster: Cluster) -> int:
    """Return how many words a set of nodes takes."""
    return -(-len(cluster.cores) // rows.BITS)


def set_of(nodes: Iterable[int], words: int) -> np.ndarray:
    """Return a set of nodes as words."""
    found = [0] * words
    for z in nodes:
        found[z // rows.BITS] |= 1 << (z % rows.BITS)
    return np.array(found, "i8")


def of_nodes(cluster: Cluster) -> dict[str, np.ndarray]:
    """Return the arrays of nodes and partitions."""
    n, words = len(cluster.cores), words_for(cluster)
    node = np.zeros(n, rows.NODE)
    node["cores"] = node["free_cores"] = cluster.cores
    node["gpus"] = node["free_gpus"] = cluster.gpus
    node["memory"] = node["free_memory"] = cluster.memory
    node["up"], node["freed"] = 1, -np.inf
    partition = np.zeros(len(cluster.partitions), rows.PARTITION)
    partition["tier"] = [one.tier for one in cluster.partitions]
    return {
        "node": node,
        "then": node.copy(),
        "partition": partition,
        "part_bits": np.concatenate([set_of(one.nodes.tolist(), words) for one in cluster.partitions]),
        "up_bits": set_of(range(n), words),
    }


def of_accounts(accounts: Accounts) -> dict[str, np.ndarray]:
    """Return the arrays of the tree of accounts."""
    group = accounts.rows()
    child, _ = accounts.children()
    n = len(group)
    below = np.zeros(n)
    inner = group["parent"] >= 0
    np.add.at(below, group["parent"][inner], group["shares"][inner])
    return {
        "group": group, "child": np.append(child, 0), "shares_below": below, "norm": np.zeros(n),
        "effective": np.zeros(n), "order": np.zeros(n + 1, "i8"), "frame": np.zeros(3 * (n + 2), "i8"),
        "level_before": np.zeros(n + 2), "is_level": np.zeros(n + 2, "i8"), "tried_of": np.zeros(n, "i8"),
    }  # fmt: skip


def of_qos(cluster: Cluster, groups: int) -> dict[str, np.ndarray]:
    """Return the arrays of QOS and what is held under each, by user and by account."""
    names = {one.name: at for at, one in enumerate(cluster.qos)}
    qos = np.zeros(len(cluster.qos) + 1, rows.QOS)
    for at, one in enumerate((*cluster.qos, Qos(""))):
        for mine, theirs in (("limit_cores", "group_cores"), ("limit_jobs", "group_jobs"), ("user_cores", "user_cores"),
                             ("user_jobs", "user_jobs"), ("account_cores", "account_cores"),
                             ("account_jobs", "account_jobs")):  # fmt: skip
            qos[at][mine] = getattr(one.limits, theirs)
    held = len(qos) * groups if has_limits(cluster) else 1
    return {
        "qos": qos,
        "part_qos": np.array([names.get(one.qos, -1) for one in cluster.partitions], "i8"),
        "by_user": np.zeros(held, rows.HELD_BY),
        "by_account": np.zeros(held, rows.HELD_BY),
    }


def has_limits(cluster: Cluster) -> bool:
    """Return whether any QOS or association limits what may run."""
    given = [*(one.limits for one in cluster.qos), *(one.limits for one in cluster.associations)]
    return any(one != Limits() for one in given)


def outages(cluster: Cluster, base: float, begin: float) -> dict[str, np.ndarray]:
    """Return the arrays of outages: instants at which nodes go or come back, and maintenances."""
    found: list[tuple[float, int, int, int]] = []
    windows: list[tuple[float, float, int, int]] = []
    gone: list[int] = []
    kept: list[int] = []
    for one in cluster.outages:
        start, end = one.start - base, one.end - base
        if end <= begin or (one.kind == "maintenance" and start == end):
            continue  # it is over, or takes no time
        if one.kind == "maintenance":
            windows.append((start, end, len(kept), len(kept) + len(one.nodes)))
            kept += one.nodes
            continue
        span = (len(gone), len(gone) + len(one.nodes))
        gone += one.nodes
        found.append((max(start, begin), int(rows.DOWN if one.kind == "down" else rows.DRAIN), *span))
        if np.isfinite(end):
            found.append((end, int(rows.BACK), *span))
    found.sort(key=lambda edge: edge[0])
    edge, window = np.zeros(len(found) + 1, rows.EDGE), np.zeros(len(windows) + 1, rows.WINDOW)
    for at, values in enumerate(found):
        edge[at] = values
    for at, span_of in enumerate(windows):
        window[at] = span_of
    return {"edge": edge, "edge_node": np.array([*gone, 0], "i8"), "window": window,
            "window_node": np.array([*kept, 0], "i8")}  # fmt: skip


def scratch(arrays: dict[str, np.ndarray], memo: np.ndarray, cluster: Cluster) -> dict[str, np.ndarray]:
    """Return the arrays that a run fills, and set where each job lists its nodes."""
    job, n, nodes, words = arrays["job"], len(arrays["job"]), len(cluster.cores), int(memo["words"][0])
    in_partition = np.array([len(one.nodes) for one in cluster.partitions])[job["partition"]]
    room: np.ndarray = np.minimum(job["units"], in_partition)
    job["room"], job["hold"] = room, room.cumsum() - room
    most = min(n, int(cluster.cores.sum())) + 1
    tests = 2 * (min(n, int(memo["max_job_test"][0])) + int(memo["windows"][0])) + 4
    whole = {name: np.zeros(size, "i8") for name, size in {
        "queue": n + 1, "spare": n + 1, "least_after": n + 1, "running": most, "held_node": int(room.sum()) + 1,
        "held_units": int(room.sum()) + 1, "candidate": words, "usable": words, "left": words,
        "closed_bits": words, "held_bits": words,
        "free_bits": tests * words, "closed": len(cluster.partitions), "pick_node": nodes + 1, "pick_units": nodes + 1,
        "run_begin": nodes + 1, "run_stop": nodes + 1, "run_room": nodes + 1, "run_nodes": nodes + 1,
        "leaf_room": nodes + 1, "leaf_nodes": nodes + 1, "lost_job": most,
    }.items()}  # fmt: skip
    return whole | {
        "ends": np.zeros(2 * n + 2, ENTRY),
        "interval": np.zeros(tests, rows.INTERVAL),
        "lost_at": np.zeros(most),
        "lost_start": np.zeros(most),
    }
