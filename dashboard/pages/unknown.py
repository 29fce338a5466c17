"""Addresses that lead nowhere, and runs that are no more."""

from __future__ import annotations

from collections.abc import Mapping

from dash import dcc, html

from dashboard import urls
from dashboard.components.icons import icon
from dashboard.context import Context, Shown


def layout(context: Context, path: str, _: Mapping[str, str]) -> Shown:
    """No page has this address."""
    return Shown(
        "No such page",
        message(
            "There is no page here",
            [html.Span(path, className="st-mono"), " is no address of this laboratory."],
            [
                dcc.Link("All runs", href=urls.RUNS, className="st-button"),
                dcc.Link("New run", href=urls.NEW, className="st-button"),
            ],
        ),
        "unknown",
    )


def no_run(context: Context, run_id: str) -> Shown:
    """The run of a link is not in the store: deleted, or kept by another laboratory."""
    return Shown(
        "No such run",
        message(
            "This link asks for a run that is not here",
            [
                "Run ",
                html.Span(run_id, className="st-mono"),
                " was deleted, or belongs to another laboratory. The same question gives the same run, with the same "
                "id: choose its workload, machine and scheduler again.",
            ],
            [
                dcc.Link("All runs", href=urls.RUNS, className="st-button"),
                dcc.Link("New run", href=urls.NEW, className="st-button"),
            ],
        ),
        "unknown",
    )


def no_workload(context: Context, workload_id: str) -> Shown:
    """The workload of a link is not in the store."""
    return Shown(
        "No such workload",
        message(
            "This link asks for a workload that is not here",
            [
                "Workload ",
                html.Span(workload_id, className="st-mono"),
                " was deleted, or was never sent to this laboratory.",
            ],
            [dcc.Link("Send a trace", href=urls.NEW, className="st-button")],
        ),
        "unknown",
    )


def message(title: str, text: list, buttons: list) -> html.Div:
    """One calm sentence in the middle of an empty page."""
    return html.Div(
        html.Div(
            [
                icon("search", 22, "st-ink3"),
                html.H1(title),
                html.P(text, className="st-ink2"),
                html.Div(buttons, className="st-empty-actions"),
            ],
            className="st-message",
        ),
        className="st-column",
    )
