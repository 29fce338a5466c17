"""Two models of the time of a moldable job on k processors, both monotonic.

Monotonic: on more processors the time does not increase and the work (processors x time) does not decrease.
"""

from __future__ import annotations

import numpy as np


def recurrence(sequential: np.ndarray, degree: np.ndarray, processors: int) -> np.ndarray:
    """Return n rows of m times: `p(1)` is sequential, `p(k) = p(k-1) (k - X) / k` for k = 2 .. m.

    X = 1 is perfect speed-up, X = 0 none; the speed-up on k processors grows like k^X. The printed formula of the DEMT
    paper, `p(k-1) (X + k) / (1 + k)`, contradicts its text: there X = 0 is the largest speed-up. This form agrees with
    the text.

    Parameters
    ----------
    sequential
        n times [s].
    degree
        X in [0, 1]: n values, or n x (m - 1) with one value per step.

    References
    ----------
    P.-F. Dutot et al., Bi-criteria algorithm for scheduling jobs on cluster platforms, SPAA 2004.
    """
    k = np.arange(2, processors + 1)
    each_step = degree if degree.ndim == 2 else degree[:, None]
    times = np.empty((len(sequential), processors))
    times[:, 0] = sequential
    if processors > 1:
        times[:, 1:] = sequential[:, None] * np.cumprod((k - each_step) / k, axis=1)
    return times


def downey(k: np.ndarray, parallelism: np.ndarray, sigma: np.ndarray) -> np.ndarray:
    """Return Downey's speed-up S(k): from 1 on one processor up to the average parallelism A.

    Arrays that broadcast: k >= 1 processors, A >= 1, coefficient of variation of the parallelism sigma >= 0.

    References
    ----------
    A. Downey, A model for speedup of parallel programs, UC Berkeley CSD-97-933, 1997.
    """
    a = parallelism
    with np.errstate(divide="ignore", invalid="ignore"):
        low = np.where(k <= a, a * k / (a + sigma * (k - 1) / 2), a * k / (sigma * (a - 0.5) + k * (1 - sigma / 2)))
        high = k * a * (sigma + 1) / (sigma * (k + a - 1) + a)
    return np.where(k >= flat_from(a, sigma), a, np.where(sigma <= 1, low, high))


def flat_from(parallelism: np.ndarray, sigma: np.ndarray) -> np.ndarray:
    """Return the number of processors from which Downey's speed-up is constant, A."""
    return np.where(sigma <= 1, 2 * parallelism - 1, parallelism + parallelism * sigma - sigma)
