"""The compiled run of KEASY, REASY and MEASY; a field of its memory selects the policy."""

from __future__ import annotations

from shadowtime.engine.families.two_tier.policies.rates import two_tier_rates
from shadowtime.engine.families.two_tier.policies.steps import decide
from shadowtime.engine.kernel.cache import compiled
from shadowtime.engine.kernel.loop import drive


@compiled
def run_two_tier(s, t, budget):
    """Advance the run by about `budget` acts; True while there is more to do."""
    return drive(s, t, decide, two_tier_rates, budget)
