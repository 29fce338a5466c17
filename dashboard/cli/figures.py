"""A run's figures as a table for people at a terminal."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from shadowtime.dashboard.look.words import GAP, count, number, percent, ratio

if TYPE_CHECKING:
    from shadowtime.engine.workload.job import Workload
    from shadowtime.workers.spec import RunSpec

MACHINE = {"processors": ("processor",), "nodes": ("node",), "cores_per_node": ("core per node", "cores per node")}


def of_run(summary: Mapping[str, Any], spec: RunSpec, workload: Workload) -> str:
    """Every metric with its ratio to the largest lower bound, and what the reader did with the file."""
    from shadowtime.dashboard.look.definitions import metrics
    from shadowtime.engine.registry import find

    bounds, names = summary["bounds"], summary["bound_names"]
    known = metrics()
    rows = [("metric", "value", "at most × optimal", "lower bound", "proven by")]
    for name, value in summary["metrics"].items():
        unit = known[name].unit
        bound = bounds.get(name)
        against = value / bound if bound else None
        shown = measure(bound, unit) if bound is not None else ""
        rows.append((name, measure(value, unit), ratio(against), shown, names.get(name, "")))
    machine = ", ".join(count(n, *MACHINE[part]) for part, n in sorted(spec.platform.items(), reverse=True))
    took = max(0.001, summary["timing"]["simulate_s"])
    title = f"{find(spec.algorithm).title} on {summary['workload']}: {count(summary['jobs'], 'job')}"
    parts = [
        f"{title}, {machine}, {spec.estimates} times",
        table(rows, left=(0, 4)),
        *([" ".join(summary["report"])] if summary["report"] else []),
        f"Simulated in {took:.3f} s. Run {summary['run']}, engine {summary['engine_version']}.",
    ]
    return plain("\n\n".join(parts))


def of_bound(found: Mapping[str, Any], workload: Workload) -> str:
    """The best bound and all that were tried."""
    unit = "" if found["criterion"] == "max-stretch" else "s"
    rows = [("bound", "value", "")]
    for name, value in sorted(found["bounds"].items(), key=lambda item: -item[1]):
        rows.append((name, measure(value, unit), "best" if name == found["name"] else ""))
    criterion, best = found["criterion"].replace("-", " "), measure(found["bound"], unit)
    title = f"No schedule of {workload.name} has a {criterion} below {best}."
    return plain(f"{title}\n\n{table(rows, left=(0, 2))}")


def measure(value: float, unit: str) -> str:
    """A value with its unit."""
    if unit == "s":
        return f"{value:.4g} s" if abs(value) < 100 else f"{value:,.1f} s".replace(".0 s", " s")
    if unit == "share":
        return percent(value)
    return f"{number(value)} {unit}".rstrip()


def table(rows: Sequence[Sequence[str]], left: tuple[int, ...]) -> str:
    """Rows under each other; the columns in `left` begin alike, the others end alike."""
    widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))]
    lines = []
    for row in rows:
        cells = [
            cell.ljust(w) if i in left else cell.rjust(w) for i, (cell, w) in enumerate(zip(row, widths, strict=True))
        ]
        lines.append("  ".join(cells).rstrip())
    return "\n".join(lines)


def plain(text: str) -> str:
    """With ordinary blanks, for terminals and grep."""
    return text.replace(GAP, " ")
