"""Entries of the registry: SynchPack and the algorithms that its paper compares it with."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any

from shadowtime.engine.algorithm import Algorithm, proven
from shadowtime.engine.families.multitask.policies.online import INTERVALS
from shadowtime.engine.parameters import Choice, Flag, Real, Whole
from shadowtime.engine.runner.makers import Compiled, Planned

PAPER = (
    "M. Shafiee and J. Ghaderi, Scheduling parallel-task jobs subject to packing and placement constraints, "
    "Operations Research 70(6), 2022"
)
ORDER = Choice(
    "order",
    "auto",
    "How the order of the jobs is found.",
    {
        "auto": "LP3 in full to 50 jobs, by cutting planes to 500, then primal-dual",
        "lp3": "LP3 in full",
        "cuts": "LP3 by cutting planes",
        "primal-dual": "Primal-dual, without a solver",
    },
)

PLANNERS = "shadowtime.engine.families.multitask.policies.planners"


def _planned(name: str) -> Planned:
    """Return the maker of a planner. Planners know future releases, since these determine their intervals."""
    return Planned(f"{PLANNERS}:plan_{name}", f"{PLANNERS}:warm_{name}", exclusive=False)


def _policy(name: str, view: str = "shadowtime.engine.workload.known:everything", *, draws: bool = False) -> Compiled:
    """Return the maker of a compiled policy that sees `view` of the workload."""
    module = f"shadowtime.engine.families.multitask.policies.{name}"
    return Compiled(f"{module}:run_{name}", f"{module}:make", exclusive=False, view=view, draws=draws)


_entry = partial(Algorithm, family="multitask", kinds=("multitask",))
_synchpack = partial(_entry, source=PAPER, clairvoyant=True, online=False)
_tetris = partial(
    _entry,
    source="R. Grandl et al., Multi-resource packing for cluster schedulers, SIGCOMM 2014, with weights",
    clairvoyant=True,
)

SYNCHPACK_3 = _synchpack(
    slug="synchpack-3",
    title="SynchPack-3",
    summary="Orders jobs by a linear program and packs tasks by preemptive list scheduling; each task has one machine",
    parameters=(ORDER, *INTERVALS),
    one_machine=True,
    guarantee=proven("When all jobs are there at once, the weighted completion is at most 4 times the least possible."),
    runner=_planned("synchpack_3"),
)

CHARGE = Choice("charge", "d0", "Cost of a job that ends in the first interval of the linear program.",
                {"d0": "Length of the interval, as the proofs need", "zero": "0, as printed"})  # fmt: skip
CAP = Choice("cap", "task", "When slow motion stops a task: when all its work is done, or on each machine when its "
             "share there is.", {"task": "All work done", "machine": "Machine by machine, as printed"})  # fmt: skip
LAMBDA = Real("lambda", 0.0, "Speed of the slow motion; 0: by the parameter choice.", low=0.0, high=1.0)
PROOF = {"cap": ("task",), "charge": ("d0",), "lambda": (0,)}
"""Values that the proofs of SynchPack-1 and -2 need; a fixed lambda has no proof here."""
AT_ONCE = "When all jobs are there at once, the weighted completion"
DRAWS = 1000
"""Most random values of lambda."""
PSRS_V = 0.836


def _condition(parameters: Mapping[str, Any], needed: Mapping[str, Sequence[Any]]) -> str | None:
    """Return which values of absent parameters a proof needs, as a sentence; None if a given one has another value."""
    if any(name in parameters and parameters[name] not in allowed for name, allowed in needed.items()):
        return None
    absent = [
        f"{name} above 0" if isinstance(allowed, range) else f"{name} = {' or '.join(map(str, allowed))}"
        for name, allowed in needed.items()
        if name not in parameters
    ]
    return f" With {', '.join(absent)}." if absent else ""


def _proof_1(parameters: Mapping[str, Any]) -> str:
    """Return the guarantee of SynchPack-1: for a drawn lambda, or the best of all levels of the program."""
    condition = _condition(parameters, PROOF)
    if condition is None:
        return ""
    times = f"{6.0 * (1.0 + parameters['epsilon']):g}" if "epsilon" in parameters else "6 (1 + epsilon)"
    found = "is" if parameters.get("choice") == "best" else "is expected to be"
    return f"{AT_ONCE} {found} at most {times} times the least possible.{condition}"


def _proof_2(parameters: Mapping[str, Any]) -> str:
    """Return the guarantee of SynchPack-2: for a drawn lambda, alone or among others, or the best of all levels."""
    choice = parameters.get("choice", "best")
    drawn = {"draws": range(1, DRAWS + 1)} if choice == "best" else {}
    condition = _condition(parameters, {**PROOF, "shift": ("left", "barrier"), **drawn})
    if condition is None:
        return ""
    found = "is" if choice == "levels" else "is expected to be"
    return f"{AT_ONCE} {found} at most 24 times the least possible without migration.{condition}"


def _proof_psrs(parameters: Mapping[str, Any]) -> str:
    """Return the guarantee of PSRS, which is proven for one V."""
    condition = _condition(parameters, {"V": (PSRS_V,)})
    text = f"For tasks of one machine, each a job: {AT_ONCE[0].lower()}{AT_ONCE[1:]} is at most 2.37 times the least."
    return "" if condition is None else text + condition


SYNCHPACK_1 = _synchpack(
    slug="synchpack-1",
    title="SynchPack-1",
    summary="Schedules fractions of a linear program greedily and runs them in slow motion; tasks migrate",
    parameters=(
        CAP,
        CHARGE,
        Choice("choice", "best", "How lambda is chosen.",
               {"best": "The best of all levels of the program", "random": "One draw"}),
        Real("epsilon", 0.5, "Growth of the intervals: smaller values are closer to the factor 6, but slower.",
             low=0.05, high=10.0),
        LAMBDA,
        Flag("shift", True, "Shift each piece to the earliest time at which it fits."),
        *INTERVALS,
    ),
    migrates=True,
    guarantee=_proof_1,
    runner=_planned("synchpack_1"),
)  # fmt: skip

SYNCHPACK_2 = _synchpack(
    slug="synchpack-2",
    title="SynchPack-2",
    summary="Rounds a linear program to one machine and interval a task, packs and shifts left; without preemption",
    parameters=(
        CAP,
        CHARGE,
        Choice("choice", "best", "How lambda is chosen.",
               {"best": "Best of 0.4, 0.6, 0.8, 1 and some draws", "random": "One draw",
                "levels": "Best of all levels of the program: slow"}),
        Whole("draws", 3, "Random values of lambda that are tried in addition to the fixed ones.", low=0, high=DRAWS),
        LAMBDA,
        Choice("matching", "any", "Which perfect matching.",
               {"earliest": "Least sum of interval ends", "any": "The first found"}),
        Choice("shift", "left", "The step after packing into intervals.",
               {"left": "Shift each task to when it first fits", "barrier": "None: intervals stay apart",
                "list": "One list without barriers; the proof does not cover it"}),
        *INTERVALS,
    ),
    guarantee=_proof_2,
    runner=_planned("synchpack_2"),
)  # fmt: skip

F = Real("f", 1.0, "Weight of a job's remaining volume relative to a task's size; the paper's value is unknown.",
         low=0.0, high=1e6)  # fmt: skip

PSRS = _entry(
    slug="psrs",
    title="PSRS",
    summary="Starts tasks by weight over volume on each machine; a wide task that waits too long preempts the others",
    source="U. Schwiegelshohn, Preemptive weighted completion time scheduling of parallel jobs, SIAM J. Comput. 33(6), "
    "2004",
    parameters=(
        Real("V", PSRS_V, "A wide task waits 1 / V of its time before it preempts.", low=0.0, high=1000.0, above=True),
    ),
    clairvoyant=True,
    one_machine=True,
    guarantee=_proof_psrs,
    runner=_policy("psrs"),
)

TETRIS_P = _tetris(
    slug="tetris-p",
    title="Tetris with preemption",
    summary="Packs by size and little remaining volume; at each end and arrival it chooses all running tasks again",
    parameters=(F,),
    one_machine=True,
    runner=_policy("tetris_p"),
)

TETRIS = _tetris(
    slug="tetris",
    title="Tetris",
    summary="Starts the best pair of task and machine that fits: by size and little volume left of the job",
    parameters=(
        F,
        Real("penalty", 0.0, "Factor on the score where the task is slower; 0: the ratio of its times.",
             low=0.0, high=1.0),
    ),
    runner=_policy("tetris"),
)  # fmt: skip

JSQ_MW = _entry(
    slug="jsq-mw",
    title="JSQ-MaxWeight",
    summary="Tasks join the shortest queue; a machine serves its own or the remote queue by length; ignores weights",
    source="W. Wang et al., MapTask scheduling in MapReduce with data locality, IEEE/ACM Trans. Networking 24(1), 2016",
    parameters=(
        Real("remote_factor", 2.0, "How many times longer remote tasks take, as assumed in the choice of a queue.",
             low=1.0, high=1000.0),
    ),
    runner=_policy("jsq_mw", "shadowtime.engine.families.multitask.known:known_tasks", draws=True),
)  # fmt: skip

ALGORITHMS = (SYNCHPACK_1, SYNCHPACK_2, SYNCHPACK_3, PSRS, TETRIS, TETRIS_P, JSQ_MW)
