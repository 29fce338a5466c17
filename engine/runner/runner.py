"""The protocol of a runner: it advances a run within a budget. Progress, cancellation, live tables and time limits are
implemented once, in `engine.simulation`.

A runner owns the kernel's state. The simulation reads rectangles and events from it after each call and assembles the
schedule, so that to cancel a run it only has to call `close`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from shadowtime.engine.kernel.clock import on_kernel_clock
from shadowtime.engine.tables import BANDS, Table, empty
from shadowtime.engine.workload.job import Workload

if TYPE_CHECKING:
    from shadowtime.engine.families.family import Family
    from shadowtime.engine.runner.plan import Plan


@dataclass(frozen=True)
class Budget:
    """Limits of one call of `advance`."""

    acts: int
    """Approximate number of acts of the kernel (starts, ends, submissions ...)."""
    is_watched: bool = False
    """Whether the caller shows progress or may cancel: planning then returns after `LOOK_EVERY` seconds."""


@dataclass(frozen=True)
class Progress:
    """The result of a call of `advance`."""

    done: bool
    planned: float = 1.0
    """Finished share of the planning, 0 to 1; 1 for a runner that does not plan."""


@dataclass(frozen=True, eq=False)
class Question:
    """The inputs of a runner."""

    workload: Workload
    """The workload of the caller, on its own clock."""
    parameters: Mapping[str, Any]
    lanes: int
    seed: int
    exclusive: bool
    new_state: Callable[[Plan | None], Any]
    """Returns a fresh state of the kernel, with the sizes and the work of the plan if it sets them."""
    job: np.ndarray | None = None
    """Row of each unit's job; None: a unit a job."""
    sees_runtimes: bool = False
    """Whether the estimates are the true runtimes."""
    family: Family | None = None
    """Family of the workload: which acts of a policy it allows."""

    @cached_property
    def on_kernel_clock(self) -> Workload:
        """The workload with releases on the kernel's clock, for plans and compiled policies. Where the estimates are
        the true runtimes, no job has a requested time, though the workload has estimates."""
        found = on_kernel_clock(self.workload)
        if not self.sees_runtimes or not found.has_estimates:
            return found
        return found.with_(jobs={**found.jobs, "requested": np.full(len(found), np.nan)})

    def generator(self) -> np.random.Generator:
        """Return the random generator of the run, at its first draw."""
        return np.random.default_rng(self.seed)


class Runner:
    """A run in progress."""

    state: Any = None
    """State of the kernel; None until the plan is made, since a plan may set the units."""
    columns: Table = {}
    """Columns that the runner adds to the jobs table."""
    bands: Table = empty(BANDS)
    """Batches, shelves and intervals of a planner."""
    counters: Mapping[str, int] = {}
    """Counters that the runner adds to those of the kernel."""
    notes: tuple[str, ...] = ()
    """Sentences for the report of the run."""
    plan_s: float | None = None
    """Time that planning took [s]; None for a runner that does not plan."""

    def advance(self, budget: Budget) -> Progress:
        """Continue the run; return within the budget.

        Raises
        ------
        SimulationError
            When no plan can be made. Errors of the kernel stay in its state.
        """
        raise NotImplementedError

    def columns_beside(self, jobs: Table) -> Table:
        """Return the columns that the runner adds to the jobs table of a run that has ended."""
        return self.columns

    def counters_beside(self, counters: Mapping[str, int]) -> Mapping[str, int]:
        """Return the counters that the runner adds to those of the kernel."""
        return self.counters

    def close(self) -> None:
        """Stop work that is in progress between two calls; `advance` may be called again."""
