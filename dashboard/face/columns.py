"""What a frame of jobs may hold: the checks of `Workload.from_frame`, each one sentence in the words of the frame."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from numbers import Integral
from typing import TYPE_CHECKING, Any

import numpy as np

from shadowtime.engine.errors import InvalidWorkload
from shadowtime.engine.tables import JOBS, Table
from shadowtime.engine.workload.job import COLUMNS, RECORDED

if TYPE_CHECKING:
    import pandas as pd

ATTRS = "shadowtime"
"""Key of the notes of `to_frame` in the attributes of a frame."""
WHOLE = ("processors", "job_id", "user", "job_class", "priority")
OPTIONAL = ("requested",)
"""Columns in which NaN has a meaning: the job has no requested time."""
TAKEN = (*(name for name in JOBS if name not in COLUMNS), "estimate")
"""Columns that a run writes into `schedule.jobs`."""
IN_JSON = {"id": "job_id", "submit": "release", "processes": "processors", "estimate": "requested"}
"""Columns by the name that a JSON instance has for them."""
PLACE = re.compile(r"job ([0-9,]+) of the list(?:: (\w+))?")
SIZES = ("processors", "nodes")


def frame_given(table: Any) -> pd.DataFrame:
    """Return the pandas frame of `table`, or of anything that has `to_pandas`.

    Raises
    ------
    InvalidWorkload
        For anything else, and for two columns of one name.
    """
    import pandas as pd

    frame = table
    if not isinstance(table, pd.DataFrame) and callable(getattr(table, "to_pandas", None)):
        frame = table.to_pandas()
    if not isinstance(frame, pd.DataFrame):
        raise InvalidWorkload(
            f"frame is of type {type(table).__name__}, but it must be a pandas DataFrame with one row a job, such as "
            "pandas.DataFrame({'runtime': [100, 10], 'processors': [6, 10]})"
        )
    if not frame.columns.is_unique:
        name = frame.columns[frame.columns.duplicated()][0]
        raise InvalidWorkload(f"the frame has two columns {str(name)[:40]!r}: rename or drop one")
    return frame


def notes_of(frame: pd.DataFrame) -> Mapping[str, Any]:
    """Return what `to_frame` noted of a workload; nothing for a frame that was made by hand.

    Raises
    ------
    InvalidWorkload
        If something else stands in its place.
    """
    notes = frame.attrs.get(ATTRS, {})
    if not isinstance(notes, Mapping):
        raise InvalidWorkload(
            f"frame.attrs[{ATTRS!r}] is {str(notes)[:40]!r}, which to_frame did not write: del frame.attrs[{ATTRS!r}]"
        )
    return notes


def machine_of(noted: Mapping[str, Any], given: Mapping[str, Any]) -> dict[str, Any]:
    """Return the machine that `to_frame` noted, with the size that was given in place of its own.

    Raises
    ------
    InvalidWorkload
        For a size that is no whole number from 1 on, and for both sizes: a run uses one of them.
    """
    sizes = {name: given[name] for name in SIZES if given.get(name) is not None}
    if len(sizes) > 1:
        raise InvalidWorkload("processors and nodes are both given, but a machine has one size: leave one out")
    if not sizes:
        return dict(noted)
    for name, value in sizes.items():
        if isinstance(value, bool) or not isinstance(value, Integral) or value < 1:
            raise InvalidWorkload(f"{name} = {str(value)[:40]}, but it must be a whole number from 1 on")
    others = ("nodes", "cores_per_node") if "processors" in sizes else ("processors",)
    kept = {name: value for name, value in noted.items() if name not in others}
    return kept | {name: int(value) for name, value in sizes.items()}


def check_extra(name: str) -> None:
    """Refuse a column that a run would overwrite."""
    if name in TAKEN:
        raise InvalidWorkload(
            f"the column {name!r} has the name of a column that each run writes ({', '.join(TAKEN)}): rename or drop it"
        )


def numbers(name: str, column: Any) -> np.ndarray:
    """Return a column of numbers in the dtype of a jobs table.

    Raises
    ------
    InvalidWorkload
        For a column that holds anything else, for what is no whole number of 64 bits where one is needed, and for a
        whole number that a float cannot hold where floats are needed.
    """
    dtype = {**JOBS, **RECORDED}.get(name, np.dtype("i8" if name in WHOLE else "f8"))
    try:
        if column.dtype.kind not in "iufbO":
            raise TypeError(column.dtype)
        values = column.to_numpy(dtype="f8", na_value=np.nan)
    except (TypeError, ValueError, OverflowError):
        raise InvalidWorkload(
            f"the column {name} is {column.dtype}, but a frame of jobs holds numbers only: convert or drop it"
        ) from None
    if dtype.kind == "f":
        _check_exact(name, column, values)
        return np.ascontiguousarray(values)
    # Whole numbers near the limit round up to 2^63 as floats: they are compared as they are.
    is_plain = isinstance(column.dtype, np.dtype) and column.dtype.kind in "iu"
    large = column.to_numpy() > np.iinfo("i8").max if is_plain else np.abs(values) >= 2.0**63
    wrong = ~(np.isfinite(values) & (values == np.floor(values))) | large
    if wrong.any():
        row = int(np.argmax(wrong))
        if np.isnan(values[row]):
            raise _missing(row, name)
        rule = "a whole number of at most 2^63 - 1" if large[row] else "a whole number"
        raise InvalidWorkload(f"row {row + 1:,}: {name} is {values[row]:g}; it must be {rule}")
    return np.ascontiguousarray(column.to_numpy(dtype=dtype))


def _check_exact(name: str, column: Any, values: np.ndarray) -> None:
    """Refuse a whole number that a float of 64 bits cannot hold."""
    if column.dtype.kind == "f":
        return
    for row in np.flatnonzero(np.isfinite(values) & (np.abs(values) >= 2.0**53)):
        if int(values[row]) != column.iloc[row]:
            raise InvalidWorkload(
                f"row {row + 1:,}: {name} is {column.iloc[row]}, but this column holds floats of 64 bits, which have "
                "each whole number to 2^53 only: make it smaller, or drop the column"
            )


def check_values(jobs: Table) -> None:
    """Refuse infinite values, and NaN where each job needs a number."""
    for name, column in jobs.items():
        if column.dtype.kind != "f":
            continue
        if np.isinf(column).any():
            row = int(np.argmax(np.isinf(column)))
            raise InvalidWorkload(f"row {row + 1:,}: {name} is infinite; it must be a number")
        if name not in OPTIONAL and name not in RECORDED and np.isnan(column).any():
            raise _missing(int(np.argmax(np.isnan(column))), name)


@contextmanager
def refused_by_column() -> Iterator[None]:
    """Name row and column of the frame in errors of the reader, which has names of a JSON instance."""
    try:
        yield
    except InvalidWorkload as error:
        raise InvalidWorkload(PLACE.sub(_row, str(error))) from None


def _row(found: re.Match[str]) -> str:
    name = IN_JSON.get(found[2], found[2])
    return f"row {found[1]}" + (f": {name}" if name else "")


def _missing(row: int, name: str) -> InvalidWorkload:
    return InvalidWorkload(f"row {row + 1:,}: {name} is missing (NaN); it must be a number")
