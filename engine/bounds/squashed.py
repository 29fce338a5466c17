"""`mean_busy_time` and `shortest_remaining`: all jobs on one machine that is as fast as all lanes together.

Squashing. Let a schedule of the fluid problem be given. Serve job j on one machine at the speed
`width_j rate_j(t) / lanes`: these add up to at most 1, and j, of length `q_j = area_j / lanes`, is complete no
later than in the given schedule. So a bound for any sharing of one machine holds here.

`shortest_remaining` (all weights equal). Preemptive shortest remaining time first has, at every instant, the
largest number of completed jobs among all ways of sharing one machine (Schrage 1968), hence the least sum
of ends. So `sum F >= sum F of that schedule with lengths q`.

`mean_busy_time`. Let `M_j` be the mean time at which job j progresses, `1/p_j` times the integral of
`t rate_j(t)`; squashing does not change it.
- Preemptive service by largest `w_j / q_j` has the least `sum w_j M_j` among all ways of sharing one machine
  (Goemans, Queyranne, Schulz, Skutella, Wang 2002, lemma 4.1: pair-exchange; the released work of any set of
  most urgent jobs is served as early as possible).
- In the fluid problem the rate is at most 1, so given its end `C_j`, the mean is latest when j runs at rate 1
  all through its last `p_j` seconds: `M_j <= C_j - p_j / 2`. It is `p_j`, not `q_j`, that enters here.
Hence `sum w_j F_j >= sum w_j (M_j - r_j + p_j / 2)`, with `M_j` of that service.

Two refinements split the sum exactly, so they need no new proof:
- The service never idles while there is work, so busy periods are independent: the bound is a sum over busy
  periods, and for each period the best bound counts, `dedicated` among them.
- The flows of any set of jobs are bounded by the service of that set alone, those of the others by
  `dedicated`. For long, narrow jobs squashing is weaker than `dedicated` (`M_j - r_j < p_j / 2`): in each busy period
  sets without them are tried too. (Measured on five logs: gains up to ten times those of the whole set.)
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from shadowtime.engine.bounds.work import Work
from shadowtime.engine.kernel.binary_heap import NO_VERSION, entries, pop, push
from shadowtime.engine.kernel.cache import allocating

Squashed = Callable[[np.ndarray], tuple[np.ndarray, np.ndarray]]
"""Rows of jobs -> the contribution of each in the service of these jobs, and its busy period."""

SHARES = (0.7, 1.0)
"""Each trial leaves out the jobs whose squashed contribution is at most this share of `dedicated`."""


def mean_busy_time(work: Work, weight: np.ndarray, alone: np.ndarray) -> float:
    """Return a lower bound on `sum max(alone, weight x flow)`.

    `weight` has n values >= 0, and `alone` the least contribution of each job, n values >= weight x runtime.
    """
    length = work.area / work.lanes
    rank = -weight / length

    def squashed(rows: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        served, _, period = preempt(work.since_origin[rows], length[rows], rank[rows], False)
        return weight[rows] * (served + 0.5 * work.runtime[rows]), period

    return _best_sets(squashed, alone)


def shortest_remaining(work: Work) -> float:
    """Return a lower bound on the sum of flows [s]."""
    length = work.area / work.lanes

    def squashed(rows: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        _, flow, period = preempt(work.since_origin[rows], length[rows], length[rows], True)
        return flow, period

    return _best_sets(squashed, work.runtime)


def _best_sets(squashed: Squashed, alone: np.ndarray) -> float:
    """Return the sum over busy periods of the best bound among some sets of its jobs; other jobs count as `alone`."""
    value, period = squashed(np.arange(len(alone)))
    gain = np.maximum(np.bincount(period, value - alone), 0.0)
    for share in SHARES:
        rows = np.flatnonzero(value > share * alone)
        if len(rows) == 0:
            break
        part, inner = squashed(rows)
        inner_gain = np.maximum(np.bincount(inner, part - alone[rows]), 0.0)
        outer = period[rows[np.searchsorted(inner, np.arange(len(inner_gain)))]]
        gain = np.maximum(gain, np.bincount(outer, inner_gain, len(gain)))
    return float(np.sum(alone) + np.sum(gain))


def preempt(release: np.ndarray, length: np.ndarray, rank: np.ndarray, by_rest: bool):
    """Run jobs of `length` seconds (speed 1) by smallest `rank`, or by shortest remaining time if `by_rest`.

    Jobs are in order of release; among equal ones the earlier row goes first.

    Returns
    -------
    Three arrays of n values: the mean time at which each job was served minus its release [s]; its end minus its
    release [s]; the number of its busy period, from 0.
    """
    return _preempt(release, length, rank, by_rest, entries(len(release)))


@allocating
def _preempt(release, length, rank, by_rest, heap):
    """Implement `preempt`; `heap` holds the waiting jobs."""
    n = len(release)
    rest = length.copy()
    served, flow, period = np.zeros(n), np.zeros(n), np.zeros(n, np.int64)
    count, waiting, busy = np.int64(0), np.int64(0), np.int64(-1)
    now, coming = 0.0, release[0]  # the next release; +inf after the last
    while waiting < n or count > 0:
        if count == 0:
            now = coming
            busy += 1
        while coming <= now:
            push(heap, count, length[waiting] if by_rest else rank[waiting], waiting, NO_VERSION)
            period[waiting] = busy
            count += 1
            waiting += 1
            coming = release[waiting] if waiting < n else np.inf
        job = heap[0].unit
        end = min(now + rest[job], coming)
        served[job] += (end - now) * (0.5 * (now + end) - release[job])
        if end == coming and now + rest[job] > coming:
            rest[job] -= end - now
            if by_rest:
                heap[0].key = rest[job]  # the key only decreases: the job stays at the root
        else:
            flow[job] = end - release[job]
            served[job] /= length[job]
            count = pop(heap, count)
        now = end
    return served, flow, period
