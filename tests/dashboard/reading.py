"""What a person would read on a page, out of its components."""

from __future__ import annotations

import json
from collections.abc import Iterator
from types import SimpleNamespace
from typing import Any

from dash.development.base_component import Component

from shadowtime.dashboard.app import page


def texts(thing: Any) -> Iterator[str]:
    """Every text that a component shows, its own properties left out."""
    if isinstance(thing, str):
        yield thing
    elif isinstance(thing, list | tuple):
        for part in thing:
            yield from texts(part)
    elif isinstance(thing, Component):
        yield from texts(getattr(thing, "label", None))
        yield from texts(getattr(thing, "children", None))
        yield from texts(json.loads(getattr(thing, "data-tables", "[]")))  # built when they are opened
    elif is_written(thing):
        yield from texts(thing["props"].get("label"))
        yield from texts(thing["props"].get("children"))


def is_written(thing: Any) -> bool:
    """Whether it is a component as the JSON that a browser gets."""
    return isinstance(thing, dict) and "props" in thing


def said(thing: Any) -> str:
    return " ".join(" ".join(texts(thing)).split())


def parts(thing: Any) -> Iterator[Any]:
    """Every component inside, of one that is written its properties."""
    if isinstance(thing, list | tuple):
        for part in thing:
            yield from parts(part)
    elif isinstance(thing, Component):
        yield thing
        yield from parts(getattr(thing, "children", None))
    elif is_written(thing):
        yield SimpleNamespace(**thing["props"])
        yield from parts(thing["props"].get("children"))


def found(thing: Any, identity: Any) -> Any:
    """The component of that id."""
    return next(part for part in parts(thing) if getattr(part, "id", None) == identity)


def shown(lab, address: str):
    path, _, query = address.partition("?")
    result, name = page(lab, path, query)
    json.dumps(result.children, default=lambda part: part.to_plotly_json())
    return result, result.page or name
