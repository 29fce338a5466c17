"""The answers of the study of SynchPack by case, and its scales: which workloads are run."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from shadowtime.engine.metrics.nature import MEAN
from shadowtime.engine.statistics.comparison import Comparison, as_family, compare
from shadowtime.engine.statistics.intervals import Interval, Means, interval, means
from shadowtime.workers.papers.synchpack_cells import (
    ONLINE,
    ONLINE_PLACED,
    PLACED,
    SINGLE,
    STEEP,
    WAITING,
    WEIGHTS,
    Answer,
    Cell,
)

LOADS = (0.5, 1.0, 2.0, 4.0)
"""Offered loads on-line: gaps between arrivals are multiplied, all else stays."""
FACTORS = (1.0, 1.5, 2.0, 3.0, 5.0)
"""Remote factors of Figure 2(c)."""


PRIORITY = slice(2, 3)
"""The last of the weightings."""


@dataclass(frozen=True)
class Scale:
    """The sizes of a scale."""

    seeds: tuple[int, ...]
    jobs: tuple[int, ...]
    """Off-line, one machine a task: a part of the trace's jobs twice, the second of which claims are about, and all."""
    machines: tuple[int, ...]
    cluster: int
    """Machines that claims are about."""
    online: int
    """Jobs that arrive, one machine a task."""
    placed: tuple[int, ...]
    """Jobs with placement; the last is the one that claims are about."""
    placed_machines: tuple[int, ...]
    placed_cluster: int
    remote: int
    online_placed: int

    @property
    def main(self) -> int:
        """Jobs off-line that claims are about: the paper took the first jobs of its trace."""
        return self.jobs[1]

    @property
    def waiting(self) -> int:
        """Jobs that arrive where planning intervals are varied."""
        return self.jobs[0] // 4

    @property
    def sizes(self) -> list[tuple[int, int]]:
        """Jobs and machines off-line: many jobs on the cluster only, since Tetris takes two minutes for the trace's."""
        return [(n, m) for m in self.machines for n in self.jobs if n == self.jobs[0] or m == self.cluster]

    @property
    def placed_sizes(self) -> list[tuple[int, int]]:
        """Jobs and machines off-line with placement."""
        found = [(n, self.placed_cluster) for n in self.placed]
        return list(dict.fromkeys(found + [(self.placed_main, m) for m in self.placed_machines]))

    @property
    def placed_main(self) -> int:
        return self.placed[-1]


SCALES = {
    "quick": Scale((1, 2, 3, 4, 5), (100, 200, 300), (10, 30), 10, 200, (15, 30), (12, 20), 12, 6, 20),
    "full": Scale(
        (1, 2, 3, 4, 5, 6, 7, 8), (1000, 3000, 7521), (50, 200, 1000), 200, 3000, (50, 100, 200), (15, 30, 200), 15,
        10, 100,
    ),
}  # fmt: skip


@dataclass(frozen=True)
class Case:
    """Cells that differ only in their seed."""

    label: str
    cell: Cell
    """With seed 0."""


def case(label: str, plot: str, jobs: int, machines: int, weights: str, **more: float) -> Case:
    """Return a case."""
    return Case(label, Cell(plot, jobs, machines, weights, 0, **more))  # type: ignore[arg-type]


def offline(scale: Scale, jobs: int = 0, machines: int = 0) -> list[Case]:
    """Return the three weightings of Figure 2(a), on the cluster with the trace's jobs unless said otherwise."""
    return [case(w, SINGLE, jobs or scale.main, machines or scale.cluster, w) for w in WEIGHTS]


def placed(scale: Scale, jobs: int = 0, machines: int = 0) -> list[Case]:
    """Return the three weightings of Figure 2(b)."""
    n, m = jobs or scale.placed_main, machines or scale.placed_cluster
    return [case(w, PLACED, n, m, w, remote=scale.remote) for w in WEIGHTS]


def remote_factors(scale: Scale) -> list[Case]:
    """Return the remote factors of Figure 2(c), with priority weights."""
    n, m = scale.placed_main, scale.placed_cluster
    return [case(f"{x:g}", PLACED, n, m, "priority", remote=scale.remote, factor=x) for x in FACTORS]


def online(scale: Scale, weights: str) -> list[Case]:
    """Return the loads on-line with some weights."""
    return [case(f"{x:g}", ONLINE, scale.online, scale.cluster, weights, load=x) for x in LOADS]


def online_on(scale: Scale, machines: int) -> list[Case]:
    """Return the loads on-line with equal weights and fewer jobs on some machines."""
    return [case(f"{x:g}", ONLINE, scale.jobs[0], machines, "equal", load=x) for x in LOADS]


def online_placed(scale: Scale, weights: str) -> list[Case]:
    """Return the loads on-line with placement."""
    m = scale.placed_cluster
    return [case(f"{x:g}", ONLINE_PLACED, scale.online_placed, m, weights, load=x, remote=scale.remote) for x in LOADS]


def waiting(scale: Scale) -> list[Case]:
    """Return the loads at which planning intervals are varied."""
    return [case(f"{x:g}", WAITING, scale.waiting, scale.cluster, "equal", load=x) for x in LOADS]


def steep(scale: Scale) -> list[Case]:
    """Return the weights that are not the paper's, by machines."""
    return [case(f"{m:,} machines", SINGLE, scale.jobs[0], m, STEEP) for m in scale.machines]


def cases(scale: Scale) -> list[Case]:
    """Return all cases of a scale, each once."""
    found = offline(scale) + offline(scale, scale.jobs[0]) + steep(scale)
    found += [one for n, m in scale.sizes for one in offline(scale, n, m)[PRIORITY]]
    for w in WEIGHTS:
        found += online(scale, w)
        found += online_placed(scale, w)
    for m in scale.machines:
        found += online_on(scale, m)
    found += placed(scale) + remote_factors(scale) + waiting(scale)
    found += [one for n, m in scale.placed_sizes for one in placed(scale, n, m)[PRIORITY]]
    return list({one.cell: one for one in found}.values())


def cells(scale: Scale) -> list[Cell]:
    """Return all cells, the longest of each plot first."""
    found = [_seeded(one.cell, seed) for one in cases(scale) for seed in scale.seeds]
    return sorted(found, key=lambda cell: -cell.size)


class Points:
    """Answers by case; a seed is a block, whatever the case."""

    def __init__(self, answers: Mapping[Cell, Answer], scale: Scale):
        self.answers, self.scale = answers, scale

    @property
    def blocks(self) -> int:
        return len(self.scale.seeds)

    def values(self, name: str, cases: Sequence[Case]) -> np.ndarray:
        """Return the values of an algorithm, seeds x cases [s]; NaN where it did not run."""
        return np.array(
            [
                [self.answers[_seeded(one.cell, seed)].values.get(name, np.nan) for one in cases]
                for seed in self.scale.seeds
            ]
        )

    def seconds(self, name: str, cases: Sequence[Case]) -> np.ndarray:
        """Return the processor times of an algorithm or program, seeds x cases [s]."""
        return np.array(
            [[self.answers[_seeded(one.cell, seed)].seconds[name] for one in cases] for seed in self.scale.seeds]
        )

    def names(self, one: Case) -> list[str]:
        """Return what is known of a case: algorithms and bounds."""
        return list(self.answers[_seeded(one.cell, self.scale.seeds[0])].values)

    def means(self, name: str, cases: Sequence[Case], over: str = "") -> Means:
        """Return means over seeds with 95 % intervals, by case; divided by another value where one is given."""
        found = self.values(name, cases)
        return means(found / self.values(over, cases) if over else found, MEAN)

    def ratios(self, rival: str, own: str, cases: Sequence[Case]) -> list[Interval]:
        """Return how many times as large a rival's value is, by case: geometric mean over seeds, 95 % interval."""
        theirs, ours = self.values(rival, cases), self.values(own, cases)
        return [mean_ratio(theirs[:, at], ours[:, at]) for at in range(len(cases))]

    def tests(self, rivals: Sequence[str], own: str, cases: Sequence[Case]) -> list[Comparison]:
        """Return rivals against SynchPack over blocks, cases being factors within them; p after Holm over rivals."""
        ours = self.values(own, cases)
        return as_family([compare(self.values(rival, cases), ours) for rival in rivals])


def mean_ratio(values: np.ndarray, others: np.ndarray) -> Interval:
    """Return the geometric mean of values / others over blocks, with its log-t interval."""
    logs = interval(np.log(values / others))
    ends = np.exp([logs.mean, logs.low, logs.high])
    return replace(logs, mean=float(ends[0]), low=float(ends[1]), high=float(ends[2]), method="log-t")


def _seeded(cell: Cell, seed: int) -> Cell:
    return replace(cell, seed=seed)
