"""One run: its schedule, its figures beside their bounds, its jobs, and its question."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from dash import Input, Output, State, dcc, html, no_update

from shadowtime.dashboard.components import (
    asking,
    group_panels,
    priority_panel,
    run_head,
    run_panels,
    run_tables,
    site_panel,
    tags,
    waits_panels,
)
from shadowtime.dashboard.components.attributes import attributes
from shadowtime.dashboard.components.callbacks import Callbacks
from shadowtime.dashboard.components.chart import source
from shadowtime.dashboard.components.delete_dialog import delete_dialog
from shadowtime.dashboard.components.gantt import Gantt
from shadowtime.dashboard.components.priority_view import SLURM
from shadowtime.dashboard.components.run_view import RunView, view
from shadowtime.dashboard.components.story import story
from shadowtime.dashboard.components.waits_view import waits_view
from shadowtime.dashboard.context import Context, Shown
from shadowtime.dashboard.pages import unknown
from shadowtime.dashboard.sharing import urls
from shadowtime.engine.tables import rows
from shadowtime.workers.errors import Damaged, NotFound
from shadowtime.workers.store import Run

FOLLOWED = {
    "head": Output("run-head", "children"),
    "state": Output("run-state", "children"),
    "banner": Output("run-banner", "children"),
    "summary": Output("run-summary", "children"),
    "shown": Output("run-shown", "data"),
    **{
        f"{kind.name}-{part}": output
        for kind in run_panels.SPREADS
        for part, output in {
            "figure": Output(source(kind.name), "data"),
            "below": Output(f"{kind.name}-below", "children"),
            "note": Output(f"{kind.name}-note", "children"),
            "table": Output(f"{kind.name}-table", "children"),
        }.items()
    },
}
"""What changes while a run goes on: one answer for all of it, so that figures never contradict each other."""


def layout(context: Context, run_id: str, _: Mapping[str, str]) -> Shown:
    """The page of a run; what to do where there is none."""
    try:
        return readable(context, run_id)
    except Damaged as error:
        return unknown.damaged(run_id, str(error))
    except NotFound:
        return unknown.no_run(context, run_id)


def readable(context: Context, run_id: str) -> Shown:
    """The page of a run; one that is found to be damaged counts as failed at the second look, with the reason."""
    try:
        shown = view(context, run_id)
        return Shown(shown.title, page(shown))
    except Damaged:
        shown = view(context, run_id)
        return Shown(shown.title, page(shown))


def page(shown: RunView) -> html.Div:
    """Schedule on the left, panels on the right, tables and the question below."""
    run = shown.run
    return tags.div(
        "st-columns st-run",
        tags.div(
            "st-column st-runcolumn",
            html.Div(run_head.head(shown), id="run-head", className="st-runhead"),
            html.Div(run_head.banner(shown), id="run-banner"),
            html.Div(id="live-notice", role="status"),
            Gantt(id="viewer", run=run.id),
            *outages(shown),
            *below_schedule(shown),
        ),
        html.Aside(
            tags.div(
                "st-asidebody",
                html.Section(run_panels.summary(shown), id="run-summary"),
                job_panel(),
                *why_section(shown),
                html.Section(id="run-story"),
                *(run_panels.spread(shown, kind) for kind in run_panels.SPREADS),
            ),
            className="st-aside st-runaside",
            **attributes({"aria-label": "Figures"}),
        ),
        below(shown),
        dcc.Store(id="run-id", data=run.id),
        dcc.Store(id="run-news", data=first_news(run)),
        delete_dialog("run", "Delete this run?", "This deletes the run's results."),
        dcc.Store(id="run-stage"),
        dcc.Store(id="run-live"),
        dcc.Store(id="run-shown"),
        dcc.Store(id="run-proven"),
        dcc.Store(id="run-story-shown"),
        dcc.Interval(id="run-bound", interval=3000, disabled=not waits_for_bound(shown)),
    )


def job_panel() -> html.Section:
    """Beside the schedule: the job that is selected in it, filled by browser code."""
    return html.Section(
        id="job-panel", className="st-job", **attributes({"aria-label": "Selected job", "aria-live": "polite"})
    )


def why_section(shown: RunView) -> list[html.Section]:
    """Below the selected job of a run under Slurm: its priority over its wait, filled when it is selected."""
    if shown.run.spec.algorithm != SLURM:
        return []
    return [html.Section(id="run-priority", className="st-why", **attributes({"aria-label": "Why the job waited"}))]


def below_schedule(shown: RunView) -> list[Any]:
    """Below the schedule of a run under Slurm: what its site brings, filled when the page is open."""
    if shown.run.spec.algorithm != SLURM:
        return []
    return [html.Div(id="run-site", className="st-runoutages"), dcc.Store(id="run-site-outages")]


def outages(shown: RunView) -> list[Any]:
    """Below the schedule of a finished run of a log: a button that shows its outages in it."""
    if not shown.is_finished or "digest" not in shown.run.spec.workload:
        return []
    button = html.Button("Show outages of the log", id="run-outages-button", className="st-link")
    said = html.Span(id="run-outages-said", **attributes({"aria-live": "polite"}))
    return [tags.div("st-runoutages", button, said, dcc.Store(id="run-outages"))]


def first_news(run: Run) -> dict[str, Any]:
    """The news that the page begins with."""
    return {"id": run.id, "status": run.status.status, "attempt": run.status.attempt}


def below(shown: RunView) -> html.Div:
    """Under the fold: the tables, the question, what the reader did."""
    return tags.div(
        "st-below-fold",
        group_panels.closed(),
        tags.section(
            "",
            run_panels.section_title("Jobs", "", "jobs-note"),
            html.Div(id="jobs-table"),
            run_panels.definitions("wait", "runtime", "turnaround", "bounded_slowdown"),
        ),
        tags.section("", run_panels.section_title("Events", "", "events-note"), html.Div(id="events-table")),
        tags.section(
            "st-twosections",
            tags.div("", run_panels.section_title("Configuration"), *run_head.question(shown)),
            tags.div("", run_panels.section_title("How the workload was read"), run_head.reading(shown)),
        ),
    )


callbacks = Callbacks()


@callbacks(output=FOLLOWED, inputs=[Input("run-news", "data"), State("run-id", "data"), State("run-shown", "data")])
def follow(context: Context, news: Any, run_id: str | None, before: Any) -> dict[str, Any]:
    """Everything that news of the run changes.

    While status and attempt stay the same, the head stays but for its state: where a head is replaced, its buttons lose
    the focus, a click that has begun is lost, and menus close.
    """
    now = current(context, run_id, news)
    stays = "state" if offers(news) != offers(before) else "head"
    return {**now, stays: no_update, "shown": news}


def offers(news: Any) -> tuple[Any, ...]:
    """What the buttons of the head depend on."""
    return (news.get("status"), news.get("attempt")) if isinstance(news, Mapping) else ()


@callbacks(Output("jobs-grid", "getRowsResponse"), Input("jobs-grid", "getRowsRequest"), State("run-id", "data"))
def jobs_window(context: Context, request: dict | None, run_id: str | None) -> Any:
    """The jobs that the table shows now."""
    return rows_of(context, run_id, "jobs", request)


@callbacks(Output("events-grid", "getRowsResponse"), Input("events-grid", "getRowsRequest"), State("run-id", "data"))
def events_window(context: Context, request: dict | None, run_id: str | None) -> Any:
    """The events that the table shows now."""
    return rows_of(context, run_id, "events", request)


@callbacks(
    Output("run-priority", "children"),
    Input("viewer", "selected"),
    State("run-id", "data"),
)
def why(context: Context, job: int | None, run_id: str | None) -> Any:
    """Why the job that is selected waited."""
    try:
        return priority_panel.panel(view(context, run_id or ""), job)
    except NotFound:
        return no_update


@callbacks(
    Output("run-site", "children"),
    Output("run-site-outages", "data"),
    Input("run-stage", "data"),
    State("run-id", "data"),
    waits=False,
)
def site(context: Context, _: Any, run_id: str | None) -> tuple[Any, Any]:
    """What the site of the run brings."""
    try:
        return site_panel.content(view(context, run_id or ""))
    except NotFound:
        return no_update, no_update


callbacks.browser(
    "followRun", Output("run-live", "data"), Input("run-id", "data"), State("run-news", "data"), waits=False
)
callbacks.browser("wasShown", Output("run-live", "data", allow_duplicate=True), Input("run-shown", "data"))
callbacks.browser(
    "stage", Output("run-stage", "data"), Input("run-news", "data"), State("run-stage", "data"), waits=False
)
callbacks.browser("showStory", Output("run-story-shown", "data"), Input("run-story", "children"), waits=False)
callbacks.browser("showOutages", Input("run-outages", "data"))
callbacks.browser("showSiteOutages", Input("run-site-outages", "data"))
callbacks.browser("markStory", Output("run-story-shown", "data", allow_duplicate=True), Input("viewer", "view"))


def current(context: Context, run_id: str | None, news: Mapping[str, Any] | None = None) -> dict[str, Any]:
    """Head, state, banner, summary and histograms as they are now, by the names of FOLLOWED."""
    try:
        shown = view(context, run_id or "", news)
    except NotFound:
        return dict.fromkeys(FOLLOWED, no_update)
    spreads = {
        f"{kind.name}-{part}": value
        for kind in run_panels.SPREADS
        for part, value in run_panels.filled(shown, kind).items()
    }
    return {
        "head": run_head.head(shown),
        "state": run_head.state(shown),
        "banner": run_head.banner(shown),
        "summary": run_panels.summary(shown),
        **spreads,
    }


@callbacks(Output("run-proven", "data"), Input("run-stage", "data"), State("run-id", "data"), waits=False)
def proven(context: Context, _: Any, run_id: str | None) -> Any:
    """Have the bounds of a run that goes on, or stopped with partial results, proven once; the next summary shows
    them."""
    try:
        shown = view(context, run_id or "")
    except NotFound:
        return no_update
    if not (shown.run.status.is_unfinished or shown.is_partial):
        return no_update
    return bool(asking.bounds(context, shown.run.spec))


@callbacks(
    Output("run-outages", "data"),
    Output("run-outages-button", "children"),
    Output("run-outages-said", "children"),
    Input("run-outages-button", "n_clicks"),
    State("run-id", "data"),
)
def show_outages(context: Context, clicks: int | None, run_id: str | None) -> tuple[Any, ...]:
    """The outages of the log as bands, every other click; they are derived when they are first asked for."""
    if not (clicks or 0) % 2:
        return None, "Show outages of the log", ""
    try:
        view = waits_view(context, [run_id or ""])
        stops = waits_panels.stops_of(view)
    except NotFound:
        return (no_update,) * 3
    if not stops:
        none = (
            "The log shows no outage."
            if view.likeness()
            else "The log records no starts, from which outages are derived."
        )
        return None, "Show outages of the log", none
    said = f"{waits_panels.counted(stops)}, shown as bands in the schedule. The rule is on the page "
    link = dcc.Link("Who waited", href=urls.waits([run_id or ""]))
    return {"stops": stops}, "Hide outages", [said, link, "."]


def waits_for_bound(shown: RunView) -> bool:
    """Whether a bound of a run may still come: it goes on, or its bound is being computed."""
    if shown.run.status.is_unfinished:
        return True
    if shown.is_partial:
        return asking.known_bounds(shown.context, shown.run.spec) is None
    return shown.is_finished and shown.summary.get("exact_bound", {}).get("status") == "queued"


@callbacks(
    Output("run-summary", "children", allow_duplicate=True),
    Output("run-bound", "disabled"),
    Input("run-bound", "n_intervals"),
    State("run-id", "data"),
)
def with_bound(context: Context, _: Any, run_id: str | None) -> tuple[Any, Any]:
    """The summary of a run whose exact bound is there now, and whether to stop polling."""
    try:
        shown = view(context, run_id or "")
    except NotFound:
        return no_update, True
    if waits_for_bound(shown):
        return no_update, no_update
    return run_panels.summary(shown), True


@callbacks(
    Output("jobs-table", "children"),
    Output("jobs-note", "children"),
    Output("events-table", "children"),
    Output("events-note", "children"),
    Output("run-story", "children"),
    Input("run-stage", "data"),
    State("run-id", "data"),
    waits=False,
)
def grids(context: Context, _: Any, run_id: str | None) -> tuple[Any, ...]:
    """The two tables, loaded as they are scrolled where there are many rows; and the story of a short run."""
    try:
        shown = view(context, run_id or "")
    except NotFound:
        return (no_update,) * 5
    clock = shown.asked["clock"]
    if shown.run.status.status in ("queued", "failed", "cancelled") and not shown.is_partial:
        why = "Damaged data are not shown." if shown.run.status.damaged else "Only finished runs have tables."
        nothing = html.P(why, className="st-ink3")
        return nothing, "", nothing, "", []
    n = int(shown.asked["jobs"])
    data = None
    if shown.is_finished and n <= run_tables.AT_ONCE:
        data = run_tables.job_rows(shown.jobs, shown.tau, shown.site, shown.users).records()
    columns = run_tables.job_columns(shown.jobs, shown.asked["kind"], shown.users)
    jobs = run_tables.grid("jobs-grid", columns, clock, shown.span, data)
    if shown.is_partial:
        return jobs, "partial: until the run was cancelled", html.P("Only finished runs list events."), "", []
    if not shown.is_finished:
        return jobs, "so far", html.P("Listed when the run has ended.", className="st-ink3"), "", []
    events = run_tables.grid("events-grid", run_tables.EVENT_COLUMNS, clock, shown.span, height=320)
    count = f"{rows(shown.run.table('events')):,}"
    return jobs, f"{n:,}, a click shows it in the schedule", events, count, story(shown)


def rows_of(context: Context, run_id: str | None, name: str, request: Mapping[str, Any] | None) -> Any:
    """The rows of jobs or events that a grid shows now."""
    if not request:
        return no_update
    try:
        shown = view(context, run_id or "")
        jobs = shown.jobs
        if not rows(jobs):
            return {"rowData": [], "rowCount": 0}
        if name == "jobs":
            table = run_tables.job_rows(jobs, shown.tau, shown.site, shown.users)
            index, count = run_tables.answer(table, request)
            return {"rowData": table.records(index), "rowCount": count}
        events = shown.run.table("events")
        table = run_tables.event_rows(events, jobs)
        index, count = run_tables.answer(table, request)
        sentences = context.notes.get(shown.run.digest, shown.notes)
        found = run_tables.with_notes(table.records(index), events, sentences)
    except NotFound:
        return {"rowData": [], "rowCount": 0}
    return {"rowData": found, "rowCount": count}
