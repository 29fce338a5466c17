"""Registry entries of the policies that pause rigid jobs."""

from __future__ import annotations

from shadowtime.engine.algorithm import Algorithm
from shadowtime.engine.families.rigid.entries import OVERRUN, POLICIES, rigid
from shadowtime.engine.parameters import Flag, Real, Whole
from shadowtime.engine.runner.makers import Compiled

FOLDER = f"{POLICIES}.preempting"

SF = Real(
    "sf",
    2.0,
    "Suspension factor: how many times the expansion factor of a running job a waiting one must have to suspend it.",
    low=1.0,
    high=1e9,
)
PERIOD = Real("period", 60.0, "Time between two passes while a job waits.", low=0.001, high=1e9, unit="s")

LEVEL = Whole("level", 3, "Multiprogramming level: rows of the matrix, at most.", low=1, high=10)
SLICE = Real("slice", 600.0, "Time that a row has before the next one.", low=0.001, high=1e9, unit="s")
FILL = Flag("fill", True, "Whether jobs of other rows run along where all their processors are free.")

ALGORITHMS: tuple[Algorithm, ...] = (
    rigid(
        slug="ss-easy",
        title="Selective suspension",
        summary="EASY in which a job that has waited long for its length suspends running ones; they resume in place",
        source="R. Kettimuthu et al., Selective preemption strategies for parallel job scheduling, IJHPCN 3, 2005",
        parameters=(SF, PERIOD, OVERRUN),
        runner=Compiled(f"{FOLDER}.suspend:run_suspend", f"{FOLDER}.state:make"),
    ),
    rigid(
        slug="ousterhout",
        title="Ousterhout matrix",
        summary="Gang scheduling: jobs share processors in time slots, the rows of a matrix, which take turns",
        source="D. G. Feitelson, Packing schemes for gang scheduling, JSSPP 1996",
        parameters=(LEVEL, SLICE, FILL, OVERRUN),
        runner=Compiled(f"{FOLDER}.ousterhout:run_ousterhout", f"{FOLDER}.matrix_state:make"),
    ),
)
