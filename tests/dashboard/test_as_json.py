"""Components as JSON: the same as Dash's own, on every page."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import dash_mantine_components as dmc
import pytest
from dash import html
from dash.development.base_component import Component
from plotly.utils import PlotlyJSONEncoder

from shadowtime.dashboard.components import as_json
from shadowtime.dashboard.components.gantt import Gantt
from tests.dashboard.reading import shown

PAGES = ("/", "/runs", "/runs/{one}", "/compare?runs={one},{two}", "/algorithms", "/algorithms/easy", "/experiments",
         "/experiments/new", "/papers", "/glossary", "/sites", "/nowhere")  # fmt: skip


def components(part: Any) -> Iterator[Component]:
    """All components of a part of a page, those in properties too."""
    if isinstance(part, Component):
        yield part
        part = as_json.OF_DASH(part)["props"]
    if isinstance(part, dict):
        part = list(part.values())
    for one in part if isinstance(part, list | tuple) else ():
        yield from components(one)


@pytest.mark.parametrize("address", PAGES)
def test_every_component_of_a_page_is_what_dash_makes_of_it(lab, four, finish, address):
    address = address.format(one=finish(four, "easy").id, two=finish(four, "fcfs").id)
    found = list(components(shown(lab, address)[0].children))

    assert found
    for one in found:
        assert written(as_json.to_plotly_json(one)) == written(as_json.OF_DASH(one))


def test_what_is_no_property_is_left_out_and_what_has_a_prefix_is_not():
    made = html.Div("text", id="a", **{"data-x": 1, "aria-label": "b"})
    made.other = 2
    later = html.Div(**{"data-y": 3})
    vars(later)["data-z"] = None

    assert as_json.to_plotly_json(made)["props"] == {"children": "text", "id": "a", "data-x": 1, "aria-label": "b"}
    assert as_json.to_plotly_json(later)["props"] == {"children": None, "data-y": 3, "data-z": None}


def test_a_shared_component_is_written_once_with_all_that_it_holds(monkeypatch):
    monkeypatch.setattr(Component, "to_plotly_json", as_json.to_plotly_json)
    inner = dmc.Checkbox(label=html.B("a"), id={"pick": "x"})
    made = as_json.shared(html.Div([html.Span(["b", inner]), None, 1.5]))
    before, own = written(made), written(as_json.OF_DASH(made))
    inner.label = "changed"

    assert before == own == written(made) != written(as_json.OF_DASH(made))


def test_a_schedule_has_its_properties_and_no_others():
    assert as_json.to_plotly_json(Gantt(run="a", group="b"))["props"] == {"run": "a", "group": "b"}
    with pytest.raises(TypeError, match="a schedule has no colur, when"):
        Gantt(run="a", when=1, colur="job")


def written(value: Any) -> str:
    """The JSON that is sent."""
    return json.dumps(value, cls=PlotlyJSONEncoder, sort_keys=True)
