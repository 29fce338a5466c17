"""The dialog that asks before runs are deleted."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import dash_mantine_components as dmc
from dash import html

from shadowtime.dashboard.components import tags

FIRST = 5
"""How many of the selected runs the dialog names."""


def delete_dialog(prefix: str, title: str, what: str) -> dmc.Modal:
    """A dialog whose parts have ids that begin with `prefix`; the browser's code opens it and deletes."""
    return dmc.Modal(
        [
            html.Div(id=f"{prefix}-delete-names"),
            html.P(f"{what} What is deleted can be run again: the same configuration gives the same results."),
            tags.div(
                "st-dialog-actions",
                html.Button("Keep", id=f"{prefix}-keep", className="st-button"),
                html.Button("Delete", id=f"{prefix}-delete-sure", className="st-button st-danger"),
            ),
        ],
        id=f"{prefix}-delete",
        title=html.Span(title, id=f"{prefix}-delete-title"),
        closeButtonProps={"aria-label": "Close"},
        centered=True,
        size=420,
    )


def names_of(rows: Sequence[Mapping[str, Any]]) -> html.Ul:
    """The first of `rows` by name, as the list of runs has them, and how many more there are."""
    named = rows if len(rows) <= FIRST + 1 else rows[:FIRST]  # the line of the count has room for one name
    lines = [html.Li([name_of(row), html.Span(f" on {row['workload']}", className="st-ink3")]) for row in named]
    if len(named) < len(rows):
        lines.append(html.Li(f"and {len(rows) - len(named):,} more"))
    return html.Ul(lines, className="st-deleted")


def name_of(row: Mapping[str, Any]) -> str:
    """`Base EASY extra first`: title, algorithm and parameters of a row."""
    return " ".join(filter(None, (row["title"], row["algorithm"], row["said"])))
