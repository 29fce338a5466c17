"""Registry entries of the moldable algorithms."""

from __future__ import annotations

from functools import partial
from typing import Any

from shadowtime.engine.algorithm import Algorithm, proven
from shadowtime.engine.parameters import Choice, Flag, Parameter, Real, Whole
from shadowtime.engine.runner.makers import Planned

PLANNERS = "shadowtime.engine.families.moldable.policies.planners"

SOURCE = "Dutot, Eyraud, Mounié and Trystram, Bi-criteria algorithm for scheduling jobs on cluster platforms, SPAA 2004"
SHELVES = "Mounié, Rapine and Trystram, A 3/2-approximation for independent monotonic malleable tasks, SICOMP 37, 2007"
ONLINE = "Jobs that arrive over time are scheduled in batches: all that arrived, when the batch before is over."

ACCURACY = Real(
    "accuracy",
    1e-3,
    "Relative accuracy of the search for the smallest accepted guess of the makespan.",
    low=1e-12,
    high=1.0,
)


_moldable = partial(Algorithm, family="moldable", kinds=("moldable",), clairvoyant=True)


def entry(slug: str, title: str, summary: str, source: str = SOURCE, guarantee: str = "",
          parameters: tuple[Parameter, ...] = (ACCURACY,), warm: str = "shelves",
          **more: Any) -> Algorithm:  # fmt: skip
    """Return the entry of an algorithm of this family."""
    runner = Planned(f"{PLANNERS}:plan_{slug.replace('-', '_')}", f"{PLANNERS}:warm_{warm}")
    made = partial(_moldable, slug=slug, title=title, summary=summary, source=source)
    return made(parameters=parameters, guarantee=proven(guarantee), runner=runner, **more)


DEMT = entry(
    "demt",
    "DEMT",
    "Batches of doubling length, each with the heaviest jobs that fit, compacted afterwards",
    parameters=(
        Choice("criterion", "minsum", "Criterion that selects the final schedule.",
               {"minsum": "Weighted completion", "makespan": "Makespan", "product": "A product of both"}),
        Real("balance", 0.5, "Exponent of the weighted completion in the product; that of the makespan is 1 minus it.",
             low=0.0, high=1.0),
        Choice("final", "best", "Final schedule: the batches as they are, each job pulled forward, list scheduling in "
               "their order, the same with shuffled batches, or the best of the last three.",
               {"best": "Best of three", "basic": "Batches as they are", "pull-forward": "Pulled forward",
                "compaction": "List scheduling", "shuffled": "List scheduling, batches shuffled"}),
        Whole("shuffles", 10, "Number of shuffled orders of the batches.", low=1, high=10_000),
        Choice("shuffle", "neighbours", "How a shuffled order is drawn.",
               {"neighbours": "One or two swaps of neighbouring batches", "batches": "A random order of all batches",
                "jobs": "A random order of the jobs inside each batch"}, is_later=True),
        Flag("merge", True, "Whether short jobs are stacked on one processor before a batch is filled."),
        Choice("local_order", "time", "Order inside a batch for list scheduling: by weight over time or over area.",
               {"time": "Weight over time", "area": "Weight over processors x time"}),
        ACCURACY,
    ),
    warm="demt",
)  # fmt: skip

DUAL = entry(
    "dual",
    "Two shelves",
    "The dual approximation: long jobs on one shelf, short ones on a second, small ones between",
    SHELVES,
    "If all jobs are released at once and are monotonic, the makespan is at most 3/2 (1 + accuracy) × "
    "optimal, or 2 (1 + accuracy) × optimal if jobs have a minimum number of processors; for jobs that arrive over "
    "time, at most twice that.",
)

ALGORITHMS = (
    DEMT,
    DUAL,
    entry("gang", "Gang", "All processors for one job after another, by decreasing weight over time",
          guarantee="Weighted completion is optimal if all jobs have perfect speed-up and arrive at once.",
          parameters=(), warm="plain", instead=dict.fromkeys(("rigid", "fractional", "two_tier"), "ousterhout")),
    entry("sequential", "Sequential", "One processor per job, or its minimum, the longest first",
          parameters=(), warm="plain"),
    entry("list-shelf", "List of shelves", "List scheduling on the allotments of the two shelves, shelf by shelf"),
    entry("list-lptf", "List, longest first", "List scheduling on the same allotments, by rising weight over time"),
    entry("list-saf", "List, smallest area first", "List scheduling on the same allotments, by rising area"),
    entry("list-wspt", "List, Smith's order", "List scheduling on the same allotments, by falling weight over time",
          "Smith, Various optimizers for single-stage production, Naval Research Logistics 3, 1956"),
)  # fmt: skip
"""In the order of the study."""
