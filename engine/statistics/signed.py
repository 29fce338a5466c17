"""Tests of paired differences, one per block, and their effect size.

References
----------
F. Wilcoxon, Individual comparisons by ranking methods, Biometrics Bulletin 1 (1945).
W. Conover, Practical Nonparametric Statistics, ch. 3 (sign test) and 5 (signed ranks).
D. Kerby, The simple difference formula, Comprehensive Psychology 3 (2014) (matched-pairs rank-biserial correlation).
E. Wilson, Probable inference, the law of succession, and statistical inference, JASA 22 (1927) (score interval).
S. Holm, A simple sequentially rejective multiple test procedure, Scand. J. Statist. 6 (1979).
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from shadowtime.engine.statistics.blocks import LEVEL

MOST_EXACT = 60
"""Number of blocks up to which the distribution of the signed ranks is enumerated."""


def sign_test(smaller: int, larger: int) -> float:
    """Return the two-sided p-value of the split, if both sides are equally likely; 1 without data."""
    if smaller + larger == 0:
        return 1.0
    from scipy.stats import binomtest

    return float(binomtest(smaller, smaller + larger).pvalue)


def signed_rank_test(differences: np.ndarray) -> float:
    """Return the two-sided p-value of Wilcoxon's signed-rank test; zeros are dropped, 1 without data.

    Exact up to 60 differences, also with ties: all signs are equally likely. Beyond that the normal approximation.
    """
    ranks, positive = _signed_ranks(differences)
    if not len(ranks):
        return 1.0
    if len(ranks) > MOST_EXACT:
        from scipy.stats import wilcoxon

        signs = np.where(positive, 1.0, -1.0)
        return float(wilcoxon(signs * ranks, method="asymptotic").pvalue)
    doubled = np.rint(2.0 * ranks).astype(np.int64)  # tied ranks are halves
    ways = np.zeros(int(doubled.sum()) + 1)
    ways[0] = 1.0
    for rank in doubled.tolist():
        moved = np.zeros_like(ways)
        moved[rank:] = ways[: len(ways) - rank]
        ways = 0.5 * (ways + moved)
    least = int(min(doubled[positive].sum(), doubled[~positive].sum()))
    return min(1.0, 2.0 * float(ways[: least + 1].sum()))


def rank_biserial(differences: np.ndarray, *, level: float = LEVEL) -> tuple[float, float, float]:
    """Return the matched-pairs rank-biserial correlation and its interval, each in [-1, 1].

    It is the share of the rank sum with positive sign minus the share with negative sign. The interval is a score
    interval: it inverts the variance of the test, times `1 - r^2`, with a t quantile, so it has a width even if all
    differences have one sign. NaN without a difference; the interval is NaN for fewer than two.
    """
    ranks, positive = _signed_ranks(differences)
    n = len(ranks)
    if n == 0:
        return (float("nan"),) * 3
    total = float(ranks.sum())
    r = float(ranks[positive].sum() - ranks[~positive].sum()) / total
    if n < 2:
        return r, float("nan"), float("nan")
    from scipy.special import stdtrit

    k = float(stdtrit(n - 1, 0.5 + level / 2.0)) * float(np.sqrt((ranks**2).sum())) / total
    half = k * float(np.sqrt(k * k + 1.0 - r * r))
    return r, max(-1.0, (r - half) / (1.0 + k * k)), min(1.0, (r + half) / (1.0 + k * k))


def holm(p_values: Sequence[float]) -> list[float]:
    """Return p-values adjusted by Holm's method, which limits the error of all tests together to that of one."""
    p = np.asarray(p_values, float)
    order = np.argsort(p, kind="stable")
    adjusted = np.empty(len(p))
    adjusted[order] = np.minimum(np.maximum.accumulate(p[order] * (len(p) - np.arange(len(p)))), 1.0)
    return [float(value) for value in adjusted]


def _signed_ranks(differences: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return the ranks of the absolute differences that are not 0, and whether each is positive."""
    from scipy.stats import rankdata

    differences = np.asarray(differences, float)
    differences = differences[np.isfinite(differences) & (differences != 0.0)]
    return rankdata(np.abs(differences)), differences > 0.0
