"""Who waited: the jobs of runs in groups, beside what their log recorded; and when the machine was busy."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import dash_mantine_components as dmc
from dash import Input, Output, State, dcc, html, no_update

from shadowtime.dashboard.components import naming, tags, waits_panels
from shadowtime.dashboard.components.callbacks import Callbacks
from shadowtime.dashboard.components.compare_view import MOST, Incomparable
from shadowtime.dashboard.components.icons import icon
from shadowtime.dashboard.components.run_panels import definition, definitions, section_title
from shadowtime.dashboard.components.waits_view import WaitsView, waits_view
from shadowtime.dashboard.context import Context, Shown
from shadowtime.dashboard.look import words
from shadowtime.dashboard.pages import unknown
from shadowtime.dashboard.sharing import urls, waits
from shadowtime.dashboard.sharing.urls import Comparison
from shadowtime.workers.errors import Damaged, NotFound

TITLE = "Who waited"


def layout(context: Context, _: str, query: Mapping[str, str]) -> Shown:
    """The page of the runs that the address names."""
    runs = Comparison.parse(query).runs
    if not 1 <= len(runs) <= MOST:
        said = f"This page shows the waits of one to {words.count(MOST, 'run')} on the same jobs."
        way = "Open it by its button on the page of a run or of a comparison."
        said += f" This link names {len(runs):,}." if runs else f" {way}"
        return Shown(
            TITLE, unknown.message(TITLE, [said], [dcc.Link("All runs", href=urls.RUNS, className="st-button")])
        )
    try:
        view = waits_view(context, runs)
        return Shown(f"{TITLE}: {', '.join(view.names.values())}", page(view, query))
    except Incomparable as refusal:
        return Shown(TITLE, unknown.message(TITLE, [refusal.sentence], []))
    except NotFound:
        return unknown.no_run(context, missing(context, runs))
    except Damaged as error:
        return unknown.damaged(runs[0], str(error))


def missing(context: Context, runs: tuple[str, ...]) -> str:
    """The first of these runs that is not here."""
    for run_id in runs:
        try:
            context.store.runs.get(run_id)
        except NotFound:
            return run_id
    return runs[0]


def page(view: WaitsView, query: Mapping[str, str]) -> html.Div:
    """Likeness, groups, maps; of runs that go on, that they do."""
    if view.unfinished:
        names = words.joined([view.names[one.run.id] for one in view.unfinished])
        verb = "has" if len(view.unfinished) == 1 else "have"
        return html.Div([*head(view), html.P(f"Waits are listed when {names} {verb} finished.")], className="st-column")
    by, show, of = chosen(view, query)
    return tags.div(
        "st-column st-waits",
        *head(view),
        html.Div(waits_panels.likeness(view), id="waits-likeness"),
        *([definitions("rank_correlation")] if view.likeness() else []),
        *(groups(view, by, show) if by else [html.P("These jobs have no groups.")]),
        *machine(view, of),
        dcc.Store(id="waits-asked", data=list(view.ids)),
        dcc.Store(id="waits-written"),
    )


def chosen(view: WaitsView, query: Mapping[str, str]) -> tuple[str, str, str]:
    """What an address shows: the way to group, the measure, and whose maps; else the first of each."""
    ways, maps = view.ways, [name for name, _ in sources(view)]

    def one(name: str, known: list[str]) -> str:
        return query[name] if query.get(name) in known else known[0] if known else ""

    return one("by", ways), one("show", list(waits_panels.SHOWS)), one("of", maps)


def sources(view: WaitsView) -> list[tuple[str, str]]:
    """Whose maps there are: the record's, and those of the runs."""
    first = [(waits.RECORDED, "Recorded")] if view.likeness() else []
    return [*first, *view.names.items()]


def head(view: WaitsView) -> list[Any]:
    """Where it belongs, its title and its facts."""
    if len(view.runs) == 1:
        back = dcc.Link(view.first.title, href=urls.run(view.first.run.id))
    else:
        back = dcc.Link("Comparison", href=urls.compare(Comparison(runs=view.ids)))
    spec = view.first.run.spec
    facts = [
        words.joined(list(view.names.values())),
        naming.workload_words(view.context.store, spec),
        words.count(int(view.first.asked["jobs"]), "job"),
        naming.platform_words(spec.platform, view.first.asked["kind"]),
    ]
    return [
        tags.div("st-crumbs", back),
        tags.div("st-headline", html.H1(TITLE), html.Span(" · ".join(facts), className="st-ink2")),
    ]


def groups(view: WaitsView, by: str, show: str) -> list[Any]:
    """The switches, the figure and the table."""
    known = waits_panels.groups(view, by)
    ways = [(name, waits.BY[name]) for name in view.ways]
    return [
        tags.div(
            "st-inline st-waitscontrols",
            waits_panels.choices("waits-by", by, ways, "Group by"),
            waits_panels.choices("waits-show", show, list(waits_panels.SHOWS.items()), "Measure"),
            dmc.TextInput(
                id="waits-find", debounce=300, value="", placeholder="Find a group", leftSection=icon("search"), w=170,
                size="xs", attributes={"input": {"aria-label": "Find a group"}},
            ),
            html.Div(className="st-grow"),
            tags.span("st-files", *waits_panels.downloads(view, by)),
        ),
        section_title("Waits and usage", waits_panels.note(view, known, by, ""), "waits-note"),
        html.Div(waits_panels.figure_panel(view, known, by, show), id="waits-figure"),
        html.Div(waits_panels.table(view, known, by), id="waits-table"),
        html.P(waits_panels.caption(view, known), className="st-caption"),
        definitions("wait", "mean_wait", "median_wait", "tail_wait", "max_wait", "processor_hours", "usage_share"),
    ]  # fmt: skip


def machine(view: WaitsView, of: str) -> list[Any]:
    """Where the maps come to stand."""
    return [
        tags.section(
            "st-block",
            tags.div(
                "st-section-title st-waitscontrols",
                html.H2("When the machine was busy"),
                definition("busy_share"),
                waits_panels.choices("waits-of", of, sources(view), "Of"),
                html.Div(className="st-grow"),
                tags.span("st-files", *waits_panels.pictures("waits-busy")),
            ),
            html.Div(id="waits-busy"),
        )
    ]


callbacks = Callbacks()


@callbacks(
    Output("waits-figure", "children"),
    Output("waits-table", "children"),
    Output("waits-note", "children"),
    Output("waits-csv", "href"),
    Output("waits-json", "href"),
    Input("waits-by", "value"),
    Input("waits-show", "value"),
    Input("waits-find", "value"),
    State("waits-asked", "data"),
)
def regroup(context: Context, by: str, show: str, search: str | None, asked: list[str] | None) -> tuple[Any, ...]:
    """Figure and table of what was chosen."""
    view = again(context, asked)
    if view is None or by not in view.ways or show not in waits_panels.SHOWS:
        return (no_update,) * 5
    text = search or ""
    known = waits_panels.groups(view, by, text)
    return (
        waits_panels.figure_panel(view, known, by, show),
        waits_panels.table(view, known, by),
        waits_panels.note(view, known, by, text),
        urls.api_waits(view.ids, by, "csv"),
        urls.api_waits(view.ids, by),
    )


@callbacks(
    Output("waits-busy", "children"),
    Input("waits-of", "value"),
    State("waits-asked", "data"),
    waits=False,
)
def chart_busy(context: Context, of: str, asked: list[str] | None) -> Any:
    """The maps of what was chosen."""
    view = again(context, asked)
    if view is None or of not in [name for name, _ in sources(view)]:
        return no_update
    return waits_panels.busy_panel(view, of)


callbacks.browser(
    "writeWaits",
    Output("waits-written", "data"),
    Input("waits-by", "value"),
    Input("waits-show", "value"),
    Input("waits-of", "value"),
)


def again(context: Context, asked: list[str] | None) -> WaitsView | None:
    """The runs that the page holds; None when one was deleted."""
    try:
        return waits_view(context, asked) if asked else None
    except (NotFound, Incomparable):
        return None
