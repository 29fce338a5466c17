"""A short link whose view cannot be shown: it does not exist, or a run that it shows was deleted."""

from __future__ import annotations

from collections.abc import Mapping

from dash import dcc, html

from shadowtime.dashboard.components import naming, tags
from shadowtime.dashboard.components.attributes import attributes
from shadowtime.dashboard.components.icons import icon
from shadowtime.dashboard.context import Context, Shown
from shadowtime.dashboard.look import words
from shadowtime.dashboard.pages import unknown
from shadowtime.dashboard.sharing import shared, urls
from shadowtime.workers.errors import NotFound
from shadowtime.workers.records.links import Link, LinkedRun


def layout(context: Context, code: str, _: Mapping[str, str]) -> Shown:
    """What was shared, and the way to have it again."""
    try:
        link = context.store.links.read(code)
    except NotFound:
        text = ["No link has the address ", html.Span(urls.shared(code)[:60], className="st-mono"), "."]
        return Shown("Link not found", unknown.message("Link not found", text, unknown.leave()), "unknown")
    return Shown(link.title or "A shared view", page(context, link), "unknown")


def page(context: Context, link: Link) -> html.Div:
    """The questions of the link, and one button for all of them."""
    gone = shared.missing(context.store, [kept.id for kept in link.runs])
    if not gone:
        view = dcc.Link("Show it", href=shared.opened(link), className="st-button")
        return unknown.message(link.title or "A shared view", ["The view of this link is here."], [view])
    kept = "You can run it again" if len(gone) == 1 else "You can run them again"
    runs = "a run that was" if len(gone) == 1 else f"{len(gone)} runs that were"
    asked = [html.Li(question(context, one)) for one in link.runs if one.id in gone]
    again = html.Button("Run again", className="st-button st-primary", **attributes({"data-rerun": link.code}))
    parts = [
        icon("link", 22, "st-ink3"),
        html.H1(link.title or f"This link shows {runs} deleted"),
        html.P(f"{f'This link shows {runs} deleted. ' if link.title else ''}{kept}:", className="st-ink2"),
        html.Ul(asked, className="st-report"),
        tags.div("st-empty-actions", again, *unknown.leave()),
        html.Div(className="st-rerun", role="status"),
    ]
    return html.Div(html.Div(parts, className="st-message"), className="st-column")


def question(context: Context, kept: LinkedRun) -> str:
    """`EASY on KTH-SP2, week 20, on 100 processors: 751 jobs`."""
    spec = kept.question
    name = f"{naming.run_words(spec)} on {naming.workload_words(context.store, spec)}"
    more = f", on {naming.platform_words(spec.platform)}"
    jobs = f": {words.count(kept.jobs, 'job')}" if kept.jobs else ""
    return f"{name}{more}{jobs}"
