"""Several runs on the same jobs: their schedules under one axis, which jobs gain and which lose, and every figure
beside its bound."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import dash_mantine_components as dmc
from dash import Input, Output, State, dcc, html, no_update

from shadowtime.dashboard.components import (
    compare_metrics,
    compare_panels,
    compare_plane,
    compare_stack,
    compare_tables,
    naming,
    run_tables,
    tags,
)
from shadowtime.dashboard.components.attributes import attributes
from shadowtime.dashboard.components.callbacks import Callbacks
from shadowtime.dashboard.components.chart import source
from shadowtime.dashboard.components.compare_view import FEWEST, MOST, Compared, Incomparable, compared, groups, mates
from shadowtime.dashboard.components.run_panels import definitions
from shadowtime.dashboard.context import Context, Shown
from shadowtime.dashboard.look import words
from shadowtime.dashboard.pages import unknown
from shadowtime.dashboard.sharing import urls
from shadowtime.dashboard.sharing.urls import Comparison
from shadowtime.engine.registry import look_up_family
from shadowtime.engine.tables import rows
from shadowtime.workers.errors import Damaged, NotFound

MANY = 3
"""Runs of which the table of metrics needs the whole width."""


def layout(context: Context, _: str, query: Mapping[str, str]) -> Shown:
    """The page: its parts stand in a place of their own, since a run that is added changes all of them."""
    title, parts, asked = content(context, Comparison.parse(query))
    stores = [
        dcc.Store(id="compare-asked", data=asked),
        *map(dcc.Store, ("compare-news", "compare-search", "compare-ready")),
    ]
    return Shown(title, tags.div("", html.Div(parts, id="compare-page"), *stores))


def content(context: Context, asked: Comparison) -> tuple[str, Any, dict[str, Any] | None]:
    """Title and parts of the page of an address; what it compares, or None."""
    if len(asked.runs) < FEWEST:
        return "Compare", choose(context, asked), None
    if len(asked.runs) > MOST:
        return "Compare", too_many(asked), None
    try:
        found = compared(context, asked)
        return found.title, page(context, found), {**vars(asked), "runs": list(asked.runs)}
    except Incomparable as refusal:
        return "Compare", refused(context, asked, refusal), None
    except Damaged as error:
        return "Compare", unknown.damaged(_damaged(context, asked), str(error)).children, None
    except NotFound:
        missing = [run_id for run_id in asked.runs if not is_known(context, run_id)]
        return "Compare", unknown.no_runs(context, missing).children, None


def page(context: Context, found: Compared) -> html.Div:
    """Schedules (or differences, or the scatter) above; below, what is the same for all three."""
    asked = found.asked
    chosen = compare_metrics.chosen_columns(asked.columns)
    return tags.div(
        "st-column st-compare" + (" st-many" if len(found.runs) > MANY else ""),
        html.Div(compare_stack.head(found, mates(context, asked)), className="st-comparehead"),
        html.Div(id="live-notice", role="status"),
        compare_stack.controls(found),
        compare_stack.stack(found),
        html.Div(id="compare-difference", className="st-only-difference"),
        html.Div(id="compare-scatter", className="st-only-scatter"),
        tags.div(
            "st-versuspanels",
            tags.section(
                "st-comparemetrics",
                tags.div("st-section-title", html.H2("Metrics"), compare_metrics.picker(chosen)),
                html.Div(metrics(found), id="compare-metrics"),
                definitions("at_most"),
            ),
            html.Section(id="compare-distributions", className="st-comparespread"),
            html.Section(compare_panels.winners(found), id="compare-winners"),
        ),
        dcc.Store(id="compare-applied"),
        dcc.Store(id="compare-followed", data=[one.run.id for one in found.runs if one.status.is_unfinished]),
        id="compare-root",
        **attributes({"data-show": asked.show, "data-columns": " ".join(chosen), "data-align": asked.align}),
    )


DIFFERENCES = ("finish_delay", "start_delay", "slowdown_increase", "bounded_slowdown", "runtime")
"""Figures of the table of jobs."""


def metrics(found: Compared) -> list[Any]:
    """The table and the meaning of its signs."""
    return [compare_metrics.table(found), html.P(compare_metrics.explanation(found), className="st-caption")]


def difference(found: Compared) -> list[Any]:
    """By how much, over time, and job by job."""
    base, other = found.baseline, found.of
    parts: list[Any] = [tags.div("st-differencepanels", compare_panels.how_much(found), compare_panels.machine(found))]
    if not rows(base.jobs) or not rows(other.jobs):
        return parts
    pair = found.pair(other)
    table = compare_tables.job_rows(pair, base.users)
    data = table.records() if table.n <= run_tables.AT_ONCE and found.is_whole else None
    held = look_up_family(other.asked["kind"]).held
    columns = compare_tables.columns(found.name(base), found.name(other), base.users, held)
    grid = run_tables.grid("differences-grid", columns, base.asked["clock"], base.span, data)
    note = f"{table.n:,}; a click shows the job in both schedules; negative values are earlier or less"
    head = tags.div(
        "st-section-title st-gridhead",
        html.H2(f"Job by job: {found.name(other)} against {found.name(base)}"),
        html.Span(note, className="st-note"),
        html.Div(className="st-grow"),
        grid_columns(columns),
    )
    return [*parts, tags.section("st-differences", head, grid, definitions(*DIFFERENCES))]


def grid_columns(columns: list[dict[str, Any]]) -> dmc.Popover:
    """Which columns the table of jobs has."""
    named = [(entry["field"], entry["headerName"]) for entry in columns[1:]]
    boxes = dmc.CheckboxGroup(
        [dmc.Checkbox(label=title, value=name, size="xs") for name, title in named],
        id="differences-columns",
        value=[name for name, _ in named],
        className="st-columnlist",
    )
    button = html.Button("Columns", className="st-link")
    return dmc.Popover([dmc.PopoverTarget(button), dmc.PopoverDropdown(boxes)], position="bottom-end", shadow="md")


callbacks = Callbacks()
SHOWN = State("compare-asked", "data")
"""The comparison that the page shows."""


@callbacks(
    Output("compare-page", "children"),
    Output("compare-asked", "data", allow_duplicate=True),
    Output("title", "data", allow_duplicate=True),
    Input("compare-search", "data"),
    SHOWN,
)
def arrive(context: Context, search: str | None, shown: Mapping[str, Any] | None) -> tuple[Any, ...]:
    """The page of another comparison, when the address leads to one."""
    if search is None:  # the page has just come
        return (no_update,) * 3
    asked = Comparison.parse(search)
    if shown and list(asked.runs) == shown["runs"] and asked.align == shown["align"]:
        return (no_update,) * 3
    title, parts, now = content(context, asked)
    return parts, now, title


@callbacks(
    Output("compare-metrics", "children"),
    Output("compare-winners", "children"),
    Input("compare-applied", "data"),
    Input("compare-news", "data"),
    SHOWN,
)
def compare(context: Context, _: Any, __: Any, asked: Mapping[str, Any] | None) -> tuple[Any, Any]:
    """Metrics and winners."""
    found = again(context, asked)
    return (metrics(found), compare_panels.winners(found)) if found else (no_update, no_update)


# Plotly takes as long to start as all schedules to be drawn: they come first.
@callbacks(
    Output("compare-distributions", "children"),
    Input("compare-ready", "data"),
    SHOWN,
)
def settle(context: Context, ready: Any, asked: Mapping[str, Any] | None) -> Any:
    """Distributions and the plane, once the schedules are drawn."""
    found = again(context, asked) if ready else None
    return compare_panels.spread(found) + compare_plane.panel(found) if found else no_update


@callbacks(
    Output(source("compare-spread"), "data"),
    Output("compare-spread-note", "children"),
    Output("compare-spread-table", "children"),
    Input("compare-what", "value"),
    Input("compare-form", "value"),
    Input("compare-news", "data"),
    SHOWN,
)
def spread(context: Context, what: str, form: str, _: Any, asked: Mapping[str, Any] | None) -> tuple[Any, Any, Any]:
    """The distribution of a quantity, its note and its table."""
    found = again(context, asked)
    if not found or what not in compare_panels.WHAT:
        return no_update, no_update, no_update
    shown = compare_panels.distributions(found, what, form)
    return shown["figure"], shown["note"], shown["table"]


@callbacks(
    Output("compare-plane-panel", "children"),
    Input("compare-news", "data"),
    SHOWN,
)
def place(context: Context, _: Any, asked: Mapping[str, Any] | None) -> Any:
    """The plane of two metrics."""
    found = again(context, asked)
    return compare_plane.content(found) if found else no_update


@callbacks(
    Output("compare-difference", "children"),
    Input("compare-applied", "data"),
    Input("compare-news", "data"),
    SHOWN,
)
def differ(context: Context, _: Any, __: Any, asked: Mapping[str, Any] | None) -> Any:
    """The differences, where the page shows them."""
    found = again(context, asked) if asked and asked["show"] == "difference" else None
    return difference(found) if found else no_update


@callbacks(
    Output("compare-scatter", "children"),
    Input("compare-applied", "data"),
    SHOWN,
)
def scatter(context: Context, _: Any, asked: Mapping[str, Any] | None) -> Any:
    """The scatters, where the page shows them."""
    found = again(context, asked) if asked and asked["show"] == "scatter" else None
    return compare_panels.scatters(found) if found else no_update


@callbacks(
    Output("differences-grid", "getRowsResponse"),
    Input("differences-grid", "getRowsRequest"),
    SHOWN,
)
def window(context: Context, request: dict | None, asked: Mapping[str, Any] | None) -> Any:
    """The rows of the table of differences that are in sight."""
    found = again(context, asked) if request else None
    if not found or not request:
        return no_update
    table = compare_tables.job_rows(found.pair(found.of), found.baseline.users)
    index, count = run_tables.answer(table, request)
    return {"rowData": table.records(index), "rowCount": count}


# Without an output: the address changes on every page, the place for it stands on this one alone.
callbacks.browser("arrived", Input("url", "search"), waits=False)
callbacks.browser("spreadCompared", Input("compare-what", "value"), Input("compare-form", "value"))
callbacks.browser("fillScatter", Input("compare-scatter", "children"))
for index in range(MOST - 1):
    callbacks.browser("selectScattered", Input({"type": "chart", "name": f"compare-scatter-{index}"}, "clickData"))
callbacks.browser("chooseColumns", Input("differences-columns", "value"))
callbacks.browser(
    "changeCompared",
    Output("compare-asked", "data"),
    Input("compare-show", "value"),
    Input("compare-baseline", "value"),
    Input("compare-columns", "value"),
    SHOWN,
)
callbacks.browser("applyCompared", Output("compare-applied", "data"), Input("compare-asked", "data"), waits=False)
callbacks.browser("addCompared", Output("compare-add", "value"), Input("compare-add", "value"))
callbacks.browser("followCompared", Output("compare-followed", "data"), Input("compare-followed", "data"), waits=False)


def again(context: Context, asked: Mapping[str, Any] | None) -> Compared | None:
    """The comparison that the page holds; None when it was deleted."""
    if not asked:
        return None
    given = {name: value for name, value in asked.items() if value is not None}
    try:
        return compared(context, Comparison.parse({**given, "runs": ",".join(asked["runs"])}))
    except (NotFound, Incomparable):
        return None


def _damaged(context: Context, asked: Comparison) -> str:
    """Which run of a comparison is damaged."""
    known = [run_id for run_id in asked.runs if context.store.runs.get(run_id).status.damaged]
    return (known or asked.runs)[0]


def is_known(context: Context, run_id: str) -> bool:
    """The store has a run of that id."""
    try:
        context.store.runs.get(run_id)
    except NotFound:
        return False
    return True


def choose(context: Context, asked: Comparison) -> Any:
    """Fewer than two runs: what could be compared."""
    if asked.runs and not is_known(context, asked.runs[0]):
        return unknown.no_run(context, asked.runs[0]).children
    if asked.runs:
        run = context.store.runs.get(asked.runs[0])
        workload = naming.workload_words(context.store, run.spec)
        title = f"Compare {naming.run_words(run.spec)} on {workload} with another run"
        found = [
            (urls.compare(Comparison(runs=(run.id, other))), name) for other, name in mates(context, asked)
        ]  # fmt: skip
        nothing = "There is no other run on these jobs yet."
        actions = [dcc.Link("Run another scheduler", href=urls.new_like(run.id), className="st-button")]
        said = "Choose a run on the same jobs. You can add more later, up to six."
    else:
        title, found = "Compare runs", groups(context)
        nothing = "A comparison needs at least two runs on the same jobs."
        actions = [
            dcc.Link("Choose among all runs", href=urls.RUNS, className="st-button"),
            dcc.Link("New run", href=urls.NEW, className="st-button"),
        ]
        said = "Choose two to six runs on the same jobs. The latest that can be compared:"
    links = html.Ul([html.Li(dcc.Link(name, href=address)) for address, name in found], className="st-groups")
    body = [html.P(said if found else nothing, className="st-ink2"), *([links] if found else [])]
    return html.Div(
        tags.div("st-message", html.H1(title), *body, html.Div(actions, className="st-empty-actions")),
        className="st-column",
    )


def too_many(asked: Comparison) -> Any:
    """More than six runs."""
    few = Comparison(runs=asked.runs[:MOST], align=asked.align)
    return unknown.message(
        f"At most {words.count(MOST, 'run')} can be compared at once",
        [f"This link names {len(asked.runs):,}."],
        [
            html.A(f"Compare the first {MOST}", href=urls.compare(few), className="st-button"),
            dcc.Link("All runs", href=urls.RUNS, className="st-button"),
        ],
    )


def refused(context: Context, asked: Comparison, refusal: Incomparable) -> Any:
    """Runs of different workloads: which they are, and how they can be compared all the same."""
    specs = [(run_id, context.store.runs.get(run_id).spec) for run_id in asked.runs]
    listed = [
        tags.li(
            "",
            dcc.Link(naming.run_words(spec), href=urls.run(run_id)),
            f" on {naming.workload_words(context.store, spec)}",
        )
        for run_id, spec in specs
    ]
    actions: list[Any] = [dcc.Link("All runs", href=urls.RUNS, className="st-button")]
    if refusal.ids and not asked.align:
        aligned = urls.compare(Comparison(asked.runs, asked.baseline, asked.of, asked.show, "id", asked.columns))
        said = f"Align by job id ({refusal.ids:,} in common)"
        actions.insert(0, html.A(said, href=aligned, className="st-button", id="compare-align"))
    return html.Div(
        tags.div(
            "st-message",
            html.H1("These runs have different jobs"),
            html.P(refusal.sentence, className="st-ink2", id="compare-refusal"),
            html.Ul(listed, className="st-groups"),
            html.Div(actions, className="st-empty-actions"),
        ),
        className="st-column",
    )
