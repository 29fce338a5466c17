"""Parse a sweep, from a TOML file or a JSON object with the same keys, into a SweepSpec.

Every error is one sentence: the place, its value, the rule, and the choices where they are few.
"""

from __future__ import annotations

import itertools
import json
import re
import tomllib
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import Any

from shadowtime.engine import registry as policies
from shadowtime.engine.errors import InvalidParameter, QuestionError
from shadowtime.engine.parameters import Parameter, Real, Whole
from shadowtime.engine.registry import find_conversion, find_generator, generators
from shadowtime.engine.simulation import ESTIMATES
from shadowtime.engine.workload.conversions.convert import resolve_conversion
from shadowtime.engine.workload.references import parse_reference, splits
from shadowtime.workers.conversions import parse_any
from shadowtime.workers.errors import NotFound
from shadowtime.workers.spec import SEED, canonical
from shadowtime.workers.sweeps.spec import SweepSpec
from shadowtime.workers.version import engine_version

KEYS = (
    "name", "workloads", "seeds", "convert", "loads", "processors", "nodes", "cores_per_node", "estimates", "tau",
    "algorithms", "variants", "digests",
)  # fmt: skip
MOST_RUNS = 100_000
"""Largest number of runs of a sweep without a setting."""
LONGEST_NAME = 200
LONGEST_TEXT = 1_000_000
"""Characters of a sweep's file."""
MOST_NAMES = 16
_NAME = r"""(?:[A-Za-z0-9_-]++|"[^"\n]*+"|'[^'\n]*+')"""
DEEP = re.compile(rf"(?<![A-Za-z0-9_-]){_NAME}(?:[ \t]*+\.[ \t]*+{_NAME}){{{MOST_NAMES}}}")
"""A key like `a.a.a`: the parser takes time in the square of its names, so that 1 MB of them would take an hour."""
LOAD = Real("loads", None, "Offered load.", low=0.0, high=100.0, above=True)
TAU = Real("tau", None, "Floor of bounded stretch.", low=0.0, unit="s", above=True)
SIZES = ("processors", "nodes", "cores_per_node")

Find = Callable[[str, str | None], tuple[Mapping[str, Any], str]]
"""Return {"digest", "case"} and kind of a workload that is not a generator; checks the digest if one is given."""


@dataclass(frozen=True)
class SweepQuestion:
    """A question and the displayed names of its parts, which do not belong to the question."""

    spec: SweepSpec
    name: str
    workloads: tuple[str, ...]
    """Workloads as they were written."""


def read_toml(text: str, place: str, find: Find, most: int = MOST_RUNS) -> SweepQuestion:
    """Parse the text of a TOML file. `place` is the displayed name of the file.

    Raises
    ------
    QuestionError
        For text that is not TOML, and as `read`.
    """
    if len(text) > LONGEST_TEXT:
        raise QuestionError(f"{place}: {len(text):,} characters; a sweep has at most {LONGEST_TEXT:,}")
    if DEEP.search(text):
        raise QuestionError(f"{place}: more than {MOST_NAMES} names with points between; no key of a sweep has two")
    try:
        values = tomllib.loads(text)
    except (ValueError, RecursionError) as error:  # numbers of thousands of digits are a plain ValueError
        raise QuestionError(f"{place} is not TOML: {str(error)[:200]}") from None
    return read(values, place, find, most)


def read(
    values: Mapping[str, Any], place: str, find: Find, most: int = MOST_RUNS, given: Collection[str] = ()
) -> SweepQuestion:
    """Parse an object with the keys of a sweep's file.

    Parameters
    ----------
    find
        Finds workloads that are not generators.
    most
        Largest number of runs of a sweep here.
    given
        Names that `find` knows, also where a generator has the same name.

    Raises
    ------
    QuestionError
        For an unknown key, a value outside its rule, a missing file, an algorithm that does not accept the kind of its
        workload, or too many runs.
    """
    return _Reader(place, find, most, given).read(values)


@dataclass(frozen=True)
class _Reader:
    place: str
    find: Find
    most: int
    given: Collection[str]

    def read(self, values: Mapping[str, Any]) -> SweepQuestion:
        self._keys(values, KEYS, self.place)
        texts = self._texts(values)
        conversions = [self._conversion(one, f"convert[{n}]") for n, one in enumerate(self._list(values, "convert"))]
        loads = self._numbers(values, "loads", LOAD)
        if loads and any(one["name"] == "load" for one in conversions):
            raise self._wrong("loads", "sweeps the load, which convert sets already; name it in one of them")
        variants = self._variants(values)
        seeds = self._numbers(values, "seeds", SEED) or [0]
        self._few(seeds, texts, loads, variants)
        found = [self._workload(text, f"workloads[{n}]", values.get("digests")) for n, text in enumerate(texts)]
        platform = self._platform(values)
        spec = SweepSpec(
            workloads=[source for source, _ in found],
            seeds=seeds,
            conversions=conversions,
            loads=loads,
            platform=platform,
            estimates=self._estimates(values.get("estimates")),
            tau=None if values.get("tau") is None else TAU.check(values["tau"], self.place),
            variants=variants,
            engine_version=engine_version(),
        )
        self._distinct([canonical(one) for one in spec.workloads], texts, "workloads")
        for n, (_, kind) in enumerate(found):
            self._fits(f"workloads[{n}]", texts[n], kind, spec)
        return SweepQuestion(spec, self._name(values.get("name")), tuple(texts))

    def _keys(self, values: Mapping[str, Any], known: Iterable[str], where: str) -> None:
        for key in values:
            if key not in known:
                raise InvalidParameter(f"{where}: unknown key {str(key)[:80]!r}; known: {', '.join(known)}")

    def _name(self, name: Any) -> str:
        if name is None:
            return ""
        if not isinstance(name, str) or len(name) > LONGEST_NAME or not name.isprintable():
            raise self._wrong("name", f"must be a line of text, at most {LONGEST_NAME} characters", name)
        return name.strip()

    def _texts(self, values: Mapping[str, Any]) -> list[str]:
        texts = self._list(values, "workloads")
        if not texts:
            raise self._wrong("workloads", "must be given: a list with at least one file or generator")
        for n, text in enumerate(texts):
            if not isinstance(text, str) or not text.strip():
                raise self._wrong(
                    f"workloads[{n}]", "must be a text: a file, or a generator like lublin:jobs=1000", text
                )
        texts = [text.strip() for text in texts]
        self._distinct(texts, texts, "workloads")
        return texts

    def _workload(self, text: str, at: str, digests: Any) -> tuple[Mapping[str, Any], str]:
        """Return the identity of a workload, and its kind before conversions."""
        if digests is not None and not (
            isinstance(digests, Mapping) and all(isinstance(value, str) for value in digests.values())
        ):
            raise self._wrong("digests", "must be a table from a workload's name to its SHA-256", digests)
        slug = text.partition(":")[0].strip().lower()
        with _at(f"{self.place}: {at}"):
            known = digests or {}
            named = next((known[one] for one in (text, *(name for name, _ in splits(text))) if one in known), None)
            if text in self.given or named is not None or slug not in generators():
                return self.find(text, named)
            _, given = parse_reference(text)
            assert isinstance(given, dict), "a generator was found"
            entry = find_generator(slug)
            own, drawn = entry.resolve(given, 0)
            source = {"generator": entry.slug, "parameters": own, "seed": drawn if "seed" in given else None}
            return source, entry.kind

    def _conversion(self, given: Any, at: str) -> dict[str, Any]:
        with _at(f"{self.place}: {at}"):
            name, parameters = parse_any(given)
            return {"name": find_conversion(name).slug, "parameters": resolve_conversion(name, parameters)}

    def _variants(self, values: Mapping[str, Any]) -> list[dict[str, Any]]:
        found: list[dict[str, Any]] = []
        for key in ("algorithms", "variants"):
            for n, one in enumerate(self._list(values, key)):
                at = f"{key}[{n}]"
                if isinstance(one, str) and key == "algorithms":
                    one = {"algorithm": one}
                if not isinstance(one, Mapping):
                    name = "a name, or " if key == "algorithms" else ""
                    raise self._wrong(at, f"must be {name}a table with algorithm and parameters", one)
                found += self._swept(one, at)
        if not found:
            raise self._wrong("", "must have algorithms or variants to compare")
        names = [canonical(one) for one in found]
        self._distinct(names, [str(one["algorithm"]) for one in found], "algorithms and variants")
        return found

    def _swept(self, one: Mapping[str, Any], at: str) -> list[dict[str, Any]]:
        """Return an algorithm with each combination of the values of its parameters; a list is swept."""
        where = f"{self.place}: {at}"
        self._keys(one, ("algorithm", "parameters"), where)
        if not isinstance(one.get("algorithm"), str):
            raise self._wrong(f"{at}.algorithm", "must be given: the name of an algorithm", one.get("algorithm"))
        given = one.get("parameters") or {}
        if not isinstance(given, Mapping):
            raise self._wrong(f"{at}.parameters", "must be a table", given)
        with _at(where):
            entry = policies.find(one["algorithm"])
            given = entry.with_preset(given)
            known = {parameter.name: parameter for parameter in entry.parameters}
            self._keys(given, tuple(known), f"parameters of {entry.slug}")
            columns = [
                [known[name].check(value, entry.slug) for value in _as_list(values)] for name, values in given.items()
            ]
        for name, column in zip(given, columns, strict=True):
            if not column:
                raise self._wrong(f"{at}.parameters.{name}", "must have at least one value")
            self._distinct(column, column, f"{at}.parameters.{name}")
        if (combinations := _product(columns)) > self.most:
            raise self._wrong(at, f"has {combinations:,} combinations; a sweep has at most {self.most:,} runs here")
        return [
            {"algorithm": entry.slug, "parameters": dict(zip(given, values, strict=True))}
            for values in itertools.product(*columns)
        ]

    def _platform(self, values: Mapping[str, Any]) -> dict[str, int]:
        rule = Whole("", None, "", low=1, high=1_000_000)
        with _at(self.place):
            sizes = {
                name: _named(rule, name).check(values[name], self.place)
                for name in SIZES
                if values.get(name) is not None
            }
        if "processors" in sizes and len(sizes) > 1:
            raise self._wrong("", "has processors or nodes, not both")
        if "cores_per_node" in sizes and "nodes" not in sizes:
            raise self._wrong("cores_per_node", "needs nodes beside it")
        if "nodes" in sizes:
            sizes.setdefault("cores_per_node", 1)
        return {name: int(size) for name, size in sizes.items()}

    def _estimates(self, given: Any) -> str | None:
        if given is not None and given not in ESTIMATES:
            raise self._wrong("estimates", f"must be one of {', '.join(ESTIMATES)}", given)
        return given

    def _numbers(self, values: Mapping[str, Any], key: str, rule: Parameter) -> list[Any]:
        found = []
        for n, value in enumerate(self._list(values, key)):
            if isinstance(value, str):
                raise self._wrong(f"{key}[{n}]", f"must be {rule.rule()}", value)
            found.append(_named(rule, f"{key}[{n}]").check(value, self.place))
        if values.get(key) == []:
            raise self._wrong(key, "must have at least one value")
        self._distinct(found, found, key)
        return found

    def _list(self, values: Mapping[str, Any], key: str) -> Sequence[Any]:
        found = values.get(key)
        if found is None:
            return []
        if not isinstance(found, list):
            raise self._wrong(key, "must be a list", found)
        return found

    def _distinct(self, values: Sequence[Any], shown: Sequence[Any], key: str) -> None:
        seen: set[Any] = set()
        for value, text in zip(values, shown, strict=True):
            if value in seen:
                raise self._wrong(key, f"has {str(text)[:80]!r} twice")
            seen.add(value)

    def _few(self, *axes: Sequence[Any]) -> None:
        runs = _product([axis or [None] for axis in axes])
        if runs > self.most:
            raise self._wrong("", f"has {runs:,} runs; {self.most:,} is the most here (SHADOWTIME_SWEEP_RUNS)")

    def _fits(self, at: str, text: str, kind: str, spec: SweepSpec) -> None:
        """Refuse impossible runs: a conversion or algorithm that does not accept its kind of workload."""
        for conversion in spec.conversions:
            entry = find_conversion(conversion["name"])
            if kind not in entry.takes:
                takes = " or ".join(entry.takes)
                raise self._wrong(
                    "convert", f"has {entry.slug}, which takes {takes} workloads, but gets {text} as {kind}"
                )
            kind = entry.makes or kind
        for variant in spec.variants:
            with _at(f"{self.place}: {at} = {text[:80]!r}, {variant['algorithm']}"):
                policies.find(variant["algorithm"]).resolve(variant["parameters"], kind)

    def _wrong(self, at: str, rule: str, *value: Any) -> InvalidParameter:
        where = f"{self.place}: {at}" if at else self.place
        shown = f" = {json.dumps(value[0], default=str, ensure_ascii=False)[:80]}, but it" if value else ""
        return InvalidParameter(f"{where}{shown} {rule}")


@contextmanager
def _at(place: str) -> Iterator[None]:
    """Prefix the message of an error inside the block with its place."""
    try:
        yield
    except QuestionError as error:
        if isinstance(error, NotFound) or str(error).startswith(place):
            raise
        raise InvalidParameter(f"{place}: {error}") from None


def _named(rule: Parameter, name: str) -> Parameter:
    return replace(rule, name=name)


def _as_list(value: Any) -> list[Any]:
    return value if isinstance(value, list) else [value]


def _product(columns: Iterable[Sequence[Any]]) -> int:
    total = 1
    for column in columns:
        total *= len(column)
    return total
