"""Registry entries of the 116 fractional algorithms; lists show those of the paper's table 2."""

from __future__ import annotations

from shadowtime.engine.algorithm import Algorithm
from shadowtime.engine.families.fractional.names import Variant, has_mcb8, variants
from shadowtime.engine.parameters import Real
from shadowtime.engine.runner.makers import Compiled

SOURCE = "H. Casanova et al., Dynamic Fractional Resource Scheduling vs. Batch Scheduling, INRIA RR-7659, 2011"

POLICIES = "shadowtime.engine.families.fractional.policies"

PERIOD = Real("period", 600.0, "Time between two repackings of all jobs.", low=0.001, high=1e9, unit="s")
PENALTY = Real(
    "penalty", 300.0, "Time without progress of a job that resumes or migrates.", low=0.0, high=1e9, unit="s"
)

SHOWN = (
    *("Greedy*/opt=min", "GreedyP*/opt=min", "GreedyPM*/opt=min"),
    *("Greedy/per/opt=min", "GreedyP/per/opt=min", "GreedyPM/per/opt=min"),
    *("Greedy*/per/opt=min", "GreedyP*/per/opt=min", "GreedyPM*/per/opt=min"),
    *("GreedyP/per/opt=min/minvt=600", "GreedyPM/per/opt=min/minvt=600"),
    *("GreedyP*/per/opt=min/minvt=600", "GreedyPM*/per/opt=min/minvt=600"),
    *("MCB8*/opt=min/minvt=600", "MCB8/per/opt=min/minvt=600", "MCB8*/per/opt=min/minvt=600"),
    *("/per/opt=min/minvt=600", "/stretch-per/opt=max/minvt=600"),
)
"""The paper's table 2: its best algorithms, and one of each other row."""

_SUBMISSION = {
    "Greedy": "jobs start where memory and load allow",
    "GreedyP": "jobs start where memory and load allow, pausing less important ones",
    "GreedyPM": "jobs start where memory and load allow, moving or pausing less important ones",
    "MCB8": "all jobs are repacked",
    "": "jobs wait",
}
_OPTIMUM = {
    "min": "the smallest yield is made as large as possible",
    "avg": "the mean yield is made as large as possible",
    "max": "the largest predicted stretch is made as small as possible",
}
_LIMIT = {"minft": "a flow time", "minvt": "a virtual time"}


def summary(variant: Variant) -> str:
    """Return one sentence: what happens at which events, and how CPU is shared."""
    parts = [f"On submission {_SUBMISSION[variant.submission]}"]
    if variant.on_completion:
        parts.append(f"on completion {'again' if variant.submission == 'MCB8' else 'waiting and paused ones start'}")
    if variant.periodic:
        aim = " for the smallest stretch" if variant.periodic == "stretch-per" else ""
        parts.append(f"every period all jobs are repacked{aim}")
    goal = "mean predicted stretch is made as small as possible" if variant.periodic == "stretch-per" else ""
    parts.append(f"the {goal}" if goal and variant.optimum == "avg" else _OPTIMUM[variant.optimum])
    if variant.limit:
        parts.append(f"packing moves no running job below {_LIMIT[variant.limit]} of {variant.bound:g} s")
    return "; ".join(parts)


def entry(variant: Variant) -> Algorithm:
    """Return the registry entry of one variant."""
    return Algorithm(
        slug=variant.name.lower(),
        family="fractional",
        title=variant.name,
        summary=summary(variant),
        source=SOURCE,
        kinds=("fractional",),
        parameters=(PERIOD, PENALTY) if variant.periodic else (PENALTY,),
        listed=variant.name in SHOWN,
        runner=Compiled(f"{POLICIES}.run:run_fractional", f"{POLICIES}.state:make", options(variant), exclusive=False),
    )


def options(variant: Variant) -> dict[str, str | float | bool]:
    """Return the options of a variant for the memory of a run."""
    return {
        "submission": variant.submission,
        "on_completion": variant.on_completion,
        "periodic": variant.periodic,
        "optimum": variant.optimum,
        "limit": variant.limit if has_mcb8(variant.row) else "",
        "bound": variant.bound,
    }


ALGORITHMS: tuple[Algorithm, ...] = tuple(entry(variant) for variant in variants())
