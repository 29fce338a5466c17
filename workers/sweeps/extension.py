"""Decide whether a sweep needs more seeds, and add them: the runs that it has keep their numbers."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import closing
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

import numpy as np

from shadowtime.engine.errors import InvalidParameter
from shadowtime.engine.statistics.blocks import LEVEL
from shadowtime.engine.statistics.comparison import block_log_ratios
from shadowtime.engine.statistics.sequential import Decision, decide
from shadowtime.engine.workload.words import count
from shadowtime.workers.sweeps.bench import Load
from shadowtime.workers.sweeps.blocks import blocks_of
from shadowtime.workers.sweeps.local import lines
from shadowtime.workers.sweeps.outcomes import Outcomes
from shadowtime.workers.sweeps.pairs import numbered, table_of
from shadowtime.workers.sweeps.points import finite
from shadowtime.workers.sweeps.spec import SweepSpec

NOTHING_NEW = "more seeds add no block: every workload is stored, and nothing on it depends on the seed"


class Goal(NamedTuple):
    """When a sweep has enough seeds."""

    metric: str
    width: float
    """Largest width of the intervals of the ratios to the first variant, as a share: 0.05 is 5 %."""
    budget: int
    """Largest number of seeds."""


@dataclass(frozen=True)
class Precision:
    """How narrow the intervals of a sweep are, and how many seeds it should have."""

    decision: Decision
    goal: Goal
    seeds: int
    next_seeds: int
    """Number of seeds in all after the next step; `seeds` if it stops."""

    @property
    def goes_on(self) -> bool:
        return self.next_seeds > self.seeds

    def as_dict(self) -> dict[str, Any]:
        """Return it as JSON values."""
        found = {**self.decision._asdict(), **self.goal._asdict(), "seeds": self.seeds, "next_seeds": self.next_seeds}
        del found["target"], found["next_blocks"]
        return {**found, "width": finite(self.decision.width), "until_width": self.goal.width}


def precision(outcomes: Outcomes, goal: Goal, *, level: float = LEVEL) -> Precision:
    """Compare every variant with the first one over all blocks, and decide by the widest interval of their ratios.

    Raises
    ------
    InvalidParameter
        If the sweep has one variant, or the goal is out of its range.
    """
    spec = outcomes.spec
    if len(spec.variants) < 2:
        raise InvalidParameter("a sweep of one algorithm has no ratio whose interval could become narrow")
    if not 0.0 < goal.width <= 10.0 or goal.budget < 1:
        raise InvalidParameter(
            f"until_width = {goal.width:g}, budget = {goal.budget}, but the width must be above 0 and at most 10 "
            "(1000 %), and the budget at least 1 seed"
        )
    table, blocks = table_of(outcomes, goal.metric), blocks_of(outcomes)
    rows = table.reshape(-1, *table.shape[2:])
    labels = numbered(blocks)
    ratios = [block_log_ratios(rows[..., n], rows[..., 0], labels) for n in range(1, len(spec.variants))]
    seeds = len(spec.seeds)
    each, fixed = _blocks_per_seed(blocks)
    decision = decide(ratios, width=goal.width, budget=max(1, fixed + each * goal.budget), level=level)
    following = seeds
    if decision.state != "reached" and each == 0:
        decision = decision._replace(state="budget", reason=f"{decision.reason}; {NOTHING_NEW}")
    elif decision.goes_on:
        following = min(goal.budget, max(seeds + 1, -(-(decision.next_blocks - fixed) // each)))
        if following <= seeds:
            decision = decision._replace(state="budget", reason=f"{decision.reason}; all {seeds} seeds have run")
            following = seeds
    return Precision(decision, goal, seeds, following)


def with_seeds(spec: SweepSpec, count: int) -> SweepSpec:
    """Return the question with `count` seeds: those that it has, then the whole numbers after the largest."""
    more = range(max(spec.seeds) + 1, max(spec.seeds) + 1 + count - len(spec.seeds))
    return replace(spec, seeds=[*spec.seeds, *more])


def run_until(
    spec: SweepSpec,
    load: Load,
    goal: Goal,
    on_progress: Callable[[str], None] = lambda sentence: None,
    *,
    processes: int | None = None,
) -> tuple[Outcomes, Precision]:
    """Execute a sweep on this machine, adding seeds until the goal is reached or the budget is spent.

    Runs of earlier steps are kept. A failed run leaves its instance out.
    """
    known: list[dict[str, Any]] = []
    while True:
        with closing(lines(spec, load, processes=processes, first=len(known))) as ended:
            for line in ended:
                known.append(line)
                on_progress(f"{len(known):,} of {len(spec):,} runs, {count(len(spec.seeds), 'seed')}")
        outcomes = Outcomes(spec)
        for line in known:
            outcomes.put(line)
        found = precision(outcomes, goal)
        if not found.goes_on:
            return outcomes, found
        spec = with_seeds(spec, found.next_seeds)


def _blocks_per_seed(blocks: np.ndarray) -> tuple[int, int]:
    """Return how many blocks a seed adds, and how many blocks do not depend on it."""
    if len(blocks) == 1:
        return len(np.unique(blocks)), 0
    shared = np.intersect1d(blocks[0], blocks[-1])
    return len(np.setdiff1d(blocks[-1], shared)), len(shared)
