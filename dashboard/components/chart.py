"""A plotly figure in a page: its colours are put in by the browser, and it can be read as a table."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import plotly.graph_objects as go
from dash import Input, Output, dcc, html
from dash.dependencies import MATCH

from shadowtime.dashboard.components import tags
from shadowtime.dashboard.components.attributes import attributes
from shadowtime.dashboard.components.callbacks import Callbacks
from shadowtime.dashboard.look import theme

CLEAR = {
    "paper_bgcolor": "rgba(0,0,0,0)",
    "plot_bgcolor": "rgba(0,0,0,0)",
    "xaxis": {"visible": False},
    "yaxis": {"visible": False},
}
"""The layout of a figure that has not come yet."""
CONFIG: dcc.Graph.Config = {"displayModeBar": False, "responsive": True, "doubleClick": False, "scrollZoom": False}


callbacks = Callbacks()


# Colours are put into every figure when it comes and when the theme changes.
callbacks.browser(
    "paint",
    Output({"type": "chart", "name": MATCH}, "figure"),
    Input({"type": "chart-source", "name": MATCH}, "data"),
    Input("scheme", "data"),
    waits=False,
)


def chart(name: str, figure: go.Figure | dict | None, label: str, height: int, className: str = "") -> html.Div:
    """A figure by name; a callback that changes it writes the `data` of `source(name)`."""
    empty = {**CLEAR, "height": height}
    return tags.div(
        f"st-chart {className}".strip(),
        dcc.Graph(
            id={"type": "chart", "name": name},
            figure={"data": [], "layout": empty},
            config=CONFIG,
            responsive=True,
            style={"height": height},
        ),
        dcc.Store(id=source(name), data=plain(figure) if figure is not None else None),
        role="img",
        style={"minHeight": height},  # the graph itself comes later
        **attributes({"aria-label": label}),
    )


def source(name: str) -> dict[str, str]:
    """The id of the store that holds a chart's figure."""
    return {"type": "chart-source", "name": name}


def plain(figure: go.Figure | dict) -> dict[str, Any]:
    """A figure as JSON values, to be cached and sent."""
    return theme.plain(figure) if isinstance(figure, go.Figure) else figure


def as_table(
    head: Sequence[str], rows: Sequence[Sequence[str]], word: str = "as a table", **attributes: Any
) -> html.Details:
    """What a chart shows, in words and numbers."""
    return tags.details(
        "st-astable",
        html.Summary(word),
        tags.table(
            "st-table st-table-dense",
            html.Thead(html.Tr([html.Th(name, scope="col") for name in head])),
            html.Tbody([html.Tr([html.Td(cell) for cell in row]) for row in rows]),
        ),
        **attributes,
    )
