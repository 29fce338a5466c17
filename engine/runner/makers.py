"""Makers: entries of the registry name the runner of an algorithm. Importing them does not import numba (1 s)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from importlib import import_module
from typing import TYPE_CHECKING, Any

from shadowtime.engine.kernel import code as compiled_code
from shadowtime.engine.parameters import Value

if TYPE_CHECKING:
    from shadowtime.engine.runner.runner import Question, Runner

KERNEL = "shadowtime.engine.kernel.loop:advance"
KERNEL_S, OWN_S = 16.0, 10.0
"""Seconds of one processor that compiling takes: of kernel, metrics and bounds, and of an algorithm (4 to 16)."""


@dataclass(frozen=True, kw_only=True)
class Maker:
    """Makes the runner of an algorithm."""

    exclusive: bool = True
    """Whether each tier of a lane holds one process; otherwise lanes hold shares."""
    keeps_rates: bool = False
    """Whether the rectangles do not determine progress, so that the run keeps a table of rates."""
    fixed: tuple[tuple[str, Value], ...] = ()
    """Values of parameters that a named combination of choices fixes."""
    reserves: bool = False
    """Whether an instant may bring an event of every waiting job: its reservation."""

    def __call__(self, question: Question) -> Runner:
        """Return the runner of one run; imports numba."""
        raise NotImplementedError

    def code(self, parameters: Mapping[str, Any]) -> tuple[str, ...]:
        """Return the compiled functions that a run needs beside the kernel, as `code.is_kept` takes them."""
        return ()

    def compile_seconds(self, parameters: Mapping[str, Any]) -> float:
        """Return about how long the first such run on this machine compiles [s]; 0 when all is on disk."""
        own = 0.0 if all(map(compiled_code.is_kept, self.code(parameters))) else OWN_S
        return own + (0.0 if compiled_code.is_kept(KERNEL) else KERNEL_S)


def load(which: str) -> Callable[..., Any]:
    """Return the function named `module:function`; this imports its module, and numba."""
    module, _, name = which.partition(":")
    return getattr(import_module(module), name)


@dataclass(frozen=True)
class Compiled(Maker):
    """Makes the runner of a compiled policy."""

    run: str
    """`module:function`: state, memory, budget -> whether there is more to do."""
    memory: str
    """`module:function`: view of the workload, parameters with options, lanes -> memory."""
    options: Mapping[str, Value] = field(default_factory=dict)
    """Constants that distinguish algorithms with one loop; passed to `memory` with the parameters."""
    view: str = "shadowtime.engine.workload.known:known"
    """`module:function` that returns what the policy may see of the workload."""
    columns: Mapping[str, str] = field(default_factory=dict)
    """Columns of the jobs table that the memory has: name and array, one value a unit."""
    draws: bool = False
    """Whether `memory` takes the run's random generator as its last argument."""

    def code(self, parameters: Mapping[str, Any]) -> tuple[str, ...]:
        return (self.run,)

    def __call__(self, question: Question) -> Runner:
        from shadowtime.engine.runner.policies import CompiledPolicy

        def make() -> Any:
            values = {**self.options, **question.parameters}
            drawn = (question.generator(),) if self.draws else ()
            return load(self.memory)(load(self.view)(question.on_kernel_clock), values, question.lanes, *drawn)

        return CompiledPolicy(question, load(self.run), make, self.columns)


@dataclass(frozen=True)
class Planned(Maker):
    """Makes the runner of a planner."""

    planner: str
    """`module:function`: workload, parameters, lanes, random generator, watch -> Plan."""
    warm: str
    """`module:function` that compiles the steps of the planner; its arguments are workload and parameters."""

    def code(self, parameters: Mapping[str, Any]) -> tuple[str, ...]:
        return ("shadowtime.engine.runner.plan_run:run_plan", f"{self.planner.partition(':')[0]}:*")

    def __call__(self, question: Question) -> Runner:
        from shadowtime.engine.runner.planner import Planner

        return Planner(question, load(self.planner), load(self.warm))


@dataclass(frozen=True)
class Scripted(Maker):
    """Makes the runner of a policy that is a Python object."""

    policy: Callable[..., Any]
    """Parameters -> an object with `decide(desk)`."""

    def code(self, parameters: Mapping[str, Any]) -> tuple[str, ...]:
        return ("shadowtime.engine.kernel.loop:step",)

    def __call__(self, question: Question) -> Runner:
        from shadowtime.engine.runner.policies import PythonPolicy

        return PythonPolicy(question, self.policy(**question.parameters))
