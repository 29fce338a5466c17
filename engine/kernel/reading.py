"""Fast access to the kernel from Python: single values of its rows, and calls without numba's dispatcher.

Measured: a value read by row and name of a record array takes 7 us, as the item of a column 1 us; a step called through
numba's dispatcher 52 us, called directly 2 us. A policy in Python makes some ten such reads and calls a decision.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from shadowtime.engine.kernel.cache import PLAIN


def reader(rows: Any, name: str) -> Callable[[int], Any]:
    """Return a function from the number of a row to its value in the column `name`."""
    if PLAIN:
        return lambda row: getattr(rows[row], name)
    return np.asarray(rows)[name].item


def numbers(rows: Any, *names: str) -> Callable[[], list[int]]:
    """Return a function that reads the whole numbers `names` of the first row: adjacent columns, in this order."""
    if PLAIN:
        return lambda: [getattr(rows[0], name) for name in names]
    offsets = [rows.dtype.fields[name][1] for name in names]
    first = offsets[0] // 8
    assert offsets == [8 * (first + place) for place in range(len(names))], "columns that are neighbours"
    return np.asarray(rows)[:1].view(np.int64)[first : first + len(names)].tolist


def column(rows: Any, name: str) -> Callable[[], np.ndarray]:
    """Return a function that reads the column `name`: a view, or under NUMBA_DISABLE_JIT=1 a copy."""
    if PLAIN:
        return lambda: rows[name]
    view = np.asarray(rows)[name]
    return lambda: view


def direct(function: Any, state: Any, arguments: str = "") -> Callable[..., Any]:
    """Return the compiled `function` of a state and `arguments`, a letter each: "i" whole numbers, "f" reals.

    The call skips the search for the compiled version of these types; values are converted to them.
    """
    if PLAIN:
        return function
    from numba import typeof, types

    signature = (typeof(state), *({"i": types.int64, "f": types.float64}[letter] for letter in arguments))
    function.compile(signature)
    return function.get_overload(signature)
