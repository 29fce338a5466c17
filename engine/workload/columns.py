"""Columns of numbers out of JSON objects, each number checked."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from shadowtime.engine.errors import InvalidWorkload
from shadowtime.engine.workload.limits import LARGEST_ID, LONGEST, WIDEST


def objects(instance: Mapping[str, Any], key: str) -> Sequence[Mapping[str, Any]]:
    """The list of objects under `key`; refused when there is none, or nothing in it."""
    items = instance.get(key)
    if not isinstance(items, list) or not all(isinstance(item, dict) for item in items):
        raise InvalidWorkload(f"`{key}` must be a list of objects.")
    if not items:
        raise InvalidWorkload(f"`{key}` is empty.")
    return items


def column(items: Sequence[Mapping[str, Any]], key: str, default: float | None = None, **rule: Any) -> np.ndarray:
    """The value of `key` of each job, f8, under the `rule` of `numbers`.

    `default` stands for a missing or null value; None: there must be one.
    """
    values = [item.get(key) for item in items]
    if None in values:
        if default is None:
            raise InvalidWorkload(f"job {values.index(None) + 1:,} of the list has no `{key}`.")
        given = [i for i, value in enumerate(values) if value is not None]
        filled = np.full(len(values), float(default))
        filled[given] = numbers(
            [values[i] for i in given], lambda i: f"job {given[i] + 1:,} of the list: {key}", **rule
        )
        return filled
    return numbers(values, lambda i: f"job {i + 1:,} of the list: {key}", **rule)


def ids(items: Sequence[Mapping[str, Any]]) -> np.ndarray:
    """The `id` of each job, or its position from 1."""
    if not any("id" in item for item in items):
        return np.arange(1, len(items) + 1)
    return column(items, "id", low=-LARGEST_ID, high=LARGEST_ID, whole=True).astype("i8")


def times(
    items: Sequence[Mapping[str, Any]], key: str, default: float | None = None, *, above: bool = False
) -> np.ndarray:
    """Seconds from 0 on (`above`: more than 0) for each job."""
    return column(items, key, default, low=0, high=LONGEST, above=above)


def sizes(items: Sequence[Mapping[str, Any]], key: str) -> np.ndarray:
    """Whole numbers from 1 on for each job."""
    return column(items, key, low=1, high=WIDEST, whole=True).astype("i8")


def number(instance: Mapping[str, Any], key: str, **rule: Any) -> float:
    """One number of an instance; a whole one as int when the rule says so."""
    value = float(numbers([instance.get(key)], lambda _: key, **rule)[0])
    return int(value) if rule.get("whole") else value


def numbers(values: Sequence[Any], where: Any, *, low: float = -math.inf, high: float = math.inf,
            above: bool = False, whole: bool = False) -> np.ndarray:  # fmt: skip
    """`values` as f8 within [low, high] (`above`: low itself excluded); `where(i)` names the i-th in a message."""
    right = [type(value) in (int, float) for value in values]
    try:
        array = np.array([value if ok else np.nan for value, ok in zip(values, right, strict=True)], dtype="f8")
    except OverflowError:
        array = np.array([float(str(value)) if ok else np.nan for value, ok in zip(values, right, strict=True)])
    good = ((array > low) if above else (array >= low)) & (array <= high) & np.isfinite(array)
    if whole:
        good &= array == np.floor(array)
    if not good.all():
        first = int(np.argmin(good))
        raise InvalidWorkload(
            f"{where(first)} is {repr(values[first])[:40]}; it must be {_rule(low, high, above, whole)}."
        )
    return array


def rows(table: Mapping[str, np.ndarray], names: Mapping[str, str]) -> list[dict[str, Any]]:
    """One object a row, as `objects` takes them: columns under the names given here, NaN left out."""
    values = [column.tolist() for column in table.values()]
    return [
        {names.get(name, name): value for name, value in zip(table, row, strict=True) if value == value}
        for row in zip(*values, strict=True)
    ]


def _rule(low: float, high: float, above: bool, whole: bool) -> str:
    what = "a whole number" if whole else "a number"
    floor = "" if math.isinf(low) else f" {'above' if above else 'from'} {low:,.15g}"
    ceiling = "" if math.isinf(high) else f" {'and at most' if above else 'to'} {high:,.15g}"
    return what + floor + ceiling
