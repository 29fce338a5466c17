"""Sample cells of a study with their answers, shipped with its result: a test computes them again.

When an edit of the engine or of the study changes what decides the numbers, the answers differ, and the result has to
be made again.
"""

from __future__ import annotations

import math
import sys
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from shadowtime.workers.papers.packed import STUDIES, key_of, packed, unpacked

PER_FUNCTION = 4
"""Sample cells of each function of a study."""


def samples(answered: Sequence[tuple[Callable[[Any], Any], Any, Any]]) -> list[dict[str, Any]]:
    """Return the smallest cells of each function with their answers, without measured times.

    answered
        Function, cell and answer. `size` of a cell, else its `jobs`, orders the cells of a function (without both all
        are alike, chosen by their digests); one with a true `is_long` is no sample. `MEASURED` of an answer's class
        names fields that differ between two runs; functions with the attribute `is_measured` give nothing else and
        have no samples.
    """
    by_function: dict[Callable[[Any], Any], list[tuple[Any, Any]]] = {}
    for function, cell, answer in answered:
        if not (getattr(function, "is_measured", False) or getattr(cell, "is_long", False)):
            by_function.setdefault(function, []).append((cell, answer))
    found = []
    for function, cells in by_function.items():
        ordered = sorted(cells, key=lambda one: (_size(one[0]), key_of(function, one[0])))
        for cell, answer in ordered[:PER_FUNCTION]:
            name = f"{function.__module__}:{function.__qualname__}"
            found.append({"function": name, "cell": packed(cell), "answer": _unmeasured(answer)})
    return found


def _size(cell: Any) -> float:
    return getattr(cell, "size", getattr(cell, "jobs", 0))


def recompute(sample: Mapping[str, Any]) -> Any:
    """Return the answer of a sample cell, computed now, in the form in which it is stored."""
    module, _, name = sample["function"].partition(":")
    if not module.startswith(STUDIES):
        raise TypeError(f"{sample['function']} is no function of a study")
    return _unmeasured(getattr(sys.modules[module], name)(unpacked(sample["cell"])))


def _unmeasured(answer: Any) -> Any:
    """Return an answer as JSON values without the fields that are measured times; a missing value is None."""
    found = packed(answer)
    for name in getattr(type(answer), "MEASURED", ()):
        del found[name]
    return _finite(found)


def _finite(value: Any) -> Any:
    """Return JSON values with None for numbers that JSON cannot hold."""
    if isinstance(value, dict):
        return {name: _finite(item) for name, item in value.items()}
    if isinstance(value, list):
        return [_finite(item) for item in value]
    return None if isinstance(value, float) and not math.isfinite(value) else value
