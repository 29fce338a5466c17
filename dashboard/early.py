"""The page of a run as plain HTML: what is seen, and drawn on, while Dash starts.

The same components that Dash is about to show, written by the server into the page it sends. Nothing in it acts but
links and the schedules themselves (`assets/gantt/mount.js` moves these into the page when it is there). What
only a browser can draw is left out; its place stays.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from html import escape
from typing import Any

from dash.development.base_component import Component

from shadowtime.dashboard.components.frame import header
from shadowtime.dashboard.context import Shown
from shadowtime.dashboard.sharing import urls

DRAWN = ("run", "compare")
"""Pages with schedules."""
VOID = frozenset({"br", "hr", "img", "input", "meta", "col", "wbr"})
SILENT = frozenset({"Store", "Interval", "Location", "MenuDropdown", "Download"})
"""Components that show nothing until the visitor acts."""
UNSAID = frozenset({"children", "n_clicks", "disable_n_clicks", "refresh", "key"})
IDS = frozenset({"new-run", "viewer", "run-banner", "job-panel"})
"""Of places that styles and schedules know by name. All others are left out: code that finds them takes the page to be
there."""
NAMES = {"className": "class", "htmlFor": "for", "tabIndex": "tabindex", "colSpan": "colspan", "rowSpan": "rowspan"}
UNIT_LESS = frozenset({"opacity", "flex", "flexGrow", "fontWeight", "gridColumn", "gridRow", "lineHeight", "zIndex"})


def early(path: str, show: Callable[[], Shown]) -> str:
    """The page at a path, which `show` makes, with places for its schedules; empty where it has none."""
    if urls.place(path).page not in DRAWN:
        return ""
    body = html_of(show().children)
    if "st-viewer" not in body:
        return ""
    return f'<div id="early">{html_of(header())}<main class="st-page">{body}</main></div>'


def html_of(node: Any) -> str:
    """A component, or what stands in one, as HTML."""
    if node is None or isinstance(node, bool):
        return ""
    if isinstance(node, Component):
        return _component(node)
    if isinstance(node, Iterable) and not isinstance(node, str | bytes):
        return "".join(map(html_of, node))
    return escape(str(node))


def _component(node: Component) -> str:
    known = node.to_plotly_json()
    kind, props = known["type"], known["props"]
    inner = html_of(props.get("children"))
    if kind in SILENT:
        return ""
    if known["namespace"] == "dash_html_components":
        tag = kind.lower()
        attributes = "".join(_attributes(props))
        return f"<{tag}{attributes}>" if tag in VOID else f"<{tag}{attributes}>{inner}</{tag}>"
    if kind == "Link":
        return f"<a{''.join(_attributes(props))}>{inner}</a>"
    if kind in ("Menu", "MenuTarget", "MantineProvider", "Loading", "Tooltip"):
        return inner
    return f"<div{''.join(_attributes({'className': props.get('className', '')}))}></div>"


def _attributes(props: dict[str, Any]) -> Iterable[str]:
    for name, value in sorted(props.items()):
        if name in UNSAID or value is None or value is False or (name == "id" and value not in IDS):
            continue
        if name == "href" and not str(value).startswith(("/", "#", "http:", "https:")):
            continue
        if name == "style":
            value = _style(value)
        yield f" {NAMES.get(name, name.lower())}" + ("" if value is True else f'="{escape(str(value), quote=True)}"')


def _style(given: dict[str, Any]) -> str:
    return ";".join(f"{_kebab(name)}:{_length(name, value)}" for name, value in given.items() if value is not None)


def _kebab(name: str) -> str:
    return name if name.startswith("--") else re.sub(r"[A-Z]", lambda found: f"-{found[0].lower()}", name)


def _length(name: str, value: Any) -> str:
    plain = isinstance(value, int | float) and name not in UNIT_LESS and not name.startswith("--")
    return f"{value}px" if plain and value else str(value)
