"""From the form of a new run to questions: what is sent to the API, and the same as a command.

Only what a person set is said; the canonical question fills in the rest, so that form, API and command agree.
"""

from __future__ import annotations

import shlex
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from shadowtime.dashboard.components.parameter_form import read, typed
from shadowtime.engine import registry as policies
from shadowtime.engine.errors import QuestionError
from shadowtime.engine.parameters import Parameter, Phrase, Whole
from shadowtime.engine.registry import find_conversion, find_generator
from shadowtime.engine.workload.generators.generator import SEED

TRACE, GENERATOR = "trace", "generator"

SIZES = {name: Whole(name, None, "", low=1, high=1_000_000) for name in ("processors", "nodes", "cores_per_node")}
"""What may be typed of a machine."""

WEEK = Whole("k", None, "Number of the week, from 1; in commands and links k counts from 0.", low=1, high=100_001)


@dataclass(frozen=True)
class Form:
    """What stands in the form of a new run."""

    kind: str = TRACE
    trace: Mapping[str, Any] | None = None
    """A stored workload: {"id", "name", "case"}."""
    generator: str = ""
    drawn: Mapping[str, Any] = field(default_factory=dict)
    """Inputs of the generator's form."""
    steps: Sequence[Mapping[str, Any]] = ()
    """Conversions: {"name", "parameters"} each."""
    machine: Mapping[str, Any] = field(default_factory=dict)
    """{"processors"} or {"nodes", "cores_per_node"} as far as a person set them."""
    estimates: str | None = None
    seed: Any = 0
    """Of the draws of conversions and algorithms, as it was typed; a generator has its own."""
    chosen: Sequence[str] = ()
    """Slugs of the algorithms."""
    parameters: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    """Inputs of each algorithm's form."""
    stated: Mapping[str, Any] = field(default_factory=dict)
    """Values that the file of the jobs states for parameters, in place of their defaults."""
    private: bool = False
    """Visible to its owner alone, or to a group."""
    group: str = ""
    """Name of the group; empty for the owner alone."""

    @property
    def has_workload(self) -> bool:
        return bool(self.generator) if self.kind == GENERATOR else bool(self.trace and self.trace.get("id"))

    def workload(self) -> dict[str, Any]:
        """The part that says which jobs, before conversions."""
        if self.kind == GENERATOR:
            known = (*find_generator(self.generator).parameters, SEED)
            return {"generator": self.generator, "parameters": read(known, self.drawn)}
        assert self.trace is not None
        case = self.trace.get("case")
        return {"workload": f"{self.trace['id']}#{case}" if case else self.trace["id"]}

    def question(self) -> Question:
        """What is asked, read once for all who need it."""
        trace = self.trace or {}
        name = self.generator if self.kind == GENERATOR else str(trace.get("name", "FILE"))
        case = f"#{trace['case']}" if self.kind != GENERATOR and trace.get("case") else ""
        return Question(name + case, self.base(), self.asked())

    def base(self) -> dict[str, Any]:
        """All of the question but the algorithm."""
        question = {**self.workload(), "conversions": [complete(step) for step in self.steps]}
        if self.machine:
            question["platform"] = {name: typed(SIZES[name], value) for name, value in self.machine.items()}
        if self.estimates:
            question["estimates"] = self.estimates
        if seed := typed(SEED, self.seed):
            question["seed"] = seed
        if self.private:
            question["private"] = True
            if self.group:
                question["group"] = self.group
        return question

    def asked(self) -> list[dict[str, Any]]:
        """The algorithms with what was set of each."""
        return [{"algorithm": slug, "parameters": self.set_of(slug)} for slug in self.chosen]

    def set_of(self, slug: str) -> dict[str, Any]:
        """What a person set of an algorithm; a family with one form for all its names has it under its own."""
        entry = policies.find(slug)
        known = with_stated(entry.parameters, self.stated)
        return read(known, self.parameters.get(slug) or self.parameters.get(entry.family, {}))


@dataclass(frozen=True)
class Question:
    """What a form asks: the API is sent `base` with `asked`, and commands are written from the same."""

    name: str
    """The generator, or the file as the command line names it."""
    base: Mapping[str, Any]
    """All but the algorithms."""
    asked: Sequence[Mapping[str, Any]]
    """The algorithms with what was set of each."""

    def only(self, chosen: Iterable[bool]) -> Question:
        """Of the algorithms those that are chosen."""
        return replace(self, asked=[one for one, is_chosen in zip(self.asked, chosen, strict=True) if is_chosen])

    def command(self, one: Mapping[str, Any]) -> list[str]:
        """`shadowtime simulate ...` of one algorithm, in parts that may stand on lines of their own."""
        base = self.base
        drawn = values_of(base["parameters"]) if "generator" in base else ""
        parts = [f"shadowtime simulate {shlex.quote(f'{self.name}:{drawn}' if drawn else self.name)}"]
        parts.append(f"-a {asked_algorithm(one)}")
        for step in base["conversions"]:
            values = values_of(step["parameters"])
            parts.append(f"--convert {step['name']}" + (f":{values}" if values else ""))
        platform = base.get("platform", {})
        if "processors" in platform:
            parts.append(f"--processors {platform['processors']}")
        if "nodes" in platform:
            cores = f" --cores-per-node {platform['cores_per_node']}" if platform.get("cores_per_node") else ""
            parts.append(f"--nodes {platform['nodes']}{cores}")
        if "estimates" in base:
            parts.append(f"--estimates {base['estimates']}")
        if "seed" in base:
            parts.append(f"--seed {base['seed']}")
        return parts


def with_stated(parameters: Iterable[Parameter], stated: Mapping[str, Any]) -> tuple[Parameter, ...]:
    """Return parameters with what the jobs state as their defaults."""
    return tuple(replace(one, default=stated[one.name]) if one.name in stated else one for one in parameters)


def values_of(parameters: Mapping[str, Any]) -> str:
    """Parameters as the command line takes them: `jobs=500,seed=7`."""
    return ",".join(f"{name}={text(value)}" for name, value in parameters.items())


def complete(step: Mapping[str, Any]) -> dict[str, Any]:
    """A conversion with what was set of it; the form counts weeks from 1, a question from 0."""
    try:
        known: Iterable[Parameter] = form_parameters(step["name"])
    except QuestionError:
        return {"name": step["name"], "parameters": dict(step.get("parameters", {}))}
    values = read(known, step.get("parameters", {}))
    return {"name": step["name"], "parameters": counted(step["name"], values, -1)}


def form_parameters(slug: str) -> tuple[Parameter, ...]:
    """The parameters of a conversion as its form has them."""
    known = find_conversion(slug).parameters
    return tuple(WEEK if (slug, one.name) == ("week", "k") else one for one in known)


def form_step(step: Mapping[str, Any]) -> dict[str, Any]:
    """A conversion of a question as the form has it."""
    return {"name": step["name"], "parameters": counted(step["name"], step.get("parameters", {}), 1)}


def chip_step(step: Mapping[str, Any]) -> dict[str, Any]:
    """A conversion of the form as a question has it, with a text where the form holds no number yet."""
    try:
        return complete(step)
    except QuestionError:
        return dict(step)


def counted(slug: str, values: Mapping[str, Any], more: int) -> dict[str, Any]:
    """The values of a conversion with the number of the week moved by `more`."""
    return {
        name: value + more if (slug, name) == ("week", "k") and isinstance(value, int) else value
        for name, value in values.items()
    }


def machine(unit: str, processors: Any, nodes: Any, cores: Any) -> dict[str, Any]:
    """The machine as a person typed it; empty when the fields are."""
    if unit == "nodes":
        said = {"nodes": nodes, "cores_per_node": cores if nodes not in (None, "") else None}
    else:
        said = {"processors": processors}
    return {name: value for name, value in said.items() if value not in (None, "")}


def algorithm(slug: str) -> str:
    """An algorithm as it is typed: the paper's spelling of a name that a shell must not take for a pattern."""
    return shlex.quote(policies.find(slug).title) if "/" in slug or "*" in slug else slug


def asked_algorithm(one: Mapping[str, Any]) -> str:
    """An algorithm with what was set of it: `batch:order=wfp3,backfill=conservative`, where it has phrases, else
    `easy -p extra=first`."""
    slug, values = one["algorithm"], one["parameters"]
    if values and any(isinstance(parameter, Phrase) for parameter in policies.find(slug).parameters):
        return shlex.quote(f"{slug}:{values_of(values)}")
    return " ".join([algorithm(slug), *(f"-p {name}={text(value)}" for name, value in values.items())])


def text(value: Any) -> str:
    """A value as a person types it."""
    if isinstance(value, bool):
        return str(value).lower()
    return f"{value:g}" if isinstance(value, float) else str(value)


def initial(slug: str, weeks: tuple[int, int] | None) -> dict[str, Any]:
    """What a conversion's form holds when it is added: for what has no default, something that works."""
    values = {}
    for parameter in find_conversion(slug).parameters:
        value = parameter.default
        if (slug, parameter.name) == ("week", "k"):
            value = weeks[0] + 1 if weeks else 1
        elif value is None:
            value = FIRST.get(parameter.name, 1)
        values[parameter.name] = value
    return values


FIRST = {"rho": 0.9}
"""First values of parameters that have no default."""
