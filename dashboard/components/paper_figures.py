"""A drawing on a paper's page: its panels beside each other, as files, as a table, and the command for one point."""

from __future__ import annotations

import hashlib
from typing import Any

from dash import html
from flask_caching import Cache

from shadowtime.dashboard.components import tags
from shadowtime.dashboard.components.attributes import attributes
from shadowtime.dashboard.components.chart import chart, plain
from shadowtime.dashboard.components.folded_tables import NumberTable, folded
from shadowtime.dashboard.components.icons import icon
from shadowtime.dashboard.figures import small_multiples
from shadowtime.dashboard.figures.drawing import Drawing, Panel
from shadowtime.dashboard.look import words
from shadowtime.dashboard.serving.cache import remembered
from shadowtime.dashboard.sharing import urls


def plotted(cache: Cache, drawing: Drawing) -> list[dict]:
    """The figures of the panels as JSON values: made once, since the same drawing gives the same figures."""

    def make() -> list[dict]:
        return [plain(figure) for figure in small_multiples.figures(drawing)]

    return remembered(cache, hashlib.sha256(repr(drawing).encode()).hexdigest()[:32], "figures", make)


def section(cache: Cache, name: str, scale: str, shipped: bool, drawing: Drawing) -> html.Section:
    """One drawing of a page."""
    height = small_multiples.height(drawing)
    panels = [
        tags.figure(
            "st-panel",
            html.Figcaption(panel.title, className="st-paneltitle"),
            chart(f"{drawing.key}-{at}", figure, label(drawing, panel), height),
        )
        for at, (panel, figure) in enumerate(zip(drawing.panels, plotted(cache, drawing), strict=True))
    ]
    beside = {"--st-columns": small_multiples.across(drawing)}
    return tags.section(
        "st-drawing",
        tags.div(
            "st-section-title st-drawingtitle",
            html.H2(drawing.title),
            html.Span(drawing.note, className="st-note"),
            html.Span(files(name, scale, shipped, drawing), className="st-files"),
        ),
        html.Div(panels, className=f"st-panels st-panels-{drawing.kind}", style=beside),
        html.P(drawing.said, className="st-said") if drawing.said else None,
        tags.div("st-detailsrow", numbers(drawing), alone(drawing), sweep(drawing)),
        id=drawing.key,
    )


def files(name: str, scale: str, shipped: bool, drawing: Drawing) -> list[Any]:
    """Return links to the drawing as a figure for print and as numbers."""
    return [
        icon("download"),
        html.A("SVG", href=urls.api_paper_file(name, f"{drawing.key}.svg", scale, shipped), className="st-link",
               title="At the width of a column, fonts embedded"),
        html.A("PDF", href=urls.api_paper_file(name, f"{drawing.key}.pdf", scale, shipped), className="st-link",
               title="At the width of a column, fonts embedded"),
        html.A("CSV", href=urls.api_paper_csv(name, scale, drawing.key, shipped), className="st-link"),
    ]  # fmt: skip


def label(drawing: Drawing, panel: Panel) -> str:
    """The text of a panel for screen readers."""
    names = ", ".join(line.name for line in panel.lines)
    return f"{drawing.title}, {panel.title}: {names} at {words.count(len(panel.points), 'point')}; as a table below"


def numbers(drawing: Drawing) -> html.Details:
    """All panels as tables."""
    axis = drawing.axis.partition(" [")[0]
    tables = []
    for panel in drawing.panels:
        columns = [list(line.values) for line in panel.lines]
        head = [axis, *(line.name for line in panel.lines)]
        if panel.paper:
            head.append(panel.grey)
            columns.append(list(panel.paper) * (1 if len(panel.paper) > 1 else len(panel.points)))
        rows = [(point, [column[at] for column in columns]) for at, point in enumerate(panel.points)]
        tables.append(NumberTable(panel.title, head, rows))
    return folded("as a table", tables)


def alone(drawing: Drawing) -> html.Details | None:
    """The command that gives one point."""
    if not drawing.command:
        return None
    return tags.details(
        "st-astable", html.Summary("one point alone"), html.Pre(drawing.command, className="st-well st-command")
    )


def sweep(drawing: Drawing) -> html.Details | None:
    """The file of the sweep behind the drawing, which can be queued as it stands."""
    if not drawing.sweep:
        return None
    button = html.Button("Queue this sweep", className="st-button", **attributes({"data-sweep": "true"}))
    said = [button, html.Span(f"or save it and type shadowtime sweep FILE.toml. {drawing.sweep_note}",
                              className="st-caption")]  # fmt: skip
    return tags.details(
        "st-astable",
        html.Summary("the sweep behind it"),
        html.Pre(drawing.sweep, className="st-well st-command"),
        html.Div(said, className="st-inline st-paperline"),
    )
