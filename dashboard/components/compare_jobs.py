"""The jobs of compared runs: whether they are the same, and how each one fared in one run against another.

Pure functions of tables, all in numpy: 200,000 jobs of two runs are compared in some 40 ms.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from shadowtime.engine.metrics.jobs import bounded_stretch, flow
from shadowtime.engine.tables import Table, rows, take

SAME = 1e-6
"""Seconds by which two ends may differ and still be the same: less is noise of floating point."""
LISTED = 5
"""Jobs that gained or lost most, as many of each as are listed."""
IDENTITY = ("job_id", "release", "runtime", "processors")
"""Columns of what a job requests: equal in all of them, two runs had the same jobs."""
NOT_ENDED = ("rejected", "unfinished")
"""Metrics that count the jobs without an end: they are ranked although not the same jobs ended."""


def are_same(one: Table, other: Table) -> bool:
    """Row for row the same jobs."""
    return rows(one) == rows(other) and all(np.array_equal(one[name], other[name]) for name in IDENTITY)


def shared(one: Table, other: Table) -> tuple[int, int]:
    """How many jobs of `one` are jobs of `other` too, and how many share their id alone or more."""
    here, there = by_id([one, other])
    is_same = np.ones(len(here), bool)
    for name in IDENTITY[1:]:
        is_same &= one[name][here] == other[name][there]
    return int(is_same.sum()), len(here)


def repeated(table: Table) -> tuple[int, int] | None:
    """The first id that stands for several jobs, and for how many; None where each job has its own."""
    ids, first, counts = np.unique(table["job_id"], return_index=True, return_counts=True)
    if len(ids) == rows(table):
        return None
    at = np.flatnonzero(counts > 1)[np.argmin(first[counts > 1])]
    return int(ids[at]), int(counts[at])


def not_aligned(name: str, table: Table) -> str | None:
    """Why the jobs of the run of that `name` cannot be aligned by id; None where they can."""
    found = repeated(table)
    if found is None:
        return None
    return f"Job id {found[0]} of {name} stands for {found[1]:,} jobs: only jobs with ids of their own can be aligned."


def by_id(tables: Sequence[Table]) -> list[np.ndarray]:
    """Rows of the jobs whose ids occur in all of `tables`, in the order of the first; of an id that occurs twice in
    a run, the first: such runs are not aligned (`not_aligned`), but the jobs that they share are counted."""
    common = np.unique(tables[0]["job_id"])
    for table in tables[1:]:
        common = np.intersect1d(common, table["job_id"])
    found = []
    for table in tables:
        ids, first = np.unique(table["job_id"], return_index=True)
        found.append(first[np.searchsorted(ids, common)])
    order = np.argsort(found[0], kind="stable")
    return [index[order] for index in found]


def ended_alike(tables: Sequence[Table]) -> bool:
    """Return whether the same rows of all tables of jobs have ended."""
    ended = [np.isfinite(table["end"]) for table in tables]
    return all(np.array_equal(ended[0], other) for other in ended[1:])


@dataclass(frozen=True)
class Pair:
    """The same jobs under a baseline and under another run, row for row."""

    base: Table
    other: Table
    tau: float

    @property
    def ended(self) -> np.ndarray:
        """Jobs that have ended in both."""
        return np.isfinite(self.base["end"]) & np.isfinite(self.other["end"])

    def difference(self) -> np.ndarray:
        """Flow under the other run less that under the baseline [s]: below 0 the job is done sooner; NaN where it has
        not ended in both."""
        return flow(self.other) - flow(self.base)

    def stretches(self) -> tuple[np.ndarray, np.ndarray]:
        """Bounded stretch under the baseline and under the other run."""
        return bounded_stretch(self.base, tau=self.tau), bounded_stretch(self.other, tau=self.tau)


def paired(base: Table, other: Table, tau: float, *, align: bool = False) -> Pair:
    """The jobs of two runs beside each other; `align`: those that share an id."""
    if not align:
        return Pair(base, other, tau)
    here, there = by_id([base, other])
    return Pair(take(base, here), take(other, there), tau)


def outcome(pair: Pair) -> dict[str, Any]:
    """Winners and losers as JSON: counts, means, and the jobs that gained and lost most."""
    difference = pair.difference()
    known = np.flatnonzero(pair.ended)
    d = difference[known]
    before, after = pair.stretches()
    sooner, later = int((d < -SAME).sum()), int((d > SAME).sum())
    return {
        "jobs": len(known),
        "left_out": len(difference) - len(known),
        "sooner": sooner,
        "same": len(known) - sooner - later,
        "later": later,
        "mean_difference": float(d.mean()) if len(d) else None,
        "median_difference": float(np.median(d)) if len(d) else None,
        "gained": [described(pair, int(row)) for row in known[extreme(d, LISTED)] if difference[row] < -SAME],
        "lost": [described(pair, int(row)) for row in known[extreme(-d, LISTED)] if difference[row] > SAME],
        "stretched_less": int((after[known] < before[known] * (1 - 1e-9)).sum()),
        "stretched_more": int((after[known] > before[known] * (1 + 1e-9)).sum()),
    }


def extreme(values: np.ndarray, most: int) -> np.ndarray:
    """Where the `most` smallest values stand, the smallest first; equal ones in their order."""
    if len(values) > most:
        limit = np.partition(values, most - 1)[most - 1]
        below = np.flatnonzero(values < limit)
        found = np.concatenate([below, np.flatnonzero(values == limit)[: most - len(below)]])
    else:
        found = np.arange(len(values))
    return found[np.lexsort((found, values[found]))]


def described(pair: Pair, row: int) -> dict[str, Any]:
    """One job under both."""
    only = slice(row, row + 1)
    before, after = (bounded_stretch(take(side, only), tau=pair.tau)[0] for side in (pair.base, pair.other))

    def value(side: Table, name: str) -> float | None:
        number = float(side[name][row])
        return number if np.isfinite(number) else None

    return {
        "job_id": int(pair.base["job_id"][row]),
        "processors": int(pair.base["processors"][row]),
        "release": value(pair.base, "release"),
        "baseline": {"start": value(pair.base, "start"), "end": value(pair.base, "end"), "stretch": float(before)},
        "run": {"start": value(pair.other, "start"), "end": value(pair.other, "end"), "stretch": float(after)},
        "difference": float(pair.difference()[row]),
    }
