"""Many algorithms on the same instances: mean ranks over blocks, Friedman's test and Nemenyi's critical difference.

References
----------
J. Demsar, Statistical comparisons of classifiers over multiple data sets, JMLR 7 (2006).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from shadowtime.engine.statistics.blocks import ALPHA, block_means
from shadowtime.engine.statistics.intervals import SAME


@dataclass(frozen=True, eq=False)
class Ranking:
    """Algorithms by their mean rank over blocks: the data of a critical-difference diagram."""

    blocks: int
    """Blocks in which all algorithms have a value."""
    mean_ranks: np.ndarray
    """Mean rank of each algorithm, from 1 for the best; ties share their ranks."""
    order: tuple[int, ...]
    """Algorithms by mean rank, the best first."""
    friedman_p: float
    """p of Friedman's test that none differs; NaN for fewer than three algorithms or two blocks."""
    critical_difference: float
    """Mean ranks that differ by more are different at `alpha` (Nemenyi); NaN as `friedman_p`."""
    groups: tuple[tuple[int, ...], ...]
    """Largest sets of two or more algorithms, in `order`, that the critical difference does not separate."""
    alpha: float = ALPHA


def rank(table: np.ndarray, *, falls: bool = False, alpha: float = ALPHA) -> Ranking:
    """Rank algorithms over blocks.

    Parameters
    ----------
    table
        One row per block, one column per algorithm, as `block_table` returns; rows with NaN are left out.
    falls
        Whether larger values are better.
    alpha
        Error probability of the critical difference, in (0, 1).
    """
    table = _whole(table)
    blocks, algorithms = table.shape
    ranks = mean_ranks(-table if falls else table)
    order = tuple(int(n) for n in np.argsort(np.where(np.isfinite(ranks), ranks, np.inf), kind="stable"))
    is_defined = blocks >= 2 and algorithms >= 3
    difference = critical_difference(algorithms, blocks, alpha) if is_defined else float("nan")
    groups = _groups(ranks, order, difference) if is_defined else ()
    return Ranking(blocks, ranks, order, friedman(table), difference, groups, alpha)


def block_table(values: np.ndarray, blocks: np.ndarray) -> tuple[np.ndarray, int]:
    """Return one value per block and algorithm, and the number of instances left out.

    Instances where an algorithm has no value are left out. The value of a block is the geometric mean over its
    instances; if some value of the whole table is not positive, the mean of the ranks within the instances. Values that
    are equal but for rounding are equal.

    Parameters
    ----------
    values
        One row per draw along the first axis, algorithms along the last; axes between are factors.
    blocks
        The block of each row, from 0.
    """
    values = np.asarray(values, float)
    is_whole = np.isfinite(values).all(axis=-1)
    if (values[is_whole] > 0.0).all():
        scores = np.log(np.where(is_whole[..., None], values, 1.0))
    else:
        from scipy.stats import rankdata

        scores = rankdata(without_rounding(np.where(is_whole[..., None], values, 0.0), 0.0), axis=-1)
    scores = np.where(is_whole[..., None], scores, np.nan)
    columns = [block_means(scores[..., n], blocks) for n in range(values.shape[-1])]
    return without_rounding(np.stack(columns, axis=-1), 1.0), int((~is_whole).sum())


def without_rounding(values: np.ndarray, least: float) -> np.ndarray:
    """Return values along the last axis of which those that differ by rounding alone are the same, the smallest.

    `least`: size from which on a difference counts relative to the values; below, relative to this.
    """
    order = np.argsort(values, axis=-1, kind="stable")
    ordered = np.take_along_axis(values, order, axis=-1)
    is_new = np.ones(values.shape, bool)
    size = np.maximum(least, np.maximum(np.abs(ordered[..., 1:]), np.abs(ordered[..., :-1])))
    is_new[..., 1:] = ~(np.diff(ordered, axis=-1) <= SAME * size)
    first = np.maximum.accumulate(np.where(is_new, np.arange(values.shape[-1]), 0), axis=-1)
    found = np.empty_like(values)
    np.put_along_axis(found, order, np.take_along_axis(ordered, first, axis=-1), axis=-1)
    return found


def friedman(table: np.ndarray) -> float:
    """Return the p-value of Friedman's test that columns (algorithms) do not differ over rows (blocks).

    NaN for fewer than three columns or two complete rows, where the test is not defined.
    """
    table = _whole(table)
    if table.shape[0] < 2 or table.shape[1] < 3:
        return float("nan")
    if (table == table[:, :1]).all():
        return 1.0
    from scipy.stats import friedmanchisquare

    return float(friedmanchisquare(*table.T).pvalue)


def mean_ranks(table: np.ndarray) -> np.ndarray:
    """Return the mean rank of each column over the complete rows, from 1 for the smallest; ties share their ranks."""
    from scipy.stats import rankdata

    table = _whole(table)
    return rankdata(table, axis=1).mean(axis=0) if len(table) else np.full(table.shape[1], np.nan)


def critical_difference(algorithms: int, blocks: int, alpha: float = ALPHA) -> float:
    """Return Nemenyi's critical difference of mean ranks, `q sqrt(k (k + 1) / (6 n))` for k algorithms, n blocks."""
    return nemenyi_quantile(algorithms, alpha) * float(np.sqrt(algorithms * (algorithms + 1) / (6.0 * blocks)))


@lru_cache(maxsize=256)
def nemenyi_quantile(algorithms: int, alpha: float = ALPHA) -> float:
    """Return q: the upper quantile of the studentized range of so many values, over the square root of 2."""
    from scipy.stats import studentized_range

    return float(studentized_range.ppf(1.0 - alpha, algorithms, np.inf)) / 2.0**0.5


def _whole(table: np.ndarray) -> np.ndarray:
    table = np.asarray(table, float)
    return table[np.isfinite(table).all(axis=1)]


def _groups(ranks: np.ndarray, order: Sequence[int], difference: float) -> tuple[tuple[int, ...], ...]:
    """Return the largest runs of algorithms in order whose first and last are closer than the critical difference."""
    found: list[tuple[int, int]] = []
    for first in range(len(order)):
        last = first
        while last + 1 < len(order) and ranks[order[last + 1]] - ranks[order[first]] <= difference:
            last += 1
        if last > first and (not found or last > found[-1][1]):
            found.append((first, last))
    return tuple(tuple(order[first : last + 1]) for first, last in found)
