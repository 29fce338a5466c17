"""Registry entries of the three two-tier algorithms."""

from __future__ import annotations

from functools import partial

from shadowtime.engine.algorithm import Algorithm
from shadowtime.engine.parameters import Choice, Flag, Parameter, Real
from shadowtime.engine.runner.makers import Compiled

SOURCE = "X. Liu et al., Scheduling Parallel Jobs Using Migration and Consolidation in the Cloud, MPE 2012, 695757"

COMMON: tuple[Parameter, ...] = (
    Choice(
        "extra",
        "first",
        "Which ends count for the extra processors at the shadow time: ends until the head of the queue has enough, as "
        "in the paper's algorithm 1, or all ends up to then.",
        {"first": "First that suffice", "all": "All ends by then"},
    ),
    Choice(
        "loss",
        "shared",
        "When a foreground job has its loss: while a background job shares a processor with it, or always.",
        {"shared": "While shared", "always": "Always"},
    ),
    Real(
        "threshold",
        0.96,
        "A processor takes a background process while the usage of its foreground process is below this.",
        low=0.0,
        high=1.0,
        above=True,
    ),
    Flag(
        "usage_known",
        True,
        "Whether the scheduler sees CPU usages; if not, it assumes 1 for serial jobs and 0.7 for each other process. "
        "Progress depends on the true usages in either case.",
    ),
)

POLICIES = "shadowtime.engine.families.two_tier.policies"

MIGRATION_COST = Real("migration_cost", 20.0, "Time without progress of a job that migrates.", low=0.0, unit="s")

READING = Choice(
    "reading",
    "words",
    "Extra processors at the reservation of a background job: those that do not host it, as in the text of the paper, "
    "or the formula of its listing.",
    {"words": "As in the text", "formula": "As in the listing"},
)

REFUSAL = Choice(
    "refusal",
    "stop",
    "Step 1 after a background job that cannot come to the foreground because its own processors are busy: stop there, "
    "or continue with the next job, as the paper's algorithm 1 is printed.",
    {"stop": "Stop", "continue": "Continue, as in the listing"},
    is_later=True,
)

_two_tier = partial(Algorithm, family="two_tier", source=SOURCE, kinds=("two_tier",))


def _entry(slug: str, title: str, summary: str, *own: Parameter) -> Algorithm:
    """Return the entry of an algorithm; all three share the compiled loop."""
    runner = Compiled(f"{POLICIES}.run:run_two_tier", f"{POLICIES}.state:make", {"policy": slug}, keeps_rates=True)
    return _two_tier(slug=slug, title=title, summary=summary, parameters=(*COMMON, *own), runner=runner)


KEASY = _entry(
    "keasy", "KEASY", "Waiting jobs run in the background and are killed when their turn in the foreground comes"
)
REASY = _entry(
    "reasy",
    "REASY",
    "As KEASY, but background jobs wait for their own processors: never killed or moved",
    READING,
    REFUSAL,
)
MEASY = _entry(
    "measy", "MEASY", "As KEASY, but background jobs migrate to the foreground and keep their progress", MIGRATION_COST
)
