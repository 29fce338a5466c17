"""The registry entry of an algorithm."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from shadowtime.engine.errors import InvalidParameter, UnsupportedWorkload
from shadowtime.engine.parameters import Parameter, Value, resolve
from shadowtime.engine.workload.refusal import refusal

if TYPE_CHECKING:
    from shadowtime.engine.runner.makers import Maker
    from shadowtime.engine.workload.job import Workload

Guarantee = Callable[[Mapping[str, Any]], str]
"""Parameters -> what is proven, in a sentence. If a parameter is absent, the sentence holds for all its values."""


@dataclass(frozen=True)
class Proven:
    """A guarantee that does not depend on parameters; a class, since entries of the registry travel as pickles."""

    sentence: str

    def __call__(self, parameters: Mapping[str, Any]) -> str:
        """Return the sentence."""
        return self.sentence


def proven(sentence: str) -> Guarantee:
    """Return a guarantee that does not depend on parameters; an empty sentence means that nothing is proven."""
    return Proven(sentence)


NOTHING = proven("")


@dataclass(frozen=True, kw_only=True)
class Algorithm:
    """An algorithm. `slug` is part of links and stored results: it never changes."""

    slug: str
    family: str
    title: str
    summary: str
    """One sentence for lists."""
    source: str
    """The paper."""
    kinds: tuple[str, ...]
    """Kinds of workload that the algorithm takes."""
    parameters: tuple[Parameter, ...] = ()
    kind_defaults: Mapping[str, Mapping[str, Value]] = field(default_factory=dict)
    """Defaults that depend on the workload's kind."""
    preset: Mapping[str, Value] = field(default_factory=dict)
    """Values of parameters that the name under which the algorithm was found gives: `batch:order=sjf`."""
    clairvoyant: bool = False
    """Whether the algorithm may see true runtimes."""
    clairvoyant_with: Mapping[str, Value] = field(default_factory=dict)
    """Values of parameters each of which lets an algorithm see true runtimes that otherwise does not."""
    online: bool = True
    """Whether the algorithm decides without knowledge of jobs that are released later."""
    guarantee: Guarantee = NOTHING
    """What its paper proves."""
    listed: bool = True
    """Whether lists show the algorithm; `find` finds unlisted variants too."""
    migrates: bool = False
    """Whether a started task may continue on another machine: fewer lower bounds hold then."""
    one_machine: bool = False
    """Whether the algorithm takes only multitask workloads in which each task has one machine."""
    needs_record: bool = False
    """Whether the algorithm takes only logs that say when their jobs started."""
    instead: Mapping[str, str] = field(default_factory=dict)
    """By kind of workload that it does not take, slug of an algorithm of the same idea that does."""
    runner: Maker
    """Makes the runner of a run."""

    @property
    def defaults(self) -> dict[str, Any]:
        """The parameters' defaults; None for one that must be given."""
        return {parameter.name: parameter.default for parameter in self.parameters}

    def resolve(self, given: Mapping[str, Any] | None, kind: str) -> dict[str, Value]:
        """Return the values of all parameters: those `given`, checked, and the defaults for this kind of workload.

        Raises
        ------
        UnsupportedWorkload
            If the algorithm does not take workloads of this kind; the message names suitable conversions.
        InvalidParameter
            If a name is unknown or a value breaks its rule.
        """
        self.check_kind(kind)
        defaults = self.kind_defaults.get(kind, {})
        known = [replace(p, default=defaults[p.name]) if p.name in defaults else p for p in self.parameters]
        return resolve(known, self.with_preset(given), self.slug)

    def with_preset(self, given: Mapping[str, Any] | None) -> dict[str, Any]:
        """Return the values given, and those of the name; InvalidParameter if a parameter has both."""
        for name in self.preset.keys() & (given or {}).keys():
            raise InvalidParameter(f"{self.slug}: {name} is given twice, in the name and as a parameter")
        return {**self.preset, **(given or {})}

    def parameters_for(self, workload: Workload, given: Mapping[str, Any] | None = None) -> dict[str, Value]:
        """Return `resolve` with the workload's own values (a case's migration cost) in place of defaults."""
        self.check_kind(workload.kind)
        if self.one_machine and len(workload.parts["machine"]) > len(workload.parts["size"]):
            raise UnsupportedWorkload(
                f"{self.title} takes workloads in which each task has one machine; tasks of {workload.name} have more. "
                "Add the conversion multitask with local=1 and remote=0, or choose an algorithm that places tasks."
            )
        if self.needs_record and "recorded_start" not in workload.jobs:
            raise UnsupportedWorkload(
                f"{self.title} takes logs that say when their jobs started; {workload.name} does not. "
                "Another load, or jobs of a generator, have no record."
            )
        names = {parameter.name for parameter in self.parameters}
        stated = {name: value for name, value in workload.machine.items() if name in names}
        return self.resolve({**stated, **(given or {})}, workload.kind)

    def check_kind(self, kind: str) -> None:
        """Raise UnsupportedWorkload if the algorithm does not take workloads of `kind`."""
        if kind not in self.kinds:
            raise refusal(self.title, self.kinds, kind, self.instead.get(kind, ""))
