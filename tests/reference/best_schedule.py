"""The best of all schedules in unit steps, by trying every one: tiny instances only."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from itertools import combinations

from shadowtime.engine.bounds.work import Work


def best_sum(work: Work, cost: Callable[[int, float], float]) -> float:
    """The least sum of `cost(job, end)` when in each second any jobs that fit may run, preemption free.

    Releases and runtimes are whole seconds. Any such schedule is one of the fluid relaxation.
    """
    n = len(work)
    release = [int(value) for value in work.release]

    @cache
    def rest(now: int, left: tuple[int, ...]) -> float:
        if not any(left):
            return 0.0
        ready = [j for j in range(n) if left[j] and release[j] <= now]
        best = float("inf") if ready else rest(now + 1, left)
        for size in range(1, len(ready) + 1):
            for chosen in combinations(ready, size):
                if sum(work.width[j] for j in chosen) > work.lanes:
                    continue
                after = tuple(value - (j in chosen) for j, value in enumerate(left))
                ended = sum(cost(j, now + 1.0) for j in chosen if after[j] == 0)
                best = min(best, ended + rest(now + 1, after))
        return best

    return rest(min(release), tuple(int(value) for value in work.runtime))


def best_makespan(work: Work) -> float:
    """The least time from the first release to the last end, in the same schedules."""
    n = len(work)
    release = [int(value) for value in work.release]

    @cache
    def rest(now: int, left: tuple[int, ...]) -> int:
        if not any(left):
            return now
        ready = [j for j in range(n) if left[j] and release[j] <= now]
        if not ready:
            return rest(now + 1, left)
        ends = []
        for size in range(1, len(ready) + 1):
            for chosen in combinations(ready, size):
                if sum(work.width[j] for j in chosen) <= work.lanes:
                    ends.append(rest(now + 1, tuple(value - (j in chosen) for j, value in enumerate(left))))
        return min(ends)

    return float(rest(min(release), tuple(int(value) for value in work.runtime)) - min(release))
