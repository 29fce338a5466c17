"""Why a job of a site under Slurm waited: its priority over its wait, and the jobs that held its nodes."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from shadowtime.dashboard.access.refusal import Refusal
from shadowtime.dashboard.intake.questions import Desk
from shadowtime.dashboard.intake.slurm_sites import workload_of_run
from shadowtime.engine.kernel.clock import origin_of
from shadowtime.engine.platform import Platform
from shadowtime.engine.runner.runner import Question
from shadowtime.engine.tables import Table, rows
from shadowtime.engine.workload.job import Workload
from shadowtime.workers.store import Run

MOST_HOLDERS = 200
"""Jobs that held the nodes of a job which are listed; `held_by_all` counts all of them."""
TEXTS = ("user", "account", "partition", "qos")


def priority(desk: Desk, run: str, job: int) -> dict[str, Any]:
    """Return the weighted factors of a job at the recomputations while it waited, and who held its nodes.

    Times are on the clock of the workload. Raises Refusal: for a job that is not there or did not wait.
    """
    # Numba takes a second to import: children that answer other questions do without it.
    from shadowtime.engine.families.rigid.policies.slurm.history import FACTORS, Known, history
    from shadowtime.engine.families.rigid.policies.slurm.site import cluster_of

    found = desk.store.runs.get(run)
    spec = found.spec
    workload = workload_of_run(desk, found)
    jobs, segments = found.table("jobs"), found.table("segments")
    row = row_of(jobs, job)
    platform = Platform.from_dict(spec.platform, workload.kind)
    lanes = platform.lanes
    cluster = cluster_of(platform.stated_in(workload), lanes)
    edges = np.concatenate([[0], np.cumsum(cluster.cores)]).astype("i8")
    origin = origin_of(workload)
    pair_job, pair_node = nodes_of(segments, edges)
    first = np.searchsorted(pair_job, np.arange(rows(jobs) + 1))
    known = Known(jobs["start"] - origin, jobs["end"] - origin, first.astype("i8"), pair_node)
    columns = history(platform.stated_in(as_simulated(workload, found)), spec.parameters, lanes, spec.seed, known, row)
    if not len(columns["time"]):
        raise Refusal(400, did_not_wait(job))
    for name in ("time", "expected"):
        columns[name] = columns[name] + origin
    nodes = pair_node[first[row] : first[row + 1]]
    held, many = holders(jobs, segments, edges, nodes, row)
    return {
        "job": job,
        "submit": float(jobs["release"][row]),
        "start": float(jobs["start"][row]),
        "recorded_start": number(workload.jobs["recorded_start"][row]) if "recorded_start" in workload.jobs else None,
        "factors": list(FACTORS),
        **{name: [number(value) for value in values] for name, values in columns.items()},
        "nodes": [cluster.node_names[node] for node in nodes.tolist()],
        "held_by": [{**one, **named(workload, one.pop("row"))} for one in held],
        "held_by_all": many,
    }


def row_of(jobs: Table, job: int) -> int:
    """Return the row of a job that waited.

    Raises Refusal: where there is no such job, or it did not wait.
    """
    found = np.flatnonzero(jobs["job_id"] == job)
    if not len(found):
        raise Refusal(404, f"There is no job {job} in this run.")
    row = int(found[0])
    if np.isnan(jobs["start"][row]):
        raise Refusal(400, f"Job {job} never started: it has no wait.")
    if not jobs["start"][row] > jobs["release"][row]:
        raise Refusal(400, did_not_wait(job))
    return row


def did_not_wait(job: int) -> str:
    """Return the sentence on a job that started at once."""
    return f"Job {job} did not wait: it started in the second of its submission."


def as_simulated(workload: Workload, run: Run) -> Workload:
    """Return the workload as the planner of a run had it: on the kernel's clock, with the estimates of the run."""
    spec = run.spec
    question = Question(
        workload=workload,
        parameters=spec.parameters,
        lanes=1,
        seed=spec.seed,
        exclusive=True,
        new_state=lambda plan: None,
        sees_runtimes=spec.estimates == "actual",
    )
    return question.on_kernel_clock


def nodes_of(segments: Table, edges: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return pairs of the row of a job and a node on which it ran, by job, then node; node z has the lanes from
    `edges[z]` to before `edges[z + 1]`."""
    low = np.searchsorted(edges, segments["first"], side="right") - 1
    many = np.searchsorted(edges, segments["last"], side="right") - low
    job = np.repeat(np.asarray(segments["job"], "i8"), many)
    node = np.repeat(low, many) + np.arange(int(many.sum())) - np.repeat(np.cumsum(many) - many, many)
    n = max(1, len(edges) - 1)
    pairs = np.unique(job * n + node)
    return pairs // n, pairs % n


def holders(
    jobs: Table, segments: Table, edges: np.ndarray, nodes: np.ndarray, row: int
) -> tuple[list[dict[str, Any]], int]:
    """Return the jobs that ran on nodes of job `row` while it waited, those that left last first, and how many."""
    submit, start = jobs["release"][row], jobs["start"][row]
    low = np.searchsorted(edges, segments["first"], side="right") - 1
    high = np.searchsorted(edges, segments["last"], side="right") - 1
    nodes = np.sort(nodes)
    meets = np.searchsorted(nodes, low) < np.searchsorted(nodes, high, side="right")
    meets &= (segments["end"] > submit) & (segments["start"] < start) & (segments["job"] != row)
    there = np.flatnonzero(meets)
    other, at = np.unique(segments["job"][there], return_inverse=True)
    since, until = np.full(len(other), np.inf), np.full(len(other), -np.inf)
    np.minimum.at(since, at, segments["start"][there])
    np.maximum.at(until, at, segments["end"][there])
    order = np.lexsort((jobs["job_id"][other], since, -until))
    listed = [
        {
            "row": int(other[k]),
            "job": int(jobs["job_id"][other[k]]),
            "since": float(since[k]),
            "until": float(until[k]),
            "at_submission": bool(since[k] <= submit),
        }
        for k in order[:MOST_HOLDERS].tolist()
    ]
    return listed, len(other)


def named(workload: Workload, row: int) -> Mapping[str, Any]:
    """Return user, account, partition and QOS of a job: names where the log has them, else `user 7`."""
    found: dict[str, Any] = {}
    for name in TEXTS:
        code = int(workload.jobs[name][row]) if name in workload.jobs else -1
        texts = workload.texts.get(name, ())
        if 0 <= code < len(texts):
            found[name] = texts[code]
        elif name == "user" and code >= 0:
            found[name] = f"user {code}"
    return found


def number(value: float) -> float | None:
    """Return a number as JSON has it; None for NaN."""
    return float(value) if np.isfinite(value) else None
