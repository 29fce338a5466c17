"""The line in the header that shows the workers, and the notice when there are none."""

from __future__ import annotations

from typing import Any

from dash import Input, Output

from shadowtime.dashboard.components import states
from shadowtime.dashboard.components.callbacks import Callbacks
from shadowtime.dashboard.context import Context
from shadowtime.dashboard.look import words
from shadowtime.workers.queue import Health

callbacks = Callbacks()

AT_REST = 6
"""Seconds between two questions after the health of the queue while all is well."""


@callbacks(
    Output("workers", "children"),
    Output("workers-box", "data-trouble"),
    Output("trouble", "children"),
    Output("health-tick", "interval"),
    Input("health-tick", "n_intervals"),
    waits=False,
)
def refresh(context: Context, _: int | None) -> tuple[str, str, Any, int]:
    """The line of the workers, and the milliseconds until it is asked for again: sooner while there is a notice."""
    line, trouble, notice = described(*context.health())
    return line, trouble, notice, 1000 * (AT_REST if notice is None else states.ASK_AGAIN)


callbacks.browser(
    "entitle", Output("page", "data-page"), Input("title", "data"), Input("page-name", "data"), waits=False
)


def described(health: Health, running: int) -> tuple[str, str, Any]:
    """Words of the header, whether they are a trouble, and the notice."""
    if not health.redis:
        return "queue offline", "true", states.queue_away()
    start = health.start
    if start is not None and (not health.workers or start.seconds_left):
        return "workers starting", "false", states.starting(start)
    if not health.workers:
        return "no workers", "true", states.no_worker()
    at_work = min(running, health.workers)
    said = f"{words.count(health.workers, 'worker')}, {f'{at_work} busy' if at_work else 'idle'}"
    return said, "false", None
