"""Runs too small for compiled code: its import takes longer than the whole run."""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from shadowtime.engine.workload.job import Workload

KERNEL = "shadowtime.engine.kernel.cache"
JOBS, LANES, SEATS = 32, 2_048, 8_192
"""Most jobs, processors, and processors of all jobs together (measured: 0.1 s a run uncompiled, 0.5 s compiled; with
100 jobs some bounds take 14 s uncompiled)."""


def interpret(workload: Workload, algorithm: str) -> None:
    """Let this process run uncompiled if its only run is a small one of rigid jobs; the answers are the same bits."""
    from shadowtime.engine.registry import find
    from shadowtime.engine.runner.makers import Planned

    if KERNEL in sys.modules or workload.kind != "rigid" or isinstance(find(algorithm).runner, Planned):
        return
    lanes = int(workload.machine.get("processors", LANES))
    seats = float(workload.jobs["processors"].sum()) if "processors" in workload.jobs else SEATS
    if len(workload) <= JOBS and lanes <= LANES and seats <= SEATS:
        os.environ["NUMBA_DISABLE_JIT"] = "1"
