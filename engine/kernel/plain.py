"""The state without numba: the same field names over lists of slotted objects.

Used under NUMBA_DISABLE_JIT=1 only. A field of a slotted object costs 20 to 30 ns in plain Python; a
row of a structured array ten times that.
"""

from __future__ import annotations

from typing import Any

import numpy as np


class Row:
    """A row whose fields are also read and written by column name."""

    __slots__ = ()

    def __getitem__(self, name: str) -> Any:
        return getattr(self, name)

    def __setitem__(self, name: str, value: Any) -> None:
        setattr(self, name, value)


class Rows(list):
    """A list of slotted rows with the `shape`, `dtype` and `["column"]` of a structured array."""

    def __init__(self, array: np.ndarray):
        self.dtype = array.dtype
        names = array.dtype.names or ()
        self._row = type("Row", (Row,), {"__slots__": names})
        super().__init__(self._made(values) for values in array.tolist())

    def _made(self, values: tuple) -> Any:
        row = self._row()
        for name, value in zip(self.dtype.names or (), values, strict=True):
            setattr(row, name, value)
        return row

    @property
    def shape(self) -> tuple[int]:
        return (len(self),)

    def __getitem__(self, key: Any) -> Any:
        if isinstance(key, str):
            return np.array([getattr(row, key) for row in self], dtype=self.dtype[key])
        if isinstance(key, slice):
            part = self.__class__.__new__(self.__class__)
            list.__init__(part, list.__getitem__(self, key))
            part.dtype, part._row = self.dtype, self._row
            return part
        return list.__getitem__(self, key)

    def __setitem__(self, key: Any, row: Any) -> None:
        """Copy the fields of `row`, as a structured array does."""
        for name in self.dtype.names or ():
            self[key][name] = row[name]


class PlainStruct:
    """Arrays of rows as `Rows`, arrays of numbers as plain lists, under the names of a `Struct`."""

    def __init__(self, **arrays: np.ndarray):
        for name, array in arrays.items():
            setattr(self, name, Rows(array) if array.dtype.names else array.tolist())
