"""Blocks: the independent draws behind a table of values.

Loads, parameters and other factors of one draw give correlated values, however many there are: they are averaged
within their block, and a test or an interval counts blocks.

References
----------
S. Hurlbert, Pseudoreplication and the design of ecological field experiments, Ecological Monographs 54 (1984).
"""

from __future__ import annotations

import math
from collections.abc import Hashable, Sequence

import numpy as np

from shadowtime.engine.statistics.batches import CORRELATED, lag_one_correlation
from shadowtime.engine.workload.conversions.log import WEEK

LEVEL = 0.95
ALPHA = 0.05
"""Error probability of a test, over the whole family of comparisons."""
FEW = 5
"""Number of blocks below which an interval depends more on its assumptions than on the data."""
ENOUGH_FOR_LAG = 10
"""Number of blocks from which a correlation of neighbours can be distinguished from chance."""


def number_blocks(labels: Sequence[Hashable]) -> np.ndarray:
    """Return the number of the block of each row, from 0 in the order of first appearance."""
    known: dict[Hashable, int] = {}
    return np.array([known.setdefault(label, len(known)) for label in labels], np.int64)


def weeks(release: np.ndarray) -> np.ndarray:
    """Return the week of each job, from 0 at second 0 of the log; one label per job, release times in seconds."""
    return np.floor(np.asarray(release, float) / WEEK).astype(np.int64)


def block_means(values: np.ndarray, blocks: np.ndarray) -> np.ndarray:
    """Return the mean of each block over its rows and over all factors; NaN for a block without a value.

    Parameters
    ----------
    values
        One row per instance along the first axis; every other axis is a factor. NaN is left out.
    blocks
        The block of each row, from 0.
    """
    values = np.asarray(values, float)
    there = np.isfinite(values)
    rows = tuple(range(1, values.ndim))
    count = np.bincount(blocks, there.sum(axis=rows), minlength=0)
    total = np.bincount(blocks, np.where(there, values, 0.0).sum(axis=rows), minlength=0)
    return np.divide(total, count, out=np.full(len(count), np.nan), where=count > 0)


def smallest_p(blocks: int) -> float:
    """Return `2^(1-n)`, the smallest two-sided p that a sign or signed-rank test of n blocks can give; 1 for none."""
    return min(1.0, 2.0 ** (1 - blocks))


def blocks_needed(alpha: float = ALPHA, comparisons: int = 1) -> int:
    """Return the smallest number of blocks whose sign test can be significant in a family of so many comparisons.

    Holm's method multiplies the smallest p by the number of comparisons.
    """
    return 1 + math.ceil(math.log2(comparisons / alpha))


def count_words(blocks: int) -> str:
    """Return `1 block` or `12 blocks`."""
    return f"{blocks:,} block{'' if blocks == 1 else 's'}"


def too_few_for_interval(blocks: int) -> str | None:
    """Return a warning if an interval of so many blocks says little, else None; None for no block at all."""
    if blocks == 0 or blocks >= FEW:
        return None
    many = "1 block has no interval" if blocks == 1 else f"an interval of {blocks} blocks says little"
    return f"{many}; take {FEW} or more independent draws"


def too_few_for_test(blocks: int, alpha: float = ALPHA, comparisons: int = 1, *, equal: int = 0) -> str | None:
    """Return a sentence with the number of blocks needed if no outcome could be significant, else None.

    equal: further blocks in which both values are equal, which the tests leave out.
    """
    needed = blocks_needed(alpha, comparisons)
    if blocks >= needed:
        return None
    several = f" after Holm for {comparisons} comparisons" if comparisons > 1 else ""
    ties = f" ({equal:,} more with equal values left out)" if equal else ""
    least = min(1.0, comparisons * smallest_p(blocks))
    return (
        f"a test of {count_words(blocks)}{ties} cannot go below p = {least:.3g}{several}: "
        f"{needed} blocks are needed for {alpha:.0%}"
    )


def neighbours(values: np.ndarray) -> str | None:
    """Return a warning if neighbouring blocks, in order, look correlated; None if not, or if they are too few.

    Blocks are weeks of a log, or draws in the order of their seeds.
    """
    values = np.asarray(values, float)
    values = values[np.isfinite(values)]
    if len(values) < ENOUGH_FOR_LAG:
        return None
    lag = lag_one_correlation(values)
    if lag <= max(CORRELATED, 2.0 / len(values) ** 0.5):
        return None
    return f"neighbouring blocks resemble each other (correlation {lag:.2f}): the interval is too narrow"
