"""Why a job of a site waited: its priority factor by factor, and the start that backfilling expected, over time."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np

from shadowtime.engine.families.rigid.policies.slurm.backfill import backfill_pass
from shadowtime.engine.families.rigid.policies.slurm.following import CALC, END, LOOK, START, SUBMIT, follow
from shadowtime.engine.families.rigid.policies.slurm.site import Site, site_of
from shadowtime.engine.families.rigid.policies.slurm.state import WAITING
from shadowtime.engine.workload.job import Workload

FACTORS = ("age", "fair_share", "job_size", "partition", "qos")
MOST = 400
"""Instants of a history; between more recomputations, some are left out."""


class Known(NamedTuple):
    """A schedule that is known: n values each, NaN where a job did not run."""

    start: np.ndarray
    end: np.ndarray
    place_first: np.ndarray
    """Job j ran on the nodes `place[place_first[j] : place_first[j + 1]]`."""
    place: np.ndarray

    @classmethod
    def of(cls, start: np.ndarray, end: np.ndarray, nodes: list[np.ndarray] | None = None) -> Known:
        """Return a schedule, with the numbers of the nodes of each job where they are known."""
        lists = nodes or [np.zeros(0, "i8")] * len(start)
        first = np.concatenate([[0], np.cumsum([len(one) for one in lists])]).astype("i8")
        return cls(start, end, first, np.concatenate([*lists, np.zeros(0, "i8")]).astype("i8"))


class Follower:
    """A controller's memory that follows a known schedule.

    Parameters
    ----------
    known
        When and where jobs ran, on the clock of the workload.
    calc
        Instants of recomputations [s]; None: those of the site's own phase.
    looks
        Instants of passes that list the waiting jobs [s]; None: with each recomputation those are listed that waited
        `batch_sched_delay` by then.
    """

    def __init__(self, site: Site, known: Known, calc: np.ndarray | None = None, looks: np.ndarray | None = None):
        self.site, self.known, self.done = site, known, 0
        memo, job = site.memory.m, site.memory.job
        ran = np.flatnonzero(~np.isnan(known.start) & np.isin(np.arange(len(job)), site.memory.arrival))
        last = float(np.nanmax(known.end)) if len(ran) else 0.0
        if calc is None:
            calc = np.floor(np.arange(memo["next_calc"][0], last, memo["calc_period"][0]))
        if looks is None:
            looks = np.array(calc)
        arrival = np.asarray(site.memory.arrival)
        events = [
            (known.end[ran], END, ran),
            (np.floor(job["ready"][arrival]), SUBMIT, arrival),
            (calc, CALC, np.full(len(calc), -1)),
            (known.start[ran], START, ran),
            (looks, LOOK, np.full(len(looks), -1)),
        ]
        at = np.concatenate([np.floor(times) for times, _, _ in events])
        kind = np.concatenate([np.full(len(times), code, "i8") for times, code, _ in events])
        rows = np.concatenate([jobs for _, _, jobs in events]).astype("i8")
        order = np.lexsort((kind, at))
        self.at, self.kind, self.job = at[order], kind[order], rows[order]

    def until(self, second: float, *, side: str = "left") -> None:
        """Apply all events before second `second`, or up to it (`side` right)."""
        stop = int(np.searchsorted(self.at, second, side=side))  # type: ignore[call-overload]
        self.apply(np.arange(self.done, stop))
        self.done = max(self.done, stop)

    def apply(self, rows: np.ndarray) -> None:
        """Apply some events, in order."""
        known = self.known
        follow(self.site.memory, self.at[rows], self.kind[rows], self.job[rows], 0, len(rows), known.place_first,
               known.place)  # fmt: skip


CHANGED = ("m", "node", "queue", "running", "group", "qos", "by_user", "by_account")
"""Arrays that a pass changes, besides the rows of waiting jobs."""


def history(
    workload: Workload, parameters: Mapping[str, Any], lanes: int, seed: int, known: Known, row: int
) -> dict[str, np.ndarray]:
    """Return the weighted factors of a job at the recomputations while it waits, one row each.

    Parameters
    ----------
    known
        The schedule of a run of this question: the phases of its loops are drawn again.
    row
        Row of the job in the workload.

    Returns
    -------
    dict
        `time` [s], a column for each of FACTORS (weight times factor), `other` (TRES), `nice`, `priority`, the number
        of jobs `before` it in the queue, and the start that backfilling `expected` [s], NaN where it has none.
    """
    site = site_of(workload, parameters, lanes, np.random.default_rng(seed))
    q = site.memory
    follower = Follower(site, known)
    job, memo = q.job[row], q.m[0]
    begin, end = float(np.floor(job.ready)), float(known.start[row])
    times = follower.at[(follower.kind == CALC) & (follower.at > begin) & (follower.at < end)]
    times = np.unique(np.concatenate([[begin], times[:: max(1, -(-len(times) // MOST))]]))
    fixed = {
        "partition": job.of_partition,
        "qos": job.of_qos,
        "job_size": parameters["weight_job_size"] * job.size_factor,
        "nice": -job.nice,
    }
    found: dict[str, list[float]] = {
        name: [] for name in ("time", *FACTORS, "nice", "other", "priority", "before", "expected")
    }
    for time in times:
        follower.until(time, side="right")
        if job.state != WAITING:
            continue
        values = {
            "time": time,
            "age": memo.weight_age * job.age,
            "fair_share": memo.weight_fair_share * job.fair,
            **fixed,
        }
        values["other"] = job.of_tres
        values["priority"], values["before"] = job.priority, int(np.flatnonzero(np.asarray(q.queue) == row)[0])
        values["expected"] = expected(follower, row, time)
        for name, value in values.items():
            found[name].append(float(value))
    return {name: np.array(values) for name, values in found.items()}


def expected(follower: Follower, row: int, second: float) -> float:
    """Return the start that a backfill pass in a second expects of a job; NaN where it plans none. The memory is as
    before."""
    q = follower.site.memory
    waiting = np.array(q.queue[: int(q.m["waiting"][0])])
    jobs, saved = np.array(q.job[waiting]), {name: np.array(getattr(q, name)) for name in CHANGED}
    q.m["asks_all"], q.m["backfill_version"] = 1, -1
    backfill_pass(q, second, second)
    found = float(q.job["expected"][row])
    for name, values in saved.items():
        np.asarray(getattr(q, name))[...] = values
    np.asarray(q.job)[waiting] = jobs
    return found if np.isfinite(found) else np.nan
