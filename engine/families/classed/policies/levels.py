"""Three levels: high jobs stop low ones; medium jobs neither stop nor are stopped."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

HIGH, MEDIUM, LOW = range(3)


def level_of(priority: int, waited: float, aging: float) -> int:
    """The level at which a job is planned: one higher for every `aging` seconds of waiting, where that is above 0."""
    return max(HIGH, priority - int(waited // aging)) if aging > 0.0 else priority


def is_hit(first: np.ndarray, machines: Iterable[int], until: float, soon: float, now: float) -> bool:
    """Whether a slot begins on one of a running job's machines before its end, and before `soon` (or now)."""
    return any(first[m] < until and (first[m] < soon or first[m] <= now) for m in machines)
