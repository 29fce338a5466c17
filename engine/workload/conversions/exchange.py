"""The compiled step of `tsafrir.assign`."""

from __future__ import annotations

from shadowtime.engine.kernel.cache import compiled


@compiled
def exchange(values, others):
    """Exchange `values[i]` with `values[others[i]]`, for each i in turn."""
    for place in range(len(values)):
        other = others[place]
        values[place], values[other] = values[other], values[place]
