"""Registry entries of the five algorithms for heterogeneous clusters."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

from shadowtime.engine.algorithm import Algorithm, proven
from shadowtime.engine.parameters import Choice, Flag, Parameter, Real, Whole
from shadowtime.engine.runner.makers import Scripted

SOURCE = "D. Collins and A. George, Parallel and Sequential Job Scheduling in Heterogeneous Clusters, 2001"

QUANTUM = Real(
    "quantum",
    0.0,
    "Plans are made at multiples of this time, if anything changed; 0: at every change.",
    low=0.0,
    high=1e9,
    unit="s",
)
PREEMPT = Choice(
    "preempt", "overlap", "When a running job of low priority is stopped and loses its work: if a slot of a "
    "high-priority job overlaps it, only if that slot begins before the next plan, or never.",
    {"overlap": "When a slot overlaps", "quantum": "When a slot begins soon", "never": "Never"},
)  # fmt: skip
THRESHOLD = Real(
    "threshold",
    1.0,
    "A low job that is expected to have done this share of its work is not stopped; 1: it may always be stopped.",
    low=0.0,
    high=1.0,
)
GAIN = Real(
    "gain",
    0.0,
    "A low job is stopped only if, when it is tested, that saves the waiting high jobs more than this in sum of "
    "completions, the paper's threshold on the potential gain; 0: whenever their slots overlap it.",
    low=0.0,
    high=1e9,
    unit="s",
    is_later=True,
)
AGING = Real(
    "aging", 0.0, "Waiting time after which a job is planned one level higher; 0: never.", low=0.0, high=1e9, unit="s"
)
LEARN = Flag("learn", False, "Whether measured times update the expected times of plans.")
BEST = Choice(
    "best",
    "completion",
    "Best machine for a job: that of the earliest completion, or of the shortest execution as the paper defines it, "
    "which queues every job of a class on one machine.",
    {"completion": "Earliest completion", "execution": "Shortest execution"},
)
PATIENCE = Whole(
    "patience",
    1,
    "Number of consecutive refused candidates for a cluster after which the plan is final; 1 in the paper; larger is "
    "better and slower.",
    low=1,
    high=100_000,
)
COMMON: tuple[Parameter, ...] = (QUANTUM, PREEMPT, THRESHOLD, GAIN, AGING, LEARN)


def _driver(rule: str) -> Callable[..., Any]:
    """Return a maker of the policy; numba is imported when it is called."""

    def make(**parameters: Any) -> Any:
        from shadowtime.engine.families.classed.policies.driver import SiteDriver

        return SiteDriver(rule, **parameters)

    return make


_classed = partial(Algorithm, family="classed", source=SOURCE, kinds=("classed",))


def _entry(slug: str, title: str, summary: str, *own: Parameter, guarantee: str = "") -> Algorithm:
    parameters, runner = (*own, *COMMON), Scripted(_driver(slug))
    return _classed(
        slug=slug, title=title, summary=summary, parameters=parameters, guarantee=proven(guarantee), runner=runner
    )


ALGORITHMS = (
    _entry("olb", "OLB", "Jobs in order of arrival, each on the machine that is free first"),
    _entry("min-min", "Min-min", "The job that can be completed first goes next", BEST),
    _entry("min-max", "Min-max", "The job whose best completion is latest goes next", BEST),
    _entry("sjs", "SJS", "Min-min or min-max, whichever has the smaller sum of completions", BEST),
    _entry(
        "pjs",
        "PJS",
        "Places the jobs that gain most on whole clusters, and the others around them with SJS",
        BEST,
        PATIENCE,
        guarantee="No planning call that uses PJS has more total job time than SJS for the same call; with arrivals, "
        "priorities or queues that have another algorithm a whole run may have more.",
    ),
)
