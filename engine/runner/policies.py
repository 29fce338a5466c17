"""Runners of compiled policies and of Python objects with `decide(desk)`."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from numbers import Integral
from typing import Any

import numpy as np

from shadowtime.engine.desk import Desk
from shadowtime.engine.errors import PolicyError
from shadowtime.engine.kernel import loop
from shadowtime.engine.kernel.reading import direct, reader
from shadowtime.engine.runner.runner import Budget, Progress, Question, Runner
from shadowtime.engine.tables import Table, rows
from shadowtime.engine.workload.known import shown

Run = Callable[[Any, Any, int], bool]
"""State, memory and a budget of acts -> whether there is more to do."""


class CompiledPolicy(Runner):
    """Runs a compiled loop over the kernel's state and the policy's memory."""

    def __init__(self, question: Question, run: Run, make_memory: Callable[[], Any], columns: Mapping[str, str]):
        self.state = question.new_state(None)
        self._run, self._memory, self._columns = run, make_memory(), columns
        run(self.state, self._memory, 0)  # compiles, or loads from the cache; a budget of 0 does nothing

    def advance(self, budget: Budget) -> Progress:
        """Spend the budget; see Runner."""
        done = not self._run(self.state, self._memory, budget.acts)
        if done:
            units = len(self.state.u)
            self.columns = {
                name: np.array(getattr(self._memory, array)[:units]) for name, array in self._columns.items()
            }
        return Progress(done)


class PythonPolicy(Runner):
    """Runs the loop in Python over the kernel's compiled steps, with an object that has `decide(desk)`."""

    def __init__(self, question: Question, policy: Any):
        self.state, self._policy = question.new_state(None), policy
        self._exclusive = question.exclusive
        workload, clairvoyant = question.workload, bool(getattr(policy, "clairvoyant", False))
        self._desk = Desk(
            self.state,
            question.generator(),
            workload,
            clairvoyant=clairvoyant,
            owner=question.job,
            physics=getattr(policy, "physics", None),
            family=question.family,
        )
        if hasattr(policy, "prepare"):
            policy.prepare(shown(workload, clairvoyant=clairvoyant))
        for name in ("columns", "counters"):
            self._own(name, ())
        self._step, self._acts = direct(loop.step, self.state, "i"), reader(self.state.k, "acts")

    def advance(self, budget: Budget) -> Progress:
        """Spend the budget; see Runner."""
        state, desk, step, policy = self.state, self._desk, self._step, self._policy
        begin, decide = desk._begin, policy.decide
        physics = getattr(policy, "physics", None) if self._exclusive else desk._checks.physics
        due, stop = int(loop.DECIDE), self._acts(0) + budget.acts
        while (found := step(state, stop)) == due:
            begin()
            decide(desk)
            if physics is not None:
                physics(desk)
        return Progress(found != int(loop.SPENT))

    def columns_beside(self, jobs: Table) -> Table:
        """Return the policy's `columns`: n numbers each, under names that the jobs table does not have."""
        return {name: _column(name, values, rows(jobs)) for name, values in self._own("columns", jobs).items()}

    def counters_beside(self, counters: Mapping[str, int]) -> Mapping[str, int]:
        """Return the policy's `counters`: whole numbers, under names that the kernel does not count."""
        found = self._own("counters", counters)
        for name, count in found.items():
            if not isinstance(count, Integral):
                raise PolicyError(f"the policy's counters[{name!r}] is {str(count)[:40]}; it must be a whole number")
        return {name: int(count) for name, count in found.items()}

    def _own(self, attribute: str, taken: Iterable[str]) -> Mapping[str, Any]:
        """Return an attribute of the policy whose entries the schedule takes; {} if it has none."""
        found = getattr(self._policy, attribute, {})
        if not isinstance(found, Mapping):
            raise PolicyError(
                f"the policy's attribute {attribute} is of type {type(found).__name__}, but the schedule takes it and "
                "it must be a mapping from names to values: rename it"
            )
        for name in found:
            if not isinstance(name, str) or name in taken:
                rule = "has this name already" if isinstance(name, str) else "has names that are texts"
                raise PolicyError(
                    f"the policy's {attribute} have {str(name)[:40]!r}, but the schedule {rule}: rename it"
                )
        return found


def _column(name: str, values: Any, n: int) -> np.ndarray:
    column = np.asarray(values)
    if column.shape != (n,) or column.dtype.kind not in "biuf":
        raise PolicyError(f"the policy's columns[{name!r}] must have {n:,} numbers, one a job")
    return column
