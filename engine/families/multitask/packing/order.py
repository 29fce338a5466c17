"""The order of jobs of SynchPack-3, by LP3 in full, its cutting planes, or the primal-dual algorithm.

LP3 as printed has a variable for each pair of jobs, which decides which goes first: `m_i C_j >= V_ij + sum over j' of
V_ij' delta_j'j` on each machine of j, `C_j >= P_j`, `delta_jj' + delta_j'j = 1`. One of each pair of deltas is
eliminated, and pairs that share no machine have none.

Cutting planes have variables C only, and only those parallel inequalities that are needed: for each machine i and set S
of jobs `sum_S L_ij C_j >= ((sum_S L_ij)^2 + sum_S L_ij^2) / 2`. Every point of LP3 satisfies them, so the value is at
most that of LP3 and bounds every schedule; the factor 4 needs only them. The most violated S of a machine is a prefix
of its jobs in order of C: separation is exact and takes a sort. The program of each round is a relaxation: its value is
a bound even if the rounds stop early.

M. Queyranne, Structure of a simple scheduling polyhedron, Mathematical Programming 58, 1993.
"""

from __future__ import annotations

from itertools import pairwise

import numpy as np

from shadowtime.engine.bounds.linear_program import Program, Solver
from shadowtime.engine.families.multitask.packing.instance import Instance
from shadowtime.engine.families.multitask.packing.loads import Loads, loads_of, primal_dual
from shadowtime.engine.runner.watch import Watch

FULL_UP_TO, CUTS_UP_TO = 50, 500
"""Jobs up to which `auto` solves LP3 in full (0.2 s), and by cutting planes (0.3 s). All keep the factor 4."""
VIOLATED = 1e-7
"""A cut is added if it is violated by more than this share of its right side."""
ROUNDS = 2000
"""Rounds of cuts at most."""
AT_ONCE = 10
"""Most cuts of one machine that are added in a round."""
MANY = 150
"""From this mean number of jobs on a machine on, the first cuts come from the primal-dual order; below, they cost more
than they save."""


def order_of(instance: Instance, how: str, watch: Watch | None = None) -> np.ndarray:
    """Return the jobs that have tasks, ordered by C of the program, ties by row."""
    loads = loads_of(instance)
    there = np.flatnonzero(loads.longest > 0.0)
    if how == "auto":
        how = "lp3" if len(there) <= FULL_UP_TO else "cuts" if len(there) <= CUTS_UP_TO else "primal-dual"
    if how == "primal-dual":
        return primal_dual(loads)[0]
    ends = full_order(loads, watch)[1] if how == "lp3" else solve_cuts(instance, loads, watch)[1]
    # Values that differ only by rounding errors have one rank.
    order = there[np.argsort(ends[there], kind="stable")]
    rank = np.cumsum(np.diff(ends[order], prepend=-np.inf) > 1e-9 * np.maximum(1.0, ends[order]))
    return order[np.lexsort((order, rank))]


def full_order(loads: Loads, watch: Watch | None = None) -> tuple[float, np.ndarray]:
    """Return the value of LP3, and C of each job.

    The columns are C_1..C_n, then a delta for each pair of jobs that share a machine.
    """
    n, entries = len(loads.weight), np.arange(len(loads.job))
    pairs = [np.array(np.triu_indices(stop - begin, 1)) + begin for begin, stop in pairwise(loads.begin.tolist())]
    ahead, behind = np.concatenate(pairs, axis=1)
    names, pair = np.unique(loads.job[ahead] * n + loads.job[behind], return_inverse=True)
    later = np.bincount(ahead, loads.load[behind], len(entries))  # load of the later rows of a machine
    program = Program(
        cost=np.concatenate([loads.weight, np.zeros(len(names))]),
        low=np.concatenate([loads.longest, np.zeros(len(names))]),
        high=np.concatenate([np.full(n, np.inf), np.ones(len(names))]),
        row_low=loads.load + later,
        row_high=np.full(len(entries), np.inf),
        row=np.concatenate([entries, behind, ahead]),
        column=np.concatenate([loads.job, n + pair, n + pair]),
        value=np.concatenate([np.ones(len(entries)), -loads.load[ahead], loads.load[behind]]),
    )
    value, x = Solver(program, watch).solve()
    return value, x[:n]


def solve_cuts(instance: Instance, loads: Loads, watch: Watch | None = None) -> tuple[float, np.ndarray]:
    """Return `cut_order`, cached: an order and a bound solve the same program of an instance."""
    key = ("cuts", loads.longest.tobytes())
    if key not in instance.solved:
        instance.solved[key] = cut_order(loads, watch)
    return instance.solved[key]


def cut_order(loads: Loads, watch: Watch | None = None, rounds: int = ROUNDS) -> tuple[float, np.ndarray]:
    """Return the value of the program by cutting planes, and C of each job."""
    none, nothing = np.zeros(0), np.zeros(0, "i8")
    high = np.full(len(loads.weight), np.inf)
    solver = Solver(Program(loads.weight, loads.longest, high, none, none, nothing, nothing, none), watch)
    sets = [slice(begin, stop) for begin, stop in pairwise(loads.begin) if begin < stop]
    _add(solver, loads, [np.arange(s.start, s.stop) for s in sets])
    if len(loads.job) > MANY * len(sets):
        place = np.zeros(len(loads.weight), "i8")
        order = primal_dual(loads)[0]
        place[order] = np.arange(len(order))
        _add(solver, loads, [prefix for s in sets for prefix in _prefixes(s, place[loads.job[s]])])
    value, x = solver.solve()
    for _ in range(rounds):
        broken = [found for s in sets for found in _most_broken(loads, s, x)]
        if not broken:
            break
        _add(solver, loads, broken)
        value, x = solver.solve()
    return value, x


def _prefixes(of_machine: slice, place: np.ndarray) -> list[np.ndarray]:
    """Return the entries of all proper prefixes of a machine's jobs in order of their `place`."""
    entries = np.argsort(place, kind="stable") + of_machine.start
    return [np.sort(entries[:count]) for count in range(1, len(entries))]


def _most_broken(loads: Loads, of_machine: slice, x: np.ndarray) -> list[np.ndarray]:
    """Return the entries of violated sets of a machine's jobs, the most violated first.

    Sets are prefixes in order of C whose violation is a local maximum.
    """
    job, load = loads.job[of_machine], loads.load[of_machine]
    order = np.argsort(x[job], kind="stable")
    right = _right_side(load[order])
    broken = right - np.cumsum(load[order] * x[job[order]])
    around = np.concatenate([[-np.inf], broken, [-np.inf]])
    peaks = np.flatnonzero((broken >= around[:-2]) & (broken > around[2:]) & (broken > VIOLATED * right))
    peaks = peaks[np.argsort(-broken[peaks], kind="stable")][:AT_ONCE]
    return [np.sort(order[: peak + 1]) + of_machine.start for peak in peaks.tolist()]


def _right_side(load: np.ndarray) -> np.ndarray:
    """Return the right sides of the prefixes of `load`."""
    return (np.cumsum(load) ** 2 + np.cumsum(load**2)) / 2.0


def _add(solver: Solver, loads: Loads, sets: list[np.ndarray]) -> None:
    right = [float(_right_side(loads.load[entries])[-1]) for entries in sets]
    solver.add_rows(right, [loads.job[entries] for entries in sets], [loads.load[entries] for entries in sets])
