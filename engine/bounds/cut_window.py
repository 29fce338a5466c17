"""`cut_window`: `cut` on some of the jobs, where there are too many for all.

Proof. Leave jobs out of any schedule: the rest of it is a schedule of the others, and their largest flow over
scale is no larger. So the exact S* of any subset is a lower bound for all.

Which subsets: windows of consecutive jobs around the worst backlogs, the worst first, each started from the
best target so far; a window that can meet it costs one flow. How many jobs they may hold together is fixed,
so the answer does not depend on the machine. (Measured on five logs of 18,000 to 232,000 jobs: always the exact
S* of the whole log, in 4 to 17 ms; `cut` on all jobs needs 0.02 to 15 s there. Under a load that stays above
1 it falls behind, since the jobs that prove S* are then too many for a window.)
"""

from __future__ import annotations

import numpy as np

from shadowtime.engine.bounds.backlog import Backlog
from shadowtime.engine.bounds.cut import cut
from shadowtime.engine.bounds.work import Work

SMALLEST, LARGEST = 1000, 4000
"""Jobs of a window: twice those of the backlog, within these limits."""
TOGETHER = 16_000
"""Jobs of all windows together."""


def cut_window(work: Work, scale: np.ndarray, start: float, piles: Backlog) -> float:
    """A lower bound on `max flow / scale`, at least the proven `start`; `piles` say where to look."""
    best, left = start, TOGETHER
    seen: list[tuple[int, int]] = []
    for k in np.argsort(-piles.bounds, kind="stable"):
        since, until = int(piles.since[k]), int(piles.until[k])
        size = min(max(SMALLEST, 2 * (until - since)), LARGEST)
        if size > left or any(low <= since and until < high for low, high in seen):
            continue
        low = max(0, min((since + until - size) // 2, len(work) - size))
        best = cut(work.part(slice(low, low + size)), scale[low : low + size], best)
        seen.append((low, low + size))
        left -= size
    return best
