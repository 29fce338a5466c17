"""The whole question: fit the first half of a log, test on the second, beside plain EASY."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np

from shadowtime.engine.fidelity.evidence import Evidence, evidence
from shadowtime.engine.fidelity.fit import Fit, fit
from shadowtime.engine.fidelity.model import CLOSED, waits
from shadowtime.engine.fidelity.score import Daily, Missed, Score, mispredicted, score, utilization, verdict
from shadowtime.engine.fidelity.site import as_cluster
from shadowtime.engine.fidelity.split import Part, Split, halves, known
from shadowtime.engine.metrics.usage_by import groupings
from shadowtime.engine.simulation import Simulation
from shadowtime.engine.tables import take
from shadowtime.engine.workload.job import Workload
from shadowtime.engine.workload.local_time import local

FITTED = "fitted"
"""The quick model with the values that fit the first half."""
SLURM = "slurm"
BY = ("user", "size", "partition")
MOST = 10
Watch = Callable[[str, int], None]
"""Called with what is being done, and how often it was done."""


@dataclass(frozen=True, eq=False)
class Answer:
    """How true a model is to a log."""

    log: Workload
    """The jobs with a known start."""
    lanes: int
    left_out: int
    """Jobs without a known start, or larger than the machine."""
    split: Split
    algorithm: str
    parameters: Mapping[str, Any]
    fit: Fit | None
    """None where the algorithm was taken as it is."""
    evidence: Evidence
    model: Score
    easy: Score
    daily: Daily | None
    daily_easy: Daily | None
    waits: np.ndarray
    """Simulated waits of the jobs that count [s], of the first draw."""
    waits_easy: np.ndarray
    missed: Mapping[str, Sequence[Missed]]
    """The groups with the largest errors, for each of BY that the log knows."""
    lacking: tuple[str, ...] = ()
    """What was fitted and the algorithm cannot simulate."""

    @property
    def verdict(self) -> str:
        """One of `score.HALVED`, NEARER, MIXED, EQUAL and WORSE."""
        return verdict(self.model, self.easy)

    @property
    def recorded(self) -> np.ndarray:
        """Recorded waits of the jobs that count [s]."""
        rows = slice(self.split.test.counted, self.split.test.end)
        return self.log.jobs["recorded_start"][rows] - self.log.jobs["release"][rows]


def assess(
    log: Workload,
    lanes: int,
    algorithm: str = FITTED,
    parameters: Mapping[str, Any] | None = None,
    *,
    draws: int = 1,
    seed: int = 0,
    watch: Watch = lambda what, done: None,
) -> Answer:
    """Return how true an algorithm is to a log.

    Parameters
    ----------
    lanes
        Processors of the machine.
    algorithm
        `fitted`: the quick model, fitted to the first half. `slurm`, of a log that comes without a slurm.conf: the same
        fit as a cluster. Any other slug of rigid jobs: as it is, with `parameters`.
    draws
        Simulations with seeds `seed`, `seed` + 1, ...; only algorithms that draw need several.

    Raises
    ------
    InvalidWorkload
        If the log does not say when enough of its jobs started.
    """
    kept = known(log, lanes)
    split = halves(kept.jobs["release"])
    seen = evidence(kept, split.fit, lanes, CLOSED)
    found, values = None, dict(parameters or {})
    lacking: tuple[str, ...] = ()
    if algorithm == FITTED or (algorithm == SLURM and kept.cluster is None):
        found = fit(kept, split.fit, lanes, seen, lambda done: watch("fitting", done))
    part = split.test
    if algorithm == FITTED:
        assert found is not None, "it was just fitted"
        simulated = [waits(kept, part, lanes, seen, found.values)]
    else:
        subject, machine = kept, lanes
        if found is not None:
            subject, own, lacking = as_cluster(kept, lanes, seen, found.values)
            values, machine = {**own, **values}, int(subject.machine["processors"])
        simulated = []
        for draw in range(draws):
            watch("testing", draw)
            simulated.append(_simulated(subject, part, machine, algorithm, values, seed + draw))
    easy = _simulated(kept, part, lanes, "easy", {}, seed)
    counted = slice(part.warm_up, None)
    recorded = (kept.jobs["recorded_start"] - kept.jobs["release"])[part.rows]
    daily = [one for wait in simulated if (one := _daily(kept, part, lanes, wait)) is not None]
    daily_easy = _daily(kept, part, lanes, easy)
    return Answer(
        log=kept, lanes=lanes, left_out=len(log) - len(kept), split=split, algorithm=algorithm, parameters=values,
        fit=found, evidence=seen,
        model=score(recorded[counted], [one[counted] for one in simulated], daily),
        easy=score(recorded[counted], [easy[counted]], [daily_easy] if daily_easy else []),
        daily=daily[0] if daily else None, daily_easy=daily_easy, waits=simulated[0][counted],
        waits_easy=easy[counted], missed=_missed(kept, part, recorded[counted], [one[counted] for one in simulated]),
        lacking=lacking,
    )  # fmt: skip


def _simulated(
    log: Workload, part: Part, lanes: int, algorithm: str, parameters: Mapping[str, Any], seed: int
) -> np.ndarray:
    """Return the waits of the jobs of a part under an algorithm; NaN for a job that did not start."""
    jobs = take(log.jobs, np.arange(part.first, part.end))
    run = Simulation(
        log.with_(jobs=jobs, parts={}), algorithm, parameters, platform={"processors": lanes}, seed=seed
    ).run()
    return run.jobs["start"] - run.jobs["release"]


def _daily(log: Workload, part: Part, lanes: int, wait: np.ndarray) -> Daily | None:
    """Return the utilization of the days from the first submission that counts to the last."""
    jobs, rows = log.jobs, part.rows
    release, size, runtime = jobs["release"][rows], jobs["processors"][rows], jobs["runtime"][rows]
    start, end = jobs["recorded_start"][rows], jobs["recorded_end"][rows]
    span = (float(release[part.warm_up]), float(release[-1]))
    return utilization(
        span,
        lanes,
        partial(local, clock=log.clock),
        (start, end, size),
        (release + wait, release + wait + runtime, size),
    )


def _missed(log: Workload, part: Part, recorded: np.ndarray, draws: Sequence[np.ndarray]) -> dict[str, list[Missed]]:
    rows = slice(part.counted, part.end)
    jobs = {name: column[rows] for name, column in log.jobs.items()}
    known_ways = groupings(jobs, log.texts, None)
    return {way: mispredicted(known_ways[way], recorded, draws, MOST) for way in BY if way in known_ways}
