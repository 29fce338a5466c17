"""A map of ratios: shades, texts, and the same on a page and in a file for print."""

from __future__ import annotations

import json

import pytest

from shadowtime.dashboard.figures import heat, small_multiples
from shadowtime.dashboard.figures.drawing import HEAT, Drawing, Line, Panel
from shadowtime.dashboard.figures.publication import publish

PANEL = Panel("Some", ["FCFS", "EASY"], [Line("KTH", [10.0, 1.0]), Line("CTC", [0.5, None])])


def test_a_shade_is_the_logarithm_of_the_ratio_within_its_limit():
    assert heat.shade(1.0) == 0.0 and heat.shade(heat.MOST) == 1.0
    assert heat.shade(1.0 / heat.MOST) == pytest.approx(-1.0) and heat.shade(0.5) == pytest.approx(-0.5)
    assert heat.shade(1e9) == 1.0 and heat.shade(None) is heat.shade(0.0) is None


def test_rows_are_points_and_columns_lines():
    (figure,) = small_multiples.figures(Drawing("Map", [PANEL], kind=HEAT))
    cells, texts = figure.data

    assert [list(row) for row in cells.z] == [[1.0, pytest.approx(-0.5)], [0.0, None]]
    assert list(texts.text) == ["10.0", "1.00", "0.50", ""]
    assert list(figure.layout.yaxis.ticktext) == ["FCFS", "EASY"] and json.loads(figure.to_json())


def test_a_map_is_as_high_as_its_rows():
    longer = Panel("More", ["a"] * 20, [Line("KTH", [1.0] * 20)])

    assert small_multiples.height(Drawing("Map", [PANEL, longer], kind=HEAT)) == heat.height(longer)


def test_a_map_is_printed():
    drawing = Drawing("Map", [PANEL], kind=HEAT)

    assert publish(drawing, "svg") == publish(drawing, "svg") and publish(drawing, "pdf").startswith(b"%PDF")
