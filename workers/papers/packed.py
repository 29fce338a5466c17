"""Convert results of cells to JSON and back: dataclasses of the studies, plain values and containers."""

from __future__ import annotations

import hashlib
import sys
from collections.abc import Callable, Mapping
from dataclasses import fields, is_dataclass
from typing import Any

import numpy as np

STUDIES = "shadowtime.workers.papers."
"""Only classes of modules below it are restored."""
KIND, ENTRIES, TUPLE = "kind", "entries", "tuple"


def key_of(function: Callable[[Any], Any], cell: Any) -> str:
    """Return a key for `function` of `cell`, valid as a file name; the same in every process."""
    question = f"{function.__module__}.{function.__qualname__} {cell!r}"
    return hashlib.sha256(question.encode()).hexdigest()[:32]


def packed(value: Any) -> Any:
    """Return a result as JSON values.

    Raises
    ------
    TypeError
        For what a study should not give: only dataclasses of studies, mappings by text, sequences and plain values.
    """
    if is_dataclass(value) and type(value).__module__.startswith(STUDIES):
        name = f"{type(value).__module__}:{type(value).__qualname__}"
        return {KIND: name, **{field.name: packed(getattr(value, field.name)) for field in fields(value)}}
    if isinstance(value, Mapping):
        return {ENTRIES: {str(name): packed(item) for name, item in value.items()}}
    if isinstance(value, tuple):
        return {TUPLE: [packed(item) for item in value]}
    if isinstance(value, list):
        return [packed(item) for item in value]
    if isinstance(value, np.generic):
        return value.item()
    if value is None or isinstance(value, bool | int | float | str):
        return value
    raise TypeError(f"a cell gave a {type(value).__name__}, which is not kept")


def unpacked(text: Any) -> Any:
    """Return the value that `packed` was given."""
    if isinstance(text, list):
        return [unpacked(item) for item in text]
    if not isinstance(text, dict):
        return text
    if ENTRIES in text:
        return {name: unpacked(item) for name, item in text[ENTRIES].items()}
    if TUPLE in text:
        return tuple(unpacked(item) for item in text[TUPLE])
    module, _, name = text[KIND].partition(":")
    if not module.startswith(STUDIES) or module not in sys.modules:
        raise TypeError(f"{text[KIND]} is no result of a study here")
    made = getattr(sys.modules[module], name)
    return made(**{field: unpacked(item) for field, item in text.items() if field != KIND})
