"""Moldable steps the slow way: every allotment tried, every subset weighed, every instant scanned."""

from __future__ import annotations

from itertools import product

TOLERANCE = 1e-11


def canonical(times, deadline):
    """Fewest processors on which a job meets the deadline, or None."""
    for k, time in enumerate(times, 1):
        if time <= deadline * (1 + TOLERANCE):
            return k
    return None


def accepts(p, d):
    """The dual test with every choice of long jobs tried; for a handful of jobs."""
    m = len(p[0])
    total, big = 0.0, []
    for times in p:
        if canonical(times, d) is None:
            return False
        if times[0] <= d / 2 * (1 + TOLERANCE):
            total += times[0]
        else:
            big.append(times)
    best = float("inf")
    for long in product((True, False), repeat=len(big)):
        held, area = 0, total
        for times, is_long in zip(big, long, strict=True):
            k = canonical(times, d if is_long else d / 2)
            if k is None:
                area = float("inf")
                break
            held += k if is_long else 0
            area += k * times[k - 1]
        if held <= m:
            best = min(best, area)
    return best <= m * d * (1 + TOLERANCE)


def heaviest(items, capacity):
    """Largest total weight of items (size, weight) that fit."""
    best = 0.0
    for chosen in product((0, 1), repeat=len(items)):
        if sum(size for (size, _), taken in zip(items, chosen, strict=True) if taken) <= capacity:
            best = max(best, sum(weight for (_, weight), taken in zip(items, chosen, strict=True) if taken))
    return best


def items(p, weight, jobs, length):
    """Items (size, weight) of a batch: stacks of small jobs, next fit by falling weight, then the others that fit."""
    made, load = [], None
    for job in sorted(jobs, key=lambda job: (-weight[job], job)):
        if p[job][0] <= length / 2 * (1 + TOLERANCE):
            if load is None or load + p[job][0] > length * (1 + TOLERANCE):
                made.append([1, 0.0])
                load = 0.0
            made[-1][1] += weight[job]
            load += p[job][0]
    for job in jobs:
        if p[job][0] > length / 2 * (1 + TOLERANCE) and (size := canonical(p[job], length)) is not None:
            made.append([size, weight[job]])
    return made


def free_at(placed, processors, instant):
    """Processors that none of `placed` (start, end, size) holds at an instant."""
    return processors - sum(size for start, end, size in placed if start <= instant < end)


def graham(order, time, size, processors):
    """List scheduling, scanning all jobs at second 0 and at each end."""
    start, placed, waiting, now = {}, [], list(order), 0.0
    while waiting:
        for job in list(waiting):
            if size[job] <= free_at(placed, processors, now):
                start[job] = now
                placed.append((now, now + time[job], size[job]))
                waiting.remove(job)
        coming = [end for _, end, _ in placed if end > now]
        now = min(coming) if coming else now
    return [start[job] for job in range(len(order))]


def pull_forward(order, time, size, processors):
    """Each job at the first end of another (or second 0) from which it fits for all its length."""
    start, placed = {}, []
    for job in order:
        for begin in sorted({0.0, *(end for _, end, _ in placed)}):
            end = begin + time[job]
            instants = [begin, *(s for s, _, _ in placed if begin < s < end)]
            if all(free_at(placed, processors, instant) >= size[job] for instant in instants):
                start[job] = begin
                placed.append((begin, end, size[job]))
                break
    return [start[job] for job in range(len(order))]
