"""FCFS and EASY as the registry lists them. Numba is not imported here: `shadowtime list` stays quick."""

from __future__ import annotations

from shadowtime.engine.algorithm import Algorithm, proven
from shadowtime.engine.parameters import Choice
from shadowtime.engine.runner.makers import Compiled

STATE = "shadowtime.engine.families.rigid.policies.state:make"

BATCH_KINDS = ("rigid", "fractional", "two_tier")

EVENT_ORDER = Choice(
    "event_order",
    "instant",
    "How many decisions an instant gets: one after all its ends and submissions, or one per event, "
    "submissions first, as some published simulators do.",
    choices=("instant", "submissions-first"),
    labels={"instant": "Once per instant", "submissions-first": "Per event, submissions first"},
)

OVERRUN = Choice(
    "overrun",
    "run",
    "What happens to a job that outruns its request: it goes on to its logged runtime, or is ended at the request.",
    choices=("run", "kill"),
    labels={"run": "Goes on", "kill": "Ended at the request"},
)

EXTRA = Choice(
    "extra",
    "all",
    "Which ends count for the processors left over at the shadow time: all up to then, or only until the head "
    "has enough.",
    choices=("all", "first"),
    labels={"all": "All ends by then", "first": "First that suffice"},
)

ALGORITHMS: tuple[Algorithm, ...] = (
    Algorithm(
        slug="fcfs",
        family="rigid",
        title="FCFS",
        summary="In order of submission; nobody overtakes",
        source="Schwiegelshohn and Yahyapour, Analysis of first-come-first-serve parallel job scheduling, SODA 1998",
        kinds=BATCH_KINDS,
        parameters=(EVENT_ORDER, OVERRUN),
        runner=Compiled("shadowtime.engine.families.rigid.policies.fcfs:run_fcfs", STATE),
    ),
    Algorithm(
        slug="easy",
        family="rigid",
        title="EASY",
        summary="Backfills while the first in the queue keeps its reservation",
        source="D. Lifka, The ANL/IBM SP scheduling system, JSSPP 1995",
        kinds=BATCH_KINDS,
        parameters=(EVENT_ORDER, EXTRA, OVERRUN),
        kind_defaults={"two_tier": {"extra": "first"}},
        guarantee=proven(
            "The first job in the queue never starts later than its reservation, when no job runs longer than it asked "
            "for."
        ),
        runner=Compiled("shadowtime.engine.families.rigid.policies.easy:run_easy", STATE),
    ),
)
