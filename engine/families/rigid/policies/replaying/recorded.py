"""The plan of a log: each job on lanes of its own, from its recorded start to its recorded end.

Where the jobs of the log held more processors at one time than the machine has, lanes beyond the machine hold the rest.
Where the log names nodes, and the machine divides among them, a job runs on lanes of its nodes.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from shadowtime.engine.errors import InvalidWorkload
from shadowtime.engine.families.rigid.policies.replaying.seats import seat
from shadowtime.engine.runner.plan import Plan
from shadowtime.engine.runner.watch import Watch
from shadowtime.engine.workload.job import Workload
from shadowtime.engine.workload.sites.node_numbers import numbered
from shadowtime.engine.workload.sites.site_log import most_in_use
from shadowtime.engine.workload.words import count

AGAIN = 8
"""Rounds in which jobs of one instant change their order."""


def make_plan(
    workload: Workload, parameters: Mapping[str, Any], lanes: int, rng: np.random.Generator, watch: Watch
) -> Plan:
    """Return the plan of the log's own starts and ends.

    Raises
    ------
    InvalidWorkload
        If no job has a recorded end after its start.
    """
    jobs = workload.jobs
    start, end = instants(workload)
    row = np.flatnonzero(~np.isnan(start))
    unknown = len(workload) - len(row)
    early = start[row] < jobs["release"][row]
    start[row] = np.maximum(start[row], jobs["release"][row])
    row = row[end[row] > start[row]]
    if not len(row):
        raise InvalidWorkload(f"{workload.name} has no job whose recorded end is after its start and submission")
    extra = max(0, most_in_use(start[row], end[row], jobs["processors"][row]) - lanes)
    seated = seat_in_order(workload, row, start, end, lanes, lanes + extra)
    row = seated.row
    work = jobs["runtime"].copy()
    work[row] = end[row] - start[row]
    notes = []
    if extra:
        notes.append(
            f"The log has {lanes + extra:,} processors in use at one time, {extra:,} more than the machine: "
            f"{count(seated.beyond, 'job')} ran on overcommitted lanes, and no bound is stated."
        )
    if seated.named:
        elsewhere = f", {seated.moved:,} of them partly elsewhere" if seated.moved else ""
        notes.append(f"{count(seated.named, 'job')} on the nodes of the log{elsewhere}.")
    if early.any():
        notes.append(f"{count(int(early.sum()), 'job')} recorded before the submission: shown from the submission on.")
    if unknown:
        notes.append(f"{count(unknown, 'job')} without a recorded start: rejected.")
    if backwards := len(workload) - len(row) - unknown:
        notes.append(f"{count(backwards, 'job')} whose recorded end is not after its start and submission: rejected.")
    return Plan(
        unit=row,
        start=start[row],
        end=end[row],
        first=seated.first,
        lanes=seated.lanes,
        work=work,
        extra_lanes=extra,
        counters={"overcommitted": extra, "overcommitted_jobs": seated.beyond},
        notes=tuple(notes),
    )


def instants(workload: Workload) -> tuple[np.ndarray, np.ndarray]:
    """Return recorded starts and ends [s], n values each; NaN where unknown."""
    nothing = np.full(len(workload), np.nan)
    start = workload.jobs.get("recorded_start", nothing)
    return start.copy(), workload.jobs.get("recorded_end", nothing)


@dataclass(frozen=True, eq=False)
class Seated:
    """Jobs on their lanes."""

    row: np.ndarray
    """Rows of the jobs, by start."""
    first: np.ndarray
    """The lanes of job y are `lanes[first[y]:first[y + 1]]`."""
    lanes: np.ndarray
    beyond: int
    """Jobs on lanes beyond the machine."""
    named: int
    """Jobs whose nodes the log names."""
    moved: int
    """Those of them that are not wholly on their nodes."""


def seat_in_order(
    workload: Workload, row: np.ndarray, start: np.ndarray, end: np.ndarray, lanes: int, all_lanes: int
) -> Seated:
    """Return the lanes of the jobs in `row`.

    The log does not order jobs that start at one instant; one that does not find room on its nodes goes first among
    them, and all are seated again, at most AGAIN times.
    """
    best, late = None, np.zeros(len(workload), bool)
    lists = nodes_by_code(workload, row, lanes)
    for _ in range(AGAIN):
        row = row[np.lexsort((row, ~late[row], start[row]))]
        size = workload.jobs["processors"][row].astype("i8")
        first = np.concatenate([[0], np.cumsum(size)])
        place_first, place = nodes_of(workload, lists, row)
        edges = edges_of(place_first, place, size, lanes)
        chosen, beyond, moved = seat(start[row], end[row], size, first, place_first, place, edges, lanes, all_lanes)
        named = int((np.diff(place_first) > 0).sum()) if len(edges) > 2 else 0
        found = Seated(row, first, chosen, int(beyond), named, int(moved.sum()))
        if best is None or found.moved < best.moved:
            best = found
        if late[row[moved]].all():
            break
        late[row[moved]] = True
    assert best is not None
    return best


def nodes_by_code(workload: Workload, row: np.ndarray, lanes: int) -> list[np.ndarray]:
    """Return the numbers of the nodes that each text of `nodes` names, ascending; the last entry, which has none, is
    that of code -1. A log with more nodes than lanes names none."""
    none = np.zeros(0, "i8")
    texts = workload.texts.get("nodes", ())
    if "nodes" not in workload.jobs or not texts:
        return [none]
    used = set(workload.jobs["nodes"][row].tolist())
    lists, nodes = numbered(text if code in used else "" for code, text in enumerate(texts))
    return [none] if nodes > lanes else [*map(np.sort, lists), none]


def nodes_of(workload: Workload, lists: list[np.ndarray], row: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return the numbers of the nodes of the jobs in `row`: those of job y at `first[y]:first[y + 1]`."""
    if len(lists) == 1:
        return np.zeros(len(row) + 1, "i8"), lists[0]
    of_job = [lists[code] for code in workload.jobs["nodes"][row].tolist()]
    first = np.concatenate([[0], np.cumsum([len(one) for one in of_job])]).astype("i8")
    return first, np.concatenate(of_job)


def edges_of(first: np.ndarray, place: np.ndarray, size: np.ndarray, lanes: int) -> np.ndarray:
    """Return the first lane of each node, and behind the last one: as many lanes a node as divide the machine evenly;
    else as many as its widest job used, if those fit the machine. Without either, one node has all lanes."""
    nodes = int(place.max()) + 1 if len(place) else 0
    if nodes and lanes % nodes == 0:
        return np.arange(nodes + 1) * (lanes // nodes)
    if nodes:
        share = np.repeat(-(-size // np.maximum(np.diff(first), 1)), np.diff(first))
        widest = np.zeros(nodes, "i8")
        np.maximum.at(widest, place, share)
        if widest.sum() <= lanes:
            return np.concatenate([[0], np.cumsum(widest)])
    return np.array([0, lanes])


def warm(workload: Workload, parameters: Mapping[str, Any]) -> None:
    """Compile the assignment of lanes."""
    none, one = np.zeros(0, "i8"), np.zeros(1, "i8")
    seat(np.zeros(0), np.zeros(0), none, one, one, none, np.array([0, 1]), 1, 1)
