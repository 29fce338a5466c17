"""The line in the header that shows the workers, and the notice when there are none."""

from __future__ import annotations

from typing import Any

from dash import ClientsideFunction, Dash, Input, Output

from shadowtime.dashboard.components import states
from shadowtime.dashboard.context import Context
from shadowtime.dashboard.look import words
from shadowtime.dashboard.serving.timed import TimedValue
from shadowtime.workers.papers import kept
from shadowtime.workers.queue import Health


def register(app: Dash, context: Context) -> None:
    """Ask the queue every few seconds; the browser's own matters stay in the browser."""
    found = TimedValue(1.0, lambda: described(context.queue.health(), busy(context)))

    @app.callback(
        Output("workers", "children"),
        Output("workers-box", "data-trouble"),
        Output("trouble", "children"),
        Input("health-tick", "n_intervals"),
    )
    def refresh(_: int | None) -> tuple[str, str, Any]:
        return found()

    app.clientside_callback(
        ClientsideFunction("shadowtime", "entitle"),
        Output("page", "data-page"),
        Input("title", "data"),
        Input("page-name", "data"),
    )


def busy(context: Context) -> int:
    """Runs, and parts of papers, that a worker is at."""
    runs = len(context.store.runs.listed("running"))
    return runs + sum(status.parts for _, _, status in kept.unfinished(context.store.papers) if status.started)


def described(health: Health, running: int) -> tuple[str, str, Any]:
    """Words of the header, whether they are a trouble, and the notice."""
    if not health.redis:
        return "queue away", "true", states.queue_away()
    if not health.workers:
        return "no worker", "true", states.no_worker()
    at_work = min(running, health.workers)
    said = f"{words.count(health.workers, 'worker')}, {f'{at_work} busy' if at_work else 'idle'}"
    return said, "false", None
