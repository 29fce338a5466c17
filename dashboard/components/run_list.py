"""The rows of the list of runs: question, state and results."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from shadowtime.dashboard.components import naming, results, run_columns, run_groups, states
from shadowtime.dashboard.context import Context
from shadowtime.dashboard.look import words
from shadowtime.dashboard.serving import cache
from shadowtime.dashboard.sharing import urls
from shadowtime.workers.errors import Damaged
from shadowtime.workers.records.outlines import outline
from shadowtime.workers.store import Run


@dataclass(frozen=True)
class Asked:
    """What the list is to show, as its address says it."""

    status: str = ""
    text: str = ""
    group: str = ""
    """One of `run_groups.GROUPS`."""
    sort: str = ""
    """A column, with a minus for the largest first; empty: newest first."""
    limit: int = 50
    toggled: Collection[str] = ()
    """Groups that were folded or opened by a click."""
    hidden: Collection[str] = ()
    """Ids of runs that are deleted unless that is undone."""


def listing(context: Context, asked: Asked) -> dict[str, Any]:
    """The rows of the grid, how many runs there are by state and without the filter, and whether there are more."""
    without = run_groups.OF_EXPERIMENT if not asked.group and run_groups.OF_EXPERIMENT not in asked.text else ""
    found, is_more = rows_of(context, asked, asked.text, without)
    counts = dict(context.store.runs.counts(asked.text, without=without))
    for row in found:
        if row["id"] in asked.hidden:
            counts[row["state"]] -= 1
    kept = [row for row in found if row["id"] not in asked.hidden]
    total = counts.get(asked.status, 0) if asked.status else sum(counts.values())
    of_all = total
    if asked.text or asked.status:
        of_all = max(total, sum(context.store.runs.counts(without=without).values()) - len(set(asked.hidden)))
    now = datetime.now(UTC).astimezone()
    shown: list[dict[str, Any]] = kept
    if without:
        shown = run_groups.experiments(
            context, asked.text, asked.status, asked.toggled, lambda text: rows_of(context, asked, text, "")[0]
        )
        shown = [row for row in shown if row["id"] not in asked.hidden] + kept
    elif asked.group in ("day", "jobs"):
        shown = run_groups.grouped(kept, asked.group, asked.toggled, now)
    return {"rows": shown, "listed": len(kept), "counts": counts, "total": total, "all": of_all, "more": is_more}


def rows_of(context: Context, asked: Asked, text: str, without: str) -> tuple[list[dict[str, Any]], bool]:
    """The runs that hold each word of `text` and none of `without`, and whether there are more than the limit."""
    field = asked.sort.removeprefix("-")
    found = context.store.runs.list(
        status=[asked.status] if asked.status else [],
        text=text,
        without=without,
        limit=asked.limit,
        sort=run_columns.OF_STORE.get(field, "accepted"),
        ascending=field in run_columns.OF_STORE and not asked.sort.startswith("-"),
    )
    turns = context.places_with(one.digest for one in found.rows if one.status.status == "queued")
    now = datetime.now(UTC).astimezone()
    rows = [readable_row(context, one, turns.get(one.digest, (0, 0.0))[0], now) for one in found.rows]
    return rows, found.next is not None


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
    source = spec.workload
    stated = naming.stated_of(context.store, source.get("digest"), source.get("case"))
    said = naming.said_parameters(spec.algorithm, spec.parameters, stated)
    return {
        "id": run.id,
        "url": urls.run(run.id),
        "state": status.status,
        "word": states.WORDS[status.status],
        "mark": states.MARKS[status.status],
        "private": run.is_private,
        "title": run.marks.title,
        "tags": list(run.marks.tags),
        "notes": run.marks.notes,
        "starred": run.marks.starred,
        "algorithm": naming.run_words(spec),
        "said": ", ".join(said),
        "workload": naming.workload_words(context.store, spec),
        "load": load_of(spec.conversions, spec.workload, values),
        "seed": spec.workload.get("seed", spec.seed),
        "jobs": status.progress.get("jobs") or summary.get("jobs"),
        "fraction": status.progress.get("fraction") or 0.0,
        "left": left_words(status, place),
        "spark": spark(context, run) if status.is_finished else None,
        "criterion": metric_words(judged) if judged else "",
        "definition": urls.definition(judged) if judged else "",
        "result": results.written(judged, values.get(judged)) if judged else "",
        "value": values.get(judged) if judged else None,
        "ratio": results.ratio_of(judged, values, bounds) if judged else None,
        "took": states.finished_in(summary),
        "accepted": status.accepted,
        "when": words.when(datetime.fromisoformat(status.accepted), now) if status.accepted else "",
        "sentence": sentence(run),
    }


def load_of(
    conversions: Sequence[Mapping[str, Any]], source: Mapping[str, Any], values: Mapping[str, Any]
) -> float | None:
    """The offered load of a run: as measured, else as its last `load` conversion or its generator sets it."""
    if values.get("offered_load") is not None:
        return float(values["offered_load"])
    set_to = [step.get("parameters", {}).get("rho") for step in conversions if step["name"] == "load"]
    known = set_to[-1] if set_to else source.get("parameters", {}).get("load")
    return float(known) if known else None


def left_words(status: Any, place: int) -> str:
    """Beside the bar: how long it still takes, or how many stand before it."""
    if status.status == "running":
        if seconds := status.progress.get("compiling"):
            return f"compiling once, about {words.seconds_about(seconds)}"
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
    """Shares of the machine that did useful work, for the small picture in the row; of a run that an older version
    recorded they are made here."""
    used = run.outline
    if used is None:
        used = cache.remembered(context.cache, run.id, "outline", lambda: outline(run.table("series")))
    lanes = lanes_of(run)
    return [round(mean / lanes, 3) for mean in used]


def lanes_of(run: Run) -> int:
    """Rows of the Gantt of a run; enough for a share, whatever the kind."""
    platform = run.spec.platform
    return int(platform.get("processors") or platform["nodes"] * platform.get("cores_per_node", 1))
