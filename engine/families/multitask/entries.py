"""What the registry knows of SynchPack and its rivals."""

from __future__ import annotations

from collections.abc import Mapping
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
    ("auto", "lp3", "cuts", "primal-dual"),
    {
        "auto": "LP3 in full to 50 jobs, by cutting planes to 500, then primal-dual",
        "lp3": "LP3 in full",
        "cuts": "LP3 by cutting planes",
        "primal-dual": "Combinatorially",
    },
)

PLANNERS = "shadowtime.engine.families.multitask.policies.planners"


def _planned(name: str) -> Planned:
    """A planner of tasks that share machines. It knows when jobs will arrive: its intervals follow from it."""
    return Planned(f"{PLANNERS}:plan_{name}", f"{PLANNERS}:warm_{name}", exclusive=False)


def _policy(name: str, view: str = "shadowtime.engine.workload.known:everything", *, draws: bool = False) -> Compiled:
    """A compiled policy of tasks that share machines, which sees `view` of the workload."""
    module = f"shadowtime.engine.families.multitask.policies.{name}"
    return Compiled(f"{module}:run_{name}", f"{module}:make", exclusive=False, view=view, draws=draws)


SYNCHPACK_3 = Algorithm(
    slug="synchpack-3",
    family="multitask",
    title="SynchPack-3",
    summary="Orders jobs by a linear program, packs their tasks by list with preemption; each task has its machine",
    source=PAPER,
    kinds=("multitask",),
    parameters=(ORDER, *INTERVALS),
    clairvoyant=True,
    one_machine=True,
    guarantee=proven("When all jobs are there at once, the weighted completion is at most 4 times the least possible."),
    online=False,
    runner=_planned("synchpack_3"),
)

CHARGE = Choice(
    "charge",
    "d0",
    "What the program charges for an end in the first interval.",
    ("d0", "zero"),
    {"d0": "Its length, on which the proofs rest", "zero": "Nothing, as printed"},
)
CAP = Choice(
    "cap",
    "task",
    "When slow motion stops a task: when all of it is done, or on each machine when its share there is.",
    ("task", "machine"),
    {"task": "All of it done", "machine": "Machine by machine, as printed"},
)
LAMBDA = Real("lambda", 0.0, "Speed of the slow motion; 0 leaves it to the choice.", low=0.0, high=1.0)


def _six_times(parameters: Mapping[str, Any]) -> str:
    """The guarantee of SynchPack-1, with its factor where epsilon is given."""
    said = (
        "When all jobs are there at once, the weighted completion is at most 6 (1 + epsilon) times the least possible"
    )
    if "epsilon" not in parameters:
        return f"{said}."
    epsilon = parameters["epsilon"]
    return f"{said}: {6.0 * (1.0 + epsilon):g} times with epsilon = {epsilon:g}."


SYNCHPACK_1 = Algorithm(
    slug="synchpack-1",
    family="multitask",
    title="SynchPack-1",
    summary="Schedules the fractions of a linear program greedily and plays them in slow motion; tasks migrate",
    source=PAPER,
    kinds=("multitask",),
    parameters=(
        CAP,
        CHARGE,
        Choice("choice", "best", "How lambda is chosen.", ("best", "random"),
               {"best": "The best of all levels of the program", "random": "One draw"}),
        Real("epsilon", 0.5, "By which share intervals grow: smaller is nearer to the factor 6, and slower.",
             low=0.05, high=10.0),
        LAMBDA,
        Flag("shift", True, "Each piece as early as it fits, none later."),
        *INTERVALS,
    ),
    clairvoyant=True,
    migrates=True,
    guarantee=_six_times,
    online=False,
    runner=_planned("synchpack_1"),
)  # fmt: skip

SYNCHPACK_2 = Algorithm(
    slug="synchpack-2",
    family="multitask",
    title="SynchPack-2",
    summary="Rounds a linear program to one machine and interval a task, packs and shifts left; nothing is taken off",
    source=PAPER,
    kinds=("multitask",),
    parameters=(
        CAP,
        CHARGE,
        Choice("choice", "best", "How lambda is chosen.", ("best", "random", "levels"),
               {"best": "Best of 0.4, 0.6, 0.8, 1 and some draws", "random": "One draw",
                "levels": "Best of all levels of the program: slow"}),
        Whole("draws", 3, "Random values of lambda that are tried beside the fixed ones.", low=0, high=1000),
        LAMBDA,
        Choice("matching", "any", "Which perfect matching.", ("earliest", "any"),
               {"earliest": "Intervals that end earliest in sum", "any": "The first found"}),
        Choice("shift", "left", "What follows the packing into intervals.", ("left", "barrier", "list"),
               {"left": "Each task as early as it fits, none later", "barrier": "Nothing: intervals stay apart",
                "list": "One list without barriers, which the proof does not cover"}),
        *INTERVALS,
    ),
    clairvoyant=True,
    guarantee=proven(
        "When all jobs are there at once, the weighted completion is expected to be at most 24 times the least "
        "possible without migration, for lambda drawn."
    ),
    online=False,
    runner=_planned("synchpack_2"),
)  # fmt: skip

F = Real("f", 1.0, "How much the volume left of a job counts beside the size of a task; the paper's value is lost.",
         low=0.0, high=1e6)  # fmt: skip

PSRS = Algorithm(
    slug="psrs",
    family="multitask",
    title="PSRS",
    summary="Tasks by weight over volume on each machine; a wide one that waits too long preempts the others",
    source="U. Schwiegelshohn, Preemptive weighted completion time scheduling of parallel jobs, SIAM J. Comput. 33(6), "
    "2004",
    kinds=("multitask",),
    parameters=(
        Real("V", 0.836, "A wide task waits 1 / V of its time before it preempts.", low=0.0, high=1000.0, above=True),
    ),
    clairvoyant=True,
    one_machine=True,
    guarantee=proven(
        "For tasks of one machine, each a job, the weighted completion is at most 2.37 times the least possible."
    ),
    runner=_policy("psrs"),
)

TETRIS_P = Algorithm(
    slug="tetris-p",
    family="multitask",
    title="Tetris with preemption",
    summary="Packs by size and by how little is left of the job; everything is taken off and chosen again at each end",
    source="R. Grandl et al., Multi-resource packing for cluster schedulers, SIGCOMM 2014, with weights",
    kinds=("multitask",),
    parameters=(F,),
    clairvoyant=True,
    one_machine=True,
    runner=_policy("tetris_p"),
)

TETRIS = Algorithm(
    slug="tetris",
    family="multitask",
    title="Tetris",
    summary="Starts the task and machine with the best score that fits: size and how little is left of the job",
    source="R. Grandl et al., Multi-resource packing for cluster schedulers, SIGCOMM 2014, with weights",
    kinds=("multitask",),
    parameters=(
        F,
        Real("penalty", 0.0, "Factor on the score where the task takes longer; 0 is the ratio of its times.",
             low=0.0, high=1.0),
    ),
    clairvoyant=True,
    runner=_policy("tetris"),
)  # fmt: skip

JSQ_MW = Algorithm(
    slug="jsq-mw",
    family="multitask",
    title="JSQ-MaxWeight",
    summary="Tasks join the shortest queue; a machine serves its own or the remote one by length; no weights",
    source="W. Wang et al., MapTask scheduling in MapReduce with data locality, IEEE/ACM Trans. Networking 24(1), 2016",
    kinds=("multitask",),
    parameters=(
        Real("remote_factor", 2.0, "How many times longer remote tasks take, as the choice of queues sees it.",
             low=1.0, high=1000.0),
    ),
    runner=_policy("jsq_mw", "shadowtime.engine.families.multitask.known:known_tasks", draws=True),
)  # fmt: skip

ALGORITHMS = (SYNCHPACK_1, SYNCHPACK_2, SYNCHPACK_3, PSRS, TETRIS, TETRIS_P, JSQ_MW)
