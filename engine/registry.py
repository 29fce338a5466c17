"""The registry of families, algorithms, generators and conversions, by name."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping
from dataclasses import replace
from importlib import metadata
from itertools import accumulate
from pathlib import Path
from threading import Lock
from traceback import extract_tb, walk_stack
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
_POINTS: list[metadata.EntryPoint] = []
"""Entry points whose family is not registered yet."""
_LOCK = Lock()


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
    _add_plugins()
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
    _add_plugins()
    return dict(_FAMILIES)


def find_family(name: str) -> Family:
    """Return the family called `name`, or with `name` among its older names; UnknownName lists the known ones."""
    _add_plugins()
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
    _add_plugins()
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
    _add_plugins()
    text, colon, rest = str(name).partition(":")
    slug = full_name(text)
    if slug not in _ALGORITHMS:
        known = sorted(algorithms(), key=lambda one: ("/" in one, one))
        raise UnknownName("algorithm", str(name)[:80], known)
    found = _ALGORITHMS[slug]
    return replace(found, preset=read_pairs(rest, slug)) if colon else found


def generators() -> dict[str, Generator]:
    """Return all generators by slug."""
    _add_plugins()
    return dict(_GENERATORS)


def find_generator(name: str) -> Generator:
    """Return the generator called `name`, in any case; UnknownName lists the known slugs."""
    return _found(_GENERATORS, name, "generator")


def conversions() -> dict[str, Conversion]:
    """Return all conversions by slug; one that takes every family lists all their names."""
    _add_plugins()
    return {slug: _with_families(entry) for slug, entry in _CONVERSIONS.items()}


def find_conversion(name: str) -> Conversion:
    """Return the conversion called `name`, in any case; UnknownName lists the known slugs."""
    return _with_families(_found(_CONVERSIONS, name, "conversion"))


def formats() -> dict[str, Format]:
    """Return the file formats of all families by slug; JSON instances are not among them."""
    return {format.slug: format for family in families().values() for format in family.formats}


def _with_families(entry: Conversion) -> Conversion:
    return replace(entry, takes=tuple(_FAMILIES)) if entry.takes == EVERY else entry


def _found(table: Mapping[str, Entry], name: str, what: str) -> Entry:
    _add_plugins()
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

    The first look-up of a name does so; call this after a package was installed.

    Raises
    ------
    PluginError
        If an entry point cannot be imported or is not a `Family`, or the name of its family is taken.
    """
    _find_plugins()
    _add_plugins()


def _find_plugins() -> None:
    _POINTS[:] = metadata.entry_points(group=PLUGINS)


def _add_plugins() -> None:
    """Add the families of the entry points that wait; one that cannot be loaded is tried again by the next look-up.

    The registry may be imported by the plug-in's own module: a module that this thread is executing has no family yet.
    """
    for point in [*_POINTS]:
        if not _is_executing(point.module):
            family = _loaded(point)
            with _LOCK:
                if _FAMILIES.get(family.name) is not family:
                    _register(family, point)
                if point in _POINTS:
                    _POINTS.remove(point)


def _is_executing(module: str) -> bool:
    """Return whether this thread is importing a module, or a package that holds it."""
    names = {*accumulate(module.split("."), "{}.{}".format)}
    return any(
        frame.f_code.co_name == "<module>" and frame.f_globals.get("__name__") in names
        for frame, _ in walk_stack(sys._getframe())
    )


def _loaded(point: metadata.EntryPoint) -> Family:
    try:
        family = point.load()
    except (Exception, SystemExit) as error:
        raise _broken(point, error) from error
    if not isinstance(family, Family):
        raise PluginError(f"{point.value} ({PLUGINS}) is no Family, but {type(family).__name__}")
    return family


def _register(family: Family, point: metadata.EntryPoint) -> None:
    try:
        register_family(family)
    except Exception as error:
        raise _broken(point, error) from error


def _broken(point: metadata.EntryPoint, error: BaseException) -> PluginError:
    return PluginError(
        f"the plug-in {point.value} ({PLUGINS}) cannot be loaded: {type(error).__name__}: {_reason(error)}; "
        "mend or uninstall its package"
    )


def _reason(error: BaseException) -> str:
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
_find_plugins()
