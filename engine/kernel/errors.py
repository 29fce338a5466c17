"""Error codes: compiled code records a number, `checks` makes the message."""

from __future__ import annotations

import numpy as np

from shadowtime.engine.kernel.cache import inner

OVERFULL, NOT_RELEASED, OVER, OUTSIDE, NOT_RUNNING, STALLED, BAD_RATE, BAD_TIME, NO_UNIT, TWICE, FULL = (
    np.int64(code) for code in range(1, 12)
)


@inner
def fail(s, code, i, lane, value):
    """Record the first error of the run; the loop stops at the end of the instant."""
    k = s.k[0]
    if k.error == 0:
        k.error, k.error_unit, k.error_lane, k.error_value = code, i, lane, value
