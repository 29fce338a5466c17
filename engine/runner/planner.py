"""The runner that makes a plan first, then executes it.

Planning takes seconds, in steps of a linear program that cannot be divided into slices. When the caller watches it,
the plan is therefore made in a separate thread, with a Watch that reports progress and cancels it.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Mapping
from functools import cache
from typing import Any

import numpy as np

from shadowtime.engine.kernel.state import UNIT, arrays_for, new_state
from shadowtime.engine.runner.plan import Plan
from shadowtime.engine.runner.plan_run import make, run_plan
from shadowtime.engine.runner.runner import Budget, Progress, Question, Runner
from shadowtime.engine.runner.watch import Watch
from shadowtime.engine.workload.job import Workload

LOOK_EVERY = 0.05
"""Time after which a call returns while the plan is made [s]."""

MakePlan = Callable[[Workload, Mapping[str, Any], int, np.random.Generator, Watch], Plan]
"""Workload, parameters, lanes, random generator and watch -> plan."""


@cache
def _compile(exclusive: bool) -> None:
    """Compile or load the execution of a plan, once in a process."""
    state = new_state(arrays_for(np.ones(1, UNIT), 1, exclusive))
    run_plan(state, make(Plan.joined([]), 1, exclusive), 0)  # a budget of 0 does nothing


class Planner(Runner):
    """Makes a plan, then executes it.

    Parameters
    ----------
    warm
        Compiles the steps of the planner for a workload and parameters, so that `plan_s` excludes compilation.
    """

    def __init__(self, question: Question, make_plan: MakePlan, warm: Callable[[Workload, Mapping[str, Any]], Any]):
        self._question, self._make_plan = question, make_plan
        self._making: Making | None = None
        self._memory: Any = None
        self.plan: Plan | None = None
        self.plan_s, self._planned = 0.0, 0.0
        warm(question.on_kernel_clock, question.parameters)
        _compile(question.exclusive)

    def advance(self, budget: Budget) -> Progress:
        """Continue planning, or execute the plan; see Runner."""
        if self.plan is None:
            if self._making is None:
                self._making = Making(self._question, self._make_plan)
            if not self._making.advance(LOOK_EVERY if budget.is_watched else None):
                # Cutting planes add rows during the solution, so the share may fall; the reported share never does.
                self._planned = max(self._planned, min(self._making.watch.share, 1.0))
                return Progress(False, self._planned)
            plan, self.plan_s, self._making = self._making.plan, self._making.seconds, None
            assert plan is not None
            self.plan, self.columns, self.bands, self.counters = plan, plan.columns, plan.bands, plan.counters
            self.notes = plan.notes
            self.state = self._question.new_state(plan)
            self._memory = make(plan, len(self.state.u), self._question.exclusive)
        return Progress(not run_plan(self.state, self._memory, budget.acts))

    def close(self) -> None:
        """Cancel a plan that is being made; the next call of `advance` starts planning again."""
        if self._making is not None:
            self._making.watch.stop = True
            self._making = None


class Making:
    """A plan that is being made, in this thread or in a separate one."""

    def __init__(self, question: Question, make_plan: MakePlan):
        self._question, self._make_plan = question, make_plan
        self._thread: threading.Thread | None = None
        self._failed: BaseException | None = None
        self.watch = Watch()
        self.plan: Plan | None = None
        self.seconds = 0.0

    def advance(self, seconds: float | None) -> bool:
        """Wait for the plan, up to `seconds` (None: without limit); return whether it is made."""
        if self._thread is None:
            if seconds is None:
                self._make()
                return True
            self._thread = threading.Thread(target=self._try, name="plan", daemon=True)
            self._thread.start()
        self._thread.join(seconds)
        if self._thread.is_alive():
            return False
        if self._failed is not None:
            raise self._failed
        return True

    def _try(self) -> None:
        try:
            self._make()
        except BaseException as error:  # raised again in the thread that waits
            self._failed = error

    def _make(self) -> None:
        began, q = time.perf_counter(), self._question
        self.plan = self._make_plan(q.on_kernel_clock, q.parameters, q.lanes, q.generator(), self.watch)
        self.seconds = time.perf_counter() - began
