"""What the registry knows of SynchPack and its rivals."""

from __future__ import annotations

from engine.parameters import Choice, Flag, Real, Whole
from engine.policies.algorithm import Algorithm
from engine.policies.packing.online import INTERVALS

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

RUN = "engine.policies.packing.execute:run_pieces"

SYNCHPACK_3 = Algorithm(
    slug="synchpack-3",
    family="packing",
    title="SynchPack-3",
    summary="Orders jobs by a linear program, packs their tasks by list with preemption; each task has its machine",
    source=PAPER,
    kinds=("multitask",),
    parameters=(ORDER, *INTERVALS),
    exclusive=False,
    clairvoyant=True,
    one_machine=True,
    guarantee="When all jobs are there at once, the weighted completion is at most 4 times the least possible.",
    runner=RUN,
    packer="engine.policies.packing.synchpack_3:plan",
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

SYNCHPACK_1 = Algorithm(
    slug="synchpack-1",
    family="packing",
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
    exclusive=False,
    clairvoyant=True,
    migrates=True,
    guarantee="When all jobs are there at once, the weighted completion is at most 6 (1 + epsilon) times the least "
    "possible.",
    runner=RUN,
    packer="engine.policies.packing.synchpack_1:plan",
)  # fmt: skip

SYNCHPACK_2 = Algorithm(
    slug="synchpack-2",
    family="packing",
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
    exclusive=False,
    clairvoyant=True,
    guarantee="When all jobs are there at once, the weighted completion is expected to be at most 24 times the least "
    "possible without migration, for lambda drawn.",
    runner=RUN,
    packer="engine.policies.packing.synchpack_2:plan",
)  # fmt: skip

PACKING = (SYNCHPACK_1, SYNCHPACK_2, SYNCHPACK_3)
