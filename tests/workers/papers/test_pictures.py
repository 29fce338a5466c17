"""Figures of a study as SVG."""

from __future__ import annotations

import json
import math
import re
from xml.etree import ElementTree

import pytest

from shadowtime.workers.papers.pictures import _ticks, pictures
from shadowtime.workers.papers.report import Figure, Report

SVG = "{http://www.w3.org/2000/svg}"


def report(*figures: Figure) -> Report:
    return Report("pjs", "A title", "A source", "quick", [], [], list(figures), 1.0)


MIXED = [
    Figure(
        f"Time & share at {mix} (figures 7 to 9), <site>", "", ["high s", "low s", "high parallel %", "low"],
        [("rate 1", [10.0, 20.0, 70.0, 60.0]), ("rate 32", [90.0, math.nan, 30.0, 0.0])],
    )
    for mix in ("10/10/80", "50/25/25")
]  # fmt: skip


def test_mixes_are_panels_and_shares_a_picture_of_their_own():
    made = pictures(report(*MIXED))

    assert list(made) == [
        "pjs-time-share-figures-7-to-9-site.svg",
        "pjs-time-share-figures-7-to-9-site-high-parallel.svg",
    ]
    times, shares = (ElementTree.fromstring(text) for text in made.values())
    said = [text.text for text in times.iter(f"{SVG}text")]
    assert said[0] == "Time & share (figures 7 to 9), <site>, seconds"
    assert said.count("10/10/80") == said.count("50/25/25") == 1
    assert said.count("high") == said.count("low") == 2 and said.count("rate") == 2
    assert next(text.text for text in shares.iter(f"{SVG}text")).endswith("percent")


def test_a_value_that_nobody_has_leaves_a_gap_in_picture_and_json():
    text = pictures(report(*MIXED))["pjs-time-share-figures-7-to-9-site.svg"]
    circles = list(ElementTree.fromstring(text).iter(f"{SVG}circle"))

    assert "nan" not in text and len(circles) == 6
    said = json.loads(json.dumps(report(*MIXED).as_dict(), allow_nan=False))
    assert said["figures"][0]["rows"][1] == ["rate 32", [90.0, None, 30.0, 0.0]]


@pytest.mark.parametrize(("low", "high"), [(0.0, 0.13), (-12.3, 68.0), (0.0, 23040.0), (0.0, 0.0)])
def test_the_scale_is_round_and_holds_everything(low, high):
    ticks = _ticks(low, high)

    assert ticks[0] <= low and ticks[-1] >= high
    assert 3 <= len(ticks) <= 9


def test_points_that_are_no_numbers_stand_in_groups_that_no_line_crosses():
    rows = [("30 machines, equal", [1.0]), ("30 machines, steep", [2.0]), ("10 machines, equal", [3.0])]
    (text,) = pictures(Report("p", "", "", "quick", [], [], [Figure("Ratios", "", ["A"], rows)], 0.0)).values()
    (line,) = re.findall(r'class="l c0" d="([^"]+)"', text)

    assert line.count("M") == 2 and line.count("L") == 1
    assert text.count(">equal<") == 2 and text.count(">30 machines<") == text.count(">10 machines<") == 1
