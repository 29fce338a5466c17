"""An answer as a few digests: equal when, and only when, each column and figure is bit for bit the same."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from typing import Any

import numpy as np

from tests.identity import adapter
from tests.identity.questions import Question


def of_question(question: Question) -> dict[str, str]:
    """Return the digest of each table of the answer, of its metrics and of its bounds."""
    workload = adapter.load(question.reference, question.conversions, question.seed)
    tables, metrics, bounds = adapter.answer(workload, question)
    digests = {name: of_table(table) for name, table in tables.items()}
    return digests | {"metrics": of_values(metrics), "bounds": of_values(bounds)}


def of_table(table: Mapping[str, np.ndarray]) -> str:
    """Return the SHA-256 over name, dtype, shape and bytes of the columns, sorted by name."""
    digest = hashlib.sha256()
    for name, column in sorted(table.items()):
        assert not column.dtype.hasobject, f"the column {name} holds Python objects, whose bytes are addresses"
        digest.update(f"{name} {column.dtype.str} {column.shape}\n".encode() + column.tobytes())
    return digest.hexdigest()


def of_values(values: Mapping[str, Any]) -> str:
    """Return the SHA-256 over names and exact values, sorted by name; numpy scalars count as Python's."""
    lines = [f"{name} {value.item() if isinstance(value, np.generic) else value!r}\n" for name, value in values.items()]
    return hashlib.sha256("".join(sorted(lines)).encode()).hexdigest()


def of_link(question: Question) -> dict[str, str]:
    """Return the id and the canonical spec of a question, under a fixed engine version."""
    workload = adapter.load(question.reference, question.conversions, question.seed)
    identity, text = adapter.spec(workload, question)
    return {"id": identity, "spec": text}
