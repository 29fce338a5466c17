"""Export runs and points of a sweep as tables: CSV, and Parquet with the same columns."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from shadowtime.engine.output import cells
from shadowtime.workers import outputs
from shadowtime.workers.sweeps import report
from shadowtime.workers.sweeps.outcomes import Outcomes
from shadowtime.workers.sweeps.points import points

TABLES = ("runs", "points")
FORMS = ("csv", "parquet")
STATISTICS = ("blocks", "mean", "std", "min", "max", "low", "high")
OVER_BOUND = ("mean_of_ratios", "ratio_of_sums")
"""Statistics of a metric that has a bound."""
TEXTS = ("run", "status", "workload", "algorithm", "name", "error", "warnings")
"""Columns of texts; all others that are empty throughout are columns of numbers."""

Columns = dict[str, list[Any]]
"""Values by name, None where there is none; all lists are equally long."""


def columns(outcomes: Outcomes, names: Sequence[str], table: str) -> Columns:
    """Return the columns of a table: `runs` with one row a run and one column a parameter, metric and bound, or
    `points` with one row a point and a column for each statistic of each metric, as `mean_flow_low`. `names` are those
    of the workloads."""
    return _runs(outcomes, names) if table == "runs" else _points(outcomes, names)


def written(found: Columns, form: str) -> bytes:
    """Return the bytes of a file."""
    return _csv(found) if form == "csv" else _parquet(found)


def write_directory(folder: Path, outcomes: Outcomes, names: Sequence[str]) -> None:
    """Write runs.csv, runs.parquet, points.csv and points.parquet to `folder`, which is created."""
    found = {table: columns(outcomes, names, table) for table in TABLES}
    files = ((f"{table}.{form}", [written(found[table], form)]) for table in TABLES for form in FORMS)
    outputs.write_all(folder, files)


def _runs(outcomes: Outcomes, names: Sequence[str]) -> Columns:
    rows = report.runs(outcomes, names)
    swept = sorted({name for row in rows for name in row["parameters"]})
    found: Columns = {
        key: [row[key] for row in rows] for key in ("run", "status", "workload", "seed", "load", "algorithm")
    }
    found |= {name: [_plain(row["parameters"].get(name)) for row in rows] for name in swept}
    found |= {name: [row["metrics"].get(name) for row in rows] for name in outcomes.names}
    found |= {f"bound_{name}": [row["bounds"].get(name) for row in rows] for name in sorted(outcomes.bounds)}
    return {**found, "error": [row["error"] for row in rows]}


def _points(outcomes: Outcomes, names: Sequence[str]) -> Columns:
    rows = points(outcomes, names)
    swept = sorted({name for row in rows for name in row["parameters"]})
    found: Columns = {key: [row[key] for row in rows] for key in ("workload", "load", "algorithm", "name")}
    found |= {name: [_plain(row["parameters"].get(name)) for row in rows] for name in swept}
    found |= {key: [row[key] for row in rows] for key in ("n", "failed", "pending")}
    for metric in outcomes.names:
        for key in (*STATISTICS, *(OVER_BOUND if metric in outcomes.bounds else ())):
            found[f"{metric}_{key}"] = [row["metrics"].get(metric, {}).get(key) for row in rows]
    return {**found, "warnings": ["; ".join(row["warnings"]) for row in rows]}


def _plain(value: Any) -> str | None:
    """Return a parameter as text: one column may hold a number in one row and a word in another."""
    return None if value is None else str(value).lower() if isinstance(value, bool) else str(value)


def _csv(found: Columns) -> bytes:
    return "".join(map(cells.line, (found, *zip(*found.values(), strict=True)))).encode()


def _parquet(found: Columns) -> bytes:
    import pyarrow
    from pyarrow import parquet

    sink = pyarrow.BufferOutputStream()
    made = {name: pyarrow.array(values) for name, values in found.items()}
    empty = [name for name, column in made.items() if column.type == pyarrow.null()]
    made |= {name: made[name].cast("string" if name in TEXTS else "double") for name in empty}
    parquet.write_table(pyarrow.table(made), sink)
    return sink.getvalue().to_pybytes()
