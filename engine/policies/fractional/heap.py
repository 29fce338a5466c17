"""The most important of many: a heap of (priority, unit), kept together so that thousands of them stay in the cache."""

from __future__ import annotations

import numpy as np

from engine.kernel.cache import inner


@inner
def before(pool, a, b):
    """Whether row `a` is more important than row `b`; of equals the one submitted earlier."""
    if pool[a].priority != pool[b].priority:
        return pool[a].priority > pool[b].priority
    return pool[a].unit < pool[b].unit


@inner
def sink(pool, at, count):
    """Let row `at` sink to its place; the root is the most important."""
    while True:
        child = 2 * at + 1
        if child >= count:
            return
        if child + 1 < count and before(pool, child + 1, child):
            child += 1
        if not before(pool, child, at):
            return
        priority, unit = pool[at].priority, pool[at].unit
        pool[at].priority, pool[at].unit = pool[child].priority, pool[child].unit
        pool[child].priority, pool[child].unit = priority, unit
        at = child


@inner
def heap_up(pool, count):
    """Make the first `count` rows a heap."""
    for at in range(count // 2 - 1, -1, -1):
        sink(pool, at, count)


@inner
def take_first(pool, count):
    """Remove the root of a heap of `count` rows, and give its unit; the first `count - 1` are a heap again."""
    first = pool[0].unit
    pool[0].priority, pool[0].unit = pool[count - 1].priority, pool[count - 1].unit
    sink(pool, np.int64(0), count - 1)
    return first
