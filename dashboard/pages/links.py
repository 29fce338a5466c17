"""One's own short links: where they lead, what they open, and the button that takes one back."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any

from dash import html

from shadowtime.dashboard.components import naming, tags, visitor
from shadowtime.dashboard.components.attributes import attributes
from shadowtime.dashboard.context import Context, Shown
from shadowtime.dashboard.look import words
from shadowtime.dashboard.sharing import shared, urls
from shadowtime.workers.records.links import Link, LinkedRun


def layout(context: Context, _: str, query: Mapping[str, str]) -> Shown:
    """The list, newest first."""
    links = context.store.links.mine()
    now = datetime.now(UTC).astimezone()
    lead = "A revoked link never works again; its runs are kept." if links else ""
    body = table([row(context, link, now) for link in links]) if links else nothing()
    return Shown(
        "Links",
        tags.div(
            "st-single",
            tags.div("st-headline", html.H1("Links"), html.Span(lead, className="st-ink2")),
            html.Div(id="live-notice", role="status"),
            body,
        ),
    )


def nothing() -> html.P:
    """Before there are any."""
    return html.P(
        "No links yet. Share, on the page of a run, makes a link to exactly what is on the screen.", className="st-ink2"
    )


def table(rows: list[html.Tr]) -> html.Div:
    """All of them."""
    names = ("What it shows", "Link", "Made", "")
    return tags.scrolled("st-table st-links", names, rows)


def row(context: Context, link: Link, now: datetime) -> html.Tr:
    """One of them, with its button."""
    made = words.when(datetime.fromisoformat(link.made), now) if link.made else ""
    shown = said(context, link)
    revoke = html.Button(
        "Revoke",
        className="st-button st-plain",
        **attributes({"data-revoke": link.code, "aria-label": f"Revoke the link to {link.title or shown}"}),
    )
    return tags.tr(
        "",
        tags.td(
            "",
            tags.div("st-linkname", html.Span(link.title or shown, className="st-strong"), *mark(link)),
            html.Div(shown, className="st-small st-ink3") if link.title else None,
        ),
        html.Td(html.A(urls.shared(link.code), href=urls.shared(link.code), className="st-mono")),
        html.Td(made, className="st-ink2"),
        html.Td(revoke, className="st-right"),
    )


def mark(link: Link) -> list[Any]:
    """Return the marks of a link: it opens private runs, or is damaged."""
    damaged = [html.Span("Damaged", className="st-bad", title="Its record is damaged: the link does not work")]
    return damaged if link.is_damaged else [visitor.lock()] if link.is_secret else []


def said(context: Context, link: Link) -> str:
    """`EASY on KTH-SP2 and FCFS on KTH-SP2`: the runs that it shows, or the page."""
    if link.is_damaged:
        return "make it again, or revoke it"
    gone = set(shared.missing(context.store, [kept.id for kept in link.runs]))
    named = [f"{title(context, kept)}{' (deleted)' if kept.id in gone else ''}" for kept in link.runs]
    return words.joined(list(dict.fromkeys(named))) if named else link.target.partition("?")[0]


def title(context: Context, kept: LinkedRun) -> str:
    """`EASY on KTH-SP2`."""
    spec = kept.question
    return f"{naming.run_words(spec)} on {naming.workload_words(context.store, spec)}"
