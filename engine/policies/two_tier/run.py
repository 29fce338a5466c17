"""KEASY, REASY and MEASY are one compiled run; the policy is a word of its memory."""

from __future__ import annotations

from engine.kernel.cache import compiled
from engine.kernel.loop import drive
from engine.policies.two_tier.rates import two_tier_rates
from engine.policies.two_tier.steps import decide


@compiled
def run_two_tier(s, t, budget):
    """Advance the run by about `budget` acts; True while there is more to do."""
    return drive(s, t, decide, two_tier_rates, budget)
