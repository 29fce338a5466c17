"""A column that grows in place: parts of a long log that are joined at its end would be in memory twice."""

from __future__ import annotations

import numpy as np

LEAST = 1 << 16
FACTOR = 1.2
"""Growth; large arrays are moved by the system without a copy."""


class Growing:
    """A column of numbers to which parts are added."""

    def __init__(self, kind: str = "f8"):
        self._values, self._count = np.empty(0, kind), 0

    def add(self, part: np.ndarray) -> None:
        """Append the values of a part; a column of 32 bits that cannot hold them exactly becomes f8."""
        if self._values.dtype != part.dtype and not (part == (small := _cast(part, self._values.dtype))).all():
            self._values = self._values[: self._count].astype("f8")
        elif self._values.dtype != part.dtype:
            part = small
        end = self._count + len(part)
        if end > len(self._values):
            self._values.resize(max(end, int(FACTOR * len(self._values)), LEAST), refcheck=False)
        self._values[self._count : end] = part
        self._count = end

    def whole(self) -> np.ndarray:
        """Return all values; the column is empty afterwards."""
        values, self._values = self._values, np.empty(0, self._values.dtype)
        values.resize(self._count, refcheck=False)
        self._count = 0
        return values


def _cast(part: np.ndarray, kind: np.dtype) -> np.ndarray:
    with np.errstate(invalid="ignore"):
        return part.astype(kind)
