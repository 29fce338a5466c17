"""First come, first served."""

from __future__ import annotations

from shadowtime.engine.families.rigid.policies.steps import apply_events, fits, has_head, start
from shadowtime.engine.kernel.cache import compiled, inner
from shadowtime.engine.kernel.loop import drive, nothing


@inner
def start_heads(s, q):
    """Start jobs strictly in submission order; stop at the first that does not fit."""
    while has_head(q) and fits(s, q, q.m[0].head):
        start(s, q, q.m[0].head)


@inner
def decide(s, q):
    """Start jobs in submission order after the events of the instant."""
    apply_events(s, q, start_heads)


@compiled
def run_fcfs(s, q, budget):
    """Advance the run by about `budget` acts; True while there is more to do."""
    return drive(s, q, decide, nothing, budget)
