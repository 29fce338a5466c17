"""Elements with several children: the class first (empty for none), then what stands inside."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, TypeVar

from dash import html
from dash.development.base_component import Component

Kind = TypeVar("Kind", bound=Component)


def of(kind: Callable[..., Kind]) -> Callable[..., Kind]:
    """Return what makes elements of a kind."""

    def make(name: str, *children: Any, **given: Any) -> Kind:
        classes = {"className": name} if name else {}
        return kind(list(children), **classes, **given)

    return make


def scrolled(name: str, heads: Sequence[Any], rows: Sequence[html.Tr]) -> html.Div:
    """Return a table below its heads, which scrolls where the page is too narrow for it; a text is a plain head."""
    cells = [html.Th(head, scope="col") if isinstance(head, str) else head for head in heads]
    return html.Div(table(name, html.Thead(html.Tr(cells)), html.Tbody(rows)), className="st-scroll")


def facts(*parts: Any) -> html.Div:
    """Return a line of short facts; the style sheet puts a dot between two that stand on the same line."""
    return div("st-factline", *(html.Span(part) if isinstance(part, str) else part for part in parts))


article = of(html.Article)
button = of(html.Button)
details = of(html.Details)
div = of(html.Div)
fieldset = of(html.Fieldset)
figure = of(html.Figure)
h3 = of(html.H3)
header = of(html.Header)
label = of(html.Label)
li = of(html.Li)
nav = of(html.Nav)
p = of(html.P)
section = of(html.Section)
span = of(html.Span)
table = of(html.Table)
td = of(html.Td)
th = of(html.Th)
tr = of(html.Tr)
