"""Job by job, one run against the baseline: what the table shows, and the same as CSV."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from shadowtime.dashboard.components.compare_jobs import Pair
from shadowtime.dashboard.components.run_tables import COUNT, DATE, LENGTH, REAL, Rows, user_column, with_names
from shadowtime.engine.output import cells
from shadowtime.engine.tables import rows

CHANGE = {"function": "shadowtime.grid.change(params.value)"}
SIGNED = {"function": "shadowtime.grid.signed(params.value)"}
PIECE = 20_000
"""Lines of CSV written at once."""


def columns(base: str, other: str, users: Sequence[str] = (), size: str = "processor") -> list[dict[str, Any]]:
    """The columns of the table, with the names of the two runs in their heads.

    users: names by number, if any; size: what the size of a job is counted in.
    """
    made = [
        {"field": "job_id", "headerName": "Job", "width": 92, "pinned": "left",
         "cellClass": "ag-right-aligned-cell st-strong"},
        {"field": "difference", "headerName": "Finish delay", "width": 128, "valueFormatter": CHANGE,
         "cellClass": "ag-right-aligned-cell st-strong"},
        {"field": "start_difference", "headerName": "Start delay", "width": 134, "valueFormatter": CHANGE},
        {"field": "stretch_difference", "headerName": "Slowdown increase", "width": 148, "valueFormatter": SIGNED},
        {"field": "processors", "headerName": f"{size.capitalize()}s", "width": 108, "valueFormatter": COUNT},
        {"field": "runtime", "headerName": "Runtime", "width": 112, "valueFormatter": LENGTH},
        {"field": "user", "headerName": "User", "width": 80},
        {"field": "release", "headerName": "Submitted", "width": 158, "valueFormatter": DATE},
        {"field": "start_baseline", "headerName": f"Start, {base}", "width": 168, "valueFormatter": DATE},
        {"field": "start_run", "headerName": f"Start, {other}", "width": 168, "valueFormatter": DATE},
        {"field": "end_baseline", "headerName": f"End, {base}", "width": 168, "valueFormatter": DATE},
        {"field": "end_run", "headerName": f"End, {other}", "width": 168, "valueFormatter": DATE},
        {"field": "stretch_baseline", "headerName": f"Bounded slowdown, {base}", "width": 200, "valueFormatter": REAL},
        {"field": "stretch_run", "headerName": f"Bounded slowdown, {other}", "width": 200, "valueFormatter": REAL},
    ]  # fmt: skip
    return with_names(made, users)


NAMES = tuple(entry["field"] for entry in columns("", ""))


def job_rows(pair: Pair, users: Sequence[str] = ()) -> Rows:
    """The rows of the table; a million of them cost nothing until they are looked at."""
    before, after = pair.stretches()
    known: dict[str, np.ndarray] = {
        "difference": pair.difference(),
        "start_difference": pair.other["start"] - pair.base["start"] - (pair.other["release"] - pair.base["release"]),
        "stretch_difference": after - before,
        "start_baseline": pair.base["start"],
        "start_run": pair.other["start"],
        "end_baseline": pair.base["end"],
        "end_run": pair.other["end"],
        "stretch_baseline": before,
        "stretch_run": after,
    }

    def column(name: str, index: Any) -> np.ndarray:
        if name == "user":
            return user_column(pair.base["user"][index], users)
        return known[name][index] if name in known else pair.base[name][index]

    return Rows(rows(pair.base), NAMES, column)


def as_csv(pair: Pair, users: Sequence[str] = ()) -> Iterator[str]:
    """The table as text, head first, some rows at a time; what is missing is empty."""
    table = job_rows(pair, users)
    for start in range(0, max(1, table.n), PIECE):
        head = cells.line(NAMES) if start == 0 else ""
        records = table.records(slice(start, start + PIECE))
        yield head + "".join(cells.line(record.values()) for record in records)
