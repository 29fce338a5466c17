"""What the registry knows of SynchPack and its rivals."""

from __future__ import annotations

from engine.parameters import Choice
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

PACKING = (SYNCHPACK_3,)
