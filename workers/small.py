"""Runs too small for compiled code: its import takes longer than the whole run, and compiling it a hundred times as
long."""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from shadowtime.engine.registry import find
from shadowtime.engine.runner.makers import Planned

if TYPE_CHECKING:
    from shadowtime.engine.workload.job import Workload

KERNEL = "shadowtime.engine.kernel.cache"
KINDS = ("rigid", "two_tier", "classed")
"""Kinds of jobs whose figures are tested to be the same bits without compiled code: those of the samples."""
JOBS, LANES, SEATS = 32, 2_048, 8_192
"""Most jobs, processors, and processors of all jobs together (measured: 0.1 s a run uncompiled, 0.5 s compiled; with
100 jobs some bounds take 14 s uncompiled)."""


def has_compiled_code() -> bool:
    """Return whether this process has loaded compiled code; one that executes without it is fit for small runs only."""
    kernel = sys.modules.get(KERNEL)
    return kernel is not None and not kernel.PLAIN


def interpret(workload: Workload, algorithm: str, platform: Mapping[str, Any] | None = None) -> None:
    """Let this process run uncompiled if its only run is a small one; the answers are the same bits."""
    if KERNEL not in sys.modules and is_small(workload, algorithm, platform):
        os.environ["NUMBA_DISABLE_JIT"] = "1"


def is_small(workload: Workload, algorithm: str, platform: Mapping[str, Any] | None = None) -> bool:
    """Return whether a run needs no compiled code; `platform`: as the run has it, None for the workload's own."""
    if workload.kind not in KINDS or isinstance(find(algorithm).runner, Planned):
        return False
    lanes = int((platform or workload.machine).get("processors", LANES + 1))
    seats = float(workload.jobs["processors"].sum()) if "processors" in workload.jobs else SEATS
    return len(workload) <= JOBS and lanes <= LANES and seats <= SEATS
