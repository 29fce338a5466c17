"""The HTML that the server sends for an address: Dash's own, with what is known before Dash starts."""

from __future__ import annotations

from collections.abc import Callable
from html import escape
from pathlib import Path
from typing import Any

from dash import Dash
from flask import request

from shadowtime.dashboard.access import visitors
from shadowtime.dashboard.bundles import BOOT, PAGES, VIEWER, Bundles
from shadowtime.dashboard.sharing import urls
from shadowtime.dashboard.sharing.previews import SITE, Preview, tags


class Site(Dash):
    """Dash, with our browser code in bundles, previews in the head, and schedules that are drawn before it starts."""

    preview: Callable[[], Preview | None] = staticmethod(lambda: None)
    first_view: Callable[[], str] = staticmethod(lambda: "")
    exists: Callable[[], bool] = staticmethod(lambda: True)
    bundles: Bundles

    def __init__(self, *given: Any, **settings: Any):
        super().__init__(*given, **settings)
        self.bundles = Bundles(Path(self.config.assets_folder))

    def index(self, *given: Any, **named: Any) -> Any:
        """The page of an address; 404 where there is none."""
        html = super().index(*given, **named)
        return html if self.exists() else (html, 404)

    def interpolate_index(
        self,
        metas: str = "",
        title: str = "",
        css: str = "",
        config: str = "",
        scripts: str = "",
        app_entry: str = "",
        favicon: str = "",
        renderer: str = "",
    ) -> str:
        """The page as the server sends it."""
        found = self.preview()
        if found is not None:
            metas += tags(found, visitors.origin(), request.full_path.rstrip("?"))
            title = escape(f"{found.title} · {SITE}")
        metas, title = _without_gaps(metas), _without_gaps(title)
        css = f"{self.bundles.head()}\n{css}"
        first = _without_gaps(self.first_view())
        app_entry = f"{first}{self.bundles.script(VIEWER)}{app_entry}"
        scripts = f"{scripts}{self.bundles.script(PAGES)}"
        if first:
            scripts = f'<template id="dash">{scripts}{renderer}</template>{self.bundles.script(BOOT)}'
            renderer = ""
        html = super().interpolate_index(metas, title, css, config, scripts, app_entry, favicon, renderer)
        return _for_role(html)


def _without_gaps(html: str) -> str:
    """What Dash would fill in, as text: a name may be `{%scripts%}`."""
    return html.replace("{%", "{&#37;")


def _for_role(html: str) -> str:
    """The style sheet leaves out what the visitor may not do; in a frame of another site, all that writes."""
    if urls.is_embedded(request.path, request.query_string.decode("ascii", "replace")):
        return html.replace("<html ", '<html data-role="viewer" data-embed ', 1)
    role = visitors.here().role
    return html.replace("<html ", f'<html data-role="{role}" ', 1)
