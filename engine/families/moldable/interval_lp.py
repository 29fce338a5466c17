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

from contextlib import suppress
from typing import NamedTuple

import numpy as np

from shadowtime.engine.bounds.linear_program import NoOptimum, Solver
from shadowtime.engine.bounds.linear_program import Program as LinearProgram
from shadowtime.engine.families.moldable.policies.dual import TOLERANCE, area_of, gamma
from shadowtime.engine.kernel.cache import allocating

MOST_JOBS = 1000
"""Largest number of jobs of the program that gives the multipliers; more jobs are sampled evenly."""
FAR = 8.0
"""Factor by which the grid exceeds the longest time and the makespan bound: area constraints there are never tight."""


class Program(NamedTuple):
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
    least = np.empty((len(p), len(ends)))
    for i in range(len(p)):
        for j in range(len(ends)):
            # Rounding must not make the bound too large: the tolerance lets a job end slightly after its interval.
            k = gamma(p, i, ends[j] - release[i] + TOLERANCE * ends[j]) if ends[j] < np.inf else np.int64(1)
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
    return float(priced.min(axis=1).sum() - np.sum(steps * question.processors * question.grid[1:]))


def multipliers(question: Program, tight: bool) -> np.ndarray:
    """Return the best multipliers, J values: the price of a lane-second up to the end of each interval but the last.

    Store variables accumulate the areas up to tau_j+1: columns then have two entries instead of up to J.
    """
    area, cost = question.area, question.cost(tight)
    n, intervals = area.shape
    job, interval = np.nonzero(np.isfinite(area))
    x, store = np.arange(len(job)), np.arange(intervals - 1)
    bounded = interval < len(store)
    scale = float(cost[job, interval].max()) or 1.0
    room = question.processors * question.grid[1:]
    bulk = float(room[0]) or 1.0
    # x_ij is in the rows of its job and of its interval; the store of j in the rows of j (-1) and of j + 1 (+1).
    entries = (
        (job, x, np.ones(len(x))),
        (n + interval[bounded], x[bounded], area[job, interval][bounded] / bulk),
        (n + store, len(x) + store, -np.ones(len(store))),
        (n + store[1:], len(x) + store[:-1], np.ones(max(0, len(store) - 1))),
    )
    row, column, value = (np.concatenate(part) for part in zip(*entries, strict=True))
    least = np.concatenate([np.ones(n), np.zeros(len(store))])
    solver = Solver(
        LinearProgram(
            np.concatenate([cost[job, interval] / scale, np.zeros(len(store))]),
            np.zeros(len(x) + len(store)),
            np.concatenate([np.full(len(x), np.inf), room / bulk]),
            least,
            np.where(least > 0.0, np.inf, 0.0),
            row,
            column,
            value,
        )
    )
    with suppress(NoOptimum):  # any multipliers give a bound
        solver.solve()
    duals = solver.duals()[n:]
    known = np.nan_to_num(duals, posinf=0.0, neginf=0.0) if len(duals) else np.zeros(len(store))
    return np.maximum(-known * scale / bulk, 0.0)
