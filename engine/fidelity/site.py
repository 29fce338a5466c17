"""A fit as a cluster under Slurm, so that the algorithm `slurm` simulates it with both loops of a controller."""

from __future__ import annotations

from typing import Any

import numpy as np

from shadowtime.engine.fidelity.evidence import Evidence
from shadowtime.engine.fidelity.loop import NEVER
from shadowtime.engine.fidelity.model import CLOSED, HALF_LIFE, Values
from shadowtime.engine.workload.job import Clock, Workload
from shadowtime.engine.workload.slurm.cluster import NONE, Cluster, Limits, Outage, Partition, Qos

DAY = 86_400.0
MAX_AGE = 1000 * DAY
"""Age counts a point a second up to this wait [s], as in the quick model."""
LIMITS = "users"
"""Name of the QOS that carries the limits of users."""


def as_cluster(
    log: Workload, lanes: int, seen: Evidence, values: Values
) -> tuple[Workload, dict[str, Any], tuple[str, ...]]:
    """Return a log with the cluster that values describe, parameters of `slurm`, and what it cannot say.

    Nodes are processors. A job that asks for more than the usable ones asks for all of them.
    """
    usable = max(1, round(lanes * (1.0 - values.held_out)))
    nodes, unix = np.arange(usable), log.clock.unix_start if log.clock else 0.0
    limits = Limits(
        user_jobs=NONE if values.user_jobs == NEVER else float(values.user_jobs),
        user_cores=NONE if values.user_share == NEVER else float(values.user_share * lanes),
    )
    stops = seen.stops if values.down_time else ()
    cluster = Cluster(
        node_names=tuple(f"n{number + 1}" for number in range(usable)),
        cores=np.ones(usable, "i8"),
        memory=np.zeros(usable),
        gpus=np.zeros(usable, "i8"),
        partitions=_partitions(log, nodes, seen, values),
        qos=(Qos(LIMITS, limits=limits),),
        outages=tuple(
            Outage(tuple(range(usable)), one.start + unix, one.end + unix, "drain", "down time found in the log")
            for one in stops
        ),
    )
    jobs = {**log.jobs, "processors": np.minimum(log.jobs["processors"], usable)}
    jobs |= {name: np.zeros(len(log), "i8") for name in ("partition",) if name not in jobs}
    texts = {**log.texts, "partition": _names(log)}
    machine, clock = {**log.machine, "processors": usable}, log.clock or Clock(0.0)  # of which outages count
    made = log.with_(jobs=jobs, texts=texts, cluster=cluster, machine=machine, clock=clock)
    parameters: dict[str, Any] = {
        "weight_age": MAX_AGE, "max_age": MAX_AGE, "weight_partition": values.queue,
        "weight_fair_share": values.fair_share, "half_life": HALF_LIFE, "fair_share": "classic",
        "accrue_always": True, "bf_interval": 60.0, "bf_window": 10_080.0,
    }  # fmt: skip
    if values.size:
        parameters |= {"weight_job_size": abs(values.size) * np.log2(lanes), "favor_small": values.size > 0}
    lacking = []
    if CLOSED[values.closed]:
        lacking.append("hours that are closed to long requests")
    if values.length:
        lacking.append("a head start of short requests")
    return made, parameters, tuple(lacking)


def _names(log: Workload) -> tuple[str, ...]:
    """Return a name for each code of the column `partition`."""
    codes = log.jobs.get("partition", np.zeros(1, "i8"))
    known = log.texts.get("partition", ())
    most = max(int(codes.max()) + 1, len(known), 1)
    return tuple(known[at] if at < len(known) else f"queue {at}" for at in range(most))


def _partitions(log: Workload, nodes: np.ndarray, seen: Evidence, values: Values) -> tuple[Partition, ...]:
    """Return a partition for each queue of a log, all on the same nodes; the first also takes jobs without one."""
    names = _names(log)
    codes = log.jobs.get("partition", np.zeros(len(log), "i8"))
    factor = {int(code): 1.0 + float(seen.queue[codes == code][0]) for code in np.unique(codes)}
    return tuple(
        Partition(name, nodes, is_default=at == 0, job_factor=factor.get(at, 1.0), qos=LIMITS)
        for at, name in enumerate(names)
    )
