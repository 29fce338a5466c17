"""All runs: question, state and results."""

from __future__ import annotations

import csv
import io
from collections.abc import Mapping, Sequence
from typing import Any

import dash_ag_grid as dag
import dash_mantine_components as dmc
from dash import ALL, Input, Output, State, dcc, html, no_update

from shadowtime.dashboard.components import naming, run_list, states, tags
from shadowtime.dashboard.components.attributes import attributes
from shadowtime.dashboard.components.callbacks import Callbacks
from shadowtime.dashboard.components.compare_view import FEWEST, MOST
from shadowtime.dashboard.components.delete_dialog import delete_dialog
from shadowtime.dashboard.components.empty import nothing_has_run
from shadowtime.dashboard.components.icons import icon
from shadowtime.dashboard.context import Context, Shown
from shadowtime.dashboard.look import words
from shadowtime.dashboard.sharing import urls
from shadowtime.engine.output.cells import plain

FIRST = 50
FILTERS = ("running", "queued", "finished", "failed", "cancelled")
REFRESH = 4
"""Seconds between looks at what others have queued."""

RIGHT = "ag-right-aligned-cell"

SPARK = "[params.data.state, params.data.fraction, params.data.sentence, params.data.spark].join()"
"""What the picture of a row depends on: the grid redraws a cell only when its value is another."""

COLUMNS: list[dict[str, Any]] = [
    {"field": "state", "headerName": "State", "width": 128, "cellRenderer": "RunState"},
    {"field": "algorithm", "headerName": "Algorithm", "minWidth": 180, "flex": 3, "cellRenderer": "RunName"},
    {"field": "workload", "headerName": "Workload", "minWidth": 160, "flex": 3},
    {"field": "jobs", "headerName": "Jobs", "width": 96, "type": "rightAligned",
     "valueFormatter": {"function": "shadowtime.grid.number(params.value)"}},
    {"field": "spark", "headerName": "Useful CPU over time", "width": 160, "cellRenderer": "RunSpark",
     "cellDataType": False, "sortable": False, "valueGetter": {"function": SPARK},
     "cellClassRules": {"st-spanning": "params.data.sentence"}},
    {"field": "result", "headerName": "Result", "width": 228, "type": "rightAligned",
     "cellRenderer": "RunResult", "valueGetter": {"function": "params.data.left || params.data.result"}},
    {"field": "ratio", "headerName": "of best possible", "width": 136, "type": "rightAligned",
     "cellClass": f"{RIGHT} st-strong", "valueFormatter": {"function": "shadowtime.grid.ratio(params.value)"}},
    {"field": "took", "headerName": "Took", "width": 92, "type": "rightAligned",
     "valueFormatter": {"function": "shadowtime.grid.duration(params.value)"}},
    {"field": "accepted", "headerName": "When", "width": 138, "type": "rightAligned",
     "cellClass": f"{RIGHT} st-ink3", "valueFormatter": {"function": "params.data.when"}},
]  # fmt: skip


def layout(context: Context, _: str, query: Mapping[str, str]) -> Shown:
    """The page; without any run, what to do first."""
    if not context.store.runs.list(limit=1).rows:
        context.prepare_example()
        return Shown("Runs", nothing_has_run(context.settings.max_upload))
    status = query.get("status", "")
    status = status if status in FILTERS else ""
    text = query.get("q", "")
    return Shown("Runs", page(run_list.listing(context, status, text, FIRST), status, text))


def page(listed: dict[str, Any], status: str, text: str) -> html.Div:
    """Title, filters, the grid, and the dock of what is selected."""
    return tags.div(
        "st-column",
        tags.div(
            "st-headline",
            html.H1("Runs"),
            html.Div(className="st-grow"),
            dmc.TextInput(
                id="runs-text",
                value=text,
                placeholder="algorithm, workload, id",
                debounce=250,
                leftSection=icon("search"),
                w=250,
                attributes={"input": {"aria-label": "Filter the runs"}},
            ),
        ),
        tags.div(
            "st-filterline",
            html.Div(chips(listed["counts"], status), id="runs-chips"),
            html.Span("newest first", className="st-ink3 st-small"),
        ),
        dag.AgGrid(
            id="runs-grid",
            columnDefs=COLUMNS,
            rowData=listed["rows"],
            getRowId="params.data.id",
            defaultColDef={
                "sortable": True,
                "resizable": True,
                "suppressMovable": True,
                "suppressHeaderMenuButton": True,
            },
            dashGridOptions={
                "theme": {"function": "themeQuartz.withParams(shadowtime.grid.params)"},
                "rowHeight": 40,
                "headerHeight": 36,
                "domLayout": "autoHeight",
                "rowSelection": {"mode": "multiRow", "enableClickSelection": False},
                "selectionColumnDef": {"width": 44, "suppressHeaderMenuButton": True},
                "animateRows": False,
                "suppressCellFocus": False,
                "localeText": {"noRowsToShow": "No run fits this filter."},
            },
            className="st-grid",
            style={"height": None},
        ),
        html.Div(more_words(listed), id="runs-more", className="st-more"),
        dcc.Store(id="runs-limit", data=FIRST),
        dcc.Store(id="runs-status", data=status),
        dcc.Store(id="runs-news"),
        dcc.Store(id="runs-followed", data=unfinished(listed["rows"])),
        dcc.Interval(id="runs-tick", interval=1000 * REFRESH),
        dcc.Download(id="runs-export"),
        html.Div(
            id="runs-dock",
            className="st-dock st-hidden",
            role="toolbar",
            **attributes({"aria-label": "Selected runs"}),
        ),
        delete_dialog("runs", "Delete?", "Their tables and figures go."),
    )


callbacks = Callbacks()


@callbacks(
    Output("runs-grid", "rowData"),
    Output("runs-chips", "children"),
    Output("runs-more", "children"),
    Output("runs-followed", "data"),
    Input("runs-status", "data"),
    Input("runs-text", "value"),
    Input("runs-limit", "data"),
    Input("runs-news", "data"),
    Input("runs-tick", "n_intervals"),
)
def refresh(context: Context, status: str, text: str | None, limit: int, *_: Any) -> tuple[Any, ...]:
    """The list as it is filtered now."""
    listed = run_list.listing(context, status, text or "", limit)
    return listed["rows"], chips(listed["counts"], status), more_words(listed), unfinished(listed["rows"])


@callbacks(
    Output("runs-dock", "children"),
    Output("runs-dock", "className"),
    Output("runs-delete-title", "children"),
    Output("runs-delete-sure", "children"),
    Input("runs-grid", "selectedRows"),
    waits=False,
)
def select(_: Context, rows: list[dict] | None) -> tuple[Any, str, str, str]:
    """The dock, and the question of the dialog, for the selected rows."""
    chosen = rows or []
    said = f"Delete {words.count(len(chosen), 'run')}"
    return dock(chosen), "st-dock" if chosen else "st-dock st-hidden", f"{said}?", said


@callbacks(
    Output("runs-export", "data"),
    Input("runs-export-button", "n_clicks"),
    State("runs-grid", "selectedRows"),
)
def export(context: Context, clicks: int | None, rows: list[dict] | None) -> Any:
    """The selected runs as a file."""
    if not clicks or not rows:
        return no_update
    return dcc.send_string(as_csv(context, [row["id"] for row in rows]), "runs.csv")


callbacks.browser("filterRuns", Output("runs-status", "data"), Input({"filter": "status", "of": ALL}, "n_clicks"))
callbacks.browser(
    "showMore", Output("runs-limit", "data"), Input("runs-more-button", "n_clicks"), State("runs-limit", "data")
)
callbacks.browser("followRuns", Output("runs-news", "data"), Input("runs-followed", "data"))
callbacks.browser(
    "askDelete",
    Output("runs-delete", "opened"),
    Input("runs-delete-button", "n_clicks"),
    Input("runs-keep", "n_clicks"),
)
callbacks.browser(
    "cancelRuns", Output("runs-news", "data", allow_duplicate=True),
    Input("runs-cancel-button", "n_clicks"), State("runs-grid", "selectedRows"),
)  # fmt: skip
callbacks.browser(
    "deleteRuns", Output("runs-delete", "opened", allow_duplicate=True),
    Input("runs-delete-sure", "n_clicks"), State("runs-grid", "selectedRows"),
)  # fmt: skip


def chips(counts: Mapping[str, int], chosen: str) -> list[html.Button]:
    """The filter by state, with how many there are."""
    entries = [("", "All", sum(counts.values()))]
    entries += [(name, states.WORDS[name], counts[name]) for name in FILTERS if counts.get(name) or name == chosen]
    return [
        tags.button(
            "st-chip",
            word,
            html.Span(f"{n:,}", className="st-count"),
            id={"filter": "status", "of": name},
            **attributes({"aria-pressed": "true" if name == chosen else "false"}),
        )
        for name, word, n in entries
    ]


def more_words(listed: Mapping[str, Any]) -> list[Any]:
    """`12 of 214 runs · show more`."""
    shown, total = len(listed["rows"]), listed["total"]
    said: list[Any] = [f"{shown:,} of {words.count(max(shown, total), 'run')}"]
    button = html.Button("show more", id="runs-more-button", className="st-link")
    return [*said, " · ", button] if listed["more"] else said


def unfinished(rows: Sequence[Mapping[str, Any]]) -> list[str]:
    """Ids of the runs whose news the page follows."""
    return [row["id"] for row in rows if row["state"] in ("queued", "running")]


def dock(rows: Sequence[Mapping[str, Any]]) -> list[Any]:
    """What can be done with the selected runs."""
    same = len({row["workload"] for row in rows}) == 1 and len(rows) > 1
    busy = any(row["state"] in ("queued", "running") for row in rows)
    return [
        html.Span(words.count(len(rows), "run") + (" on the same jobs" if same else ""), className="st-dock-text"),
        html.Button("Export", id="runs-export-button", className="st-dock-button"),
        html.Button("Cancel", id="runs-cancel-button", className="st-dock-button", disabled=not busy),
        html.Button("Delete", id="runs-delete-button", className="st-dock-button", disabled=busy),
        *compare(rows),
    ]


def compare(rows: Sequence[Mapping[str, Any]]) -> list[Any]:
    """The way to the page that holds them against each other, oldest first; none for a single one or too many."""
    if not FEWEST <= len(rows) <= MOST:
        return []
    oldest_first = sorted(rows, key=lambda row: row["accepted"])
    address = urls.compare(urls.Comparison(runs=tuple(row["id"] for row in oldest_first)))
    link = dcc.Link(["Compare", html.Kbd("C")], href=address, className="st-dock-button st-dock-main")
    return [html.Span(link, **attributes({"data-compare": "true"}))]


def as_csv(context: Context, ids: Sequence[str]) -> str:
    """The selected runs, a line each, with every metric and bound."""
    found = [context.store.runs.get(reference) for reference in ids]
    metrics = list(dict.fromkeys(name for run in found for name in (run.summary or {}).get("metrics", {})))
    bounds = list(dict.fromkeys(name for run in found for name in (run.summary or {}).get("bounds", {})))
    text = io.StringIO()
    out = csv.writer(text, lineterminator="\n")
    out.writerow(["run", "status", "algorithm", "workload", *metrics, *(f"bound_{name}" for name in bounds)])
    for run in found:
        summary = run.summary or {}
        values, proven = summary.get("metrics", {}), summary.get("bounds", {})
        known = [run.id, run.status.status, run.spec.algorithm, plain(naming.workload_words(context.store, run.spec))]
        out.writerow([*known, *(values.get(name, "") for name in metrics), *(proven.get(name, "") for name in bounds)])
    return text.getvalue()
