"""Read JSON instances: find the kind, the case and the family's reader.

The kind is `schema` if that is known, else `kind`; a case of `cases` is selected by name or by position.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping
from typing import Any

from shadowtime.engine import registry
from shadowtime.engine.errors import InvalidWorkload, UnknownName
from shadowtime.engine.workload import columns
from shadowtime.engine.workload.job import Workload
from shadowtime.engine.workload.limits import LONGEST

Instance = Mapping[str, Any]

MOST_CASES = 10_000
DATA = ("allocation", "feasibility", "mcb8", "background_rate", "metrics")
"""Kinds of test data for single steps, not workloads; kinds that begin with `unit_` too."""


def read_instance(text: bytes, case: str | None) -> tuple[Workload, str | None]:
    """Return the workload of a JSON text, and the canonical name of its case (None if the file is one instance).

    Raises
    ------
    InvalidWorkload, UnsupportedWorkload
        If the text is no workload; the caller puts the file's name in front of the message.
    UnknownName
        If there is no such case.
    """
    document = _parse(text)
    kind = _kind(document)
    if kind in DATA or kind.startswith("unit_"):
        raise InvalidWorkload(f"its kind {kind[:40]!r} is data for tests of single steps, not a workload.")
    families = registry.families().values()
    by_case = {name: reader for family in families for name, reader in family.case_readers.items()}
    if kind in by_case:
        workload, canonical = by_case[kind](document, case)
        return _with_floor(workload, document), canonical
    readers = {name: reader for family in families for name, reader in family.readers.items()}
    if kind not in readers:
        known = ", ".join([*readers, *by_case])
        raise InvalidWorkload(f"its kind {kind[:40]!r} is not known; workloads are {known}.")
    instance, name = _case(document, case)
    return _with_floor(readers[kind](instance), instance), name


def case_names(text: bytes) -> list[str]:
    """Return the canonical names of the cases of a JSON text; [] for a single instance."""
    document = _parse(text)
    return _names(document["cases"]) if isinstance(document.get("cases"), list) else []


def _with_floor(workload: Workload, instance: Instance) -> Workload:
    """Return a workload with the floor `tau` of the bounded stretch [s] that its instance may state."""
    stated = columns.stated(instance, "tau", low=0, high=LONGEST)
    return workload.with_(machine={**workload.machine, **stated}) if stated else workload


def _parse(text: bytes) -> dict[str, Any]:
    try:
        document = json.loads(text, parse_constant=_no_constant)
    except RecursionError:
        raise InvalidWorkload("its JSON is nested too deeply.") from None
    except json.JSONDecodeError as error:
        raise InvalidWorkload(f"line {error.lineno:,}, column {error.colno:,} is not JSON: {error.msg}.") from None
    except UnicodeDecodeError:
        raise InvalidWorkload("its text is not UTF-8.") from None
    except ValueError as error:
        raise InvalidWorkload(f"its JSON holds {error}, which is no number of JSON.") from None
    if not isinstance(document, dict):
        raise InvalidWorkload("a JSON instance must be an object with `kind` or `schema`.")
    return document


def _no_constant(word: str) -> None:
    raise ValueError(word)


def _kind(document: Instance) -> str:
    schema, kind = document.get("schema"), document.get("kind")
    schemas = {name for family in registry.families().values() for name in family.readers}
    if isinstance(schema, str) and schema in schemas and not str(kind).startswith("unit_"):
        return schema
    if not isinstance(kind, str):
        raise InvalidWorkload("its JSON has no `kind`, which names the kind of workload.")
    return kind


def _names(cases: list[Any]) -> list[str]:
    """Return the name of each case if it is unique and printable, else its position."""
    if len(cases) > MOST_CASES:
        raise InvalidWorkload(f"it holds {len(cases):,} cases; {MOST_CASES:,} is the most.")
    names = [str(case["name"]) if isinstance(case, dict) and "name" in case else "" for case in cases]
    uses = Counter(names)
    return [
        name if uses[name] == 1 and name.isprintable() and 0 < len(name) <= 80 else str(position)
        for position, name in enumerate(names)
    ]


def _case(document: Instance, requested: str | None) -> tuple[Instance, str | None]:
    cases = document.get("cases")
    if cases is None:
        if requested is not None:
            raise InvalidWorkload(f"it is one instance and has no case {requested[:40]!r}.")
        return document, None
    if not isinstance(cases, list) or not cases or not all(isinstance(case, dict) for case in cases):
        raise InvalidWorkload("`cases` must be a list of objects.")
    names = _names(cases)
    if requested is None and len(cases) > 1:
        raise InvalidWorkload(f"it holds {len(cases):,} cases; add # and one of {', '.join(names[:20])}.")
    position = _position(requested or names[0], names)
    return cases[position], names[position]


def _position(requested: str, names: list[str]) -> int:
    if requested in names:
        return names.index(requested)
    if requested.isascii() and requested.isdigit() and len(requested) < 10 and int(requested) < len(names):
        return int(requested)
    raise UnknownName("case", requested[:80], names[:20])
