"""Waits of groups of jobs as rows, JSON and CSV: recorded by a log, and under one schedule or several."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np

from shadowtime.dashboard.look import words
from shadowtime.engine.metrics import usage_by
from shadowtime.engine.metrics.jobs import wait
from shadowtime.engine.metrics.usage_by import Grouping, Likeness, Usage, Waits
from shadowtime.engine.output import cells
from shadowtime.engine.tables import Table, rows
from shadowtime.engine.workload.job import RECORDED as OF_LOG
from shadowtime.engine.workload.job import Workload
from shadowtime.engine.workload.local_time import local

BY = {
    "user": "User", "account": "Account", "partition": "Partition", "size": "Size", "hour": "Hour",
    "weekday": "Weekday",
}  # fmt: skip
"""Ways to group, with what a column of their names is called."""
MEASURES = {"mean": "Mean", "median": "Median", "p90": "90th percentile", "longest": "Longest"}
FIELDS = {"mean": "mean", "median": "median", "p90": "tail", "longest": "longest"}
"""The fields of `Waits` behind MEASURES."""
RECORDED = "recorded"
SIMULATED = "simulated"
"""Keys of the columns of a log and of a single schedule; of several schedules they are the ids of the runs."""
MOST = 20
"""Users, accounts or partitions that stand for themselves; the others are summed up."""
MOST_FOUND = 100


class Column(NamedTuple):
    """The waits of one schedule, or those that a log recorded."""

    key: str
    name: str
    waits: np.ndarray


@dataclass(frozen=True, eq=False)
class Subject:
    """Jobs, what their log says of them, and their waits in every column."""

    jobs: Table
    """n jobs as the schedules have them, with the columns that the log has besides."""
    log: Workload
    schedules: Sequence[Column]
    sizes_differ: bool = False
    """Whether the schedules gave jobs different sizes: those of `jobs` are the sizes of the log then."""

    @cached_property
    def columns(self) -> list[Column]:
        """The recorded waits, where some are known, then those of the schedules."""
        recorded = usage_by.recorded_wait(self.jobs)
        first = [Column(RECORDED, "Recorded", recorded)] if recorded is not None else []
        return [*first, *self.schedules]

    @property
    def is_recorded(self) -> bool:
        return bool(self.columns) and self.columns[0].key == RECORDED

    @cached_property
    def among(self) -> np.ndarray:
        """Which jobs have a wait in every column: over these, columns are compared."""
        return usage_by.comparable([one.waits for one in self.columns] or [np.full(rows(self.jobs), np.nan)])

    @cached_property
    def groupings(self) -> dict[str, Grouping]:
        """The ways to group that are known of these jobs."""
        wall = local(self.jobs["release"], self.log.clock) if self.log.clock else None
        return usage_by.groupings(self.jobs, self.log.texts, wall)

    def likeness(self) -> list[Likeness | None]:
        """How near each schedule is to what was recorded; nothing where nothing was."""
        if not self.is_recorded:
            return []
        return [usage_by.likeness(self.columns[0].waits, one.waits) for one in self.schedules]


@dataclass(frozen=True, eq=False)
class Groups:
    """The rows of a table of groups."""

    by: str
    names: Sequence[str]
    usage: Usage
    share: np.ndarray
    waits: Sequence[Waits]
    """One a column of the subject."""
    others: int = 0
    """Groups that the last row sums up."""
    found: int = 0
    """Groups in all, or those that a search found, of which not all need be rows."""


def subject(log: Workload, schedules: Sequence[tuple[str, str, Table]]) -> Subject:
    """Return the jobs of a log with their waits under schedules of them: key, name and jobs table each.

    Rows of a jobs table are in the order of the workload. Without schedules the jobs are those of the log.
    """
    first = schedules[0][2] if schedules else log.jobs
    known = {name: column for name, column in log.jobs.items() if name in OF_LOG}
    is_whole = rows(first) == len(log)
    jobs = {**(known if is_whole else {}), **first}
    differ = is_whole and not all(np.array_equal(one["processors"], first["processors"]) for _, _, one in schedules)
    if differ:
        jobs["processors"] = log.jobs["processors"]  # what two runs gave a job is the size of neither
    return Subject(jobs, log, [Column(key, name, wait(table)) for key, name, table in schedules], differ)


def grouped(what: Subject, by: str, most: int = 0, search: str = "") -> Groups:
    """Return the groups of a known way to group, those that are named by their work, largest first.

    Parameters
    ----------
    most
        How many of those that are named stand for themselves; 0: all.
    search
        Only those whose name holds this text, at most MOST_FOUND.
    """
    grouping = what.groupings[by]
    used = usage_by.usage(grouping, what.jobs)
    whole = float(used.work.sum()) or 1.0
    if not search:
        many = len(grouping.names)
        grouping, used, others = usage_by.largest(grouping, used, most or many)
        shown = [usage_by.waits(grouping, one.waits, what.among) for one in what.columns]
        return Groups(by, grouping.names, used, used.work / whole, shown, others, many)
    grouping, used, _ = usage_by.largest(grouping, used, len(grouping.names))
    sought = search.casefold()
    at = [n for n, name in enumerate(grouping.names) if sought in name.casefold()]
    kept = np.array(at[:MOST_FOUND], dtype="i8")
    every = [usage_by.waits(grouping, one.waits, what.among) for one in what.columns]
    shown = [Waits(**{name: column[kept] for name, column in vars(one).items()}) for one in every]
    few = Usage(used.jobs[kept], used.work[kept])
    return Groups(by, [grouping.names[n] for n in kept], few, few.work / whole, shown, 0, len(at))


def as_json(what: Subject, groups: Groups) -> dict[str, Any]:
    """Return all of it as JSON values; times in seconds, what is not known is null."""
    return {
        "by": groups.by,
        "known": list(what.groupings),
        "recorded": what.is_recorded,
        "jobs": rows(what.jobs),
        "compared": int(what.among.sum()),
        "likeness": [
            {"run": one.key, "name": one.name, **likeness_as_json(found)}
            for one, found in zip(what.schedules, what.likeness(), strict=False)
        ],
        "groups": [
            {
                "group": name,
                "jobs": int(groups.usage.jobs[at]),
                "processor_seconds": float(groups.usage.work[at]),
                "share": float(groups.share[at]),
                "waits": {
                    one.key: {"jobs": int(found.jobs[at]), **_values(found, at)}
                    for one, found in zip(what.columns, groups.waits, strict=True)
                },
            }
            for at, name in enumerate(groups.names)
        ],
    }


def likeness_as_json(found: Likeness | None) -> dict[str, Any]:
    """Return the figures of a likeness; null where no job has both waits."""
    if found is None:
        return {"jobs": 0, "recorded": None, "simulated": None, "rank_correlation": None, "median_difference": None}
    return {
        "jobs": found.jobs,
        "recorded": found.recorded,
        "simulated": found.simulated,
        "rank_correlation": _known(found.correlation),
        "median_difference": found.difference,
    }


def as_csv(what: Subject, groups: Groups) -> str:
    """Return the table as CSV: work in processor-hours, waits in seconds, a difference where one is simulated."""
    heads = [f"{measure}_{one.key}" for measure in MEASURES for one in what.columns]
    has_difference = len(what.columns) == 2 and what.is_recorded
    differences = [f"{measure}_difference" for measure in MEASURES] if has_difference else []
    text = cells.line([groups.by, "jobs", "processor_hours", "share", "compared", *heads, *differences])
    for at, name in enumerate(groups.names):
        values = [_values(found, at) for found in groups.waits]
        more = [_less(values[1][measure], values[0][measure]) for measure in MEASURES] if has_difference else []
        waits = [one[measure] for measure in MEASURES for one in values]
        known = int(groups.waits[0].jobs[at]) if groups.waits else 0
        hours = float(groups.usage.work[at]) / 3600.0
        line = [name, int(groups.usage.jobs[at]), hours, float(groups.share[at]), known, *waits, *more]
        text += cells.line(line)
    return text


def records(what: Subject, groups: Groups) -> list[dict[str, Any]]:
    """Return the rows as a grid shows them: `mean0`, `mean1` ... of the columns, and `mean_difference`."""
    found = []
    for at, name in enumerate(groups.names):
        line = {
            "group": name,
            "jobs": int(groups.usage.jobs[at]),
            "hours": float(groups.usage.work[at]) / 3600.0,
            "share": float(groups.share[at]),
        }
        values = [_values(waits, at) for waits in groups.waits]
        for measure in MEASURES:
            line |= {f"{measure}{n}": one[measure] for n, one in enumerate(values)}
            if len(values) == 2 and what.is_recorded:
                line[f"{measure}_difference"] = _less(values[1][measure], values[0][measure])
        found.append(line)
    return found


def _values(waits: Waits, at: int) -> dict[str, float | None]:
    return {measure: _known(float(getattr(waits, field)[at])) for measure, field in FIELDS.items()}


def _known(value: float) -> float | None:
    return value if math.isfinite(value) else None


def _less(value: float | None, other: float | None) -> float | None:
    return None if value is None or other is None else value - other


def likeness_words(name: str, found: Mapping[str, Any]) -> str:
    """Return one line on how near a schedule is to what was recorded."""
    if not found["jobs"]:
        return f"No job has both a recorded wait and one under {name}."
    correlation = found["rank_correlation"]
    parts = [
        f"Recorded mean wait {_both(found['recorded'])}, {name} {_both(found['simulated'])}",
        f"rank correlation of the waits {words.number(correlation)}" if correlation is not None else "",
        f"median difference {words.duration(found['median_difference'])}",
    ]
    return "; ".join(part for part in parts if part) + f". Over {words.count(found['jobs'], 'job')}."


def _both(seconds: float) -> str:
    """`4 h 16 min (15,348 s)`; short times in seconds alone."""
    said = words.duration(seconds)
    return said if seconds < words.MINUTE else f"{said} ({seconds:,.0f}{words.GAP}s)"
