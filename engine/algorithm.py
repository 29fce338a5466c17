"""What an algorithm is to the rest of the product."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from importlib import import_module
from typing import TYPE_CHECKING, Any

from shadowtime.engine.errors import UnsupportedWorkload
from shadowtime.engine.parameters import Parameter, Value, resolve

if TYPE_CHECKING:
    from shadowtime.engine.workload.job import Workload


@dataclass(frozen=True)
class Algorithm:
    """An algorithm as the registry knows it. `slug` goes into links and stored results: it never changes."""

    slug: str
    family: str
    title: str
    summary: str
    """One sentence for lists."""
    source: str
    """The paper."""
    kinds: tuple[str, ...]
    """Kinds of workload that it takes."""
    parameters: tuple[Parameter, ...] = ()
    kind_defaults: Mapping[str, Mapping[str, Value]] = field(default_factory=dict)
    """Defaults that depend on the workload's kind."""
    exclusive: bool = True
    """A lane's slot holds one process; otherwise lanes hold shares."""
    keeps_rates: bool = False
    """Rates of progress cannot be read off the rectangles: the run keeps them in a table of their own."""
    clairvoyant: bool = False
    """Whether it may see true runtimes."""
    guarantee: str = ""
    """What its paper proves, in a sentence; empty when nothing is proven."""
    runner: str = ""
    """`module:function` of the compiled run; empty for a policy that is a Python class."""
    memory: str = ""
    """`module:function` that makes the policy's own state."""
    options: Mapping[str, Value] = field(default_factory=dict)
    """What distinguishes algorithms that share a runner; handed to `memory` beside the parameters."""
    listed: bool = True
    """Whether lists show it; one of many variants is found by its name all the same."""
    packer: str = ""
    """`module:function` that plans a whole multitask run, which the kernel then executes."""
    migrates: bool = False
    """Whether a task may go on on another machine: fewer lower bounds hold for it."""
    one_machine: bool = False
    """It takes multitask workloads only where each task has one machine."""
    policy: Callable[..., Any] | None = None
    """Makes a policy object with `decide(desk)`; used where there is no compiled run."""
    planner: str = ""
    """`module:function` of an off-line planner: workload, parameters, lanes and random generator ->
    `engine.runner.plan.Plan`, which the kernel executes."""
    warm: str = ""
    """`module:function` that compiles what the planner needs, so that planning is timed without it."""

    def resolve(self, given: Mapping[str, Any] | None, kind: str) -> dict[str, Value]:
        """All parameters with values: `given` ones checked, defaults (of this workload kind) for the rest.

        Raises
        ------
        UnsupportedWorkload
            If the algorithm does not take workloads of this kind; the message names the conversions that help.
        InvalidParameter
            For an unknown name or a value outside its rule.
        """
        self.check_kind(kind)
        defaults = self.kind_defaults.get(kind, {})
        known = [replace(p, default=defaults.get(p.name, p.default)) for p in self.parameters]
        return resolve(known, given, self.slug)

    def parameters_for(self, workload: Workload, given: Mapping[str, Any] | None = None) -> dict[str, Value]:
        """As `resolve`; what the workload says of a parameter (a case's migration cost) comes before defaults."""
        self.check_kind(workload.kind)
        if self.one_machine and len(workload.parts["machine"]) > len(workload.parts["size"]):
            raise UnsupportedWorkload(
                f"{self.title} takes workloads in which each task has one machine; tasks of {workload.name} have more. "
                "Add the conversion multitask with local=1 and remote=0, or ask for one that places tasks."
            )
        names = {parameter.name for parameter in self.parameters}
        said = {name: value for name, value in workload.machine.items() if name in names}
        return self.resolve({**said, **(given or {})}, workload.kind)

    def check_kind(self, kind: str) -> None:
        """Refuse a workload of a kind that this algorithm does not take."""
        if kind in self.kinds:
            return
        from shadowtime.engine.registry import algorithms, conversions

        helping = sorted(c.slug for c in conversions().values() if c.makes in self.kinds and kind in c.takes)
        if helping:
            raise UnsupportedWorkload(
                f"{self.title} takes {' or '.join(self.kinds)} workloads. Add the conversion {' or '.join(helping)}."
            )
        *most, last = (one.replace("_", "-") for one in self.kinds)
        takes = f"{', '.join(most)} or {last}" if most else last
        fit = [slug for slug, one in algorithms().items() if kind in one.kinds]
        raise UnsupportedWorkload(
            f"{self.title} takes {takes} workloads; these jobs are {kind.replace('_', '-')}."
            + (f" Try {', '.join(fit)}." if fit else "")
        )

    def load(self, which: str) -> Callable[..., Any]:
        """The function behind `runner`, `memory` or `planner`: imported when first asked for, numba with it."""
        module, _, name = which.partition(":")
        return getattr(import_module(module), name)
