"""The compiled step of `tsafrir.assign`."""

from __future__ import annotations

from shadowtime.engine.kernel.cache import compiled


@compiled
def exchange(values, others):
    """Exchange each value, in turn, with the one at the place that `others` has for it."""
    for place in range(len(values)):
        other = others[place]
        values[place], values[other] = values[other], values[place]
