"""All runs: question, state and results."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import dash_ag_grid as dag
import dash_mantine_components as dmc
from dash import ALL, Input, Output, State, dcc, html, no_update

from shadowtime.dashboard.components import naming, results, run_columns, run_groups, run_list, run_panels, states, tags
from shadowtime.dashboard.components.attributes import attributes
from shadowtime.dashboard.components.callbacks import Callbacks
from shadowtime.dashboard.components.compare_view import FEWEST, MOST
from shadowtime.dashboard.components.delete_dialog import delete_dialog, names_of
from shadowtime.dashboard.components.empty import nothing_has_run
from shadowtime.dashboard.components.icons import icon
from shadowtime.dashboard.components.run_list import Asked
from shadowtime.dashboard.context import Context, Shown
from shadowtime.dashboard.look import words
from shadowtime.dashboard.sharing import urls
from shadowtime.engine.output import cells
from shadowtime.engine.registry import families
from shadowtime.workers.records.marks import LONGEST_NOTES, LONGEST_TITLE

FIRST = 50
FILTERS = ("running", "queued", "finished", "failed", "cancelled")
REFRESH = 4
"""Seconds between looks at what others have queued."""


def layout(context: Context, _: str, query: Mapping[str, str]) -> Shown:
    """The page; without any run, what to do first."""
    if not context.store.runs.list(limit=1).rows:
        context.prepare_example()
        return Shown("Runs", nothing_has_run(context.settings.max_upload))
    status, group = query.get("status", ""), query.get("group", "")
    asked = Asked(
        status if status in FILTERS else "",
        query.get("q", ""),
        group if group in run_groups.GROUPS else "",
        run_columns.known_sort(query.get("sort", "")),
        FIRST,
    )
    return Shown("Runs", page(run_list.listing(context, asked), asked, query.get("columns")))


def page(listed: dict[str, Any], asked: Asked, columns: str | None = None) -> html.Div:
    """Title, filters, the grid, and the dock of what is selected."""
    chosen = run_columns.chosen_columns(columns)
    return tags.div(
        "st-column st-runs",
        tags.div(
            "st-headline",
            html.H1("Runs"),
            html.Div(className="st-grow"),
            dmc.TextInput(
                id="runs-text",
                value=asked.text,
                placeholder="name, workload, id, tag:name, is:starred",
                debounce=250,
                leftSection=icon("search"),
                w=340,
                attributes={"input": {"aria-label": "Filter the runs"}},
            ),
        ),
        tags.div(
            "st-filterline",
            html.Div(chips(listed["counts"], asked.status), id="runs-chips"),
            tags.div(
                "st-inline",
                dmc.Select(
                    id="runs-group",
                    value=asked.group or "experiments",
                    data=[{"value": name or "experiments", "label": word} for name, word in run_groups.GROUPS.items()],
                    allowDeselect=False,
                    size="xs",
                    w=190,
                    attributes={"input": {"aria-label": "Group the runs"}},
                ),
                run_columns.picker(chosen),
            ),
        ),
        tags.div("st-gridroom", grid(listed["rows"], chosen, asked.sort), style={"--n": len(listed["rows"])}),
        html.Div(more_words(listed, asked.sort), id="runs-more", className="st-more"),
        run_panels.definitions("offered_load", "useful_cpu", "at_most", *judged_by()),
        dcc.Store(id="runs-limit", data=FIRST),
        dcc.Store(id="runs-status", data=asked.status),
        dcc.Store(id="runs-sort", data=asked.sort),
        dcc.Store(id="runs-toggled", data=[]),
        dcc.Store(id="runs-hidden", data=[]),
        dcc.Store(id="runs-news"),
        dcc.Store(id="runs-address"),
        dcc.Store(id="runs-shown"),
        dcc.Store(id="runs-chosen", data=chosen),
        dcc.Store(id="runs-followed", data=unfinished(listed["rows"])),
        dcc.Interval(id="runs-tick", interval=1000 * REFRESH),
        dcc.Download(id="runs-export"),
        html.Div(
            id="runs-dock",
            className="st-dock st-hidden",
            role="toolbar",
            **attributes({"aria-label": "Selected runs"}),
        ),
        delete_dialog("runs", "Delete?", "This deletes their results."),
        marks_dialog(),
    )


def judged_by() -> list[str]:
    """The metrics that the column of results may show."""
    return list(
        dict.fromkeys([*results.HEADLINES, *(family.objective for family in families().values() if family.objective)])
    )


def grid(rows: list[dict[str, Any]], chosen: list[str], sort: str) -> dag.AgGrid:
    """The list itself; heads of groups are rows of its whole width."""
    return dag.AgGrid(
        id="runs-grid",
        columnDefs=run_columns.definitions(chosen, sort),
        rowData=rows,
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
            "rowSelection": {
                "mode": "multiRow",
                "enableClickSelection": False,
                "isRowSelectable": {"function": "!params.data.group"},
                "hideDisabledCheckboxes": True,
            },
            "selectionColumnDef": {"width": 44, "suppressHeaderMenuButton": True},
            "isFullWidthRow": {"function": "params.rowNode.data.group"},
            "fullWidthCellRenderer": "RunGroup",
            "postSortRows": {"function": "shadowtime.grid.regroup(params)"},
            "animateRows": False,
            "suppressColumnMoveAnimation": True,
            "suppressCellFocus": False,
            "enableBrowserTooltips": True,
            "localeText": {"noRowsToShow": "No run matches this filter."},
        },
        className="st-grid",
        style={"height": None},
    )


def marks_dialog() -> dmc.Modal:
    """Title, tags and notes of the selected run."""
    return dmc.Modal(
        [
            dmc.TextInput(
                id="runs-title",
                label="Name",
                placeholder="shown before the algorithm",
                attributes={"input": {"maxLength": LONGEST_TITLE}},
            ),
            dmc.TextInput(id="runs-tags", label="Tags", description="with commas between", placeholder="base, paper"),
            dmc.Textarea(
                id="runs-notes",
                label="Notes",
                autosize=True,
                minRows=3,
                attributes={"input": {"maxLength": LONGEST_NOTES}},
            ),
            tags.div(
                "st-dialog-actions",
                html.Button("Cancel", id="runs-marks-cancel", className="st-button"),
                html.Button("Save", id="runs-marks-save", className="st-button st-primary"),
            ),
        ],
        id="runs-marks",
        title="Name, tags and notes",
        closeButtonProps={"aria-label": "Close"},
        centered=True,
        size=420,
    )


callbacks = Callbacks()


@callbacks(
    Output("runs-grid", "rowData"),
    Output("runs-chips", "children"),
    Output("runs-more", "children"),
    Output("runs-followed", "data"),
    Input("runs-status", "data"),
    Input("runs-text", "value"),
    Input("runs-group", "value"),
    Input("runs-sort", "data"),
    Input("runs-limit", "data"),
    Input("runs-toggled", "data"),
    Input("runs-hidden", "data"),
    Input("runs-news", "data"),
    Input("runs-tick", "n_intervals"),
)
def refresh(
    context: Context,
    status: str,
    text: str | None,
    group: str | None,
    sort: str | None,
    limit: int,
    toggled: list[str] | None,
    hidden: list[str] | None,
    *_: Any,
) -> tuple[Any, ...]:
    """The list as it is filtered now."""
    known = group if group in run_groups.GROUPS else ""
    order = run_columns.known_sort(sort or "")
    asked = Asked(status, text or "", known or "", order, limit, toggled or (), hidden or ())
    listed = run_list.listing(context, asked)
    return listed["rows"], chips(listed["counts"], status), more_words(listed, order), unfinished(listed["rows"])


@callbacks(
    Output("runs-dock", "children"),
    Output("runs-dock", "className"),
    Output("runs-delete-title", "children"),
    Output("runs-delete-sure", "children"),
    Output("runs-delete-names", "children"),
    Input("runs-grid", "selectedRows"),
    waits=False,
)
def select(_: Context, rows: list[dict] | None) -> tuple[Any, str, str, str, html.Ul]:
    """The dock, and the question of the dialog, for the selected rows."""
    chosen = rows or []
    said = f"Delete {words.count(len(chosen), 'run')}"
    return dock(chosen), "st-dock" if chosen else "st-dock st-hidden", f"{said}?", said, names_of(chosen)


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
    "dropUnlisted", Output("runs-grid", "selectedRows"),
    Input("runs-grid", "rowData"), State("runs-grid", "selectedRows"),
)  # fmt: skip
callbacks.browser(
    "showMore", Output("runs-limit", "data"), Input("runs-more-button", "n_clicks"), State("runs-limit", "data")
)
callbacks.browser(
    "keepAddress", Output("runs-address", "data"),
    Input("runs-status", "data"), Input("runs-text", "value"), Input("runs-group", "value"),
    Input("runs-sort", "data"), Input("runs-columns", "value"),
)  # fmt: skip
callbacks.browser("openList", Output("runs-shown", "data"), Input("runs-chosen", "data"), waits=False)
callbacks.browser("showColumns", Output("runs-shown", "data", allow_duplicate=True), Input("runs-columns", "value"))
callbacks.browser(
    "editMarks", Output("runs-marks", "opened"),
    Input("runs-edit-button", "n_clicks"), Input("runs-marks-cancel", "n_clicks"), State("runs-grid", "selectedRows"),
)  # fmt: skip
callbacks.browser(
    "saveMarks", Output("runs-marks", "opened", allow_duplicate=True),
    Input("runs-marks-save", "n_clicks"), State("runs-grid", "selectedRows"),
    State("runs-title", "value"), State("runs-tags", "value"), State("runs-notes", "value"),
)  # fmt: skip
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


def more_words(listed: Mapping[str, Any], sort: str = "") -> list[Any]:
    """`12 of 214 runs`, or `50 of 60 runs that match · show more`; and whether the order is that of all runs."""
    shown, total = listed["listed"], listed["total"]
    said: list[Any] = [f"{shown:,} of {words.count(max(shown, listed['all']), 'run')}"]
    if listed["more"]:
        said = [f"{shown:,} of {words.count(max(shown, total), 'run')}{' that match' if total < listed['all'] else ''}"]
        is_of_all = not sort or sort.removeprefix("-") in run_columns.OF_STORE
        said.append("" if is_of_all else ", sorted among these")
    button = html.Button("show more", id="runs-more-button", className="st-link")
    return [*said, " · ", button] if listed["more"] else said


def unfinished(rows: Sequence[Mapping[str, Any]]) -> list[str]:
    """Ids of the runs whose news the page follows."""
    return [row["id"] for row in rows if row.get("state") in ("queued", "running")]


def dock(rows: Sequence[Mapping[str, Any]]) -> list[Any]:
    """What can be done with the selected runs."""
    same = len({row["workload"] for row in rows}) == 1 and len(rows) > 1
    busy = any(row["state"] in ("queued", "running") for row in rows)
    return [
        html.Span(words.count(len(rows), "run") + (" on the same jobs" if same else ""), className="st-dock-text"),
        html.Button("Edit", id="runs-edit-button", className="st-dock-button st-writes", disabled=len(rows) != 1),
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
    known = ["run", "status", "name", "tags", "algorithm", "workload", "jobs", "load", "seed", "accepted", "simulate_s"]
    bound = [f"bound_{name}" for name in bounds]
    limits = [f"at_most_times_optimal_{name}" for name in bounds]
    text = cells.line([*known, *metrics, *bound, *limits])
    for run in found:
        summary, spec = run.summary or {}, run.spec
        values, proven = summary.get("metrics", {}), summary.get("bounds", {})
        facts = [
            run.id, run.status.status, run.marks.title, " ".join(run.marks.tags), spec.algorithm,
            naming.workload_words(context.store, spec), summary.get("jobs", ""),
            run_list.load_of(spec.conversions, spec.workload, values) or "", spec.workload.get("seed", spec.seed),
            run.status.accepted, summary.get("timing", {}).get("simulate_s", ""),
        ]  # fmt: skip
        ratios = [results.ratio_of(name, values, proven) for name in bounds]
        figures = [*(values.get(name, "") for name in metrics), *(proven.get(name, "") for name in bounds)]
        text += cells.line([*facts, *figures, *ratios])
    return text
