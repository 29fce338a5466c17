"""First come, first served."""

from __future__ import annotations

from shadowtime.engine.families.rigid.policies.steps import (
    earliest_started,
    enqueue,
    fits,
    forget_row,
    has_head,
    row_of,
    start,
    take_back,
)
from shadowtime.engine.kernel.cache import compiled, inner
from shadowtime.engine.kernel.loop import drive, nothing


@inner
def start_heads(s, q):
    """Start jobs strictly in submission order; stop at the first that does not fit."""
    while has_head(q) and fits(s, q, q.m[0].head):
        start(s, q, q.m[0].head)


@inner
def decide(s, q):
    """One decision per instant, or one per event: submissions first, then ends in the order of their starts."""
    k = s.k[0]
    take_back(s, q)
    if q.m[0].one_by_one:
        for i in range(k.arrived_first, k.arrived_last):
            enqueue(s, q, i)
            start_heads(s, q)
        for _ in range(k.ended):
            forget_row(q, earliest_started(s, q))
            start_heads(s, q)
        return
    for y in range(k.ended):
        forget_row(q, row_of(s, q, s.ended[y]))
    for i in range(k.arrived_first, k.arrived_last):
        enqueue(s, q, i)
    start_heads(s, q)


@compiled
def run_fcfs(s, q, budget):
    """Advance the run by about `budget` acts; True while there is more to do."""
    return drive(s, q, decide, nothing, budget)
