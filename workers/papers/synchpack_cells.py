"""The workloads of the study of SynchPack, and the algorithms that run on each."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from importlib import import_module
from typing import Any, ClassVar

import numpy as np

from shadowtime.engine.families.multitask.packing.instance import Instance, instance_of
from shadowtime.engine.families.multitask.packing.interval_lp import solve_intervals
from shadowtime.engine.simulation import simulate
from shadowtime.engine.workload.generators.generate import generate

ORDER = "shadowtime.engine.families.multitask.packing.order"
Algorithms = Mapping[str, tuple[str, Mapping[str, Any]]]
"""Slug and parameters by the name in tables."""

SINGLE, PLACED, ONLINE, ONLINE_PLACED, WAITING = "single", "placed", "online", "online-placed", "waiting"
"""Plots that a cell belongs to: off-line with one machine a task (Figure 2(a)), off-line with placement (2(b), 2(c)),
on-line with one machine a task (3(a), 3(c)), on-line with placement (3(b)), and planning intervals on-line."""

WEIGHTS = ("equal", "random", "priority")
"""The paper's three weightings."""
STEEP = "steep"
"""Weights of ours, 1 down to 1/512: not the paper's, shown apart."""
FACTOR = 2.0
"""Remote factor where it is not varied."""
GAPS = 5.0
"""Length of a planning interval in mean gaps between arrivals: the remembered value, and the engine's default."""

SP3, SP3_CUTS, SP2 = "SP-3", "SP-3 by LP3", "SP-2"
PSRS, JSQ = "PSRS", "JSQ-MW"
TETRIS = {0.1: "Tetris f=0.1", 1.0: "Tetris f=1", 10.0: "Tetris f=10"}
BOUND, LP3 = "bound", "LP3"

PLANS = {"replan": "intervals"}
"""On-line, the paper plans at the beginning of every interval."""
OWN: Algorithms = {SP3: ("synchpack-3", {"order": "primal-dual", **PLANS})}
PREEMPTIVE: Algorithms = {
    **OWN,
    PSRS: ("psrs", {}),
    **{name: ("tetris-p", {"f": f}) for f, name in TETRIS.items()},
}
STAYING: Algorithms = {
    SP2: ("synchpack-2", PLANS),
    **{name: ("tetris", {"f": f}) for f, name in TETRIS.items()},
    JSQ: ("jsq-mw", {}),
}
BARRIER: Algorithms = {"SP-2 without left shift": ("synchpack-2", {"shift": "barrier"})}
CUTS: Algorithms = {SP3_CUTS: ("synchpack-3", {"order": "cuts"})}
CUTS_JOBS, CUTS_MACHINES = 1_000, 200
"""LP3 is also solved by cutting planes up to so many jobs on at least so many machines: there it takes 0.2 s, on 50
machines half a minute."""

MOST_JOBS = 2_000
"""Jobs above which Tetris runs without f = 0.1, the slowest: with 7,521 jobs it takes a minute."""

VARIANTS = {
    "every mean gap": (1.0, "intervals"),
    "every 5 mean gaps": (GAPS, "intervals"),
    "every 25 mean gaps": (25.0, "intervals"),
    "every 5 mean gaps, if a job arrived": (GAPS, "arrivals"),
}
"""Planning of SynchPack-3: length of an interval in mean gaps, and at which boundaries it plans."""


@dataclass(frozen=True)
class Cell:
    """One workload; all its algorithms are run on it, since its program is solved once."""

    plot: str
    jobs: int
    machines: int
    weights: str
    seed: int
    load: float = 0.0
    """Offered load; 0: all jobs are there at once."""
    remote: int = 0
    """Remote machines of a task, beside three local ones; 0: a task has one machine."""
    factor: float = FACTOR

    @property
    def size(self) -> float:
        """Return what orders cells by their time: jobs, places of a task, and load."""
        return float(self.jobs * (1 + self.remote) * (1.0 + self.load))

    def workload(self) -> Any:
        """Return the jobs."""
        places = {"local": 3, "remote": self.remote, "remote_factor": self.factor} if self.remote else {}
        values = {"jobs": self.jobs, "machines": self.machines, "weights": self.weights, "load": self.load}
        return generate("multitask", {**values, **places}, self.seed)


@dataclass(frozen=True)
class Answer:
    """The values of a cell."""

    MEASURED: ClassVar[tuple[str, ...]] = ("seconds",)
    values: Mapping[str, float]
    """By algorithm: weighted mean completion, on-line weighted mean delay [s]; and off-line the bounds."""
    seconds: Mapping[str, float]
    """Processor time of each run, and of the linear program [s]."""


def run_single(cell: Cell) -> Answer:
    """Return the answers off-line, one machine a task: with the dual bound, and LP3 where that is quick."""
    has_cuts = cell.jobs <= CUTS_JOBS and cell.machines >= CUTS_MACHINES
    programs: dict[str, Callable[[Instance], float]] = {BOUND: _dual}
    programs |= {LP3: _cuts} if has_cuts else {}
    algorithms = {**PREEMPTIVE, **(CUTS if has_cuts else {})}
    if cell.jobs > MOST_JOBS:
        del algorithms[TETRIS[0.1]]
    return _answer(cell.workload(), cell, algorithms, programs)


def run_placed(cell: Cell) -> Answer:
    """Return the answers off-line with placement, and the value of LP2."""
    return _answer(cell.workload(), cell, {**STAYING, **BARRIER}, {BOUND: _lp2})


def run_online(cell: Cell) -> Answer:
    """Return the answers on-line, one machine a task."""
    return _answer(cell.workload(), cell, PREEMPTIVE, {})


def run_online_placed(cell: Cell) -> Answer:
    """Return the answers on-line with placement."""
    return _answer(cell.workload(), cell, STAYING, {})


def run_waiting(cell: Cell) -> Answer:
    """Return the answers of SynchPack-3 on-line by its planning intervals."""
    workload = cell.workload()
    release = workload.jobs["release"]
    gap = float(release[-1] - release[0]) / max(1, len(release) - 1)
    slug, parameters = OWN[SP3]
    planned = {
        name: (slug, {**parameters, "interval": gaps * gap, "replan": replan})
        for name, (gaps, replan) in VARIANTS.items()
    }
    return _answer(workload, cell, planned, {})


RUN: Mapping[str, Callable[[Cell], Answer]] = {
    SINGLE: run_single,
    PLACED: run_placed,
    ONLINE: run_online,
    ONLINE_PLACED: run_online_placed,
    WAITING: run_waiting,
}


def _answer(
    workload: Any, cell: Cell, algorithms: Algorithms, programs: Mapping[str, Callable[[Instance], float]]
) -> Answer:
    """Return weighted means by algorithm, and the values of programs over the total weight."""
    values, seconds = {}, {}
    weight = workload.jobs["weight"]
    import_module(ORDER)  # with numba, before the first clock starts
    instance, _ = instance_of(workload)  # programs first: plans then use the same optimum
    for name, solve in programs.items():
        began = time.process_time()
        values[name] = solve(instance) / float(weight.sum())
        seconds[name] = time.process_time() - began
    for name, (slug, parameters) in algorithms.items():
        began = time.process_time()
        jobs = simulate(workload, slug, parameters, seed=cell.seed).jobs
        since = jobs["release"] if cell.load else np.zeros(len(weight))
        values[name] = float(np.sum(jobs["weight"] * (jobs["end"] - since))) / float(weight.sum())
        seconds[name] = time.process_time() - began
    return Answer(values, seconds)


def _dual(instance: Instance) -> float:
    from shadowtime.engine.families.multitask.packing.loads import loads_of, primal_dual  # imports numba

    return primal_dual(loads_of(instance))[1]


def _cuts(instance: Instance) -> float:
    from shadowtime.engine.families.multitask.packing.loads import loads_of
    from shadowtime.engine.families.multitask.packing.order import solve_cuts

    return solve_cuts(instance, loads_of(instance))[0]


def _lp2(instance: Instance) -> float:
    return solve_intervals(instance).bound
