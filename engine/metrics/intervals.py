"""Confidence intervals of the means of one long run: batch means after a warm-up."""

from __future__ import annotations

from typing import Any

import numpy as np

from shadowtime.engine.metrics import jobs as of_job
from shadowtime.engine.metrics.jobs import TAU, ended
from shadowtime.engine.metrics.registry import find_metric
from shadowtime.engine.statistics.batches import BatchMeans, batch_means, t_quantile
from shadowtime.engine.statistics.intervals import spread_interval

BATCHES = 20
WARM_UP = 0.1
"""Share of the jobs, in submission order, that intervals leave out; the metrics themselves count all jobs."""

FEWEST = 10
"""Smallest number of jobs per batch for which an interval is meaningful."""


def intervals(schedule: Any, tau: float = TAU) -> dict[str, dict[str, Any]]:
    """Return the confidence interval of each mean over jobs, from 20 batches after the first tenth.

    Returns
    -------
    By metric: `mean`, `low`, `high` (95 %, inside the range of the metric), `batches`, `jobs_per_batch`, `warm_up`,
    `lag_one` and `warning` (a sentence, or None). Empty for runs of fewer than 223 jobs. The mean is that after the
    warm-up, so it differs from the metric, which is over all jobs.
    """
    done = ended(schedule.jobs)
    if int(len(done["end"]) * (1.0 - WARM_UP)) < BATCHES * FEWEST:
        return {}
    values = {
        "mean_flow": of_job.flow(done),
        "mean_wait": of_job.wait(done),
        "mean_bounded_stretch": of_job.bounded_stretch(done, tau=tau),
    }
    found = {}
    for name, column in values.items():
        means = batch_means(column, batches=BATCHES, warm_up=WARM_UP)
        low, high = _within_range(name, means)
        found[name] = {
            "mean": means.mean,
            "low": low,
            "high": high,
            "batches": BATCHES,
            "jobs_per_batch": means.size,
            "warm_up": WARM_UP,
            "lag_one": means.lag_one,
            "warning": means.warning,
        }
    return found


def _within_range(name: str, means: BatchMeans) -> tuple[float, float]:
    """Return the interval of batch means on the scale of the metric, so that no end leaves its range."""
    if means.half_width == 0.0:
        return means.mean, means.mean
    quantile = np.array(t_quantile(0.5 + means.level / 2.0, BATCHES - 1))
    low, high = spread_interval(
        np.array(means.mean), np.array(means.deviation), np.array(BATCHES), find_metric(name).nature, quantile
    )
    return float(low), float(high)
