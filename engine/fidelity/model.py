"""The quick model of a site: EASY with the few things that a fit may change.

One simulation of 100,000 jobs takes a tenth of a second, so that a fit may try a hundred. What it found may be given
to the algorithm `slurm` as a cluster (`fidelity.site`).
"""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from shadowtime.engine.fidelity.evidence import Evidence, ceilings, request
from shadowtime.engine.fidelity.loop import HOUR, NEVER, Jobs, Rules, simulate
from shadowtime.engine.fidelity.split import Part
from shadowtime.engine.workload.job import Workload

CLOSED = (0.0, 0.1, 0.2, 0.3)
"""Shares of the usual rate of starts below which an hour counts as closed; 0: none does."""
HALF_LIFE = 7 * 86_400.0
PERIOD = 3600.0
"""Time between two recomputations of fair-share factors [s]."""
MOST_LOOKS = 150_000_000
MOST_WAITED = 5.0
"""A simulation is given up where jobs wait so many times longer, together, than was recorded."""


@dataclass(frozen=True)
class Values:
    """The free parameters of the model; the defaults are plain EASY."""

    held_out: float = 0.0
    """Share of the processors that take no jobs."""
    closed: int = 0
    """Which of CLOSED holds: hours of the week that are closed to long requests."""
    down_time: bool = False
    """Whether nothing starts in outages that the log shows."""
    user_jobs: float = NEVER
    """Jobs that a user runs at one time."""
    user_share: float = NEVER
    """Share of the processors that the jobs of a user hold at one time."""
    queue: float = 0.0
    """Head start of the queue with the shortest waits over that with the longest [s]."""
    fair_share: float = 0.0
    """Head start of a user without usage over one with much of it [s]."""
    size: float = 0.0
    """Head start of a job over one of twice its size [s]; below 0, of the larger one."""
    length: float = 0.0
    """Head start of a job for each second that it requests less."""

    def as_dict(self) -> dict[str, Any]:
        """Return the values, None for a limit that is not set."""
        return {name: None if value == NEVER else value for name, value in asdict(self).items()}


def waits(
    log: Workload, part: Part, lanes: int, seen: Evidence, values: Values, *, bounded: bool = False
) -> np.ndarray:
    """Return the simulated waits of the jobs of a part, warm-up included; NaN for all if it was given up.

    Parameters
    ----------
    bounded
        Whether a simulation that grows far beyond the record is given up: a fit need not know how bad it is.
    """
    jobs, rows = log.jobs, part.rows
    release = jobs["release"][rows]
    ready = np.fmax(release, jobs["eligible"][rows]) if "eligible" in jobs else release
    order = np.argsort(ready, kind="stable")
    ready = ready[order]
    usable = max(1, round(lanes * (1.0 - values.held_out)))
    asked = request(log)[rows][order]
    size = np.minimum(jobs["processors"][rows][order].astype("i8"), usable)
    names, user = np.unique(jobs["user"][rows][order], return_inverse=True)
    begin = float(np.floor(ready[0] / HOUR) * HOUR)
    recorded = jobs["recorded_start"][rows] - release
    stops = seen.stops if values.down_time else ()
    ceiling = ceilings(log, seen.open_hours[values.closed], stops, begin, float(ready[-1] + recorded.max()))
    bonus = values.queue * seen.queue[rows][order] - values.size * np.log2(size) - values.length * asked
    most_waited = MOST_WAITED * float(recorded.sum()) if bounded else np.inf
    start = simulate(
        Jobs(ready, jobs["runtime"][rows][order], asked, size, user.astype("i8"), bonus),
        Rules(usable, begin, ceiling, float(values.user_jobs), float(values.user_share * lanes),
              float(values.fair_share), HALF_LIFE, len(names), PERIOD, MOST_LOOKS if bounded else 2**62, most_waited),
    )  # fmt: skip
    if np.isnan(start).any():
        return np.full(len(release), np.nan)
    found = np.empty(len(release))
    found[order] = start - release[order]
    return found
