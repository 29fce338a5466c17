"""`.npy` files of one column: their header, and columns that were spooled as such a file already."""

from __future__ import annotations

import io
from functools import lru_cache
from pathlib import Path

import numpy as np


class Spooled(np.memmap):
    """A column of a spool, mapped read-only: its file is complete and is never written again."""


@lru_cache(maxsize=256)
def header(dtype: np.dtype, shape: tuple[int, ...]) -> bytes:
    """Return the header of a `.npy` file; many small tables share one."""
    start = io.BytesIO()
    np.lib.format.write_array_header_1_0(start, {"descr": dtype.str, "fortran_order": False, "shape": shape})
    return start.getvalue()


def map_spooled(path: Path, dtype: np.dtype, n: int) -> np.ndarray:
    """Return the `n` values of a complete file of a spool."""
    if not n:
        return np.zeros(0, dtype)
    return Spooled(path, dtype, "r", len(header(dtype, (n,))), (n,))
