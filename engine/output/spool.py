"""Storage for tables that are too large for memory: a protocol, since the engine itself uses no disk."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Protocol

import numpy as np

from shadowtime.engine.tables import Table


class Draft(Protocol):
    """A table of known length during writing."""

    def append(self, table: Mapping[str, np.ndarray]) -> None:
        """Write more rows."""
        ...

    def close(self) -> Table:
        """Return the columns, readable and mapped into memory, after the last row was written."""
        ...


class Spool(Protocol):
    """Storage for tables outside of memory; the caller that made it removes it."""

    @property
    def rows(self) -> int:
        """Number of rows of one table that a run keeps in memory before it spills them."""
        ...

    def draft(self, name: str, schema: Mapping[str, np.dtype], n: int) -> Draft:
        """Begin a table of `n` rows."""
        ...

    def remove(self, name: str) -> None:
        """Free the space of a table."""
        ...
