"""What the registry knows of SynchPack and its rivals."""

from __future__ import annotations

from engine.packing.order import ORDER
from engine.policies.algorithm import Algorithm
from engine.policies.packing.online import INTERVALS

PAPER = (
    "M. Shafiee and J. Ghaderi, Scheduling parallel-task jobs subject to packing and placement constraints, "
    "Operations Research 70(6), 2022"
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
    planner="engine.policies.packing.synchpack_3:plan",
)

PACKING = (SYNCHPACK_3,)
