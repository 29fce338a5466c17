"""The jobs of a run in groups: figures of each, and the share of the machine that it uses over time."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from shadowtime.dashboard.sharing.classes import AREA, SIZE
from shadowtime.engine.metrics import usage_by
from shadowtime.engine.metrics.jobs import bounded_stretch, flow, wait
from shadowtime.engine.metrics.usage_by import Grouping, Usage
from shadowtime.engine.output import cells
from shadowtime.engine.output.series import TwoTierAreas, draw, series_of
from shadowtime.engine.output.steps import means
from shadowtime.engine.tables import EVENTS, Table, empty, rows, take
from shadowtime.engine.workload.job import Workload
from shadowtime.engine.workload.words import count

BY = {
    "user": "User", "account": "Account", "partition": "Partition", "job_class": "Job class", SIZE: "Size class",
    AREA: "Area class",
}  # fmt: skip
"""Ways to group, with what a group is called."""
MOST = 12
"""Users, accounts or partitions that stand for themselves in the figures; the others are summed up."""
MEANS = ("mean_wait", "mean_flow", "mean_bounded_stretch")
"""Over the jobs of a group that ended, as the metrics of the run of the same name."""
MOST_SEGMENTS = 5_000_000
"""Rectangles of a run of which the use of the machine is divided among groups."""


@dataclass(frozen=True, eq=False)
class Groups:
    """k groups of the jobs of a run."""

    grouping: Grouping
    usage: Usage
    ended: np.ndarray
    """k numbers of jobs that ended."""
    means: dict[str, np.ndarray]
    """k values of each of MEANS; NaN where no job ended."""
    others: int = 0
    """Groups that the last one sums up."""

    @property
    def names(self) -> tuple[str, ...]:
        return self.grouping.names


def grouped(jobs: Table, grouping: Grouping, tau: float, most: int = 0) -> Groups:
    """Return the groups of finished jobs; those with names by their work, largest first, after `most` the others.

    Parameters
    ----------
    tau
        Floor of the bounded stretch [s].
    most
        0: all stand for themselves.
    """
    used = usage_by.usage(grouping, jobs)
    order = np.argsort(-used.work, kind="stable") if _is_named(grouping) else np.arange(len(grouping.names))
    kept = order[:most] if most and _is_named(grouping) else order
    rest = order[len(kept) :]
    place = np.full(len(order), len(kept))
    place[kept] = np.arange(len(kept))
    names = tuple(grouping.names[at] for at in kept) + ((count(len(rest), "other"),) if len(rest) else ())
    shown = Grouping(grouping.by, place[grouping.codes], names)
    return _measured(jobs, shown, tau, len(rest))


def _is_named(grouping: Grouping) -> bool:
    return grouping.by not in (SIZE, AREA)


def _measured(jobs: Table, grouping: Grouping, tau: float, others: int) -> Groups:
    k, done = len(grouping.names), np.isfinite(jobs["end"])
    codes = grouping.codes[done]
    ended = np.bincount(codes, minlength=k)
    values = zip(MEANS, (wait(jobs), flow(jobs), bounded_stretch(jobs, tau=tau)), strict=True)
    with np.errstate(invalid="ignore", divide="ignore"):
        found = {name: np.bincount(codes, value[done], minlength=k) / ended for name, value in values}
    return Groups(grouping, usage_by.usage(grouping, jobs), ended, found, others)


def utilization(
    jobs: Table,
    segments: Table,
    grouping: Grouping,
    edges: np.ndarray,
    rates: Table | None = None,
    *,
    exclusive: bool = True,
) -> list[np.ndarray]:
    """Return the mean useful CPU of each group between `edges`, in lanes; together they are that of the whole machine.

    Parameters
    ----------
    rates
        Of a run in two tiers: how fast each job progressed, which its rectangles do not tell.
    exclusive
        Whether each lane held one job at a time, of which only the CPU need is useful.
    """
    whole = {**jobs, "cpu_need": jobs["usage"]} if "usage" in jobs else jobs
    found = []
    for group in range(len(grouping.names)):
        mine = grouping.codes == group
        of, part = take(whole, mine), _of_jobs(segments, mine)
        if rates is None:
            steps = series_of(of, part, exclusive=exclusive)
        else:
            steps = _in_two_tiers(of, part, _of_jobs(rates, mine))
        found.append(means(steps["time"], steps["utilization" if rates is None else "cpu"], edges))
    return found


def _of_jobs(table: Table, mine: np.ndarray) -> Table:
    """Return the rows of some jobs, which are numbered among themselves."""
    part = take(table, mine[table["job"]])
    part["job"] = (np.cumsum(mine) - 1)[part["job"]].astype(table["job"].dtype)
    return part


def _in_two_tiers(jobs: Table, segments: Table, rates: Table) -> Table:
    need = {"usage": jobs["usage"] * jobs["processors"], "first": np.arange(rows(jobs) + 1)}
    # Jobs of other groups change rates at instants at which none of these begins or ends.
    curve = TwoTierAreas(Workload(kind="two_tier", name="", jobs=jobs, parts=need), rates["time"])
    return draw(curve, segments).table(jobs, empty(EVENTS), rates)


def edges_of(jobs: Table, points: int) -> np.ndarray:
    """Return the ends of `points` equal spans from the first submission to the last end [s]."""
    low = float(jobs["release"].min())
    high = float(np.fmax.reduce(jobs["end"], initial=low))
    return np.linspace(low, max(high, low + 1.0), points + 1)


def records(found: Groups) -> list[dict[str, Any]]:
    """Return the rows as JSON values; work in processor-seconds, times in seconds, what is not known is null."""
    share = found.usage.share
    return [
        {
            "group": name,
            "jobs": int(found.usage.jobs[at]),
            "ended": int(found.ended[at]),
            "processor_seconds": float(found.usage.work[at]),
            "share": float(share[at]),
            **{mean: _known(values[at]) for mean, values in found.means.items()},
        }
        for at, name in enumerate(found.names)
    ]


def as_csv(found: Groups) -> str:
    """Return the rows as CSV."""
    names = ["jobs", "ended", "processor_seconds", "share", *MEANS]
    head = cells.line([found.grouping.by, *names])
    return head + "".join(cells.line([one["group"], *(one[name] for name in names)]) for one in records(found))


def is_divisible(segments: Table) -> bool:
    """Return whether the use of the machine is divided among groups: not of very many rectangles."""
    return rows(segments) <= MOST_SEGMENTS


def _known(value: Any) -> float | None:
    return float(value) if np.isfinite(value) else None
