"""The dialog that asks before runs are deleted."""

from __future__ import annotations

import dash_mantine_components as dmc
from dash import html

from shadowtime.dashboard.components import tags


def delete_dialog(prefix: str, title: str, what: str) -> dmc.Modal:
    """A dialog whose parts have ids that begin with `prefix`; the browser's code opens it and deletes."""
    return dmc.Modal(
        [
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
