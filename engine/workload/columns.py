"""Read columns of numbers from JSON objects, with a check of each number."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from typing import Any

import numpy as np

from shadowtime.engine.errors import InvalidWorkload
from shadowtime.engine.tables import Table
from shadowtime.engine.workload.job import Clock, Workload, in_order, job_table, zone_name
from shadowtime.engine.workload.limits import LARGEST_ID, LONGEST, WIDEST


def objects(instance: Mapping[str, Any], key: str) -> Sequence[Mapping[str, Any]]:
    """Return the list of objects under `key`.

    Raises
    ------
    InvalidWorkload
        If there is no such list, or it is empty.
    """
    items = instance.get(key)
    if not isinstance(items, list) or not all(isinstance(item, dict) for item in items):
        raise InvalidWorkload(f"`{key}` must be a list of objects.")
    if not items:
        raise InvalidWorkload(f"`{key}` is empty.")
    return items


def column(items: Sequence[Mapping[str, Any]], key: str, default: float | None = None, **rule: Any) -> np.ndarray:
    """Return the value of `key` of each job, f8, checked by the `rule` of `numbers`.

    `default` replaces a missing or null value; with None, such a value is an error.
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
    """Return the `id` of each job; the position from 1 if no job has one."""
    if not any("id" in item for item in items):
        return np.arange(1, len(items) + 1)
    return column(items, "id", low=-LARGEST_ID, high=LARGEST_ID, whole=True).astype("i8")


def times(
    items: Sequence[Mapping[str, Any]], key: str, default: float | None = None, *, above: bool = False
) -> np.ndarray:
    """Return the seconds under `key` of each job, at least 0 (`above`: more than 0)."""
    return column(items, key, default, low=0, high=LONGEST, above=above)


def sizes(items: Sequence[Mapping[str, Any]], key: str) -> np.ndarray:
    """Return the whole number under `key` of each job, at least 1."""
    return column(items, key, low=1, high=WIDEST, whole=True).astype("i8")


def attributes(items: Sequence[Mapping[str, Any]]) -> dict[str, np.ndarray]:
    """Return the columns `job_id`, `weight` and `user` of jobs, with their defaults."""
    return {
        "job_id": ids(items),
        "weight": column(items, "weight", 1, low=0, high=LONGEST),
        "user": column(items, "user", -1, low=-1, high=LARGEST_ID, whole=True),
    }


def table(items: Sequence[Mapping[str, Any]], release: str, size: str, requested: str, **others: np.ndarray) -> Table:
    """Return the jobs table of items with a `runtime`, `attributes`, and the keys of release, size and request."""
    return job_table(
        times(items, release, 0),
        times(items, "runtime", above=True),
        sizes(items, size),
        requested=times(items, requested, np.nan, above=True),
        **attributes(items),
        **others,
    )


def number(instance: Mapping[str, Any], key: str, **rule: Any) -> float:
    """Return one number of an instance, as int if the rule has `whole`."""
    value = float(numbers([instance.get(key)], lambda _: key, **rule)[0])
    return int(value) if rule.get("whole") else value


def stated(instance: Mapping[str, Any], *keys: str, **rule: Any) -> dict[str, float]:
    """Return the numbers under those of `keys` that the instance has."""
    return {key: number(instance, key, **rule) for key in keys if key in instance}


def size_of_machine(instance: Mapping[str, Any]) -> dict[str, float]:
    """Return {"processors": n}, or nothing if the instance does not state it."""
    return stated(instance, "processors", low=1, high=WIDEST, whole=True)


def clock_of(given: Any) -> Clock | None:
    """Return the clock {"unix_start", "utc_offset", "zone"} of an instance, or None if it has none."""
    if not isinstance(given, dict):
        return None
    return Clock(
        number(given, "unix_start", low=0, high=LONGEST),
        number({"utc_offset": 0, **given}, "utc_offset", low=-86_400, high=86_400),
        zone_name(given.get("zone")),
    )


def workload(
    kind: str, instance: Mapping[str, Any], jobs: Table, parts: Table, machine: Mapping[str, float], report: str
) -> Workload:
    """Return the workload of an instance, its jobs sorted by submission, with its clock."""
    jobs, parts = in_order(jobs, parts)
    clock, has_estimates = clock_of(instance.get("clock")), bool(np.isfinite(jobs["requested"]).any())
    return Workload(kind, "", jobs, parts, machine, (report,), clock, has_estimates)


def clock_in(workload: Workload) -> dict[str, Any]:
    """Return {"clock": ...} as `clock_of` reads it, or nothing if the workload has none."""
    return {"clock": asdict(workload.clock)} if workload.clock else {}


def numbers(values: Sequence[Any], where: Any, *, low: float = -math.inf, high: float = math.inf,
            above: bool = False, whole: bool = False) -> np.ndarray:  # fmt: skip
    """Return `values` as f8, each in [low, high] (`above`: low excluded); `where(i)` names the i-th in errors."""
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
    """Return one object per row, as `objects` reads them; `names` renames columns, and NaN values are left out."""
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
