"""What receives the live tables of a run."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Protocol, Self

import numpy as np


class LiveSink(Protocol):
    """Receives the live tables of one attempt; one thread calls it."""

    def append(self, name: str, table: Mapping[str, np.ndarray]) -> None:
        """Append rows of `segments` or `events`."""
        ...

    def replace(self, name: str, table: Mapping[str, np.ndarray]) -> None:
        """Replace `open` or `jobs`, which do not only grow."""
        ...

    def close(self) -> None:
        """Write nothing more; what is written stays."""
        ...

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()
