"""Groups of the list of runs, each under a head that folds it: experiments, days, runs on the same jobs."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping
from datetime import datetime
from typing import Any

from shadowtime.dashboard.context import Context
from shadowtime.dashboard.look import words
from shadowtime.dashboard.sharing import urls

GROUPS = {"": "Experiments folded", "day": "By day", "jobs": "By workload", "none": "Not grouped"}
"""Ways to group, by their name in the address; the first is the usual one."""
OF_EXPERIMENT = "experiment:"
"""Word in the label of each run that an experiment computed, with the experiment's id behind it."""
MOST = 10
"""Experiments that the list shows; all are on their own page."""


def head(key: str, title: str, count: int, opened: bool, address: str = "", of: int = 0) -> dict[str, Any]:
    """Return the row above a group; of: runs of the experiment, some of which another one may have computed."""
    found = {"id": f"group:{key}", "group": key, "title": title, "count": count, "opened": opened, "url": address}
    return {**found, "of_runs": of} if of > count else found


def experiments(
    context: Context, text: str, status: str, opened: Collection[str], rows_of: Callable[[str], list[dict[str, Any]]]
) -> list[dict[str, Any]]:
    """Return a head for each of the latest experiments with runs that are looked for, and its runs if it is open."""
    runs, sweeps = context.store.runs, context.store.sweeps.list()[:MOST]
    if not sweeps or not runs.list(text=f"{text} {OF_EXPERIMENT}", limit=1).rows:
        return []
    found: list[dict[str, Any]] = []
    for sweep in sweeps:
        asked = f"{text} {OF_EXPERIMENT}{sweep.id}"
        counts = runs.counts(asked)
        count = counts.get(status, 0) if status else sum(counts.values())
        if not count:
            continue
        is_open = sweep.id in opened
        title = f"Experiment {sweep.status.name or sweep.id}"
        found.append(head(sweep.id, title, count, is_open, urls.experiment(sweep.id), sweep.status.runs_total))
        found += [{**row, "of": sweep.id} for row in rows_of(asked)] if is_open else []
    return numbered(found)


def numbered(rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return the rows, each head with its place, which sorting by a column does not change."""
    return [{**row, "at": at} if "group" in row else row for at, row in enumerate(rows)]


def grouped(rows: Iterable[Mapping[str, Any]], by: str, closed: Collection[str], now: datetime) -> list[dict[str, Any]]:
    """Return rows under heads, each group where its first run stands; those of `closed` groups are left out."""
    groups: dict[str, list[dict[str, Any]]] = {}
    for row in rows:
        groups.setdefault(key_of(row, by, now), []).append(dict(row))
    found: list[dict[str, Any]] = []
    for key, members in groups.items():
        is_open = key not in closed
        found.append(head(key, key, len(members), is_open))
        found += [{**row, "of": key} for row in members] if is_open else []
    return numbered(found)


def key_of(row: Mapping[str, Any], by: str, now: datetime) -> str:
    """Return the name of a run's group: `Today`, `18 Nov`, or the name of its workload."""
    if by == "jobs":
        return str(row["workload"])
    if not row["accepted"]:
        return "Without a date"
    local = datetime.fromisoformat(row["accepted"]).astimezone(now.tzinfo)
    days = (now.date() - local.date()).days
    return {0: "Today", 1: "Yesterday"}.get(days) or words.day(local, now)
