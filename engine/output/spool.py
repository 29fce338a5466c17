"""Where tables go that are too large to hold: a protocol, since the engine itself touches no disk."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Protocol

import numpy as np

from shadowtime.engine.tables import Table


class Draft(Protocol):
    """A table of known length that is being written."""

    def append(self, table: Mapping[str, np.ndarray]) -> None:
        """Write more rows."""
        ...

    def close(self) -> Table:
        """Return the columns, readable and mapped into memory, after the last row was written."""
        ...


class Spool(Protocol):
    """A place for tables beside memory; the caller that made it removes it."""

    @property
    def rows(self) -> int:
        """Rows of one table that a run holds in memory before they are spilled."""
        ...

    def draft(self, name: str, schema: Mapping[str, np.dtype], n: int) -> Draft:
        """Begin a table of `n` rows."""
        ...

    def remove(self, name: str) -> None:
        """Free the space of a table."""
        ...
