"""Slow twin of the preemptive single machine: look again every second who is the most urgent."""

from __future__ import annotations

import numpy as np


def preempt_by_second(release, length, rank, by_rest: bool):
    """Mean time of service and end, both minus the release, for whole releases and lengths."""
    n = len(release)
    left = [int(value) for value in length]
    served: list[list[float]] = [[] for _ in range(n)]
    now = int(min(release))
    while any(left):
        ready = [j for j in range(n) if left[j] and release[j] <= now]
        if ready:
            j = min(ready, key=lambda j: (left[j] if by_rest else rank[j], j))
            left[j] -= 1
            served[j].append(now + 0.5)
        now += 1
    mean = np.array([np.mean(times) for times in served])
    end = np.array([times[-1] + 0.5 for times in served])
    return mean - release, end - release
