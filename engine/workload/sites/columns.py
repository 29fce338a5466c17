"""Columns of a log that grow job by job: 8 bytes a number."""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from decimal import Decimal

import numpy as np

from shadowtime.engine.workload.sites.site_log import Texts

LARGEST = float(2**53)
"""Numbers beyond it count as unknown."""


class Columns:
    """Collects numbers and texts of jobs; texts become codes in order of appearance, -1 for None and empty ones."""

    def __init__(self, numbers: Sequence[str], texts: Sequence[str]):
        self._names, self._texts = tuple(numbers), tuple(texts)
        self._numbers, self._codes = array("d"), array("q")
        self._known: tuple[dict[str, int], ...] = tuple({} for _ in texts)

    def add(self, numbers: Sequence[float], texts: Sequence[str | None]) -> None:
        """Add a job; numbers and texts in the order of their names."""
        self._numbers.extend(numbers)
        self._codes.extend(
            known.setdefault(text, len(known)) if text else -1 for known, text in zip(self._known, texts, strict=True)
        )

    def numbers(self) -> dict[str, np.ndarray]:
        """Return the columns of numbers by name."""
        values = np.array(self._numbers).reshape(-1, len(self._names)).T
        return {name: np.ascontiguousarray(column) for name, column in zip(self._names, values, strict=True)}

    def groups(self) -> dict[str, Texts]:
        """Return the columns of texts by name."""
        codes = np.array(self._codes).reshape(-1, len(self._texts)).T
        return {
            name: Texts(np.ascontiguousarray(column), tuple(known))
            for name, column, known in zip(self._texts, codes, self._known, strict=True)
        }


def number(value: object) -> float:
    """Return a number of JSON as a float, NaN for all else; infinite and huge ones are NaN, too."""
    kind = type(value)
    if kind is not int and kind is not float and kind is not Decimal:
        return np.nan
    assert isinstance(value, int | float | Decimal)
    return float(value) if -LARGEST <= value <= LARGEST else np.nan


def text(value: object) -> str | None:
    """Return a text of JSON; None for all else."""
    return value if isinstance(value, str) else None
