"""Callbacks as functions of a module, which a test calls like any other; `register` gives them to an app."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any

from dash import ClientsideFunction, Dash

from shadowtime.dashboard.context import Context

NAMESPACE = "shadowtime"
"""Of the browser's functions: `window.dash_clientside.shadowtime`."""


class Callbacks:
    """The callbacks of one module.

    An instance decorates a function whose first argument is the `Context`; the others are what Dash sends for the
    inputs and states, whose dependencies are given as to `Dash.callback`.
    """

    def __init__(self) -> None:
        self._of_server: list[tuple[Callable, tuple, dict[str, Any]]] = []
        self._of_browser: list[tuple[str, tuple, dict[str, Any]]] = []

    def __call__(self, *dependencies: Any, waits: bool = True, **settings: Any) -> Callable[[Callable], Callable]:
        """Add a function; waits: for a change, instead of running when the page opens, too."""

        def add(function: Callable) -> Callable:
            self._of_server.append((function, dependencies, {**settings, "prevent_initial_call": waits}))
            return function

        return add

    def browser(self, name: str, *dependencies: Any, waits: bool = True) -> None:
        """Add a function of `assets/pages`; waits as above."""
        self._of_browser.append((name, dependencies, {"prevent_initial_call": waits}))

    def register(self, app: Dash, context: Context) -> None:
        """Give all of them to an app."""
        for function, dependencies, settings in self._of_server:
            app.callback(*dependencies, **settings)(_bound(function, context))
        for name, dependencies, settings in self._of_browser:
            app.clientside_callback(ClientsideFunction(NAMESPACE, name), *dependencies, **settings)


def _bound(function: Callable, context: Context) -> Callable:
    @wraps(function)
    def call(*given: Any, **named: Any) -> Any:
        return function(context, *given, **named)

    return call
