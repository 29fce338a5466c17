"""Typed parameters with ranges and descriptions: forms, validation, help and docs are generated from them."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from decimal import Decimal
from typing import Any

from shadowtime.engine.errors import InvalidParameter

Value = float | int | str | bool

LARGEST = 2**53
"""The whole numbers up to here are exact as floats, and so in JSON."""
SMALL = 1e-4
"""Numbers below have more zeros than a reader counts: they are written with an exponent."""


def _plain(value: Any) -> Any:
    """Return a value; ValueError for a text that only Python takes for a number: with `_`, or digits beyond 0 to 9."""
    if isinstance(value, str) and ("_" in value or not value.isascii()):
        raise ValueError(value)
    return value


def written(value: float) -> str:
    """Return a finite number, exact, with a comma per thousand: `1,000,000,000`, `0.001`, `1e-12`."""
    if 0.0 < abs(value) < SMALL:
        return repr(value)
    text = f"{Decimal(repr(value)):,f}"
    return text.rstrip("0").rstrip(".") if "." in text else text


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

    def wrong(self, value: Any, owner: str, rule: str = "") -> InvalidParameter:
        """Return the error for a value that breaks the rule; `rule`: in words, where `rule()` does not say it."""
        return InvalidParameter(f"{owner}: {self.name} = {str(value)[:80]!r}, but it must be {rule or self.rule()}")


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
            number = float(_plain(value)) if not isinstance(value, bool) else math.nan
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
            return f"a number {more} {written(self.low)}{unit}"
        return f"a number {more} {written(self.low)} and at most {written(self.high)}{unit}"


@dataclass(frozen=True)
class Whole(Parameter):
    """A whole number in [low, high]."""

    low: int = 0
    high: int = LARGEST
    unit: str = ""

    def check(self, value: Any, owner: str) -> int:
        try:
            number = int(_plain(value))
        except (TypeError, ValueError, OverflowError):
            raise self.wrong(value, owner) from None
        is_whole = not isinstance(value, bool) and not (isinstance(value, float) and number != value)
        if not (is_whole and self.low <= number <= self.high):
            is_beyond = is_whole and self.high == LARGEST and number > LARGEST
            raise self.wrong(value, owner, f"{LARGEST:,} or less" if is_beyond else "")
        return number

    def rule(self) -> str:
        if self.high < LARGEST:
            return f"a whole number from {self.low:,} to {self.high:,}"
        return f"a whole number, {self.low:,} or more"


@dataclass(frozen=True)
class Choice(Parameter):
    """One word of a fixed set."""

    choices: Mapping[str, str] = field(default_factory=dict)
    """The words, and the label of each for forms and help."""

    def check(self, value: Any, owner: str) -> str:
        text = str(value).strip().lower()
        if text not in self.choices:
            raise self.wrong(value, owner)
        return text

    def rule(self) -> str:
        return "one of " + ", ".join(self.choices)


@dataclass(frozen=True)
class Text(Parameter):
    """A text of a grammar of its own."""

    canonical: Callable[[str], str] = str
    """Returns the canonical form of a text; raises InvalidParameter if the text is not of the grammar."""
    grammar: str = "a text"
    """The permitted texts in words."""

    def check(self, value: Any, owner: str) -> str:
        return self.canonical(str(value))

    def rule(self) -> str:
        return self.grammar


@dataclass(frozen=True)
class Phrase(Choice):
    """One word of a fixed set, some of which take an argument after a colon: `mean:5`, `easy:depth=2`."""

    arguments: Mapping[str, Parameter] = field(default_factory=dict)
    """Argument of each word that takes one. With a default it may be omitted; with a name it may be given as
    `name=value`."""
    silent: Mapping[str, Value] = field(default_factory=dict)
    """Arguments that the canonical form of a word omits."""

    def check(self, value: Any, owner: str) -> str:
        word, colon, rest = str(value).strip().partition(":")
        word, rest = word.strip().lower(), rest.strip()
        argument = self.arguments.get(word)
        if word not in self.choices or (colon and argument is None):
            raise self.wrong(value, owner)
        if argument is None:
            return word
        named = f"{argument.name}=" if argument.name else ""
        given = rest.removeprefix(named) if colon else argument.default
        if given is None or given == "":
            raise self.wrong(value, owner)
        try:
            found = argument.check(given, owner)
        except InvalidParameter:
            if isinstance(argument, Text):
                raise
            raise self.wrong(value, owner) from None
        if found == self.silent.get(word):
            return word
        return f"{word}:{named}{found:g}" if isinstance(found, float) else f"{word}:{named}{found}"

    def rule(self) -> str:
        return "one of " + ", ".join(self._form(word) for word in self.choices)

    def _form(self, word: str) -> str:
        """Return a word with the rule of its argument."""
        argument = self.arguments.get(word)
        if argument is None:
            return word
        named = f"{argument.name}=" if argument.name else ""
        return f"{word}:{named}({argument.rule()})"


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


def read_pairs(text: str, owner: str, positional: str = "") -> dict[str, str]:
    """Return "a=1,b=2" as a dict; a first item without a name is the value of `positional`.

    Commas inside parentheses or quotes do not separate.

    Raises
    ------
    InvalidParameter
        If an item of `owner` is not name=value, or a name is given twice.
    """
    pairs: dict[str, str] = {}
    for position, item in enumerate(_items(text) if text.strip() else []):
        name, equals, value = item.partition("=")
        if not equals and position == 0 and positional:
            name, value = positional, item
        elif not equals or not name.strip():
            raise InvalidParameter(f"{owner}: {item.strip()[:80]!r} is not name=value")
        if name.strip() in pairs:
            raise InvalidParameter(f"{owner}: {name.strip()[:80]} is given twice")
        pairs[name.strip()] = value.strip()
    return pairs


def _items(text: str) -> list[str]:
    """Return the text split at commas outside parentheses and quotes."""
    items, depth, quote = [""], 0, ""
    for sign in text:
        if sign in "\"'" and quote in ("", sign):
            quote = "" if quote else sign
        depth += (sign == "(") - (sign == ")") if not quote else 0
        if sign == "," and depth <= 0 and not quote:
            items.append("")
        else:
            items[-1] += sign
    return items
