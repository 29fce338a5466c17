"""The tables of a run in AG Grid: its jobs, and what happened to them.

Up to `AT_ONCE` jobs are sent whole, so that the browser sorts and filters; of more, and of events, only the rows on
the screen are, sorted and filtered here.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import dash_ag_grid as dag
import numpy as np

from shadowtime.engine.metrics.jobs import bounded_stretch
from shadowtime.engine.output.notes import Notes
from shadowtime.engine.registry import look_up_family
from shadowtime.engine.tables import EVENT_KINDS, JOB_STATES, Table, rows

AT_ONCE = 20_000
HEIGHT = 420

DATE = {"function": "shadowtime.grid.instant(params.value, params.context)"}
DATED = 200
"""CSS px of an instant with weekday, date, year and time."""
LENGTH = {"function": "shadowtime.grid.duration(params.value)"}
COUNT = {"function": "shadowtime.grid.number(params.value)"}
WORDS: dict[str, Any] = {"filter": "agTextColumnFilter", "headerClass": "", "cellClass": ""}
REAL = {"function": "shadowtime.grid.real(params.value)"}

JOB_COLUMNS: list[dict[str, Any]] = [
    {
        "field": "job_id",
        "headerName": "Job",
        "width": 92,
        "cellClass": "ag-right-aligned-cell st-strong",
        "pinned": "left",
    },
    {"field": "state", "headerName": "State", "width": 104, **WORDS},
    {"field": "user", "headerName": "User", "width": 80},
    {"field": "processors", "headerName": "Processors", "width": 108, "valueFormatter": COUNT},
    {"field": "release", "headerName": "Submitted", "width": 158, "valueFormatter": DATE},
    {"field": "wait", "headerName": "Waited", "width": 118, "valueFormatter": LENGTH},
    {"field": "start", "headerName": "Started", "width": 158, "valueFormatter": DATE},
    {"field": "runtime", "headerName": "Runtime", "width": 118, "valueFormatter": LENGTH},
    {"field": "requested", "headerName": "Requested", "width": 118, "valueFormatter": LENGTH},
    {"field": "end", "headerName": "Ended", "width": 158, "valueFormatter": DATE},
    {"field": "flow", "headerName": "Turnaround", "width": 118, "valueFormatter": LENGTH},
    {"field": "stretch", "headerName": "Bounded slowdown", "width": 160, "valueFormatter": REAL},
]

WEIGHT: dict[str, Any] = {"field": "weight", "headerName": "Weight", "width": 96, "valueFormatter": REAL}
SITE_COLUMNS: list[dict[str, Any]] = [
    {"field": "job_class", "headerName": "Class", "width": 130, **WORDS},
    {"field": "priority", "headerName": "Priority", "width": 100, **WORDS},
    {"field": "resource", "headerName": "Ran on", "width": 110, **WORDS},
]
"""Of jobs on machines that differ."""
PRIORITIES = ("high", "medium", "low")

EVENT_COLUMNS: list[dict[str, Any]] = [
    {"field": "time", "headerName": "When", "width": 158, "valueFormatter": DATE},
    {"field": "kind", "headerName": "What", "width": 110, **WORDS},
    {"field": "job_id", "headerName": "Job", "width": 100, "cellClass": "ag-right-aligned-cell st-strong"},
    {"field": "note", "headerName": "Place and reason", "flex": 1, "minWidth": 260, "sortable": False, **WORDS,
     "filter": False, "cellClass": "st-ink2", "tooltipField": "note"},
]  # fmt: skip


def grid(
    identity: str, columns: list[dict[str, Any]], clock: Mapping[str, Any] | None,
    span: tuple[float, float], data: list[dict] | None = None, height: int = HEIGHT,
) -> dag.AgGrid:  # fmt: skip
    """A grid of `data`, or without it one that requests the rows that it shows.

    `span` is the run's from first to last second: short ones count in seconds, as the viewer does.
    """
    options = {
        "theme": {"function": "themeQuartz.withParams(shadowtime.grid.params)"},
        "rowHeight": 28,
        "headerHeight": 34,
        "animateRows": False,
        "enableBrowserTooltips": True,
        "context": {"clock": dict(clock) if clock else None, "span": list(span)},
        "ensureDomOrder": True,
        "enableCellTextSelection": True,
        "localeText": {"noRowsToShow": "No rows yet"},
    }
    kind: dict[str, Any] = {"rowData": data} if data is not None else {"rowModelType": "infinite"}
    if data is None:
        options |= {"cacheBlockSize": 200, "maxBlocksInCache": 20}
    dated = [{**one, "width": DATED} if clock and one.get("valueFormatter") == DATE else one for one in columns]
    return dag.AgGrid(
        id=identity,
        columnDefs=dated,
        defaultColDef={
            "sortable": True,
            "resizable": True,
            "headerClass": "ag-right-aligned-header",
            "cellClass": "ag-right-aligned-cell",
            "filter": "agNumberColumnFilter",
            "suppressHeaderMenuButton": False,
            "suppressMovable": True,
        },
        dashGridOptions=options,
        className="st-grid st-grid-dense",
        style={"height": height, "width": "100%"},
        **kind,
    )


@dataclass(frozen=True)
class Rows:
    """A table of which a grid shows a window: `column(name, index)` gives the values of some rows, or of all."""

    n: int
    names: tuple[str, ...]
    column: Callable[[str, Any], np.ndarray]

    def records(self, index: np.ndarray | slice = slice(None)) -> list[dict[str, Any]]:
        """Those rows as the grid takes them; what is missing is None."""
        lists = [plain(self.column(name, index)) for name in self.names]
        return [dict(zip(self.names, values, strict=True)) for values in zip(*lists, strict=True)]


def job_columns(jobs: Table, kind: str, users: Sequence[str] = ()) -> list[dict[str, Any]]:
    """The columns of the table of jobs: none that is empty from top to bottom, and what this kind of job has besides.

    jobs: those that are known; without columns before anything is. users: names by number, where the log has names.
    """
    n = rows(jobs)
    is_there = {
        "user": not n or bool((jobs["user"] >= 0).any()),
        "requested": not n or bool(np.isfinite(jobs["requested"]).any()),
    }
    shown = with_names([dict(entry) for entry in JOB_COLUMNS if is_there.get(entry["field"], True)], users)
    size = next(at for at, entry in enumerate(shown) if entry["field"] == "processors")
    family = look_up_family(kind)
    shown[size]["headerName"] = f"{family.held.capitalize()}s"
    if family.has_site:
        shown[size:size] = SITE_COLUMNS
    elif n and np.ptp(jobs.get("weight", 0.0)) > 0:
        shown.insert(size + 1, WEIGHT)
    return shown


def with_names(columns: list[dict[str, Any]], users: Sequence[str]) -> list[dict[str, Any]]:
    """Columns of which that of users holds names, where a log has names."""
    return [{**one, **WORDS, "width": 110} if users and one["field"] == "user" else one for one in columns]


def user_column(codes: np.ndarray, users: Sequence[str]) -> np.ndarray:
    """Users as a table shows them: names, empty where unknown; without names their numbers, NaN where unknown."""
    if not users:
        return np.where(codes < 0, np.nan, codes) if (codes < 0).any() else codes
    most = int(codes.max(initial=-1))
    named = np.array([*users, *map(str, range(len(users), most + 1)), ""])
    return named[np.where(codes < 0, len(named) - 1, codes)]


def job_rows(
    jobs: Table, tau: float, site: Mapping[str, Sequence[str]] | None = None, users: Sequence[str] = ()
) -> Rows:
    """What the table of jobs shows; a million rows cost nothing until they are looked at.

    site: names of job classes, machines and clusters, where machines differ. users: names by number, where the log has
    names.
    """

    def column(name: str, index: Any) -> np.ndarray:
        match name:
            case "row":
                return np.arange(rows(jobs))[index]
            case "wait":
                return jobs["start"][index] - jobs["release"][index]
            case "flow":
                return jobs["end"][index] - jobs["release"][index]
            case "stretch":
                return bounded_stretch({one: jobs[one][index] for one in ("release", "end", "runtime")}, tau=tau)
            case "state":
                return np.array(JOB_STATES)[jobs["state"][index]]
            case "user":
                return user_column(jobs["user"][index], users)
            case "job_class" if site is not None:
                return np.array(site["job_classes"])[jobs["job_class"][index]]
            case "priority":
                return np.array(PRIORITIES)[jobs["priority"][index]]
            case "resource" if site is not None:
                return ran_on(jobs, site)[index]
        return jobs[name][index]

    own = SITE_COLUMNS if site is not None else [WEIGHT] if "weight" in jobs else []
    return Rows(rows(jobs), ("row", *(entry["field"] for entry in [*JOB_COLUMNS, *own])), column)


def ran_on(jobs: Table, site: Mapping[str, Sequence[str]]) -> np.ndarray:
    """The machine or cluster of each job's last run; empty where it did not run, or has not yet."""
    if "machine" not in jobs:
        return np.full(rows(jobs), "")
    place = np.where(jobs["cluster"] >= 0, len(site["machines"]) + jobs["cluster"], jobs["machine"])
    return np.array([*site["machines"], *site["clusters"], ""])[place]


def event_rows(events: Table, jobs: Table) -> Rows:
    """What the table of events shows, but for the notes, which are written for the rows on the screen."""

    def column(name: str, index: Any) -> np.ndarray:
        match name:
            case "row":
                return np.arange(rows(events))[index]
            case "kind":
                return np.array(EVENT_KINDS)[events["kind"][index]]
            case "job_id":
                return jobs["job_id"][events["job"][index]]
        return events[name][index]

    return Rows(rows(events), ("row", "time", "kind", "job_id"), column)


def with_notes(found: list[dict[str, Any]], events: Table, notes: Notes) -> list[dict[str, Any]]:
    """The rows of events with their sentences."""
    for line in found:
        line["note"] = notes.of(line["row"], events)
    return found


def plain(column: np.ndarray) -> list[Any]:
    """A column as plain values; NaN becomes None."""
    values = column.tolist()
    return [None if value != value else value for value in values] if column.dtype.kind == "f" else values


def answer(table: Rows, request: Mapping[str, Any]) -> tuple[np.ndarray, int]:
    """Numbers of the rows of a grid's request, and how many rows fit its filter."""
    index = filtered(table, request.get("filterModel") or {})
    index = ordered(table, index, request.get("sortModel") or [])
    return index[request.get("startRow", 0) : request.get("endRow", 100)], len(index)


def ordered(table: Rows, index: np.ndarray, model: Sequence[Mapping[str, str]]) -> np.ndarray:
    """`index` sorted as chosen in the grid's heads; what is missing stands last either way."""
    for key in reversed([entry for entry in model if entry.get("colId") in table.names]):
        column = table.column(key["colId"], index)
        if key.get("sort") == "desc":  # equal ones keep their order
            order = len(column) - 1 - np.argsort(column[::-1], kind="stable")[::-1]
        else:
            order = np.argsort(column, kind="stable")
        missing = column[order] != column[order] if column.dtype.kind == "f" else np.zeros(len(order), bool)
        index = index[np.concatenate([order[~missing], order[missing]])]
    return index


def filtered(table: Rows, model: Mapping[str, Mapping[str, Any]]) -> np.ndarray:
    """Numbers of the rows that every filter lets through."""
    index = np.arange(table.n)
    for name, rule in model.items():
        if name in table.names:
            index = index[passes(table.column(name, index), rule)]
    return index


def passes(column: np.ndarray, rule: Mapping[str, Any]) -> np.ndarray:
    """Which values one filter of the grid lets through; conditions of one column may be joined."""
    if rule.get("operator"):
        parts = [passes(column, condition) for condition in rule.get("conditions", [])]
        joined = np.logical_and if rule["operator"] == "AND" else np.logical_or
        return joined.reduce(parts) if parts else np.ones(len(column), bool)
    if rule.get("filterType") == "text":
        return text_passes(column, str(rule.get("filter") or "").lower(), rule.get("type", "contains"))
    return number_passes(column, rule)


def text_passes(column: np.ndarray, sought: str, kind: str) -> np.ndarray:
    """AG Grid's text filters."""
    low = np.char.lower(column.astype(str))
    found = {
        "contains": lambda: np.char.find(low, sought) >= 0,
        "notContains": lambda: np.char.find(low, sought) < 0,
        "equals": lambda: low == sought,
        "notEqual": lambda: low != sought,
        "startsWith": lambda: np.char.startswith(low, sought),
        "endsWith": lambda: np.char.endswith(low, sought),
    }
    return found[kind]() if kind in found else np.ones(len(column), bool)


def number_passes(column: np.ndarray, rule: Mapping[str, Any]) -> np.ndarray:
    """AG Grid's number filters."""
    low, high = rule.get("filter"), rule.get("filterTo")
    missing = column != column
    match rule.get("type"):
        case "blank":
            return missing
        case "notBlank":
            return ~missing
        case _ if low is None:
            return np.ones(len(column), bool)
        case "equals":
            return column == low
        case "notEqual":
            return column != low
        case "lessThan":
            return column < low
        case "lessThanOrEqual":
            return column <= low
        case "greaterThan":
            return column > low
        case "greaterThanOrEqual":
            return column >= low
        case "inRange":
            return (column >= low) & (column <= (np.inf if high is None else high))
    return np.ones(len(column), bool)
