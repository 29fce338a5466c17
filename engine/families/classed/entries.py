"""The five algorithms of heterogeneous clusters, to be read aloud."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from shadowtime.engine.algorithm import Algorithm, proven
from shadowtime.engine.parameters import Choice, Flag, Parameter, Real, Whole
from shadowtime.engine.runner.makers import Scripted

SOURCE = "D. Collins and A. George, Parallel and Sequential Job Scheduling in Heterogeneous Clusters, 2001"

QUANTUM = Real(
    "quantum",
    0.0,
    "Plans are made at multiples of this time, if something is new; 0: whenever something is.",
    low=0.0,
    high=1e9,
    unit="s",
)
PREEMPT = Choice(
    "preempt",
    "overlap",
    "When a running job of low priority makes way and loses its work: when a slot of a high one overlaps it, only when "
    "that slot begins before the next plan, or never.",
    choices=("overlap", "quantum", "never"),
    labels={"overlap": "When a slot overlaps", "quantum": "When a slot begins soon", "never": "Never"},
)
THRESHOLD = Real(
    "threshold",
    1.0,
    "A low job that is expected to have done this share of its work is not stopped any more; 1: it always may be.",
    low=0.0,
    high=1.0,
)
AGING = Real(
    "aging", 0.0, "A job that waited so long is planned one level higher; 0: never.", low=0.0, high=1e9, unit="s"
)
LEARN = Flag("learn", False, "Whether measured times enter the experience that plans rest on.")
BEST = Choice(
    "best",
    "completion",
    "What makes a machine the best for a job: the earliest completion there, or the shortest execution as the paper "
    "defines it, which queues every job of a class on one machine.",
    choices=("completion", "execution"),
    labels={"completion": "Earliest completion", "execution": "Shortest execution"},
)
PATIENCE = Whole(
    "patience",
    1,
    "Candidates for a cluster that are refused one after the other before the plan stands; the paper stops at the "
    "first, more is better and slower.",
    low=1,
    high=100_000,
)
COMMON: tuple[Parameter, ...] = (QUANTUM, PREEMPT, THRESHOLD, AGING, LEARN)


def _driver(rule: str) -> Callable[..., Any]:
    """Makes the policy when it is asked for, and loads numba only then."""

    def make(**parameters: Any) -> Any:
        from shadowtime.engine.families.classed.policies.driver import SiteDriver

        return SiteDriver(rule, **parameters)

    return make


def _entry(slug: str, title: str, summary: str, own: tuple[Parameter, ...], guarantee: str = "") -> Algorithm:
    return Algorithm(
        slug=slug,
        family="classed",
        title=title,
        summary=summary,
        source=SOURCE,
        kinds=("classed",),
        parameters=(*own, *COMMON),
        guarantee=proven(guarantee),
        runner=Scripted(_driver(slug)),
    )


OLB = _entry("olb", "OLB", "In order of arrival, each to the machine that is free first", ())
MIN_MIN = _entry("min-min", "Min-min", "The job that can be completed first goes next", (BEST,))
MIN_MAX = _entry("min-max", "Min-max", "The job whose best completion is latest goes next", (BEST,))
SJS = _entry("sjs", "SJS", "Min-min or min-max, whichever takes less in all", (BEST,))
PJS = _entry(
    "pjs",
    "PJS",
    "Sends the jobs that gain most to whole clusters, and the others around them with SJS",
    (BEST, PATIENCE),
    "No planning call gives more total job time than SJS would have there; with arrivals or priorities the whole run "
    "may.",
)
ALGORITHMS = (OLB, MIN_MIN, MIN_MAX, SJS, PJS)
