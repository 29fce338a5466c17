"""Three priority levels: high jobs may stop low ones; medium jobs neither stop others nor are stopped."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

HIGH, MEDIUM, LOW = range(3)


def level_of(priority: int, waited: float, aging: float) -> int:
    """Return the level at which a job is planned: one higher per `aging` seconds of waiting, if `aging` > 0."""
    return max(HIGH, priority - int(waited // aging)) if aging > 0.0 else priority


def is_hit(first: np.ndarray, machines: Iterable[int], until: float, soon: float, now: float) -> bool:
    """Return whether a slot begins on one of a running job's machines before its end, and before `soon` (or now)."""
    return any(first[m] < until and (first[m] < soon or first[m] <= now) for m in machines)
