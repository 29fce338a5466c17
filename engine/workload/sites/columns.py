"""Columns of a log that grow job by job: 8 bytes a number."""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from decimal import Decimal

import numpy as np

from shadowtime.engine.workload.sites.site_log import Texts
from shadowtime.engine.workload.sites.utf8 import ODD_BYTES

LARGEST = float(2**53)
"""Numbers beyond it count as unknown."""


class Columns:
    """Collects numbers and texts of jobs; texts become codes in order of appearance, -1 for None and empty ones."""

    def __init__(self, numbers: Sequence[str], texts: Sequence[str]):
        self._names, self._numbers = tuple(numbers), array("d")
        self._texts: dict[str, tuple[array[int], dict[str | bytes, int]]] = {name: (array("q"), {}) for name in texts}
        self._coded, self._nothing = tuple(self._texts.values()), (None,) * len(texts)

    def __len__(self) -> int:
        return len(self._numbers) // len(self._names)

    def add(self, numbers: Sequence[float], texts: Sequence[str | bytes | None] = ()) -> None:
        """Add a job; numbers and texts in the order of their names. All texts are unknown where none is given."""
        self._numbers.extend(numbers)
        for (codes, known), text in zip(self._coded, texts or self._nothing, strict=True):
            codes.append(known.setdefault(text, len(known)) if text else -1)

    def numbers(self) -> dict[str, np.ndarray]:
        """Return the columns of numbers by name; they are empty afterwards."""
        values, self._numbers = np.asarray(self._numbers).reshape(-1, len(self._names)).T, array("d")
        return {name: np.ascontiguousarray(column) for name, column in zip(self._names, values, strict=True)}

    def texts(self, name: str) -> Texts:
        """Return a column of texts; bytes that are no UTF-8 as ODD_BYTES says."""
        codes, known = self._texts[name]
        texts = (text.decode(errors=ODD_BYTES) if isinstance(text, bytes) else text for text in known)
        return Texts(np.array(codes, dtype="i8"), tuple(texts))

    def groups(self) -> dict[str, Texts]:
        """Return the columns of texts by name."""
        return {name: self.texts(name) for name in self._texts}


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
