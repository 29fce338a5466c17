"""The papers: each with what it is about, how far ours agree, and when that was computed."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime

from dash import dcc, html

from shadowtime.dashboard.components import tags
from shadowtime.dashboard.components.paper_claims import mark
from shadowtime.dashboard.context import Context, Shown
from shadowtime.dashboard.look import words
from shadowtime.dashboard.papers import PAGES
from shadowtime.dashboard.papers.standing import Standing, standing
from shadowtime.dashboard.papers.verdicts import counts
from shadowtime.dashboard.sharing import urls
from shadowtime.workers.papers.registry import SCALES


def layout(context: Context, _: str, query: Mapping[str, str]) -> Shown:
    """The list."""
    rows = [entry([standing(context.store.papers, page, scale) for scale in SCALES]) for page in PAGES.values()]
    return Shown(
        "Papers",
        html.Div(
            [
                html.Div(
                    [html.H1("Papers"),
                     html.Span("Claims of five papers, our results, and a button to recompute them",
                               className="st-ink2")],
                    className="st-headline",
                ),
                html.Div(rows, className="st-paperlist"),
            ],
            className="st-single",
        ),
    )  # fmt: skip


def entry(scales: list[Standing]) -> html.Article:
    """A paper with its state at the largest scale that there is."""
    page = scales[0].page
    there = [one for one in scales if one.shown or one.damaged]
    source = f"{', '.join(page.paper)}." if page.paper else page.source
    return tags.article(
        "st-paperentry",
        html.H2(dcc.Link(page.title, href=urls.paper(page.name))),
        html.P(page.sentence),
        html.P(source, className="st-small st-ink3"),
        html.Div([state(one) for one in there] or "Not computed yet.", className="st-paperstates"),
        id=page.name,
    )


def state(here: Standing) -> html.Div:
    """How many claims agree at a scale, when it was made, and whether another result is damaged."""
    link = dcc.Link(f"{here.scale.capitalize()} scale", href=urls.paper(here.page.name, here.scale))
    damaged = html.Span("a stored result is damaged", className="st-ink3 st-small") if here.damaged else None
    if here.shown is None:
        return tags.div("st-paperline", link, damaged)
    day = datetime.fromisoformat(here.shown["made"])
    parts = [
        tags.span("st-paperstate", html.Span(f"{n} ", className="st-strong"), mark(word))
        for word, n in counts(here.studies).items()
        if n
    ]
    going = " · being recomputed" if here.status is not None and here.status.is_unfinished else ""
    where = "shipped" if here.shown["shipped"] else "computed here"
    return tags.div(
        "st-paperline",
        link,
        *parts,
        html.Span(
            f"{where}, {day.day} {day:%b} {day.year}, in {words.duration(float(here.shown['seconds']))}{going}",
            className="st-ink3 st-small",
        ),
        damaged,
    )
