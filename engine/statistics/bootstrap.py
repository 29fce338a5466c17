"""Bootstrap of whole blocks, bias-corrected and accelerated (BCa), with a fixed seed.

References
----------
B. Efron, Better bootstrap confidence intervals, J. American Statistical Association 82 (1987).
"""

from __future__ import annotations

import numpy as np

from shadowtime.engine.statistics.blocks import LEVEL

RESAMPLES = 1999
SEED = 20_110_726
"""Of the resamples: the same blocks always give the same interval."""
ENOUGH = 20
"""Number of blocks below which the bootstrap of a maximum or quantile is doubtful."""


def mean_interval(values: np.ndarray, level: float = LEVEL) -> tuple[np.ndarray, np.ndarray]:
    """Return the ends of the BCa intervals of the means along the first axis, one row per block; NaN is left out.

    Both ends lie between the smallest and the largest block. NaN for fewer than two blocks.
    """
    values = np.asarray(values, float)
    columns = values.reshape(len(values), int(np.prod(values.shape[1:])))
    there = np.isfinite(columns)
    ends = np.full((2, columns.shape[1]), np.nan)
    for pattern in np.unique(there, axis=1).T:
        n = int(pattern.sum())
        if n < 2:
            continue
        same = (there == pattern[:, None]).all(axis=0)
        chosen = columns[pattern][:, same]
        total = chosen.sum(axis=0)
        resampled = _counts(n) @ chosen / n
        ends[:, same] = np.clip(
            bca(resampled, total / n, (total - chosen) / (n - 1), level), chosen.min(axis=0), chosen.max(axis=0)
        )
    low, high = ends.reshape(2, *values.shape[1:])
    return low, high


def bca(resampled: np.ndarray, estimate: np.ndarray, left_out: np.ndarray, level: float = LEVEL) -> np.ndarray:
    """Return the low and the high ends of BCa intervals, shape (2, columns).

    Parameters
    ----------
    resampled
        Statistics of the resamples, shape (resamples, columns).
    estimate
        Statistic of the data, shape (columns,).
    left_out
        Statistic without each block, shape (blocks, columns).
    """
    from scipy.special import ndtr, ndtri

    many = len(resampled)
    ordered = np.sort(resampled, axis=0)
    below = ((resampled < estimate).sum(axis=0) + (resampled <= estimate).sum(axis=0)) / (2.0 * many)
    bias = ndtri(np.clip(below, 0.5 / many, 1.0 - 0.5 / many))
    centred = left_out.mean(axis=0) - left_out
    square = (centred**2).sum(axis=0)
    cube = (centred**3).sum(axis=0)
    spread = 6.0 * square**1.5  # 0 also where only its power is too small for a float
    acceleration = np.divide(cube, spread, out=np.zeros_like(cube), where=spread > 0.0)
    ends = []
    for tail in (0.5 - level / 2.0, 0.5 + level / 2.0):
        z = bias + ndtri(tail)
        place = ndtr(bias + z / (1.0 - acceleration * z)) * (many - 1)
        first = np.floor(place).astype(np.int64)
        last = np.minimum(first + 1, many - 1)
        columns = np.arange(ordered.shape[1])
        share = place - first
        ends.append(ordered[first, columns] * (1.0 - share) + ordered[last, columns] * share)
    return np.array(ends)


def _counts(blocks: int) -> np.ndarray:
    """Return how often each block is in each resample, shape (resamples, blocks)."""
    drawn = np.random.default_rng(SEED).multinomial(blocks, np.full(blocks, 1.0 / blocks), size=RESAMPLES)
    return drawn.astype(float)
