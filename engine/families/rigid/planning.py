"""Registry entry of the plan-based policy."""

from __future__ import annotations

from shadowtime.engine.algorithm import Algorithm
from shadowtime.engine.families.rigid.backfilling import CORRECTION, PREDICTION
from shadowtime.engine.families.rigid.entries import EVENT_ORDER, OVERRUN, POLICIES, rigid
from shadowtime.engine.parameters import Choice, Real, Whole
from shadowtime.engine.runner.makers import Compiled

OBJECTIVE = Choice(
    "objective",
    "wait",
    "What a plan makes small: the sum of waits, or of bounded slowdowns (by predicted run times, 10 s at least).",
    {"wait": "Sum of waits", "slowdown": "Sum of bounded slowdowns"},
)
ITERATIONS = Whole("iterations", 180, "Plans that simulated annealing tries at a pass.", low=0, high=1_000_000)
STEPS = Whole("steps", 6, "Plans tried at each temperature.", low=1, high=1_000_000)
COOLING = Real("cooling", 0.9, "Factor from one temperature to the next.", low=0.0, high=1.0, above=True)

ALGORITHMS: tuple[Algorithm, ...] = (
    rigid(
        slug="plan",
        title="Plan",
        summary="Plans all waiting jobs in the best order that simulated annealing finds; starts those planned for now",
        source="X. Zheng et al., Exploring plan-based scheduling for large-scale computing systems, CLUSTER 2016",
        parameters=(OBJECTIVE, ITERATIONS, STEPS, COOLING, PREDICTION, CORRECTION, EVENT_ORDER, OVERRUN),
        clairvoyant_with={"prediction": "actual"},
        runner=Compiled(
            f"{POLICIES}.planning.plan:run_plan",
            f"{POLICIES}.planning.state:make",
            {"order": "fcfs", "has_profile": True},
            columns={"predicted": "predicted"},
            draws=True,
        ),
    ),
)
