"""RunSpec: everything that determines a run. Its digest is the key of its result and the link to it."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, fields
from functools import cached_property
from typing import Any

from shadowtime.engine import registry as policies
from shadowtime.engine.errors import InvalidParameter, InvalidPlatform, QuestionError
from shadowtime.engine.kernel.clock import check_resolution
from shadowtime.engine.parameters import Whole
from shadowtime.engine.platform import Platform
from shadowtime.engine.simulation import ESTIMATES, estimates_of
from shadowtime.engine.workload.job import Workload
from shadowtime.workers.conversions import convert_all
from shadowtime.workers.digest import Digested
from shadowtime.workers.version import engine_version

SEED = Whole("seed", 0, "of the generator and of an algorithm's own draws")

SALT_DIGITS = 32

_DIGEST = re.compile(r"[0-9a-f]{64}", re.ASCII)
_SALT = re.compile(rf"[0-9a-f]{{{SALT_DIGITS}}}", re.ASCII)


@dataclass(frozen=True, eq=False)
class RunSpec(Digested):
    """A question with all defaults filled in; two are equal when their canonical texts are."""

    workload: Mapping[str, Any]
    """{"digest", "case"} of a file, or {"generator", "parameters", "seed"}."""
    conversions: Sequence[Mapping[str, Any]]
    """{"name", "parameters"} each, in the order in which they apply."""
    platform: Mapping[str, Any]
    estimates: str
    algorithm: str
    parameters: Mapping[str, Any]
    seed: int
    engine_version: str
    salt: str = ""
    """Makes the id of a private run differ from that of the public question; empty for a public run."""

    @cached_property
    def json(self) -> str:
        """Canonical JSON: keys sorted, no blanks, real numbers with a point; an empty salt is left out."""
        values = {field.name: getattr(self, field.name) for field in fields(self)}
        return canonical(values if self.salt else {name: values[name] for name in _PUBLIC})

    def __eq__(self, other: object) -> bool:
        return isinstance(other, RunSpec) and self.json == other.json

    def __hash__(self) -> int:
        return hash(self.digest)

    @classmethod
    def of(
        cls,
        workload: Workload,
        algorithm: str,
        parameters: Mapping[str, Any] | None = None,
        platform: Platform | Mapping[str, Any] | None = None,
        estimates: str | None = None,
        seed: int = 0,
        conversions: Iterable[Any] = (),
    ) -> RunSpec:
        """Return the complete question, with the defaults that `design` defines.

        `workload` records its own `conversions`; those given here are applied to it first. A parameter that the
        workload sets is used unless `parameters` sets it.

        Raises
        ------
        QuestionError
            For a name, value or kind of workload that does not fit, saying what does; for jobs too short for
            the clock (see `engine.kernel.clock`).
        """
        seed = SEED.check(seed, "a run")
        workload = convert_all(workload, conversions, seed)
        entry = policies.find(algorithm)
        entry.check_kind(workload.kind)
        check_resolution(workload)
        if platform is not None and not isinstance(platform, Platform | Mapping):
            raise InvalidPlatform("a platform is an object like {'processors': 240}")
        if parameters is not None and not isinstance(parameters, Mapping):
            raise InvalidParameter("parameters must be an object")
        return cls(
            workload=dict(workload.source),
            conversions=tuple(dict(conversion) for conversion in workload.conversions),
            platform=Platform.of(workload, platform).as_dict(),
            estimates=estimates_of(workload, estimates),
            algorithm=entry.slug,
            parameters=entry.parameters_for(workload, parameters),
            seed=seed,
            engine_version=engine_version(),
        )

    @classmethod
    def from_json(cls, text: str) -> RunSpec:
        """Parse a canonical text, and no other text: `json` of the result is `text`.

        Names and ranges are not checked against this engine's registries: an old run stays readable.

        Raises
        ------
        QuestionError
            When `text` is no canonical run spec.
        """
        try:
            values = json.loads(text)
            if not isinstance(values, dict):
                raise ValueError("it is not an object")
            if set(values) - {"salt"} != _PUBLIC:
                raise ValueError(f"its keys must be {', '.join(sorted(_PUBLIC))}")
            _check(values)
            spec = cls(**values)
            if spec.json != text:
                raise ValueError("it is not written canonically")
        except (ValueError, RecursionError) as error:
            raise QuestionError(f"not a run spec: {str(error)[:200] or 'nested too deeply'}") from None
        return spec


_PUBLIC = frozenset(field.name for field in fields(RunSpec)) - {"salt"}
"""Keys of a public question."""


def canonical(value: Any) -> str:
    """Return `value` as canonical JSON; ValueError for what JSON cannot hold."""
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False, allow_nan=False)


def _check(values: dict[str, Any]) -> None:
    """Raise ValueError unless every part has the shape that `of` gives it."""
    for name in ("algorithm", "engine_version"):
        if not (isinstance(values[name], str) and values[name]):
            raise ValueError(f"{name} must be a name")
    if not (isinstance(values.get("salt", ""), str) and _SALT.fullmatch(values.get("salt", "0" * SALT_DIGITS))):
        raise ValueError(f"salt must have {SALT_DIGITS} hexadecimal digits")
    if values["estimates"] not in ESTIMATES:
        raise ValueError(f"estimates must be one of {', '.join(ESTIMATES)}")
    _whole(values["seed"], "seed")
    _scalars(values["parameters"], "parameters")
    _scalars(values["platform"], "platform")
    if not values["platform"] or any(isinstance(size, str | bool) for size in values["platform"].values()):
        raise ValueError("platform must hold numbers")
    if not isinstance(values["conversions"], list):
        raise ValueError("conversions must be a list")
    for conversion in values["conversions"]:
        if not isinstance(conversion, dict) or set(conversion) != {"name", "parameters"}:
            raise ValueError("a conversion must have a name and parameters")
        if not isinstance(conversion["name"], str):
            raise ValueError("a conversion's name must be a text")
        _scalars(conversion["parameters"], "a conversion's parameters")
    check_source(values["workload"])


def check_source(source: Any) -> None:
    """Raise ValueError unless `source` identifies a workload: a file's digest and case, or a generator's question."""
    if not isinstance(source, dict):
        raise ValueError("workload must be an object")
    if set(source) == {"digest", "case"}:
        if not (isinstance(source["digest"], str) and _DIGEST.fullmatch(source["digest"])):
            raise ValueError("a workload's digest must have 64 hexadecimal digits")
        if not isinstance(source["case"], str | None):
            raise ValueError("a workload's case must be a name or null")
    elif set(source) == {"generator", "parameters", "seed"}:
        if not isinstance(source["generator"], str):
            raise ValueError("a generator must be a name")
        _scalars(source["parameters"], "a generator's parameters")
        _whole(source["seed"], "a generator's seed")
    else:
        raise ValueError("workload must have digest and case, or generator, parameters and seed")


def _whole(value: Any, name: str) -> None:
    if not isinstance(value, int) or isinstance(value, bool) or value < 0:
        raise ValueError(f"{name} must be a whole number, 0 or more")


def _scalars(values: Any, name: str) -> None:
    if not isinstance(values, dict) or not all(isinstance(value, str | int | float) for value in values.values()):
        raise ValueError(f"{name} must be an object of plain values")
