"""All points of the studies of PJS, asked by seed: each seed is one independent draw."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import product

import numpy as np

from shadowtime.workers.papers.pjs_cells import TIME_SCALE, Call, Cell, Cost, Point

SITES = {"standin": "Stand-in site", "noisy": "Stand-in with noise"}
MIXES = ("10/10/80", "25/25/50", "50/25/25")
ALL_MIXES = ("none", *MIXES)
RATES = (1.0, 2.0, 4.0, 8.0, 16.0, 32.0)
LEVELS = ("high", "medium", "low")
HIGH, MEDIUM, LOW = range(3)

SHARES = (0.0, 0.1, 0.5, 0.75, 0.9, 1.0)
"""Figure 4: shares of possibly parallel jobs."""
CALL_JOBS = (5, 10, 20, 50, 100, 200, 300, 400, 500, 600, 700, 800, 900, 1000)
"""Figure 4: 5 to 1,000 jobs on 40 machines."""
SJS_JOBS = (5, 10, 25, 50, 75, 100)
SJS_MACHINES = (5, 25, 50, 75, 100)
FITTED = 25
"""Fewest jobs and machines in the fit of exponents: below, a call takes microseconds."""
STATIC_JOBS = (1, 2, 3, 4, 5, 6, 8, 10, 12, 15, 20, 25, 30, 35, 40, 50, 60, 70, 80, 90, 100)
"""Figure 5."""
PRIORITY_JOBS = (5, 10, *range(20, 501, 20))
"""Figures 6 and 7."""
JOBS_ONLINE = 500
"""The paper's number of jobs in study 4."""
OTHER_SCALES = (1.0, 2.0, 4.0)
"""Factors on times beside TIME_SCALE, for the axes and for what verdicts depend on."""
AT = {"rate": 8.0, "mix": "25/25/50"}
"""Where options of preemption are compared."""
OPTIONS = {
    "as in the paper": (),
    "gain 30 s": (("gain", 30.0),),
    "gain 100 s": (("gain", 100.0),),
    "gain 300 s": (("gain", 300.0),),
    "threshold 0.5 of the work": (("threshold", 0.5),),
    "never": (("preempt", "never"),),
}

Points = Mapping[Call | Cell, Cost | Point]
Get = Callable[[Point], float]


def total(point: Point) -> float:
    """Return the total job time [s]."""
    return point.total


class Answers:
    """Points by cell; every value is an array with one entry per seed."""

    def __init__(self, points: Points, seeds: Sequence[int], few: Sequence[int]):
        """few: the seeds of planning calls, priorities without arrivals, and other factors on times."""
        self.points, self.seeds, self.few = points, seeds, few

    def costs(self, rule: str, jobs: int, machines: int, clusters: int = 0, share: float = 0.0) -> list[Cost]:
        """Return a planning call, seed by seed."""
        found = [self.points[Call(rule, jobs, machines, clusters, share, seed)] for seed in self.few]
        return [cost for cost in found if isinstance(cost, Cost)]

    def seconds(self, jobs: int, machines: int) -> np.ndarray:
        """Return the times of an SJS call [s]."""
        return np.array([cost.seconds for cost in self.costs("sjs", jobs, machines)])

    def pjs_costs(self, share: float, jobs: Sequence[int] = CALL_JOBS) -> tuple[np.ndarray, np.ndarray]:
        """Return the seconds and SJS calls of a PJS call, means over numbers of jobs."""
        found = [self.costs("pjs", n, 40, 5, share) for n in jobs]
        seconds = np.array([[cost.seconds for cost in costs] for costs in found])
        calls = np.array([[cost.sjs_calls for cost in costs] for costs in found], float)
        return seconds.mean(axis=0), calls.mean(axis=0)

    def static(self, get: Get, site: str, rule: str, jobs: int, mix: str = "none") -> np.ndarray:
        """Return a value of jobs that are all there at second 0."""
        return np.array([get(self._point(Cell(site, rule, jobs, seed, mix))) for seed in drawn(site, mix, self.few)])

    def level(self, site: str, rule: str, jobs: int, mix: str, level: int) -> np.ndarray:
        """Return the total job time of a level [s]."""
        return self.static(lambda point: point.level_total[level], site, rule, jobs, mix)

    def saving(self, site: str, jobs: int, mix: str = "none", level: int | None = None) -> np.ndarray:
        """Return the share of SJS's total job time that PJS saves, of a level or of all."""
        get: Get = total if level is None else lambda point: point.level_total[level]
        return 1.0 - self.static(get, site, "pjs", jobs, mix) / self.static(get, site, "sjs", jobs, mix)

    def bar(self, site: str, rule: str, mix: str) -> np.ndarray:
        """Return a bar of Figure 7: the mean of total job times over all numbers of jobs [s]."""
        values = [self.static(total, site, rule, jobs, mix) for jobs in PRIORITY_JOBS]
        return np.mean(values, axis=0)

    def online(self, get: Get, site: str, mix: str, rate: float, scale: float = TIME_SCALE) -> np.ndarray:
        """Return a value of jobs that arrive, under PJS."""
        seeds = self.seeds if scale == TIME_SCALE else self.few[: len(self.few) // 2 or 1]
        cells = [Cell(site, "pjs", JOBS_ONLINE, seed, mix, rate, scale) for seed in seeds]
        return np.array([get(self._point(cell)) for cell in cells])

    def flow(self, site: str, mix: str, rate: float, level: int | None = None, scale: float = TIME_SCALE) -> np.ndarray:
        """Return the mean job time of a level, or of all jobs [s]."""
        if level is None:
            return self.online(total, site, mix, rate, scale) / JOBS_ONLINE
        return self.online(lambda point: point.level_mean[level], site, mix, rate, scale)

    def parallel(self, site: str, mix: str, rate: float, level: int | None = None) -> np.ndarray:
        """Return the share of jobs of a level, or of all jobs, that ran on a cluster."""
        if level is None:
            return self.online(lambda point: point.parallel_all, site, mix, rate)
        return self.online(lambda point: point.parallel[level], site, mix, rate)

    def penalty(self, site: str, mix: str, rate: float, scale: float = TIME_SCALE) -> np.ndarray:
        """Return the total job time with priorities over that without, less 1."""
        with_, without = (self.online(total, site, one, rate, scale) for one in (mix, "none"))
        return with_ / without - 1.0

    def option(self, get: Get, name: str) -> np.ndarray:
        """Return a value of one of OPTIONS, on the stand-in site."""
        return np.array([get(self._point(cell)) for cell in option_cells(name, self.few)])

    def _point(self, cell: Cell) -> Point:
        found = self.points[cell]
        assert isinstance(found, Point), "a cell of studies 2 to 4"
        return found


def drawn(site: str, mix: str, seeds: Sequence[int]) -> Sequence[int]:
    """Return the seeds that differ: jobs at second 0 without priorities and noise have nothing to draw."""
    return seeds[:1] if site == "standin" and mix == "none" else seeds


def option_cells(name: str, seeds: Sequence[int]) -> list[Cell]:
    """Return the cells of one of OPTIONS."""
    mix, rate = str(AT["mix"]), float(str(AT["rate"]))
    return [Cell("standin", "pjs", JOBS_ONLINE, seed, mix, rate, TIME_SCALE, OPTIONS[name]) for seed in seeds]


def cells(seeds: Sequence[int], few: Sequence[int]) -> list[Call | Cell]:
    """Return all cells of the four studies."""
    return list(dict.fromkeys(_cells(seeds, few)))


def _cells(seeds: Sequence[int], few: Sequence[int]) -> Iterator[Call | Cell]:
    for seed in few:
        yield from (Call("sjs", n, m, seed=seed) for n, m in product(SJS_JOBS, SJS_MACHINES))
        yield from (Call("pjs", n, 40, 5, share, seed) for n, share in product(CALL_JOBS, SHARES))
    for site in SITES:
        for seed, rule in product(drawn(site, "none", few), ("olb", "sjs", "pjs")):
            jobs = STATIC_JOBS if rule == "olb" else (*STATIC_JOBS, *PRIORITY_JOBS)
            yield from (Cell(site, rule, n, seed) for n in jobs)
        for seed, rule, mix, n in product(few, ("sjs", "pjs"), MIXES, PRIORITY_JOBS):
            yield Cell(site, rule, n, seed, mix)
        for seed, mix, rate in product(seeds, ALL_MIXES, RATES):
            yield Cell(site, "pjs", JOBS_ONLINE, seed, mix, rate)
    for seed, mix, rate, scale in product(few[: len(few) // 2 or 1], ALL_MIXES, RATES, OTHER_SCALES):
        yield Cell("standin", "pjs", JOBS_ONLINE, seed, mix, rate, scale)
    for name in OPTIONS:
        yield from option_cells(name, few)
