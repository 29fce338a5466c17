"""JSON instances: which kind they are, which case is meant, and who reads it.

`schema` decides first, then `kind`; a file holding `cases` is addressed by the name or the position of a case.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping
from typing import Any

from shadowtime.engine import registry
from shadowtime.engine.errors import InvalidWorkload, UnknownName
from shadowtime.engine.workload.job import Workload

Instance = Mapping[str, Any]

MOST_CASES = 10_000
DATA = ("allocation", "feasibility", "mcb8", "background_rate", "metrics")
"""What tests of single steps hold; so do kinds that begin with `unit_`."""


def read_instance(text: bytes, case: str | None) -> tuple[Workload, str | None]:
    """The workload of a JSON text, and the canonical name of its case (None where the file is one instance).

    Raises InvalidWorkload, UnknownName, or UnsupportedWorkload with a sentence that wants the file's name before it.
    """
    document = _parse(text)
    kind = _kind(document)
    if kind in DATA or kind.startswith("unit_"):
        raise InvalidWorkload(f"its kind {kind[:40]!r} is data for tests of single steps, not a workload.")
    families = registry.families().values()
    by_case = {name: reader for family in families for name, reader in family.case_readers.items()}
    if kind in by_case:
        return by_case[kind](document, case)
    readers = {name: reader for family in families for name, reader in family.readers.items()}
    if kind not in readers:
        known = ", ".join([*readers, *by_case])
        raise InvalidWorkload(f"its kind {kind[:40]!r} is not known; workloads are {known}.")
    instance, name = _case(document, case)
    return readers[kind](instance), name


def case_names(text: bytes) -> list[str]:
    """The canonical names of the cases of a JSON text, [] for one that is a single instance."""
    document = _parse(text)
    return _names(document["cases"]) if isinstance(document.get("cases"), list) else []


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
        raise InvalidWorkload(f"its JSON holds a number that cannot be: {error}.") from None
    if not isinstance(document, dict):
        raise InvalidWorkload("a JSON instance is an object with `kind` or `schema`; this is something else.")
    return document


def _no_constant(word: str) -> None:
    raise ValueError(word)


def _kind(document: Instance) -> str:
    schema, kind = document.get("schema"), document.get("kind")
    schemas = {name for family in registry.families().values() for name in family.readers}
    if isinstance(schema, str) and schema in schemas and not str(kind).startswith("unit_"):
        return schema
    if not isinstance(kind, str):
        raise InvalidWorkload("its JSON has no `kind`, which says what workload it is.")
    return kind


def _names(cases: list[Any]) -> list[str]:
    """The name of each case where it has one of its own that fits on a line, else its position."""
    if len(cases) > MOST_CASES:
        raise InvalidWorkload(f"it holds {len(cases):,} cases; {MOST_CASES:,} is the most.")
    names = [str(case["name"]) if isinstance(case, dict) and "name" in case else "" for case in cases]
    often = Counter(names)
    return [
        name if often[name] == 1 and name.isprintable() and 0 < len(name) <= 80 else str(position)
        for position, name in enumerate(names)
    ]


def _case(document: Instance, wanted: str | None) -> tuple[Instance, str | None]:
    cases = document.get("cases")
    if cases is None:
        if wanted is not None:
            raise InvalidWorkload(f"it is one instance and has no case {wanted[:40]!r}.")
        return document, None
    if not isinstance(cases, list) or not cases or not all(isinstance(case, dict) for case in cases):
        raise InvalidWorkload("`cases` must be a list of objects.")
    names = _names(cases)
    if wanted is None and len(cases) > 1:
        raise InvalidWorkload(f"it holds {len(cases):,} cases; add # and one of {', '.join(names[:20])}.")
    position = _position(wanted or names[0], names)
    return cases[position], names[position]


def _position(wanted: str, names: list[str]) -> int:
    if wanted in names:
        return names.index(wanted)
    if wanted.isascii() and wanted.isdigit() and len(wanted) < 10 and int(wanted) < len(names):
        return int(wanted)
    raise UnknownName("case", wanted[:80], names[:20])
