"""Three levels: high jobs stop low ones; medium jobs neither stop nor are stopped."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

import numpy as np

from engine.site import Site

if TYPE_CHECKING:
    from engine.policies.heterogeneous.scheduler import Slot

HIGH, MEDIUM, LOW = range(3)


def level_of(priority: int, waited: float, aging: float) -> int:
    """The level at which a job is planned: one higher for every `aging` seconds of waiting, where that is above 0."""
    return max(HIGH, priority - int(waited // aging)) if aging > 0.0 else priority


def earliest_starts(site: Site, slots: Iterable[Slot]) -> np.ndarray:
    """When the first of these slots begins on each machine [s]; infinite where there is none."""
    first = np.full(len(site.machines), np.inf)
    for slot in slots:
        for machine in site.machines_of(slot.resource):
            first[machine] = min(first[machine], slot.start)
    return first


def is_hit(first: np.ndarray, machines: Iterable[int], until: float, soon: float, now: float) -> bool:
    """Whether a slot begins on one of a running job's machines before its end, and before `soon` (or now)."""
    return any(first[m] < until and (first[m] < soon or first[m] <= now) for m in machines)
