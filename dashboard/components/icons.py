"""Icons: the outlines of `assets/icons.svg` as masks (`.st-icon` in base.css), coloured as the text around them."""

from __future__ import annotations

from dash import html

from shadowtime.dashboard.components.attributes import attributes


def icon(name: str, size: int = 16, className: str = "") -> html.Span:
    """One icon; a word beside it, or the label of its button, names its meaning."""
    style = {} if size == 16 else {"width": size, "height": size}
    classes = f"st-icon st-icon-{name} {className}".strip()
    return html.Span(className=classes, style=style, **attributes({"aria-hidden": "true"}))
