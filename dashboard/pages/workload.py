"""One workload: how it was read, what its jobs look like, and what ran on it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from dash import Input, Output, State, dcc, html, no_update

from shadowtime.dashboard.access.refusal import Refusal
from shadowtime.dashboard.components import asking, naming, results, states, tags, workload_beside
from shadowtime.dashboard.components.callbacks import Callbacks
from shadowtime.dashboard.components.chart import as_table, chart, source
from shadowtime.dashboard.components.icons import icon
from shadowtime.dashboard.components.preview import facts_of
from shadowtime.dashboard.components.run_panels import definitions
from shadowtime.dashboard.context import Context, Shown
from shadowtime.dashboard.figures import shape
from shadowtime.dashboard.look import words
from shadowtime.dashboard.pages import unknown
from shadowtime.dashboard.sharing import profiles, urls
from shadowtime.engine.registry import look_up_family
from shadowtime.workers.errors import NotFound
from shadowtime.workers.store import Run, VisibleStore, WorkloadEntry

RUNS = 50


def layout(context: Context, workload_id: str, query: Mapping[str, str]) -> Shown:
    """The page of a stored workload; of one with cases, the shape is that of the first."""
    entry = unknown.find_workload(context, workload_id)
    if isinstance(entry, Shown):
        return entry
    found = context.store.runs.list(workload=entry.digest, limit=RUNS)
    first = f"{entry.digest}#{entry.cases[0]}" if entry.cases else entry.digest
    beside = workload_beside.section(context, entry, query)
    body = page(entry, asking.preview(context, first), list(found.rows), context.store, beside)
    return Shown(naming.file_words(entry.name), body)


def edit(entry: WorkloadEntry) -> list[Any]:
    """To the editor of its site, where it has one."""
    if not look_up_family(entry.kind).has_site:
        return []
    return [dcc.Link("Edit its site", href=urls.sites(entry.id), className="st-button")]


def fidelity(entry: WorkloadEntry) -> list[Any]:
    """To how true a simulation of it is, where it may be a log."""
    if entry.kind != "rigid" or "digest" not in entry.source or entry.cases:
        return []
    return [dcc.Link("How accurate is a simulation?", href=urls.fidelity(entry.id), className="st-button")]


def page(
    entry: WorkloadEntry, preview: Mapping[str, Any], runs: list[Run], store: VisibleStore, beside: html.Section
) -> html.Div:  # fmt: skip
    """Report and shape on the left, runs and other workloads below."""
    figure = shape.figure(preview)
    return tags.div(
        "st-single",
        tags.div(
            "st-headline",
            html.H1(naming.file_words(entry.name)),
            states.pill("read", icon("check"), "Read"),
            html.Div(className="st-grow"),
            *edit(entry),
            *fidelity(entry),
            dcc.Link([icon("plus"), "Run it"], href=urls.new(entry.id), className="st-button"),
        ),
        tags.facts(
            html.Span(entry.name, className="st-mono"),
            f"{words.size(entry.size)} unpacked",
            html.Span(entry.id, className="st-mono"),
        ),
        tags.section(
            "st-twosections",
            tags.div(
                "",
                html.H2("How it was read"),
                html.Ul(
                    [tags.li("", icon("check", 15), html.Span(line)) for line in preview["report"]],
                    className="st-report",
                ),
            ),
            tags.div("", html.H2("Its jobs"), html.Dl(facts(preview, entry.clock), className="st-facts")),
        ),
        tags.section(
            "st-block",
            chart("workload-shape", figure, "Histograms of the jobs: hour of day, processors, runtime", 150),
            as_table(["What", "Range", "Jobs"], shape.rows(preview)),
        ),
        tags.section(
            "st-block",
            html.H2("Runs of this workload"),
            runs_on_it(runs, store),
            definitions("offered_load", "at_most"),
        ),
        beside,
        dcc.Store(id="beside-of-workload", data=entry.id),
        dcc.Store(id="beside-written"),
    )


def facts(preview: Mapping[str, Any], clock: Mapping[str, Any] | None) -> list[Any]:
    """Names and values of the facts."""
    return [part for name, value in facts_of(preview, clock) for part in (html.Dt(name), html.Dd(value))]


callbacks = Callbacks()


@callbacks(
    Output(source("beside"), "data"),
    Output("beside-rule", "children"),
    Output("beside-table", "children"),
    Output("beside-head", "children"),
    Input("beside-workloads", "value"),
    Input("beside-of", "value"),
    State("beside-of-workload", "data"),
    waits=False,
)
def draw_beside(context: Context, others: list[str] | None, of: str, workload: str | None) -> tuple[Any, ...]:
    """The workloads that are chosen, in one figure."""
    if not workload or of not in profiles.OF:
        return (no_update,) * 4
    try:
        shown = workload_beside.shown(context, [workload, *(others or [])][: profiles.MOST], of)
    except (NotFound, Refusal) as error:
        return None, str(error), None, workload_beside.head(of)
    return shown["figure"], shown["rule"], shown["table"], workload_beside.head(of)


callbacks.browser(
    "writeBeside", Output("beside-written", "data"), Input("beside-workloads", "value"), Input("beside-of", "value")
)


def runs_on_it(runs: list[Run], store: VisibleStore) -> Any:
    """The latest runs, with their headline figure."""
    if not runs:
        return html.P("No runs yet.", className="st-ink3")
    lines = []
    for run in runs:
        summary = run.summary or {}
        values, bounds = summary.get("metrics", {}), summary.get("bounds", {})
        judged = results.headline(values, bounds, naming.kind_of(store, run.spec))
        steps = ", ".join(naming.conversion_words(step) for step in run.spec.conversions)
        lines.append(
            tags.tr(
                "",
                html.Td(dcc.Link(naming.run_words(run.spec), href=urls.run(run.id), className="st-strong")),
                html.Td(steps or "whole"),
                tags.td("", states.icon(states.MARKS[run.status.status]), f" {states.WORDS[run.status.status]}"),
                html.Td(results.written(judged, values.get(judged)) if judged else "", className="st-right"),
                html.Td(
                    words.ratio(results.ratio_of(judged, values, bounds)) if judged else "",
                    className="st-right st-strong",
                ),
            )
        )
    return tags.scrolled("st-table", ("Algorithm", "Jobs", "State", "Result", "At most × optimal"), lines)
