"""Small steps on arrays that several policies take."""

from __future__ import annotations

from shadowtime.engine.kernel.cache import inner


@inner
def insert_sorted(values, count, value):
    """Put `value` into the first `count` values, which ascend, behind its equals. O(count), O(1) at the end."""
    at = count
    while at > 0 and values[at - 1] > value:
        values[at] = values[at - 1]
        at -= 1
    values[at] = value
