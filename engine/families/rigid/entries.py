"""Registry entries of FCFS and EASY. Numba is not imported here, so that `shadowtime list` is fast."""

from __future__ import annotations

from functools import partial

from shadowtime.engine.algorithm import Algorithm, proven
from shadowtime.engine.parameters import Choice
from shadowtime.engine.runner.makers import Compiled

POLICIES = "shadowtime.engine.families.rigid.policies"

BATCH_KINDS = ("rigid", "fractional", "two_tier")

EVENT_ORDER = Choice(
    "event_order",
    "instant",
    "Number of decisions per instant: one after all its ends and submissions, or one per event, submissions first, "
    "as in some published simulators.",
    {"instant": "Once per instant", "submissions-first": "Per event, submissions first"},
)

OVERRUN = Choice(
    "overrun",
    "run",
    "What happens to a job that exceeds its requested time: it runs on to its logged runtime, or ends at the request.",
    {"run": "Runs on", "kill": "Ended at the request"},
)

EXTRA = Choice(
    "extra",
    "all",
    "Which ends count for the extra processors at the shadow time: all ends up to then, or only until the head of "
    "the queue has enough.",
    {"all": "All ends by then", "first": "First that suffice"},
)

rigid = partial(Algorithm, family="rigid", kinds=BATCH_KINDS)
"""Makes the entry of an algorithm of this family."""

ALGORITHMS: tuple[Algorithm, ...] = (
    rigid(
        slug="fcfs",
        title="FCFS",
        summary="Starts jobs strictly in order of submission",
        source="Schwiegelshohn and Yahyapour, Analysis of first-come-first-serve parallel job scheduling, SODA 1998",
        parameters=(EVENT_ORDER, OVERRUN),
        runner=Compiled(f"{POLICIES}.fcfs:run_fcfs", f"{POLICIES}.state:make"),
    ),
    rigid(
        slug="easy",
        title="EASY",
        summary="Backfills jobs that do not delay the reservation of the first job in the queue",
        source="D. Lifka, The ANL/IBM SP scheduling system, JSSPP 1995",
        parameters=(EVENT_ORDER, EXTRA, OVERRUN),
        kind_defaults={"two_tier": {"extra": "first"}},
        guarantee=proven(
            "The first job in the queue never starts later than its reservation, if no job exceeds its requested time."
        ),
        runner=Compiled(f"{POLICIES}.easy:run_easy", f"{POLICIES}.state:make"),
    ),
)
