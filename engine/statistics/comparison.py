"""Two algorithms on the same instances: effect, interval and tests over independent blocks.

An instance is a draw at one load and one set of parameters. The value of a block is the mean over its instances of the
paired log ratio (and of the paired difference), so that factors never count as replicates.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np

from shadowtime.engine.statistics.blocks import (
    ALPHA,
    LEVEL,
    block_means,
    smallest_p,
    too_few_for_interval,
    too_few_for_test,
)
from shadowtime.engine.statistics.intervals import SAME, Interval, interval
from shadowtime.engine.statistics.signed import holm, rank_biserial, sign_test, signed_rank_test


@dataclass(frozen=True)
class Comparison:
    """One algorithm against another over independent blocks."""

    blocks: int
    """Blocks where both have a value."""
    instances: int
    """Values of both on the same draw and factors."""
    left_out: int
    """Instances without a ratio: one of the values is not positive, and they differ."""
    log_ratio: Interval
    """Mean over blocks of the mean log(value / other), t interval; below 0 if the first has the smaller values."""
    difference: Interval
    """Mean over blocks of the mean value - other, t interval."""
    tested: Literal["ratios", "differences"]
    """What the tests count: differences if an instance has no ratio."""
    smaller: int
    """Blocks in which the first algorithm has the smaller values; `larger` and `equal` likewise."""
    larger: int
    equal: int
    sign_p: float
    """Two-sided p of the sign test."""
    p: float
    """Two-sided p of Wilcoxon's signed-rank test."""
    rank_biserial: float
    """Effect size in [-1, 1], with its interval; -1 if the first algorithm is smaller in every block."""
    rank_biserial_low: float
    rank_biserial_high: float
    p_adjusted: float
    """`p` after Holm over the family of comparisons; `p` itself for a single one."""
    sign_p_adjusted: float
    comparisons: int = 1
    """Size of the family."""

    @property
    def ratio(self) -> Interval:
        """Geometric mean of value / other with its interval; never below 0."""
        ends = np.exp([self.log_ratio.mean, self.log_ratio.low, self.log_ratio.high])
        return replace(self.log_ratio, mean=float(ends[0]), low=float(ends[1]), high=float(ends[2]), method="log-t")

    @property
    def smallest_p(self) -> float:
        """Smallest p that the blocks which are not equal can give in this family: the tests leave out the others."""
        return min(1.0, self.comparisons * smallest_p(self.smaller + self.larger))

    @property
    def warnings(self) -> list[str]:
        """Return why not to rely on the interval or the tests, with the number of blocks needed."""
        few = too_few_for_interval(self.blocks)
        unequal = self.smaller + self.larger
        untestable = too_few_for_test(unequal, ALPHA, self.comparisons, equal=self.equal) if unequal else None
        return [sentence for sentence in (few, untestable) if sentence]

    def is_significant(self, alpha: float = ALPHA) -> bool:
        """Return whether the signed-rank test, adjusted after Holm, rejects that neither is better."""
        return self.p_adjusted < alpha


def compare(
    values: np.ndarray, others: np.ndarray, blocks: np.ndarray | None = None, *, level: float = LEVEL
) -> Comparison:
    """Compare two algorithms on the same instances.

    Parameters
    ----------
    values, others
        One row per draw along the first axis, further axes are factors (loads, parameters); same shape. NaN where a run
        failed. Both in the unit of the metric.
    blocks
        The block of each row, from 0, as `number_blocks` returns; None: every row is a block of its own.
    level
        Confidence level of the intervals, in (0, 1).

    Raises
    ------
    ValueError
        If the shapes differ.
    """
    values, others = np.asarray(values, float), np.asarray(others, float)
    if values.shape != others.shape:
        raise ValueError(f"values has shape {values.shape} and others {others.shape}, but they must be the same")
    if blocks is None:
        blocks = np.arange(len(values))
    both = np.isfinite(values) & np.isfinite(others)
    logs = _log_ratios(values, others, both)
    log_ratios = _of_blocks(logs, blocks)
    differences = np.where(both, values - others, np.nan)
    differences = _of_blocks(np.where(is_equal(values, others), 0.0, differences), blocks)
    left_out = int(both.sum() - np.isfinite(logs).sum())
    effects = differences if left_out else log_ratios
    smaller, larger = int((effects < 0.0).sum()), int((effects > 0.0).sum())
    p, sign_p = signed_rank_test(effects), sign_test(smaller, larger)
    return Comparison(
        len(differences),
        int(both.sum()),
        left_out,
        interval(log_ratios, level=level),
        interval(differences, level=level),
        "differences" if left_out else "ratios",
        smaller,
        larger,
        len(effects) - smaller - larger,
        sign_p,
        p,
        *rank_biserial(effects, level=level),
        p,
        sign_p,
    )


def block_log_ratios(values: np.ndarray, others: np.ndarray, blocks: np.ndarray) -> np.ndarray:
    """Return the mean log(value / other) of each block that has one; parameters as `compare`."""
    return _of_blocks(_log_ratios(values, others, np.isfinite(values) & np.isfinite(others)), blocks)


def as_family(comparisons: Sequence[Comparison]) -> list[Comparison]:
    """Return the comparisons with both p-values adjusted by Holm's method for their number."""
    adjusted = holm([one.p for one in comparisons])
    signs = holm([one.sign_p for one in comparisons])
    many = len(comparisons)
    return [
        replace(one, p_adjusted=p, sign_p_adjusted=sign, comparisons=many)
        for one, p, sign in zip(comparisons, adjusted, signs, strict=True)
    ]


def _log_ratios(values: np.ndarray, others: np.ndarray, both: np.ndarray) -> np.ndarray:
    """Return log(value / other) where both are positive, 0 where they are equal but for rounding, NaN elsewhere."""
    logs = np.full(values.shape, np.nan)
    positive = both & (values > 0.0) & (others > 0.0)
    logs[positive] = np.log(values[positive]) - np.log(others[positive])  # of b and a it is exactly the negative
    logs[both & is_equal(values, others)] = 0.0
    return logs


def is_equal(values: np.ndarray, others: np.ndarray) -> np.ndarray:
    """Return where two values are equal but for rounding."""
    return np.abs(values - others) <= SAME * np.maximum(np.abs(values), np.abs(others))


def _of_blocks(values: np.ndarray, blocks: np.ndarray) -> np.ndarray:
    """Return the means of the blocks that have a value; 0 where effects of a block cancel but for rounding."""
    found = block_means(values, blocks)
    most = block_means(np.abs(values), blocks)
    found = np.where(np.abs(found) <= SAME * most, 0.0, found)
    return found[np.isfinite(found)]
