"""Random numbers of compiled policies, which have no generator: xorshift on two words of 32 bits.

G. Marsaglia, Xorshift RNGs, Journal of Statistical Software 8(14), 2003, section 4: shifts 10, 13, 10. The period is
2^64 - 1, since the matrix of a step has that order over GF(2).
"""

from __future__ import annotations

import math

from shadowtime.engine.kernel.cache import inner

WORD = 2**32 - 1


@inner
def draw(search):
    """Return a random whole number below 2^32."""
    mixed = search.word ^ ((search.word << 10) & WORD)
    search.word = search.last_word
    search.last_word = (search.last_word ^ (search.last_word >> 10)) ^ (mixed ^ (mixed >> 13))
    return search.last_word


@inner
def draw_below(search, count):
    """Return a random whole number below `count`, which is far below 2^32."""
    return draw(search) % count


@inner
def draw_log(search):
    """Return the logarithm of a random number above 0 and at most 1."""
    return math.log((draw(search) + 1) / 2.0**32)
