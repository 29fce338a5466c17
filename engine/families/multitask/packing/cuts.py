"""Solve LP3 by cutting planes: variables C only, and only those parallel inequalities that are needed.

For each machine i and set S of jobs `sum_S L_ij C_j >= ((sum_S L_ij)^2 + sum_S L_ij^2) / 2`. Every point of LP3
satisfies them, so the value is at most that of LP3 and bounds every schedule; the factor 4 needs only them. The most
violated S of a machine is a prefix of its jobs in order of C: separation is exact and takes a sort.

The program of each round is a relaxation: its value is a bound even if the rounds stop early.

M. Queyranne, Structure of a simple scheduling polyhedron, Mathematical Programming 58, 1993.
"""

from __future__ import annotations

import numpy as np

from shadowtime.engine.families.multitask.packing.instance import Instance
from shadowtime.engine.families.multitask.packing.loads import Loads
from shadowtime.engine.families.multitask.packing.primal_dual import primal_dual
from shadowtime.engine.families.multitask.packing.solver import Program, Solver
from shadowtime.engine.runner.watch import Watch

VIOLATED = 1e-7
"""A cut is added if it is violated by more than this share of its right side."""
ROUNDS = 2000
"""Rounds of cuts at most."""
AT_ONCE = 10
"""Most cuts of one machine that are added in a round."""
MANY = 150
"""From this mean number of jobs on a machine on, the first cuts come from the primal-dual order; below, they cost more
than they save."""


def solve_cuts(instance: Instance, loads: Loads, watch: Watch | None = None) -> tuple[float, np.ndarray]:
    """Return `cut_order`, cached: an order and a bound solve the same program of an instance."""
    key = ("cuts", loads.longest.tobytes())
    if key not in instance.solved:
        instance.solved[key] = cut_order(loads, watch)
    return instance.solved[key]


def cut_order(loads: Loads, watch: Watch | None = None, rounds: int = ROUNDS) -> tuple[float, np.ndarray]:
    """Return the value of the program, and C of each job."""
    n = len(loads.weight)
    none = np.zeros(0, "i8")
    solver = Solver(
        Program(loads.weight, loads.longest, np.full(n, np.inf), np.zeros(0), np.zeros(0), none, none, np.zeros(0)),
        watch,
    )
    sets = [slice(begin, stop) for begin, stop in zip(loads.begin[:-1], loads.begin[1:], strict=True) if begin < stop]
    _add(solver, loads, [np.arange(s.start, s.stop) for s in sets])
    if len(loads.job) > MANY * len(sets):
        _add(solver, loads, _prefixes(loads, sets))
    value, x = solver.solve()
    for _ in range(rounds):
        broken = [found for s in sets for found in most_broken(loads, s, x)]
        if not broken:
            break
        _add(solver, loads, broken)
        value, x = solver.solve()
    return value, x


def most_broken(loads: Loads, of_machine: slice, x: np.ndarray) -> list[np.ndarray]:
    """Return the entries of violated sets of a machine's jobs, the most violated first.

    Sets are prefixes in order of C whose violation is a local maximum.
    """
    job, load = loads.job[of_machine], loads.load[of_machine]
    order = np.argsort(x[job], kind="stable")
    right = _right_side(load[order])
    broken = right - np.cumsum(load[order] * x[job[order]])
    around = np.concatenate([[-np.inf], broken, [-np.inf]])
    stands_out = (broken >= around[:-2]) & (broken > around[2:]) & (broken > VIOLATED * right)
    peaks = np.flatnonzero(stands_out)
    peaks = peaks[np.argsort(-broken[peaks], kind="stable")][:AT_ONCE]
    return [np.sort(order[: peak + 1]) + of_machine.start for peak in peaks.tolist()]


def _prefixes(loads: Loads, sets: list[slice]) -> list[np.ndarray]:
    """Return the entries of all proper prefixes of each machine's jobs in the primal-dual order."""
    order, _ = primal_dual(loads)
    place = np.zeros(len(loads.weight), "i8")
    place[order] = np.arange(len(order))
    found = []
    for of_machine in sets:
        entries = np.argsort(place[loads.job[of_machine]], kind="stable") + of_machine.start
        found += [np.sort(entries[:count]) for count in range(1, len(entries))]
    return found


def _right_side(load: np.ndarray) -> np.ndarray:
    """Return the right sides of the prefixes of `load`."""
    return (np.cumsum(load) ** 2 + np.cumsum(load**2)) / 2.0


def _add(solver: Solver, loads: Loads, sets: list[np.ndarray]) -> None:
    right = [float(_right_side(loads.load[entries])[-1]) for entries in sets]
    solver.add_rows(right, [loads.job[entries] for entries in sets], [loads.load[entries] for entries in sets])
