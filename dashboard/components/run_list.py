"""The rows of the list of runs: question, state and results."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

from shadowtime.dashboard.components import naming, results, states
from shadowtime.dashboard.context import Context
from shadowtime.dashboard.figures import sparkline
from shadowtime.dashboard.look import words
from shadowtime.dashboard.serving import cache
from shadowtime.dashboard.sharing import urls
from shadowtime.workers.errors import Damaged
from shadowtime.workers.store import Run


def listing(context: Context, status: str, text: str, limit: int) -> dict[str, Any]:
    """The rows of the grid, how many runs there are in each state, and whether there are more."""
    found = context.store.runs.list(status=[status] if status else [], text=text, limit=limit)
    counts = context.store.runs.counts(text)
    turns = context.places()
    if any(one.status.status == "queued" and one.digest not in turns for one in found.rows):
        turns = context.places.refresh()
    now = datetime.now(UTC).astimezone()
    rows = [readable_row(context, one, turns.get(one.digest, (0, 0.0))[0], now) for one in found.rows]
    total = counts.get(status, 0) if status else sum(counts.values())
    return {"rows": rows, "counts": counts, "total": total, "more": found.next is not None}


def readable_row(context: Context, run: Run, place: int, now: datetime) -> dict[str, Any]:
    """What the grid shows of a run; one whose tables are found to be damaged counts as failed from now on."""
    try:
        return row(context, run, place, now)
    except Damaged:
        return row(context, context.store.runs.get(run.digest), place, now)


def row(context: Context, run: Run, place: int, now: datetime) -> dict[str, Any]:
    """What the grid shows of a run."""
    spec, status, summary = run.spec, run.status, run.summary or {}
    values, bounds = summary.get("metrics", {}), summary.get("bounds", {})
    judged = results.headline(values, bounds, naming.kind_of(context.store, spec))
    said = naming.said_parameters(spec.algorithm, spec.parameters)
    return {
        "id": run.id,
        "url": urls.run(run.id),
        "state": status.status,
        "word": states.WORDS[status.status],
        "mark": states.MARKS[status.status],
        "private": run.is_private,
        "algorithm": naming.run_words(spec),
        "said": ", ".join(said),
        "workload": naming.workload_words(context.store, spec),
        "jobs": status.progress.get("jobs") or summary.get("jobs"),
        "fraction": status.progress.get("fraction") or 0.0,
        "left": left_words(status, place),
        "spark": spark(context, run) if status.is_finished else None,
        "criterion": metric_words(judged) if judged else "",
        "result": results.written(judged, values.get(judged)) if judged else "",
        "ratio": results.ratio_of(judged, values, bounds) if judged else None,
        "took": states.finished_in(summary),
        "accepted": status.accepted,
        "when": words.when(datetime.fromisoformat(status.accepted), now) if status.accepted else "",
        "sentence": sentence(run),
    }


def left_words(status: Any, place: int) -> str:
    """Beside the bar: how long it still takes, or how many stand before it."""
    if status.status == "running":
        left = status.progress.get("seconds_left")
        return f"{words.seconds_about(left)} left" if left is not None else ""
    return f"{words.ordinal(place)} in the queue" if place else ""


def metric_words(name: str) -> str:
    """`mean turnaround`: a metric's title in the middle of a line."""
    return results.titled(name).lower()


def sentence(run: Run) -> str:
    """What stands in place of the figures of a run without them."""
    if run.status.status == "failed":
        return states.failure(run.status)
    return states.cancelled_words(run.status) if run.status.status == "cancelled" else ""


def spark(context: Context, run: Run) -> list[float]:
    """Shares of the machine that did useful work, for the small picture in the row."""

    def make() -> list[float]:
        lanes = lanes_of(run)
        series = run.table("series")
        return [round(share, 3) for share in sparkline.means(series["time"], series["utilization"] / lanes)]

    return cache.remembered(context.cache, run.id, "spark", make)


def lanes_of(run: Run) -> int:
    """Rows of the Gantt of a run; enough for a share, whatever the kind."""
    platform = run.spec.platform
    return int(platform.get("processors") or platform["nodes"] * platform.get("cores_per_node", 1))
