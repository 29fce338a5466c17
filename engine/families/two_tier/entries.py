"""The three two-tier algorithms, to be read aloud."""

from __future__ import annotations

from shadowtime.engine.algorithm import Algorithm
from shadowtime.engine.parameters import Choice, Flag, Parameter, Real
from shadowtime.engine.runner.makers import Compiled

SOURCE = "X. Liu et al., Scheduling Parallel Jobs Using Migration and Consolidation in the Cloud, MPE 2012, 695757"

COMMON: tuple[Parameter, ...] = (
    Choice(
        "extra",
        "first",
        "Which ends count for the processors left over at the shadow time: only until the head has enough, as the "
        "paper's algorithm 1 says, or all up to then.",
        choices=("first", "all"),
        labels={"first": "First that suffice", "all": "All ends by then"},
    ),
    Choice(
        "loss",
        "shared",
        "When a foreground job pays its loss: while somebody sits behind it, or always.",
        choices=("shared", "always"),
        labels={"shared": "When shared", "always": "Always"},
    ),
    Real(
        "threshold",
        0.96,
        "A processor takes a background process while the usage in front is below this.",
        low=0.0,
        high=1.0,
        above=True,
    ),
    Flag(
        "usage_known",
        True,
        "Whether the scheduler sees CPU usages; if not, it takes 1 for serial jobs and 0.7 for each other process. "
        "Progress follows the true usages either way.",
    ),
)

MIGRATION_COST = Real("migration_cost", 20.0, "A job that migrates makes no progress for so long.", low=0.0, unit="s")

READING = Choice(
    "reading",
    "words",
    "Extra processors beside a reservation of a background job: those that do not host it, as the paper says in "
    "words, or the formula of its listing.",
    choices=("words", "formula"),
    labels={"words": "As in words", "formula": "As in the listing"},
)


def _runner(memory: str) -> Compiled:
    """The loop that all three share, with a memory of its own."""
    return Compiled(
        "shadowtime.engine.families.two_tier.policies.run:run_two_tier",
        f"shadowtime.engine.families.two_tier.policies.state:{memory}",
        keeps_rates=True,
    )


KEASY = Algorithm(
    slug="keasy",
    family="two tiers",
    title="KEASY",
    summary="Waiting jobs run in the background; killed there when their turn comes",
    source=SOURCE,
    kinds=("two_tier",),
    parameters=COMMON,
    runner=_runner("make_keasy"),
)

REASY = Algorithm(
    slug="reasy",
    family="two tiers",
    title="REASY",
    summary="... and never move or die: they wait for their own processors",
    source=SOURCE,
    kinds=("two_tier",),
    parameters=(*COMMON, READING),
    runner=_runner("make_reasy"),
)

MEASY = Algorithm(
    slug="measy",
    family="two tiers",
    title="MEASY",
    summary="... and migrate to the foreground instead, with their progress",
    source=SOURCE,
    kinds=("two_tier",),
    parameters=(*COMMON, MIGRATION_COST),
    runner=_runner("make_measy"),
)
