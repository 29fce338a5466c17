"""What the log of a run under Slurm brings for its page: whether it recorded starts, and the outages of its site."""

from __future__ import annotations

from typing import Any

import numpy as np

from shadowtime.dashboard.intake.questions import Desk
from shadowtime.engine.platform import Platform
from shadowtime.engine.workload.job import Workload
from shadowtime.engine.workload.slurm.cluster import Cluster
from shadowtime.workers.execute import load_workload
from shadowtime.workers.spec import canonical
from shadowtime.workers.store import Run


def workload_of_run(desk: Desk, run: Run) -> Workload:
    """Return the workload of a run with its conversions applied; the child keeps the last ones."""
    spec = run.spec
    key = canonical([dict(spec.workload), [dict(step) for step in spec.conversions], spec.seed])
    return desk.workloads.get(key, lambda: load_workload(spec, desk.store))


def slurm_site(desk: Desk, run: str) -> dict[str, Any]:
    """Return whether the log of a run recorded starts, and the outages of the site by start.

    An outage has `kind`, `reason`, names of `nodes`, `lanes` (pairs of first and last), `start` and `end` [s] on the
    clock of the workload; `end` is None for one that lasts to the end.
    """
    found = desk.store.runs.get(run)
    workload = workload_of_run(desk, found)
    start = workload.jobs.get("recorded_start")
    lanes = Platform.from_dict(found.spec.platform, workload.kind).lanes
    return {
        "recorded": start is not None and bool(np.isfinite(start).any()),
        "outages": outages(workload, lanes),
    }


def outages(workload: Workload, lanes: int) -> list[dict[str, Any]]:
    """Return the outages of a site; none of a workload without one, without dates, or for another machine."""
    cluster, clock = workload.cluster, workload.clock
    if cluster is None or clock is None or int(cluster.cores.sum()) != lanes:
        return []
    begin = float(clock.unix_start)
    listed = [
        {
            "kind": one.kind,
            "reason": one.reason,
            "nodes": [cluster.node_names[node] for node in one.nodes],
            "lanes": lanes_of(cluster, one.nodes),
            "start": one.start - begin,
            "end": one.end - begin if np.isfinite(one.end) else None,
        }
        for one in cluster.outages
    ]
    return sorted(listed, key=lambda one: one["start"])


def lanes_of(cluster: Cluster, nodes: tuple[int, ...]) -> list[list[int]]:
    """Return first and last lanes of nodes; neighbouring nodes make one pair."""
    edges = np.concatenate([[0], np.cumsum(cluster.cores)]).astype("i8").tolist()
    found: list[list[int]] = []
    for node in sorted(nodes):
        if found and found[-1][1] == edges[node] - 1:
            found[-1][1] = edges[node + 1] - 1
        else:
            found.append([edges[node], edges[node + 1] - 1])
    return found
