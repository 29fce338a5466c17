"""A paper: what it claims, what comes out here, figures beside each other, and how to have it computed again."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from dash import dcc, html

from shadowtime.dashboard.components import paper_aside, paper_claims, paper_figures, tags
from shadowtime.dashboard.components.attributes import attributes
from shadowtime.dashboard.components.folded_tables import NumberTable, folded
from shadowtime.dashboard.components.run_panels import definitions
from shadowtime.dashboard.context import Context, Shown
from shadowtime.dashboard.figures.sketch import COLOURS
from shadowtime.dashboard.look import words
from shadowtime.dashboard.pages import unknown
from shadowtime.dashboard.papers import PAGES, PaperPage, illustrations, publishing
from shadowtime.dashboard.papers.page import Illustration
from shadowtime.dashboard.papers.standing import Standing, standing
from shadowtime.dashboard.papers.verdicts import UNJUDGED
from shadowtime.dashboard.sharing import urls
from shadowtime.workers.papers.registry import SCALES
from shadowtime.workers.papers.report import counterpart_cells

FIGURES = (
    "turnaround", "slowdown", "bounded_slowdown", "wait", "runtime", "job_size", "makespan", "weighted_completion",
    "mean_utilization", "underutilization", "preemptions", "migrations", "offered_load", "at_most",
)  # fmt: skip
"""What the figures and tables of papers measure."""


def layout(context: Context, name: str, query: Mapping[str, str]) -> Shown:
    """Return the page of a paper at the scale of the address, else at the largest with a result."""
    if name not in PAGES:
        return unknown.layout(context, f"{urls.PAPERS}/{name}", query)
    page = PAGES[name]
    scales = {scale: standing(context.store.papers, page, scale) for scale in SCALES}
    scale = query["scale"] if query.get("scale") in SCALES else largest(scales)
    here = standing(context.store.papers, page, scale, query.get("result", ""))
    workers = context.queue.health().workers
    return Shown(
        page.title,
        tags.div(
            "st-columns st-paper",
            tags.div("st-column", head(here), body(context, here), definitions(*FIGURES)),
            html.Aside(
                html.Div(paper_aside.aside(here, scales, workers), className="st-asidebody"), className="st-aside"
            ),
            id="paper",
            **attributes({"data-paper": name, "data-scale": scale}),
        ),
        "papers",
    )


def largest(scales: Mapping[str, Standing]) -> str:
    """Return the largest scale with a result, or the smallest if there is none."""
    return next((scale for scale in reversed(SCALES) if scales[scale].shown), SCALES[0])


def head(here: Standing) -> html.Div:
    """The title and what the paper is."""
    page = here.page
    return tags.div(
        "",
        tags.div(
            "st-crumbs", dcc.Link("Papers", href=urls.PAPERS), f" / {page.name.upper() if page.paper else page.title}"
        ),
        html.H1(page.title),
        tags.p("st-lead", *source(page), page.sentence),
    )


def source(page: PaperPage) -> list[Any]:
    """Who wrote it, and where; nothing if it has no author."""
    return [f"{of[0]}, ", html.Em(of[1]), f", {of[2]}. "] if (of := page.paper) else []


def body(context: Context, here: Standing) -> Any:
    """Claims, figures, differences, and the numbers; or that there are none yet."""
    if here.shown is None:
        return nothing(here)
    drawings = here.drawings()
    shipped = bool(here.shown["shipped"])
    return tags.div(
        "",
        illustrated(here.page),
        counterparts(here),
        *(claims(study, len(here.studies) > 1, here.page.notes) for study in here.studies),
        caveats(here) if here.page.caveats_first else None,
        *(paper_figures.section(context.cache, here.page.name, here.scale, shipped, drawing) for drawing in drawings),
        None if drawings else html.P("This result is of another version of the study; its tables are below."),
        differences(here),
        method(here),
        tables(here, is_open=not drawings),
    )


def illustrated(page: PaperPage) -> Any:
    """Return the illustrations of the problem, the algorithm and the paper's examples, in both themes."""
    if not page.illustrations:
        return None
    pictures = [
        html.Figure(
            [
                html.Figcaption(
                    [html.Span(one.title, className="st-paneltitle"),
                     html.Span(f" {one.figure} of the paper" if one.figure else "", className="st-note")]
                ),
                *(picture(page.name, one, theme) for theme in COLOURS),
                html.P(one.caption, className="st-said"),
            ],
            id=one.key,
            className="st-sketch",
        )
        for one in page.illustrations
    ]  # fmt: skip
    return tags.section("", html.H2("Problem and algorithm"), html.Div(pictures, className="st-sketches"))


def picture(paper: str, one: Illustration, theme: str) -> html.Img:
    """Return an illustration for a theme, with its size: its room is kept while it loads."""
    width, height = illustrations.size(paper, one.key, theme)
    source = urls.api_paper_file(paper, f"{one.key}.svg", theme=theme)
    return html.Img(src=source, alt=one.caption, className=f"st-in-{theme}", width=width, height=height)


def counterparts(here: Standing) -> Any:
    """Return the table of the paper's figures and tables with ours, its scale and whether they agree."""
    listed = [one for study in here.studies for one in study["counterparts"]]
    if not listed:
        return None
    rows = []
    for one in listed:
        figure, shows, size, _ = counterpart_cells(one)
        verdict = paper_claims.mark(one["grade"] or UNJUDGED)
        rows.append(
            tags.tr(
                "",
                html.Th(figure, scope="row"),
                html.Td(shows, **attributes({"data-label": "What it shows"})),
                html.Td(
                    tags.div("", html.Div(anchor(here, one)), html.Div(size, className="st-why")),
                    **attributes({"data-label": "Ours"}),
                ),
                tags.td("", verdict, html.Div(one["why"], className="st-why"), **attributes({"data-label": "Agree?"})),
            )
        )
    table = tags.scrolled("st-table st-claims", ("In the paper", "What it shows", "Ours", "Agree?"), rows)
    return tags.section("st-claimsection", html.H2("Figures and tables of the paper"), table)


def anchor(here: Standing, one: Mapping[str, Any]) -> Any:
    """Return links to the drawings that stand for a figure of the paper."""
    titles = {drawing.key: drawing.title for drawing in here.drawings()}
    titles |= {picture.key: picture.title for picture in here.page.illustrations}
    links = [html.A(titles[key], href=f"#{key}", className="st-link") for key in one["ours"] if key in titles]
    return [part for link in links for part in (link, html.Br())][:-1] or ", ".join(one["ours"])


def nothing(here: Standing) -> html.Div:
    """There is no result at this scale."""
    other = next(scale for scale in SCALES if scale != here.scale)
    return tags.div(
        "st-nothing",
        html.P(f"No result at {here.scale} scale: none was computed here, and none is shipped."),
        dcc.Link(f"Show the {other} scale", href=urls.paper(here.page.name, other), className="st-link"),
    )


def claims(study: Mapping[str, Any], is_named: bool, notes: Mapping[str, str]) -> html.Section:
    """The table of one study, under its title where the page has several."""
    title = study["title"].partition(": ")[2] if ": " in study["title"] else study["title"]
    prefix = study["title"].partition(":")[0].partition(", ")[2]
    named = f"{prefix[:1].upper()}{prefix[1:]}: {title}" if prefix else title[:1].upper() + title[1:]
    return tags.section(
        "st-claimsection",
        html.H2(named) if is_named else None,
        html.Div(paper_claims.table(study, notes), className="st-scroll"),
    )


def caveats(here: Standing) -> html.Section:
    """What the numbers rest on, where that comes before all else."""
    return tags.section(
        "st-papernotes",
        html.H2(here.page.unknown_title),
        html.P(here.page.unknown_lead),
        html.Ul([html.Li(one) for one in here.page.unknown], className="st-unknown"),
    )


def differences(here: Standing) -> html.Section:
    """Where ours differ, and why that may be."""
    return tags.section(
        "st-papernotes",
        html.H2("Where our results differ, and possible reasons" if here.page.paper else "Conclusions"),
        *(html.P(one) for one in here.page.differences),
    )


def method(here: Standing) -> html.Section:
    """How the results were made, a sentence each, from the study."""
    sentences = publishing.method(here.studies)
    return html.Section([html.H2("Method"), html.Ul([html.Li(one) for one in sentences], className="st-unknown")],
                        className="st-papernotes")  # fmt: skip


def tables(here: Standing, *, is_open: bool) -> html.Details:
    """Every table of the result."""
    made = [one(table) for study in here.studies for table in study["figures"]]
    return folded(f"{words.count(len(made), 'table')} of all numbers", made, "st-alltables", is_open=is_open)


def one(table: Mapping[str, Any]) -> NumberTable:
    """A table of a report."""
    unit = f", {table['unit']}" if table["unit"] else ""
    return NumberTable(f"{table['title']}{unit}", ["", *table["columns"]], table["rows"])
