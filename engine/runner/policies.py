"""Runners of compiled policies and of Python objects with `decide(desk)`."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from shadowtime.engine.runner.runner import Budget, Progress, Question
from shadowtime.engine.tables import BANDS, Table, empty

Run = Callable[[Any, Any, int], bool]
"""State, memory and a budget of acts -> whether there is more to do."""


class CompiledPolicy:
    """Runs a compiled loop over the kernel's state and the policy's memory."""

    plan_s = None
    columns: Table = {}
    counters: Mapping[str, int] = {}

    def __init__(self, question: Question, run: Run, make_memory: Callable[[], Any]):
        self.bands = empty(BANDS)
        self.state = question.new_state(None)
        self._run, self._memory = run, make_memory()
        run(self.state, self._memory, 0)  # compiles, or loads from the cache; a budget of 0 does nothing

    def advance(self, budget: Budget) -> Progress:
        """Spend the budget; see Runner."""
        return Progress(not self._run(self.state, self._memory, budget.acts))

    def close(self) -> None:
        """Do nothing: no work is in progress between two calls."""


class PythonPolicy:
    """Runs the kernel's loop uncompiled, with an object that has `decide(desk)` (see `engine.desk`)."""

    plan_s = None

    def __init__(self, question: Question, policy: Any):
        from shadowtime.engine.runner.python_policy import python_run

        self.bands = empty(BANDS)
        self.state = question.new_state(None)
        self._policy = policy
        self._run = python_run(self.state, policy, question.generator(), question.workload, question.job)

    @property
    def columns(self) -> Table:
        """Columns that the policy adds to the jobs table."""
        return getattr(self._policy, "columns", {})

    @property
    def counters(self) -> Mapping[str, int]:
        """Counters of the policy."""
        return getattr(self._policy, "counters", {})

    def advance(self, budget: Budget) -> Progress:
        """Spend the budget; see Runner."""
        return Progress(not self._run(budget.acts))

    def close(self) -> None:
        """Do nothing: no work is in progress between two calls."""
