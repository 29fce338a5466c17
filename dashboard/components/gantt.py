"""The schedule of a run as a component of Dash; `assets/pages/frame/gantt.js` is its half in the browser."""

from __future__ import annotations

from html import escape
from typing import Any

from dash.development.base_component import Component

TAG = "shadowtime-gantt"
"""The custom element that draws: `assets/gantt/element.js`."""


class Gantt(Component):
    """A run: overview, panes, areas and the scrub bar, all drawn in the browser.

    Parameters
    ----------
    run
        Id of the run.
    group
        Schedules of the same group share window, cursor and selection.
    view
        {"at", "from", "to"} [s]: cursor and window. Set by the browser at most four times a second; may be set.
    selected
        Id of the selected job. Set by the browser; may be set, which brings the job into the window.
    link
        "off" leaves the address bar alone.
    height
        Of the stage [CSS pixels]; else as much as the window leaves.
    parts
        What stands around the panes, of "overview bar axis titles areas scrub"; else all of it.
    colour
        The rule that colours follow at first; else "job".
    """

    _namespace = "schedule_components"
    _type = "Gantt"
    _prop_names: list[str] = ["id", "run", "group", "view", "selected", "link", "height", "parts", "colour"]
    _valid_wildcard_attributes: list[str] = []
    _base_nodes: list[str] = ["children"]
    _children_props: list[str] = []
    available_properties = _prop_names
    available_wildcard_properties: list[str] = []

    def __init__(self, **given: Any):
        super().__init__()
        if unknown := set(given) - set(self._prop_names):
            raise TypeError(f"a schedule has no {', '.join(sorted(unknown))}")
        vars(self).update(given)  # Dash's constructor would try to import the namespace for each of them


def written(run: str, **given: str) -> str:
    """The element as HTML: what is drawn before Dash has started, or without it."""
    attributes = "".join(f' {name}="{escape(value, quote=True)}"' for name, value in {"run": run, **given}.items())
    return f"<{TAG}{attributes}></{TAG}>"
