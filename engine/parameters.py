"""Typed parameters with ranges and descriptions: forms, validation, help and docs are generated from them."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from shadowtime.engine.errors import InvalidParameter

Value = float | int | str | bool


@dataclass(frozen=True)
class Parameter:
    """A named value that the user may set. `default` None: the user or the workload must give it."""

    name: str
    default: Any
    text: str
    """One sentence for the user: what it does."""
    is_later: bool = field(default=False, kw_only=True)
    """Whether it was added after runs were stored: `resolve` leaves it out at its default, so that their ids hold."""

    def check(self, value: Any, owner: str) -> Value:
        """Return `value` (text or a number) converted to this parameter's type.

        Raises
        ------
        InvalidParameter
            If the value breaks the rule; `owner` and the rule are named.
        """
        raise NotImplementedError

    def rule(self) -> str:
        """Return the permitted values in words."""
        raise NotImplementedError

    def wrong(self, value: Any, owner: str) -> InvalidParameter:
        """Return the error for a value that breaks the rule."""
        return InvalidParameter(f"{owner}: {self.name} = {str(value)[:80]!r}, but it must be {self.rule()}")


@dataclass(frozen=True)
class Real(Parameter):
    """A real number in [low, high]; written with a point in canonical JSON."""

    low: float = -math.inf
    high: float = math.inf
    unit: str = ""
    above: bool = False
    """Whether the lower end itself is excluded."""

    def check(self, value: Any, owner: str) -> float:
        try:
            number = float(value) if not isinstance(value, bool) else math.nan
        except (TypeError, ValueError, OverflowError):
            raise self.wrong(value, owner) from None
        low_ok = number > self.low if self.above else number >= self.low
        if not (math.isfinite(number) and low_ok and number <= self.high):
            raise self.wrong(value, owner)
        return number

    def rule(self) -> str:
        unit = f" {self.unit}" if self.unit else ""
        more = "above" if self.above else "at least"
        if math.isinf(self.low) and math.isinf(self.high):
            return f"a number{unit}"
        if math.isinf(self.high):
            return f"a number {more} {self.low:g}{unit}"
        return f"a number {more} {self.low:g} and at most {self.high:g}{unit}"


@dataclass(frozen=True)
class Whole(Parameter):
    """A whole number in [low, high]."""

    low: int = 0
    high: int = 2**53
    unit: str = ""

    def check(self, value: Any, owner: str) -> int:
        try:
            number = int(value)
        except (TypeError, ValueError, OverflowError):
            raise self.wrong(value, owner) from None
        is_whole = not isinstance(value, bool) and not (isinstance(value, float) and number != value)
        if not (is_whole and self.low <= number <= self.high):
            raise self.wrong(value, owner)
        return number

    def rule(self) -> str:
        if self.high < 2**53:
            return f"a whole number from {self.low:,} to {self.high:,}"
        return f"a whole number, {self.low:,} or more"


@dataclass(frozen=True)
class Choice(Parameter):
    """One word of a fixed set."""

    choices: tuple[str, ...] = ()
    labels: Mapping[str, str] = field(default_factory=dict)
    """Label of each word, for forms and help."""

    def check(self, value: Any, owner: str) -> str:
        text = str(value).strip().lower()
        if text not in self.choices:
            raise self.wrong(value, owner)
        return text

    def rule(self) -> str:
        return "one of " + ", ".join(self.choices)


@dataclass(frozen=True)
class Flag(Parameter):
    """True or false."""

    def check(self, value: Any, owner: str) -> bool:
        text = str(value).strip().lower()
        if text in ("true", "yes", "1", "on"):
            return True
        if text in ("false", "no", "0", "off"):
            return False
        raise self.wrong(value, owner)

    def rule(self) -> str:
        return "true or false"


def resolve(parameters: Iterable[Parameter], given: Mapping[str, Any] | None, owner: str) -> dict[str, Value]:
    """Return the values of all parameters, sorted by name: those `given`, checked, and defaults for the others.

    A later parameter (`is_later`) with its default has no entry.

    Raises
    ------
    InvalidParameter
        If `owner` has no parameter of that name, a value breaks its rule, or one without default is missing.
    """
    known = {parameter.name: parameter for parameter in parameters}
    values: dict[str, Value] = {}
    for name, value in (given or {}).items():
        if name not in known:
            choices = ", ".join(sorted(known)) or "it has none"
            raise InvalidParameter(f"unknown parameter {str(name)[:80]!r} of {owner}; known: {choices}")
        values[name] = known[name].check(value, owner)
    for name, parameter in known.items():
        if name not in values:
            if parameter.default is None:
                raise InvalidParameter(f"{owner}: {name} must be given: {parameter.rule()}")
            values[name] = parameter.default
    left_out = {name for name, parameter in known.items() if parameter.is_later and values[name] == parameter.default}
    return {name: values[name] for name in sorted(values.keys() - left_out)}
