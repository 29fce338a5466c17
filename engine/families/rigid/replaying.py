"""Registry entry of the schedule that a log recorded."""

from __future__ import annotations

from shadowtime.engine.algorithm import Algorithm
from shadowtime.engine.families.rigid.entries import POLICIES, rigid
from shadowtime.engine.runner.makers import Planned

ALGORITHMS: tuple[Algorithm, ...] = (
    rigid(
        slug="recorded",
        kinds=("rigid",),
        title="Recorded",
        summary="Shows what happened: the starts and ends that the log recorded, on its nodes where it names them",
        source="The log; fields as in S. Chapin et al., Benchmarks and standards for job schedulers, JSSPP 1999",
        clairvoyant=True,
        needs_record=True,
        runner=Planned(
            planner=f"{POLICIES}.replaying.recorded:make_plan",
            warm=f"{POLICIES}.replaying.recorded:warm",
        ),
    ),
)
