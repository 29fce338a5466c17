"""Moldable JSON: jobs whose number of processors the scheduler chooses, once, at the start.

{"schema": "golden-demt-1", "m": 4, "p": [[8, 5, 4, 4], [3, 2]], "w": [1, 2.5], "r": [0, 7], "ids": [0, 1]}:
`p[i][k - 1]` is the time of job i on k processors, constant beyond the end of the list; `w` are weights (default 1),
`r` releases (0), `users` numbers of users (-1: unknown). Without `ids` the number of a job is its position from 0.
`null` before the first time of a job means that it cannot run on so few processors: `[null, null, 4]` is a rigid job of
3 processors. Its time there is infinite. A list is longer than m only for a job that needs more processors than m.

A time that increases with the processors is replaced by the shortest on fewer of them, since processors may idle. Work
(processors x time) that decreases with more processors is kept and reported: the dual approximation refuses such jobs;
gang and sequential schedules and all bounds accept them.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from itertools import chain, pairwise
from typing import Any

import numpy as np

from shadowtime.engine.errors import InvalidWorkload
from shadowtime.engine.workload import columns
from shadowtime.engine.workload.job import Workload, in_order, job_table
from shadowtime.engine.workload.limits import LARGEST_ID, LONGEST, WIDEST
from shadowtime.engine.workload.words import count

SCHEMA = "golden-demt-1"
KIND = "moldable"

FALLING = 1e-9
"""Relative decrease of work below which it is rounding."""


def read(instance: Mapping[str, Any]) -> Workload:
    """Return the workload of one instance."""
    m = columns.number(instance, "m", low=1, high=WIDEST, whole=True)
    lists = instance.get("p")
    if not isinstance(lists, list) or not all(isinstance(times, list) for times in lists):
        raise InvalidWorkload("`p` must be a list of lists of times.")
    if not lists:
        raise InvalidWorkload("`p` is empty.")
    for job, times in enumerate(lists):
        if not (1 <= len(times) <= m or (any(times) and not any(times[: int(m)]))):
            raise InvalidWorkload(
                f"job {job:,}: p lists {count(len(times), 'time')}; it must list 1 to {m:,}, one for each number of "
                "processors."
            )
    lengths = np.array([len(times) for times in lists])
    n = len(lists)
    return moldable(
        release=_optional(instance, "r", n, 0.0, low=0, high=LONGEST),
        first=np.concatenate([[0], np.cumsum(lengths)]),
        time=_times_of(lists, lengths),
        processors=int(m),
        report=f"{count(n, 'moldable job')} read.",
        weight=_optional(instance, "w", n, 1.0, low=0, high=LONGEST),
        job_id=_optional(instance, "ids", n, None, low=-LARGEST_ID, high=LARGEST_ID, whole=True).astype("i8"),
        user=_optional(instance, "users", n, -1, low=-1, high=LARGEST_ID, whole=True).astype("i8"),
    ).with_(clock=columns.clock_of(instance.get("clock")))


def moldable(
    release: np.ndarray, first: np.ndarray, time: np.ndarray, processors: int, report: str, **others: np.ndarray
) -> Workload:
    """Return a moldable workload from the times of its jobs, repaired if more processors would take longer.

    Job i has the times `time[first[i] : first[i + 1]]` on 1, 2, ... processors; on more, the last one holds. Infinite
    times, if any, come first: the job has a minimum number of processors. Columns of its row: `runtime`, the least
    time; `processors`, the fewest that reach it; `work`, the least processors x time.
    """
    first = first.astype("i8")
    repaired, mended = _falling_times(time, first)
    allotment = np.arange(first[-1]) - np.repeat(first[:-1], np.diff(first)) + 1
    work = repaired * allotment
    least = np.minimum.reduceat(repaired, first[:-1])
    reached = repaired == np.repeat(least, np.diff(first))
    jobs = job_table(
        release, least, np.minimum.reduceat(np.where(reached, allotment, len(time)), first[:-1]),
        **{"job_id": np.arange(len(release)), **others}, work=np.minimum.reduceat(work, first[:-1]),
    )  # fmt: skip
    sentences = [report]
    if mended:
        sentences.append(
            f"{count(mended, 'job')} took longer on more processors: the shortest time on fewer replaces it."
        )
    odd = int(np.logical_or.reduceat(_within_jobs(_falls(work), first), first[:-1]).sum())
    if odd:
        sentences.append(
            f"The work of {count(odd, 'job')} falls with more processors: the guarantee of the dual approximation "
            "does not hold for such jobs."
        )
    jobs, parts = in_order(jobs, {"first": first, "time": repaired})
    return Workload(
        kind=KIND, name="", jobs=jobs, parts=parts, machine={"processors": processors}, report=tuple(sentences)
    )


def times(workload: Workload, lanes: int, rows: np.ndarray | None = None) -> np.ndarray:
    """Return the time [s] of each job (or of those in `rows`) on 1 .. `lanes` processors: n x lanes."""
    first = workload.parts["first"]
    chosen = np.arange(len(workload)) if rows is None else rows
    width = np.diff(first)[chosen]
    return workload.parts["time"][first[chosen, None] + np.minimum(np.arange(lanes), width[:, None] - 1)]


def minimums(workload: Workload) -> np.ndarray:
    """Return the fewest processors on which each job can run, n values."""
    impossible = np.isinf(workload.parts["time"]).astype("i8")
    return 1 + np.add.reduceat(impossible, workload.parts["first"][:-1])


def document(workload: Workload) -> dict[str, Any]:
    """Return the instance from which `read` makes `workload`."""
    jobs, first, flat = workload.jobs, workload.parts["first"], workload.parts["time"].tolist()
    flat = [None if time == math.inf else time for time in flat]
    instance: dict[str, Any] = {
        "schema": SCHEMA,
        "m": int(workload.machine.get("processors", np.diff(first).max())),
        "n": len(workload),
        "p": [flat[start:end] for start, end in pairwise(first.tolist())],
        "w": jobs["weight"].tolist(),
    }
    if jobs["release"].any():
        instance["r"] = jobs["release"].tolist()
    if not np.array_equal(jobs["job_id"], np.arange(len(workload))):
        instance["ids"] = jobs["job_id"].tolist()
    if (jobs["user"] >= 0).any():
        instance["users"] = jobs["user"].tolist()
    return instance | columns.clock_in(workload)


def _optional(instance: Mapping[str, Any], key: str, n: int, default: float | None, **rule: Any) -> np.ndarray:
    """Return the n numbers under `key`; without them, `default` for each job, or 0, 1, 2 ... if that is None."""
    values = instance.get(key)
    if values is None:
        return np.arange(n) if default is None else np.full(n, default)
    if not isinstance(values, list) or len(values) != n:
        raise InvalidWorkload(f"`{key}` must list {count(n, 'number')}, one a job.")
    return columns.numbers(values, lambda i: f"job {i:,}: {key}", **rule)


def _times_of(lists: list[list[Any]], lengths: np.ndarray) -> np.ndarray:
    """Return the times of all jobs, one list after the other; infinite where a job cannot run."""
    given = list(chain.from_iterable(lists))
    owner = np.repeat(np.arange(len(lists)), lengths)
    stated = np.array([time is not None for time in given])
    after = np.flatnonzero(_within_jobs(stated[:-1] & ~stated[1:], np.concatenate([[0], np.cumsum(lengths)])))
    if len(after):
        raise InvalidWorkload(f"job {owner[after[0]]:,}: `null` after a time of p; it may only stand before the first.")
    never = np.setdiff1d(np.arange(len(lists)), owner[stated])
    if len(never):
        raise InvalidWorkload(f"job {never[0]:,}: p has no time.")
    rows = np.flatnonzero(stated)
    time = np.full(len(given), np.inf)
    time[rows] = columns.numbers(
        [given[row] for row in rows], lambda i: f"job {owner[rows[i]]:,}: a time of p", low=0, high=LONGEST, above=True
    )
    return time


def _falls(work: np.ndarray) -> np.ndarray:
    """Return where the work on one more processor is less; below a minimum there is no work to compare with."""
    return (work[1:] < work[:-1] * (1.0 - FALLING)) & np.isfinite(work[:-1])


def _within_jobs(steps: np.ndarray, first: np.ndarray) -> np.ndarray:
    """Return which times are after a step of the same job; `steps`: between neighbours, one value fewer than times."""
    after = np.append(False, steps)
    after[first[:-1]] = False
    return after


def _falling_times(time: np.ndarray, first: np.ndarray) -> tuple[np.ndarray, int]:
    """Return times that never increase with the processors, and the number of jobs changed for that."""
    grows = np.flatnonzero(_within_jobs(time[1:] > time[:-1], first))
    owners = np.unique(np.searchsorted(first, grows, side="right") - 1)
    repaired = time.astype("f8").copy()
    for job in owners:
        span = slice(first[job], first[job + 1])
        repaired[span] = np.minimum.accumulate(repaired[span])
    return repaired, len(owners)
