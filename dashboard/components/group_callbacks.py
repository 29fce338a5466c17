"""What the panels of a run per user and class do when something is chosen in them."""

from __future__ import annotations

from typing import Any

from dash import Input, Output, State, html, no_update

from shadowtime.dashboard.components import group_panels
from shadowtime.dashboard.components.callbacks import Callbacks
from shadowtime.dashboard.components.chart import source
from shadowtime.dashboard.components.group_view import CLASSES, OF, GroupView
from shadowtime.dashboard.components.run_view import view
from shadowtime.dashboard.context import Context
from shadowtime.workers.errors import NotFound

callbacks = Callbacks()


@callbacks(
    Output("groups-panels", "children"),
    Output("groups-button", "children"),
    Input("groups-button", "n_clicks"),
    State("run-id", "data"),
)
def show(context: Context, clicks: int | None, run_id: str | None) -> tuple[Any, Any]:
    """The panels, every other click."""
    if not clicks:
        return no_update, no_update
    if not clicks % 2:
        return [], "Show"
    shown = of(context, run_id)
    return group_panels.content(shown) if shown else html.P("Only finished runs have groups."), "Hide"


@callbacks(
    Output("groups-shown", "children"),
    Input("groups-by", "value"),
    State("run-id", "data"),
)
def regroup(context: Context, by: str, run_id: str | None) -> Any:
    """Table and small figures of the chosen way to group."""
    shown = of(context, run_id)
    return no_update if shown is None or by not in shown.ways else group_panels.of_groups(shown, by)


@callbacks(
    Output(source("classes"), "data"),
    Output("classes-table", "children"),
    Output("classes-head", "children"),
    Input("classes-what", "value"),
    Input("classes-by", "value"),
    State("run-id", "data"),
)
def spread(context: Context, what: str, by: str, run_id: str | None) -> tuple[Any, Any, Any]:
    """The distributions of the chosen value within the chosen classes."""
    shown = of(context, run_id)
    if shown is None or what not in OF or by not in CLASSES:
        return (no_update,) * 3
    drawn = group_panels.spread(shown, what, by)
    return drawn["figure"], drawn["table"], group_panels.head(what)


def of(context: Context, run_id: str | None) -> GroupView | None:
    """The run of the page, if it is there and has finished."""
    try:
        found = view(context, run_id or "")
    except NotFound:
        return None
    return GroupView(found) if found.is_finished else None
