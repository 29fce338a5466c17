"""The registry of families, algorithms, generators and conversions, by name."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from importlib import metadata
from pathlib import Path
from traceback import extract_tb
from typing import Any, TypeVar

from shadowtime.engine.algorithm import Algorithm
from shadowtime.engine.errors import PluginError, UnknownName
from shadowtime.engine.families import FAMILIES
from shadowtime.engine.families.family import Family
from shadowtime.engine.families.fractional.names import full_name
from shadowtime.engine.parameters import read_pairs
from shadowtime.engine.workload.conversions.conversion import EVERY, Conversion
from shadowtime.engine.workload.conversions.estimates import ESTIMATES
from shadowtime.engine.workload.conversions.log import LOAD, WEEK_OF_LOG
from shadowtime.engine.workload.format import Format
from shadowtime.engine.workload.generators.generator import Generator
from shadowtime.engine.workload.refusal import ALGORITHMS as _ALGORITHMS
from shadowtime.engine.workload.refusal import CONVERSIONS as _CONVERSIONS

Entry = TypeVar("Entry")
PLUGINS = "shadowtime.families"
"""Group of entry points under which an installed package registers families."""

_FAMILIES: dict[str, Family] = {}
_GENERATORS: dict[str, Generator] = {}


def register_family(family: Family) -> Family:
    """Add a family with its algorithms, generators and conversions.

    Raises
    ------
    ValueError
        If a name is taken: an entry never replaces another. Nothing of the family is added then.
    """
    added: list[tuple[dict[str, Any], str]] = []
    try:
        for table, name, entry, what in _entries(family):
            _add(table, name, entry, what)
            added.append((table, name))
    except ValueError:
        for table, name in added:
            del table[name]
        raise
    return family


def register(algorithm: Algorithm, *, replace: bool = False) -> Algorithm:
    """Add an algorithm; with `replace`, in place of the one that has its slug.

    Raises
    ------
    ValueError
        If the slug is taken and nothing is to be replaced.
    """
    if replace:
        _ALGORITHMS.pop(algorithm.slug, None)
    _add(_ALGORITHMS, algorithm.slug, algorithm, "algorithm")
    return algorithm


def forget_family(name: str) -> None:
    """Remove a family and its entries; the tables of its stored runs stay readable."""
    for table, slug, _, _ in list(_entries(_FAMILIES[name])):
        del table[slug]


def families() -> dict[str, Family]:
    """Return all families by name, in the order of lists and pages."""
    return dict(_FAMILIES)


def find_family(name: str) -> Family:
    """Return the family called `name`, or with `name` among its older names; UnknownName lists the known ones."""
    found = _FAMILIES.get(name) or next((one for one in _FAMILIES.values() if name in one.aliases), None)
    if found is None:
        raise UnknownName("family", str(name)[:80], _FAMILIES)
    return found


def look_up_family(name: str) -> Family:
    """Return the family called `name`, or the defaults of `Family` if it is unknown (a plug-in no longer installed)."""
    try:
        return find_family(name)
    except UnknownName:
        return Family()


def algorithms(*, variants: bool = False) -> dict[str, Algorithm]:
    """Return the algorithms by slug, in the order of the families; with `variants`, also those that lists omit."""
    return {slug: entry for slug, entry in _ALGORITHMS.items() if entry.listed or variants}


def find(name: str) -> Algorithm:
    """Return the algorithm called `name`, in any case; a fractional name may omit its `opt=`.

    Values of parameters may follow the name: `batch:order=sjf,backfill=conservative`. They become the `preset` of the
    entry.

    Raises
    ------
    UnknownName
        If no algorithm has the name; the error lists the known slugs.
    InvalidParameter
        If the rest is not a list of name=value.
    """
    text, colon, rest = str(name).partition(":")
    slug = full_name(text)
    if slug not in _ALGORITHMS:
        known = sorted(algorithms(), key=lambda one: ("/" in one, one))
        raise UnknownName("algorithm", str(name)[:80], known)
    found = _ALGORITHMS[slug]
    return replace(found, preset=read_pairs(rest, slug)) if colon else found


def generators() -> dict[str, Generator]:
    """Return all generators by slug."""
    return dict(_GENERATORS)


def find_generator(name: str) -> Generator:
    """Return the generator called `name`, in any case; UnknownName lists the known slugs."""
    return _found(_GENERATORS, name, "generator")


def conversions() -> dict[str, Conversion]:
    """Return all conversions by slug; one that takes every family lists all their names."""
    return {slug: _with_families(entry) for slug, entry in _CONVERSIONS.items()}


def find_conversion(name: str) -> Conversion:
    """Return the conversion called `name`, in any case; UnknownName lists the known slugs."""
    return _with_families(_found(_CONVERSIONS, name, "conversion"))


def formats() -> dict[str, Format]:
    """Return the file formats of all families by slug; JSON instances are not among them."""
    return {format.slug: format for family in _FAMILIES.values() for format in family.formats}


def _with_families(entry: Conversion) -> Conversion:
    return replace(entry, takes=tuple(_FAMILIES)) if entry.takes == EVERY else entry


def _found(table: Mapping[str, Entry], name: str, what: str) -> Entry:
    slug = str(name).strip().lower()
    if slug not in table:
        raise UnknownName(what, str(name)[:80], sorted(table))
    return table[slug]


def _entries(family: Family) -> Iterator[tuple[dict[str, Any], str, Any, str]]:
    """Yield table, name, entry and kind of entry of a family and all that it brings."""
    yield _FAMILIES, family.name, family, "family"
    for table, entries, what in (
        (_ALGORITHMS, family.algorithms, "algorithm"),
        (_GENERATORS, family.generators, "generator"),
        (_CONVERSIONS, family.conversions, "conversion"),
    ):
        for entry in entries:
            yield table, entry.slug, entry, what


def _add(table: dict[str, Entry], name: str, entry: Entry, what: str) -> None:
    if name in table:
        raise ValueError(f"there is {'an' if what[0] in 'aeiou' else 'a'} {what} {name!r} already")
    table[name] = entry


def register_plugins() -> None:
    """Add the families that installed packages name under the entry point `shadowtime.families`.

    Raises
    ------
    PluginError
        If an entry point cannot be imported or is not a `Family`, or its name is taken.
    """
    for point in metadata.entry_points(group=PLUGINS):
        if point.name in _FAMILIES:
            continue
        try:
            family = point.load()
            if not isinstance(family, Family):
                raise PluginError(f"{point.value} ({PLUGINS}) is no Family, but {type(family).__name__}")
            register_family(family)
        except PluginError:
            raise
        except Exception as error:
            raise PluginError(
                f"the plug-in {point.value} ({PLUGINS}) cannot be loaded: {type(error).__name__}: {_reason(error)}; "
                "mend or uninstall its package"
            ) from error


def _reason(error: Exception) -> str:
    """Return what an exception says, and the place in the plug-in's file."""
    if isinstance(error, SyntaxError):
        return f"{error.msg} in {error.filename}, line {error.lineno}"
    ours = (__file__, metadata.__file__)
    frames = [f for f in extract_tb(error.__traceback__) if f.filename not in ours and not f.filename.startswith("<")]
    frames = [f for f in frames if "importlib" not in Path(f.filename).parts]
    return f"{error} in {frames[-1].filename}, line {frames[-1].lineno}" if frames else str(error)


for _conversion in (WEEK_OF_LOG, LOAD, ESTIMATES):
    _add(_CONVERSIONS, _conversion.slug, _conversion, "conversion")
for _family in FAMILIES:
    register_family(_family)
register_plugins()
