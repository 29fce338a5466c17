"""A paper: what it claims, what comes out here, figures beside each other, and how to have it computed again."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from dash import dcc, html

from shadowtime.dashboard import urls, words
from shadowtime.dashboard.components import paper_aside, paper_claims, paper_figures
from shadowtime.dashboard.context import Context, Shown
from shadowtime.dashboard.pages import unknown
from shadowtime.dashboard.papers import PAGES, PaperPage
from shadowtime.dashboard.papers.standing import Standing, standing
from shadowtime.workers.papers.registry import SCALES


def layout(context: Context, name: str, query: Mapping[str, str]) -> Shown:
    """The page of a paper at a scale: quick unless the address says full."""
    if name not in PAGES:
        return unknown.layout(context, f"{urls.PAPERS}/{name}", query)
    page = PAGES[name]
    scales = {scale: standing(context.settings, page, scale) for scale in SCALES}
    scale = query.get("scale") if query.get("scale") in SCALES else SCALES[0]
    here = standing(context.settings, page, scale, query.get("result", ""))
    workers = context.queue.health().workers
    return Shown(
        page.title,
        html.Div(
            [
                html.Div([head(here), body(context, here)], className="st-column"),
                html.Aside(
                    html.Div(paper_aside.aside(here, scales, workers), className="st-asidebody"), className="st-aside"
                ),
            ],
            id="paper",
            className="st-columns st-paper",
            **{"data-paper": name, "data-scale": scale},
        ),
        "papers",
    )


def head(here: Standing) -> html.Div:
    """The title and what the paper is."""
    page = here.page
    return html.Div(
        [
            html.Div(
                [dcc.Link("Papers", href=urls.PAPERS), f" / {page.name.upper() if page.work else page.title}"],
                className="st-crumbs",
            ),
            html.H1(page.title),
            html.P([*source(page), page.sentence], className="st-lead"),
        ]
    )


def source(page: PaperPage) -> list[Any]:
    """Who wrote it, and where; nothing if it has no author."""
    return [f"{page.authors}, ", html.Em(page.work), f", {page.venue}. "] if page.work else []


def body(context: Context, here: Standing) -> Any:
    """Claims, figures, differences, and the numbers; or that there are none yet."""
    if here.shown is None:
        return nothing(here)
    drawings = here.drawings()
    shipped = bool(here.shown["shipped"])
    return html.Div(
        [
            *(claims(study, len(here.studies) > 1, here.page.notes) for study in here.studies),
            caveats(here) if here.page.caveats_first else None,
            *(
                paper_figures.section(context.cache, here.page.name, here.scale, shipped, drawing)
                for drawing in drawings
            ),
            None if drawings else html.P("This result is of another version of the study: its tables stand below."),
            differences(here),
            method(here),
            tables(here, is_open=not drawings),
        ]
    )


def nothing(here: Standing) -> html.Div:
    """There is no result at this scale."""
    other = next(scale for scale in SCALES if scale != here.scale)
    return html.Div(
        [
            html.P(f"Nothing was computed at {here.scale} scale here, and none is shipped."),
            dcc.Link(f"Show the {other} scale", href=urls.paper(here.page.name, other), className="st-link"),
        ],
        className="st-nothing",
    )


def claims(study: Mapping[str, Any], is_named: bool, notes: Mapping[str, str]) -> html.Section:
    """The table of one study, under its title where the page has several."""
    title = study["title"].partition(": ")[2] if ": " in study["title"] else study["title"]
    prefix = study["title"].partition(":")[0].partition(", ")[2]
    named = f"{prefix[:1].upper()}{prefix[1:]}: {title}" if prefix else title[:1].upper() + title[1:]
    return html.Section(
        [html.H2(named) if is_named else None, html.Div(paper_claims.table(study, notes), className="st-scroll")],
        className="st-claimsection",
    )


def caveats(here: Standing) -> html.Section:
    """What the numbers rest on, where that comes before all else."""
    return html.Section(
        [
            html.H2(here.page.unknown_title),
            html.P(here.page.unknown_lead),
            html.Ul([html.Li(one) for one in here.page.unknown], className="st-unknown"),
        ],
        className="st-differences",
    )


def differences(here: Standing) -> html.Section:
    """Where ours differ, and why that may be."""
    return html.Section(
        [
            html.H2("Where ours differ, and why it may be" if here.page.work else "What to make of it"),
            *(html.P(one) for one in here.page.differences),
        ],
        className="st-differences",
    )


def method(here: Standing) -> html.Section:
    """How ours were made, a sentence each, as the study says it."""
    said = list(dict.fromkeys(sentence for study in here.studies for sentence in study["method"]))
    plain = [sentence.replace("[moldable jobs](../moldable.md)", "the entries of the algorithms") for sentence in said]
    return html.Section([html.H2("Exactly"), html.Ul([html.Li(one) for one in plain], className="st-unknown")],
                        className="st-differences")  # fmt: skip


def tables(here: Standing, *, is_open: bool) -> html.Details:
    """Every table of the result."""
    made = [table for study in here.studies for table in study["figures"]]
    return html.Details(
        [
            html.Summary(f"{words.count(len(made), 'table')} of all numbers"),
            html.Div([one(table) for table in made], className="st-papertables"),
        ],
        className="st-astable st-alltables",
        open=is_open,
    )


def one(table: Mapping[str, Any]) -> html.Div:
    """A table of a report."""
    unit = f", {table['unit']}" if table["unit"] else ""
    head = [html.Th("", scope="col"), *(html.Th(name, scope="col", className="st-right") for name in table["columns"])]
    rows = [
        html.Tr([html.Th(point, scope="row"), *(html.Td(words.number(v), className="st-right") for v in values)])
        for point, values in table["rows"]
    ]
    return html.Div(
        [
            html.Div(f"{table['title']}{unit}", className="st-paneltitle"),
            html.Table([html.Thead(html.Tr(head)), html.Tbody(rows)], className="st-table st-table-dense"),
        ],
        className="st-scroll",
    )
