"""Families in which the scheduler chooses: how many lanes a unit takes and how long it then runs."""

from __future__ import annotations

import numpy as np

from shadowtime.engine.kernel.cache import compiled
from shadowtime.engine.kernel.errors import BAD_RATE, NOT_RELEASED, OUTSIDE, OVER, fail
from shadowtime.engine.kernel.state import FUTURE, NOBODY, QUEUED
from shadowtime.engine.kernel.vocabulary import exists


@compiled
def allot(s, i, procs, runtime):
    """Let a waiting unit take `procs` lanes and `runtime` seconds at rate 1 when it is placed next.

    Only a unit without progress may be changed: one that was not started, or was killed.
    """
    if not exists(s, i):
        return
    u = s.u[i]
    if u.state == FUTURE:
        fail(s, NOT_RELEASED, i, NOBODY, u.release)
        return
    if u.state != QUEUED:
        fail(s, OVER, i, NOBODY, 0.0)
        return
    if procs < 1 or procs >= len(s.idle):
        fail(s, OUTSIDE, i, procs, 0.0)
        return
    if not 0.0 < runtime < np.inf:
        fail(s, BAD_RATE, i, NOBODY, runtime)
        return
    u.procs = procs
    u.runtime, u.remaining = runtime, runtime
