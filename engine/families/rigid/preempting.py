"""Registry entries of the policies that pause rigid jobs."""

from __future__ import annotations

from shadowtime.engine.algorithm import Algorithm
from shadowtime.engine.families.rigid.entries import BATCH_KINDS, OVERRUN, POLICIES
from shadowtime.engine.parameters import Real
from shadowtime.engine.runner.makers import Compiled

FOLDER = f"{POLICIES}.preempting"

SF = Real(
    "sf",
    2.0,
    "Suspension factor: how many times the expansion factor of a running job a waiting one must have to suspend it.",
    low=1.0,
    high=1e9,
)
PERIOD = Real("period", 60.0, "Time between two passes while a job waits.", low=0.0, high=1e9, unit="s", above=True)

ALGORITHMS: tuple[Algorithm, ...] = (
    Algorithm(
        slug="ss-easy",
        family="rigid",
        kinds=BATCH_KINDS,
        title="Selective suspension",
        summary="EASY in which a job that has waited long for its length suspends running ones; they resume in place",
        source="R. Kettimuthu et al., Selective preemption strategies for parallel job scheduling, IJHPCN 3, 2005",
        parameters=(SF, PERIOD, OVERRUN),
        runner=Compiled(f"{FOLDER}.suspend:run_suspend", f"{FOLDER}.state:make"),
    ),
)
