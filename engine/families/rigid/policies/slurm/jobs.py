"""The jobs of a workload as rows of a controller's memory."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from shadowtime.engine.families.rigid.policies.slurm.accounts import Accounts
from shadowtime.engine.families.rigid.policies.slurm.state import JOB, UNFIT
from shadowtime.engine.workload.job import Workload
from shadowtime.engine.workload.slurm.cluster import Cluster

MINUTE = 60.0
KB_PER_MB = 1024.0


def codes(workload: Workload, column: str, names: list[str], otherwise: int) -> tuple[np.ndarray, set[str]]:
    """Return the place of each job's text among `names`, `otherwise` without one; and the texts that are not there."""
    if column not in workload.jobs:
        return np.full(len(workload), otherwise, "i8"), set()
    texts = workload.texts.get(column, ())
    places = {name: at for at, name in enumerate(names)}
    used = set(np.unique(workload.jobs[column]).tolist())
    missing = {text for code, text in enumerate(texts) if code in used and text not in places}
    table = np.array([*(places.get(text, otherwise) for text in texts), otherwise], "i8")
    given = workload.jobs[column]
    return table[np.where((given >= 0) & (given < len(texts)), given, len(texts))], missing


def column(workload: Workload, name: str, otherwise: float) -> np.ndarray:
    """Return a column of the workload, with `otherwise` where it is unknown."""
    given = workload.jobs.get(name, np.full(len(workload), np.nan))
    return np.where(np.isnan(given), otherwise, given)


def job_rows(
    workload: Workload,
    cluster: Cluster,
    accounts: Accounts,
    partition: np.ndarray,
    qos: np.ndarray,
    parameters: Mapping[str, Any],
) -> np.ndarray:
    """Return the rows of JOB but for what depends on the run."""
    jobs, n = workload.jobs, len(workload)
    rows = np.zeros(n, JOB)
    rows["id"], rows["submit"], rows["runtime"] = jobs["job_id"], jobs["release"], jobs["runtime"]
    rows["ready"] = np.maximum(jobs["release"], column(workload, "eligible", -np.inf))
    rows["cores"], rows["partition"], rows["qos"] = jobs["processors"], partition, qos
    rows["user"], rows["person"], rows["account"] = accounts.user, accounts.person, accounts.account
    limit = limits(workload, cluster, partition)
    rows["limit"] = np.minimum(limit, np.array([one.max_time for one in cluster.partitions])[partition])
    rows["nice"] = column(workload, "nice", 0.0)
    rows["usage_factor"] = np.array([*(one.usage_factor for one in cluster.qos), 1.0])[qos]
    rows["expected"] = rows["counted"] = np.inf
    set_units(rows, workload, cluster)
    exclusive = np.array([one.exclusive for one in cluster.partitions])[partition]
    rows["whole"] = exclusive | cluster.whole_nodes | (column(workload, "whole_nodes", 0.0) > 0)
    is_plain = (rows["unit_cores"] == 1) & (rows["node_gpus"] == 0) & (rows["unit_memory"] == 0.0)
    rows["plain"] = is_plain & (rows["on_each"] == 1) & (rows["whole"] == 0)
    nodes = np.maximum(1, column(workload, "min_nodes", 1.0))
    rows["size_factor"] = size_factor(rows["cores"], nodes, limit, cluster, parameters)
    rows["of_partition"] = parameters["weight_partition"] * factor_of_partition(cluster)[partition]
    rows["of_qos"] = parameters["weight_qos"] * factor_of_qos(cluster)[qos]
    rows["of_tres"] = of_tres(rows, workload, cluster, parameters)
    rows["state"][unfit(rows, cluster)] = UNFIT
    return rows


def limits(workload: Workload, cluster: Cluster, partition: np.ndarray) -> np.ndarray:
    """Return the time limits of the jobs [s], in whole minutes; the runtime stands in for a limit that neither job nor
    partition states, and for all of them where the estimates are the true runtimes."""
    asked, runtime = workload.jobs["requested"], workload.jobs["runtime"]
    if workload.has_estimates and np.isnan(asked).all():
        asked = runtime
    default = np.array([one.default_time for one in cluster.partitions])[partition]
    limit = np.where(np.isnan(asked), np.where(np.isinf(default), runtime, default), asked)
    return np.maximum(MINUTE, np.ceil(limit / MINUTE) * MINUTE)


def set_units(rows: np.ndarray, workload: Workload, cluster: Cluster) -> None:
    """Set the tasks of the jobs, and what they ask of each node."""
    size = rows["cores"]
    cores = np.maximum(1, column(workload, "task_cores", 1.0).astype("i8"))
    each: np.ndarray = np.where(size % cores == 0, cores, 1)
    units: np.ndarray = size // each
    rows["unit_cores"], rows["units"] = each, units
    nodes = np.minimum(column(workload, "min_nodes", 0.0).astype("i8"), units)
    tasks = column(workload, "node_tasks", 0.0).astype("i8")
    if cluster.gpus.any():
        gpus = column(workload, "gpus", 0.0).astype("i8")
        nodes = np.where(gpus > 0, np.maximum(nodes, np.minimum(units, -(-gpus // int(cluster.gpus.max())))), nodes)
        rows["node_gpus"] = -(-gpus // np.maximum(nodes, 1))
    if cluster.tracks_memory:
        memory: np.ndarray = column(workload, "memory_kb", 0.0) / KB_PER_MB
        rows["unit_memory"] = memory * each
    rows["least"], rows["may"] = nodes, np.where(nodes > 0, nodes, len(cluster.cores))
    rows["spread"] = np.where(tasks > 0, tasks, units)
    rows["on_each"] = np.where(nodes == 1, units, np.maximum(1, tasks))


def size_factor(
    cores: np.ndarray, nodes: np.ndarray, limit: np.ndarray, cluster: Cluster, parameters: Mapping[str, Any]
) -> np.ndarray:
    """Return the job-size factors (rules 5 to 7); `limit` [s] is the job's own: a partition caps it in plans alone."""
    all_nodes, all_cores = len(cluster.cores), float(cluster.cores.sum())
    if parameters["size_relative_to_time"]:
        factor = np.maximum(nodes * all_cores / all_nodes, cores) / (limit / MINUTE) / all_cores
        factor = 1.0 - factor if parameters["favor_small"] else factor
    elif parameters["favor_small"]:
        factor = ((all_nodes - nodes) / all_nodes + (all_cores - cores) / all_cores) / 2.0
    else:
        factor = (nodes / all_nodes + cores / all_cores) / 2.0
    return np.clip(factor, 0.0, 1.0)


def factor_of_partition(cluster: Cluster) -> np.ndarray:
    """Return the partition factor of each partition (rule 8)."""
    factors = np.array([one.job_factor for one in cluster.partitions])
    return factors / factors.max() if factors.max() > 0 else np.zeros(len(factors))


def factor_of_qos(cluster: Cluster) -> np.ndarray:
    """Return the QOS factor of each QOS, and 0 for none at the end (rule 8)."""
    given = np.array([*(one.priority for one in cluster.qos), 0.0])
    return given / given.max() if given.max() > 0 else np.zeros(len(given))


def of_tres(rows: np.ndarray, workload: Workload, cluster: Cluster, parameters: Mapping[str, Any]) -> np.ndarray:
    """Return the weighted shares of the partition's cores, memory and GPUs that the jobs ask for."""
    partition, p = rows["partition"], parameters
    total = np.zeros(len(rows))
    asked = {
        "cpu": (rows["cores"], cluster.cores),
        "memory": (column(workload, "memory_kb", 0.0) / KB_PER_MB * rows["cores"], cluster.memory),
        "gpu": (column(workload, "gpus", 0.0), cluster.gpus),
    }
    for name, (amount, of_node) in asked.items():
        if p[f"weight_{name}"]:
            there = np.array([float(of_node[one.nodes].sum()) for one in cluster.partitions])[partition]
            share = np.divide(amount, there, out=np.zeros(len(rows)), where=there > 0)
            total = total + p[f"weight_{name}"] * share
    return total


def unfit(rows: np.ndarray, cluster: Cluster) -> np.ndarray:
    """Return which jobs never fit, on all nodes of their partition when these are empty."""
    names = ("partition", "unit_cores", "node_gpus", "spread", "on_each", "may", "least")
    kinds, which = np.unique(
        np.stack([*(rows[name].astype("f8") for name in names), rows["unit_memory"]]), axis=1, return_inverse=True
    )
    room = np.zeros(kinds.shape[1])
    for x, (partition, cores, gpus, spread, on_each, may, least, memory) in enumerate(kinds.T):
        nodes = cluster.partitions[int(partition)].nodes
        units = np.where(cluster.gpus[nodes] >= gpus, cluster.cores[nodes] // cores, 0.0)
        if memory:
            units = np.minimum(units, np.floor(cluster.memory[nodes] / memory + 1e-9))
        units = np.minimum(units[units >= on_each], spread)
        room[x] = np.sort(units)[::-1][: int(may)].sum() if len(units) >= least else 0.0
    return rows["units"] > room[which.reshape(-1)]
