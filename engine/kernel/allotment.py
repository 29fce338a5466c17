"""Allotment: the scheduler chooses how many lanes a unit takes, and with them how long it runs."""

from __future__ import annotations

import numpy as np

from shadowtime.engine.kernel.cache import compiled
from shadowtime.engine.kernel.errors import BAD_RATE, NOT_RELEASED, OUTSIDE, OVER, fail
from shadowtime.engine.kernel.state import FUTURE, NO_ROW, QUEUED
from shadowtime.engine.kernel.vocabulary import exists


@compiled
def allot(s, i, procs, runtime):
    """Set the lanes (`procs`) and the runtime [s, at rate 1] that a queued unit has from its next start on.

    Only a queued unit may be changed, since it has no progress: it was never started, or it was killed.
    """
    if not exists(s, i):
        return
    u = s.u[i]
    if u.state == FUTURE:
        fail(s, NOT_RELEASED, i, NO_ROW, u.release)
        return
    if u.state != QUEUED:
        fail(s, OVER, i, NO_ROW, 0.0)
        return
    if procs < 1 or procs >= len(s.idle):
        fail(s, OUTSIDE, i, procs, 0.0)
        return
    if not 0.0 < runtime < np.inf:
        fail(s, BAD_RATE, i, NO_ROW, runtime)
        return
    u.procs = procs
    u.runtime, u.remaining = runtime, runtime
