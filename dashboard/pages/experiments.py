"""All sweeps: question and progress of each; where there is none, examples."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from dash import Input, Output, dcc, html

from shadowtime.dashboard.components import sweep_head, tags
from shadowtime.dashboard.components.attributes import attributes
from shadowtime.dashboard.components.callbacks import Callbacks
from shadowtime.dashboard.components.icons import icon
from shadowtime.dashboard.components.sweep_answers import listed
from shadowtime.dashboard.context import Context, Shown
from shadowtime.dashboard.look import words
from shadowtime.dashboard.pages.experiment_new import EXAMPLES
from shadowtime.dashboard.sharing import urls

TICK = 4
"""Seconds between looks at those that go on."""
MOST = 100


def layout(context: Context, _: str, query: Mapping[str, str]) -> Shown:
    """The list."""
    new = dcc.Link([icon("plus"), "New experiment"], href=f"{urls.EXPERIMENTS}/new", className="st-button st-primary")
    page = tags.div(
        "st-single",
        tags.div("st-headline", html.H1("Experiments"), html.Div(className="st-grow"), new),
        html.P(
            "A grid of workloads, seeds, loads, algorithms and parameters: means with confidence intervals "
            "instead of a single run.",
            className="st-lead",
        ),
        html.Div(id="live-notice", role="status"),
        html.Div(entries(context), id="sweeps-list"),
        dcc.Interval(id="sweeps-tick", interval=1000 * TICK),
    )
    return Shown("Experiments", page)


callbacks = Callbacks()


@callbacks(Output("sweeps-list", "children"), Input("sweeps-tick", "n_intervals"))
def refresh(context: Context, _: Any) -> Any:
    """The list as it is now."""
    return entries(context)


def entries(context: Context) -> list[Any]:
    """The sweeps, newest first."""
    found, damaged = context.store.sweeps.list(), [broken(one) for one in context.store.sweeps.damaged()]
    if not found:
        return damaged or [nothing()]
    lines = [entry(listed(context.store, context.queue, sweep)) for sweep in found[:MOST]]
    more = len(found) - MOST
    return (
        damaged
        + lines
        + ([html.P(f"{more:,} older ones: GET /api/sweeps lists them.", className="st-caption")] if more > 0 else [])
    )


def broken(sweep: str) -> html.P:
    """An experiment whose record is not what was written."""
    return tags.p(
        "st-small",
        html.Span("Damaged", className="st-bad"),
        " Experiment ",
        html.Span(sweep, className="st-mono"),
        ": its record is damaged; its runs are kept. ",
        html.Button(
            "Delete", className="st-button", **attributes({"data-sweep-act": "delete", "data-sweep-id": sweep})
        ),
    )


def entry(now: Mapping[str, Any]) -> html.Article:
    """One sweep in three lines."""
    accepted = datetime.fromisoformat(now["accepted"])
    algorithms = words.joined(now["algorithms"][:6]) + (" and others" if len(now["algorithms"]) > 6 else "")
    title = now["name"] or f"{algorithms} on {words.joined(now['workloads'][:2])}"
    said = f"{words.count(now['runs_total'], 'run')}, {words.count(now['points_total'], 'point')}"
    return html.Article(
        [
            html.Div(
                [html.H2(dcc.Link(title, href=urls.experiment(now["id"]))), sweep_head.state_pill(now)],
                className="st-sweepline",
            ),
            html.P(f"{algorithms} on {words.joined(now['workloads'][:4])}", className="st-ink2"),
            html.P([f"{said} · {accepted:%d %b %Y %H:%M} UTC · ", html.Span(now["id"], className="st-mono")],
                   className="st-small st-ink3"),
        ],
        className="st-paperentry",
    )  # fmt: skip


def nothing() -> html.Div:
    """What to begin with."""
    links = [
        tags.li(
            "",
            dcc.Link(title, href=f"{urls.EXPERIMENTS}/new?example={slug}"),
            html.Span(f" {text}", className="st-ink2"),
        )
        for slug, (title, text, _) in EXAMPLES.items()
    ]
    return tags.div(
        "st-nothing st-sweepexamples",
        html.H2("No experiments yet"),
        html.P("Start from one of these examples:"),
        html.Ul(links),
    )
