"""The availability profile: a compiled loop that searches, inserts, removes and advances, beside its slow twin.

`python -m benchmarks.profile`; compiled code cached. Each pass makes one of each: a job comes every ten seconds, takes
its earliest slot, and so many jobs later its slot is removed.
"""

from __future__ import annotations

import resource
import sys
from typing import Any

import numpy as np

from benchmarks import durations, emit
from shadowtime.engine.kernel.cache import compiled
from shadowtime.engine.kernel.profile import advance, earliest, insert, profile, remove
from tests.reference.profile_slots import SlotProfile

OPERATIONS = 100_000
HELD = (30, 300, 3000)
"""Reservations at once; about as many steps."""


@compiled
def churn(p, now, length, size, start, held):
    """Reserve for each job and remove the one that came `held` jobs before; gives the sum of steps over all passes."""
    total = np.int64(0)
    for i in range(len(now)):
        advance(p, now[i])
        start[i] = earliest(p, now[i], (size[i],), length[i], np.inf)
        insert(p, start[i], start[i] + length[i], (size[i],))
        if i >= held:
            old = i - held
            remove(p, start[old], start[old] + length[old], (size[old],))
        total += p.span[1] - p.span[0]
    return total


def churn_slowly(now, length, size, start, held):
    """The same on the twin."""
    twin = SlotProfile((256,), 0.0)
    for i in range(len(now)):
        twin.advance(now[i])
        start[i] = twin.earliest(now[i], (size[i],), length[i])
        twin.insert(start[i], start[i] + length[i], (size[i],))
        old = i - held
        if old >= 0 and start[old] + length[old] > now[i]:
            twin.remove(start[old], start[old] + length[old], (size[old],))


def jobs(many: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Submissions, lengths [s] and processors of many jobs for 256 processors."""
    rng = np.random.default_rng(1)
    return 10.0 * np.arange(many), np.floor(rng.lognormal(6.0, 2.0, many)) + 1.0, rng.integers(1, 200, many)


def main() -> int:
    """Measure, print, and return 0 when all limits are met."""
    many = OPERATIONS // 4
    now, length, size = jobs(many)
    figures: dict[str, Any] = {}
    for held in HELD:
        start = np.empty(many)

        def fast(held: int = held, start: np.ndarray = start) -> int:
            return churn(profile(np.array([256]), held + 1), now, length, size, start, held)

        figures[f"mean_steps_{held}"] = fast() / many
        figures[f"operations_{OPERATIONS}_held_{held}_s"] = min(durations(fast, 3))
    few, held = 400, HELD[0]
    start, slow = np.empty(few), [0.0] * few
    churn(profile(np.array([256]), held + 1), now[:few], length[:few], size[:few], start, held)
    columns = [column[:few].tolist() for column in (now, length, size)]
    per_pass = min(durations(lambda: churn_slowly(*columns, slow, held), 3)) / few
    assert start.tolist() == slow, "the twin gives other starts"
    figures["fast_over_twin"] = figures[f"operations_{OPERATIONS}_held_{held}_s"] / many / per_pass
    figures["peak_memory_mb"] = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    limits = {
        "operations_100000_held_30_s": 0.1, "operations_100000_held_300_s": 0.3, "operations_100000_held_3000_s": 1.5,
        "fast_over_twin": 0.01,
    }  # fmt: skip
    return emit("profile", figures, limits)


if __name__ == "__main__":
    sys.exit(main())
