"""Weighted completion of moldable jobs: an interval-indexed linear program, and a bound from any of its multipliers.

Time is cut at `0 = tau_0 < tau_1 < ... < tau_J`; `x_ij = 1` when job i ends in (tau_j, tau_j+1], the last interval
being unbounded. Let `S_ij` be the least processors x time of job i among allotments that let it end by tau_j+1,
infinite if there is none. In a schedule the jobs that end by tau_j+1 have disjoint areas in a rectangle of m tau_j+1,
and one that ended in interval l has at least S_il. So every schedule is a point of

    minimise sum w_i c_ij x_ij    with    sum_j x_ij = 1,    sum_{l <= j} sum_i S_il x_il <= m tau_j+1 for j < J,

where `c_ij` is tau_j (plain) or max(tau_j, r_i + shortest time of i) (tight), neither later than the end of i. The
plain cost of the first interval is 0: the printed paper has tau_1, which is no bound, since jobs may end earlier.

For any multipliers `L_0 >= L_1 >= ... >= L_J = 0` the number

    sum_i min_j (w_i c_ij + L_j S_ij) - sum_j (L_j - L_j+1) m tau_j+1

is a bound too (Lagrange), and with the best ones it is the value of the program. This number is returned: it is a bound
even if the solver rounds. With many jobs the multipliers come from a part of them, on a proportionally smaller machine.

P.-F. Dutot et al., SPAA 2004, with the correction above.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from shadowtime.engine.families.moldable.policies.canonical import TOLERANCE, area_of, gamma
from shadowtime.engine.kernel.cache import allocating

MOST_JOBS = 1000
"""Largest number of jobs of the program that gives the multipliers; more jobs are sampled evenly."""
FAR = 8.0
"""Factor by which the grid exceeds the longest time and the makespan bound: area constraints there are never tight."""


@dataclass(frozen=True, eq=False)
class Program:
    """The data of the program of one grid, n jobs by J + 1 intervals."""

    area: np.ndarray
    """S, lane-seconds; infinite where the job cannot end."""
    least: np.ndarray
    """Tight cost of the first interval: r + shortest time, n values [s]."""
    weight: np.ndarray
    grid: np.ndarray
    """tau_0 .. tau_J [s]."""
    processors: float

    def cost(self, tight: bool) -> np.ndarray:
        """Return `w c`, n x (J + 1)."""
        late = np.broadcast_to(self.grid, self.area.shape)
        return self.weight[:, None] * (np.maximum(late, self.least[:, None]) if tight else late)

    def part(self, rows: np.ndarray) -> Program:
        """Return the program of some jobs, on a machine reduced in proportion to their work."""
        share = self.area[rows, -1].sum() / self.area[:, -1].sum()
        return Program(self.area[rows], self.least[rows], self.weight[rows], self.grid, self.processors * share)


def geometric(first: float, ratio: float, horizon: float) -> np.ndarray:
    """Return 0, first, first x ratio, ... up to the first value >= horizon."""
    points = [0.0, first]
    while points[-1] < horizon:
        points.append(points[-1] * ratio)
    return np.array(points)


@allocating
def interval_areas(p, area, release, ends):
    """Return `S` for intervals that end at `ends` [s]: n x len(ends), infinite if a job cannot end by then."""
    n, m = p.shape
    least = np.empty((n, len(ends)))
    for i in range(n):
        for j in range(len(ends)):
            # Rounding must not make the bound too large: the tolerance lets a job end slightly after its interval.
            k = gamma(p, i, ends[j] - release[i] + TOLERANCE * ends[j]) if ends[j] < np.inf else np.int64(m)
            if ends[j] == np.inf:
                least[i, j] = area_of(p, area, i, 1)
            elif k == 0:
                least[i, j] = np.inf
            else:
                least[i, j] = area_of(p, area, i, k)
    return least


def program(p: np.ndarray, area: np.ndarray, release: np.ndarray, weight: np.ndarray, grid: np.ndarray) -> Program:
    """Return the program of a grid for times `p`, n x m seconds."""
    ends = np.append(grid[1:], np.inf)
    return Program(interval_areas(p, area, release, ends), release + p[:, -1], weight, grid, float(p.shape[1]))


def interval_lp(question: Program, tight: bool) -> float:
    """Return the bound: the value of the program, from below."""
    n = len(question.weight)
    if n > MOST_JOBS:
        rows = np.linspace(0, n - 1, MOST_JOBS).astype(np.int64)
        return lagrange(question, tight, multipliers(question.part(rows), tight))
    return lagrange(question, tight, multipliers(question, tight))


def lagrange(question: Program, tight: bool, level: np.ndarray) -> float:
    """Return the bound of any multipliers L_0 >= ... >= L_J-1 >= 0, J values."""
    steps = np.maximum(level - np.append(level[1:], 0.0), 0.0)
    level = np.append(np.cumsum(steps[::-1])[::-1], 0.0)
    with np.errstate(invalid="ignore"):
        priced = np.where(np.isinf(question.area), np.inf, question.cost(tight) + level * question.area)
    return float(priced.min(axis=1).sum() - np.dot(steps, question.processors * question.grid[1:]))


def multipliers(question: Program, tight: bool) -> np.ndarray:
    """Return the best multipliers, J values: the price of a lane-second up to the end of each interval but the last.

    Store variables accumulate the areas up to tau_j+1: columns then have two entries instead of up to J.
    """
    import highspy

    area, cost = question.area, question.cost(tight)
    n, intervals = area.shape
    j_last = intervals - 1
    usable = np.isfinite(area)
    job, interval = np.nonzero(usable)
    columns = len(job)
    infinite = highspy.kHighsInf
    lp = highspy.HighsLp()
    lp.num_col_, lp.num_row_ = columns + j_last, n + j_last
    scale = float(cost[usable].max()) or 1.0
    room = question.processors * question.grid[1:]
    bulk = float(room[0]) or 1.0
    lp.col_cost_ = np.concatenate([cost[job, interval] / scale, np.zeros(j_last)])
    lp.col_lower_ = np.zeros(columns + j_last)
    lp.col_upper_ = np.concatenate([np.full(columns, infinite), room / bulk])
    lp.row_lower_ = np.concatenate([np.ones(n), np.zeros(j_last)])
    lp.row_upper_ = np.concatenate([np.full(n, infinite), np.zeros(j_last)])
    starts, index, value = _columns(job, interval, area, n, j_last, bulk)
    lp.a_matrix_.format_ = highspy.MatrixFormat.kColwise
    lp.a_matrix_.start_, lp.a_matrix_.index_, lp.a_matrix_.value_ = starts, index, value
    solver = highspy.Highs()
    for name, setting in (("output_flag", False), ("threads", 1), ("random_seed", 0), ("solver", "simplex")):
        solver.setOptionValue(name, setting)
    solver.passModel(lp)
    solver.run()
    duals = np.array(solver.getSolution().row_dual)
    if len(duals) != n + j_last:
        return np.zeros(j_last)
    return np.maximum(-duals[n:] * scale / bulk, 0.0)


def _columns(
    job: np.ndarray, interval: np.ndarray, area: np.ndarray, n: int, j_last: int, bulk: float
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return the matrix by columns: x_ij in the rows of its job and interval; store j in rows j (-1) and j + 1 (+1)."""
    bounded = interval < j_last
    counts = np.concatenate([1 + bounded, np.where(np.arange(j_last) < j_last - 1, 2, 1)])
    starts = np.concatenate([[0], np.cumsum(counts)])
    index, value = np.empty(starts[-1], np.int32), np.empty(starts[-1])
    first = starts[: len(job)]
    index[first], value[first] = job, 1.0
    second = first[bounded] + 1
    index[second] = n + interval[bounded]
    value[second] = area[job[bounded], interval[bounded]] / bulk
    store = starts[len(job) : -1]
    index[store], value[store] = n + np.arange(j_last), -1.0
    index[store[:-1] + 1], value[store[:-1] + 1] = n + np.arange(1, j_last), 1.0
    return starts.astype(np.int32), index, value
