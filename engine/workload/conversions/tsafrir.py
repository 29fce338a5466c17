"""A model of requested times: 20 popular estimates and many rare ones, assigned to jobs.

D. Tsafrir, Y. Etsion and D. Feitelson, Modeling user runtime estimates, JSSPP 2005. Rules and constants are those of
the authors' program, without its user bins at other times than the largest.
"""

from __future__ import annotations

import math

import numpy as np

HOUR, MINUTE = 3600, 60

MANY = 100_000
"""Number of jobs from which compiled code saves more than the import of numba costs."""

HEAD = 20
"""Number of popular estimates."""

HEAD_PERCENT = 89.0
"""Percent of the jobs that request a popular estimate."""

USUAL = tuple(MINUTE * m for m in (5, 10, 15, 20, 30)) + tuple(HOUR * h for h in (1, 2, 3, 4, 5, 6, 8, 10, 12, 18))
"""Times that are popular at every site that allows them [s]."""

UNITS = (*(HOUR * h for h in (200, 100, 50, 10, 5, 2, 1)), *(MINUTE * m for m in (20, 10, 5, 1)))
"""Further popular times are multiples of these, in this order [s]."""

DISTINCT = ((0, 20, 200, 1000, 10_000, 70_000, 250_000), (0, 10, 20, 35, 90, 340, 565))
"""Numbers of jobs, and numbers of different estimates of so many jobs; interpolated between them."""

POPULARITY = (
    (3, 1, 1, 1), (1, 3, 4, 6), (4, 4, 10, 5), (17, 2, 14, 3), (13, 12, 20, 7), (7, 9, 2, 2), (8, 8, 3, 18),
    (18, 18, 7, 19), (2, 6, 12, 4), (6, 7, 6, 11), (16, 11, 19, 20), (10, 20, 5, 9), (5, 16, 18, 10),
    (15, 5, 16, 14), (14, 14, 9, 13), (19, 13, 17, 16), (11, 10, 15, 15), (12, 15, 13, 17), (9, 17, 8, 8),
    (20, 19, 11, 12),
)  # fmt: skip
"""Popularity ranks in SDSC-SP2, CTC, KTH and SDSC-BLUE: one row per popular time, the largest first, then ascending."""


def histogram(jobs: int, maximum: int, share: float, rng: np.random.Generator) -> tuple[np.ndarray, np.ndarray]:
    """Return the estimates [s] and how many of `jobs` request each; `share` percent request `maximum` (0: model)."""
    head = head_times(maximum)
    tail = tail_times(distinct(jobs), maximum, head)
    rank = head_ranks(rng)
    percents = np.concatenate([head_percents(share)[rank - 1], rng.permutation(tail_percents(len(tail)))])
    counts = np.maximum(np.floor(percents * jobs / 100 + 0.5), 1).astype("i8")
    if share:
        counts[0] = int(share * jobs / 100)
    settle(counts, jobs, np.arange(bool(share), len(counts)))
    return np.array(head + tail, dtype="f8"), counts


def distinct(jobs: int) -> int:
    """Return the number of different estimates of `jobs` jobs."""
    return int(np.interp(jobs, *DISTINCT) + 0.5)


def head_times(maximum: int) -> list[int]:
    """Return the popular estimates [s], `maximum` first, the others ascending."""
    times = [time for time in USUAL if time < maximum]
    for unit in UNITS:
        multiples = range(maximum // unit * unit, 0, -unit)
        times += [time for time in multiples if time not in times and time != maximum][: HEAD - 1 - len(times)]
    return [maximum, *sorted(times)]


def head_percents(share: float) -> np.ndarray:
    """Return the percent of the jobs by popularity rank, from 1; `share` for the first rank if above 0."""
    rest = 14.0491 * np.exp(-0.177531 * np.arange(2, HEAD + 1)) + 0.462513
    first = share or HEAD_PERCENT - rest.sum()
    return np.concatenate([[first], rest * (HEAD_PERCENT - first) / rest.sum()])


def head_ranks(rng: np.random.Generator) -> np.ndarray:
    """Return the popularity rank, from 1, of each time of `head_times`."""
    last = {rank: row for row, ranks in enumerate(POPULARITY) for rank in ranks}
    found: list[int] = []
    pool: list[int] = []
    for row, ranks in enumerate(POPULARITY):
        pool += [rank for rank in ranks if rank not in found]
        due = [rank for rank in pool if last[rank] <= row]
        pick = 1 if row == 0 else min(due) if due else min(pool[i] for i in rng.integers(len(pool), size=2))
        found.append(pick)
        pool = [rank for rank in pool if rank != pick]
    return np.array(found)


def tail_times(distinct: int, maximum: int, head: list[int]) -> list[int]:
    """Return the rare estimates [s]: whole minutes with growing gaps, shifted by seconds if the minute is taken."""
    taken, times = set(head), []
    m, a = distinct - HEAD, 1 + 12.1039 * distinct**-0.6026
    for i in range(1, m + 1):
        x = i / m
        minute = math.floor(maximum * (a - 1) * x / (a - x) / MINUTE + 0.5) * MINUTE
        places = (minute + offset for offset in (0, 30, -30, 20, -20, 10, -10))
        time = next((place for place in places if 0 < place < maximum and place not in taken), None)
        if time is not None:
            taken.add(time)
            times.append(time)
    return times


def tail_percents(n: int) -> np.ndarray:
    """Return the percent of the jobs for each of n rare estimates."""
    weight = 795.6 * np.arange(HEAD + 1.0, HEAD + 1 + n) ** -2.267
    return (100 - HEAD_PERCENT) * weight / weight.sum()


def settle(counts: np.ndarray, jobs: int, free: np.ndarray) -> None:
    """Make `counts` sum to `jobs`: change those at `free` in proportion, the largest first, then one by one."""
    order = free[np.argsort(-counts[free], kind="stable")]
    missing = jobs - int(counts.sum())
    missing = _change(counts, order, -(-abs(missing) * counts[order] // counts[order].sum()), missing, 1)
    for floor in (1, 0):
        while missing and (missing > 0 or (counts[order] > floor).any()):
            missing = _change(counts, order, np.ones_like(order), missing, floor)


def _change(counts: np.ndarray, order: np.ndarray, most: np.ndarray, missing: int, floor: int) -> int:
    """Change the counts in `order` by at most `most` each to reduce `missing`; no count falls below `floor`.

    Return what is still missing.
    """
    for place, step in zip(order, most, strict=True):
        room = step if missing > 0 else max(0, min(step, counts[place] - floor))
        change = int(min(room, missing) if missing > 0 else -min(room, -missing))
        counts[place] += change
        missing -= change
    return missing


def assign(runtime: np.ndarray, estimates: np.ndarray, rng: np.random.Generator, many: int = MANY) -> np.ndarray:
    """Return an estimate for each runtime, not below it; each of `estimates` is used once.

    The k-th longest runtime must not be longer than the k-th longest estimate. From `many` runtimes on, compiled code
    exchanges the estimates.
    """
    longest = np.argsort(-runtime, kind="stable")
    falling = np.sort(estimates)[::-1]
    # the last place whose estimate is not below the runtime: exchanges among earlier places never change it
    last = np.searchsorted(-falling, -runtime[longest], side="right") - 1
    j = np.arange(len(runtime))
    assert (last >= j).all(), "every runtime has an estimate that is long enough"
    chosen, places = rng.integers(j, last, endpoint=True), falling
    if len(falling) < many:
        places = falling.tolist()  # exchanging elements of an array takes five times as long
        for place, other in enumerate(chosen.tolist()):
            places[place], places[other] = places[other], places[place]
    else:
        from shadowtime.engine.workload.conversions.exchange import exchange

        exchange(places, chosen)
    given = np.empty(len(runtime))
    given[longest] = places
    return given
