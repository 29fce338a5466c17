"""What an algorithm is to the rest of the product."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from shadowtime.engine.errors import UnsupportedWorkload
from shadowtime.engine.parameters import Parameter, Value, resolve
from shadowtime.engine.workload.refusal import refusal

if TYPE_CHECKING:
    from shadowtime.engine.runner.makers import Maker
    from shadowtime.engine.workload.job import Workload

Guarantee = Callable[[Mapping[str, Any]], str]
"""From parameters to what is proven, in a sentence; without a parameter the sentence holds for any value of it."""


@dataclass(frozen=True)
class Proven:
    """A guarantee that does not depend on parameters; a class, since entries of the registry travel as pickles."""

    sentence: str

    def __call__(self, parameters: Mapping[str, Any]) -> str:
        """Return the sentence."""
        return self.sentence


def proven(sentence: str) -> Guarantee:
    """Return a guarantee that does not depend on parameters; an empty sentence where nothing is proven."""
    return Proven(sentence)


NOTHING = proven("")


@dataclass(frozen=True, kw_only=True)
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
    clairvoyant: bool = False
    """Whether it may see true runtimes."""
    online: bool = True
    """Whether it decides without knowledge of jobs that are released later."""
    guarantee: Guarantee = NOTHING
    """What its paper proves."""
    listed: bool = True
    """Whether lists show it; one of many variants is found by its name all the same."""
    migrates: bool = False
    """Whether a task may go on on another machine: fewer lower bounds hold for it."""
    one_machine: bool = False
    """It takes multitask workloads only where each task has one machine."""
    runner: Maker
    """Makes the runner of a run."""

    @property
    def exclusive(self) -> bool:
        """Whether a lane's slot holds one process; otherwise lanes hold shares."""
        return self.runner.exclusive

    @property
    def defaults(self) -> dict[str, Any]:
        """The parameters' defaults; None for one that has to be given."""
        return {parameter.name: parameter.default for parameter in self.parameters}

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
        if kind not in self.kinds:
            raise refusal(self.title, self.kinds, kind)
