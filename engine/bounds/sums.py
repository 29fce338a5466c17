"""Sums in compiled code that have the bits of numpy's."""

from __future__ import annotations

from shadowtime.engine.kernel.cache import inner

LANES = 8
BLOCK = 128


@inner
def pairwise_sum(values, first, count):
    """Return the sum of `count` values from `first` on, added in the order of `np.sum` (pairwise, blocks of 128)."""
    if count < LANES:
        total = 0.0
        for i in range(first, first + count):
            total += values[i]
        return total
    if count <= BLOCK:
        a, b, c, d = values[first], values[first + 1], values[first + 2], values[first + 3]
        e, f, g, h = values[first + 4], values[first + 5], values[first + 6], values[first + 7]
        whole = count - count % LANES
        for i in range(first + LANES, first + whole, LANES):
            a += values[i]
            b += values[i + 1]
            c += values[i + 2]
            d += values[i + 3]
            e += values[i + 4]
            f += values[i + 5]
            g += values[i + 6]
            h += values[i + 7]
        total = ((a + b) + (c + d)) + ((e + f) + (g + h))
        for i in range(first + whole, first + count):
            total += values[i]
        return total
    half = count // 2
    half -= half % LANES
    return pairwise_sum(values, first, half) + pairwise_sum(values, first + half, count - half)
