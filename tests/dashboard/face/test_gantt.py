"""The page of a schedule: small, whole, and refused where it would be too large."""

from __future__ import annotations

import html
import re

import pytest

import shadowtime as st
from shadowtime.dashboard.face import gantt
from shadowtime.dashboard.offline import code
from shadowtime.engine.errors import InvalidParameter

SCHEDULE = st.simulate(st.generate("lublin", {"jobs": 200, "load": 0.8}, seed=7), "easy")


def test_a_page_is_small_and_names_no_other_file():
    page = SCHEDULE.gantt().html
    around = re.sub(r'<script type="text/plain".*?</script>', "", page, flags=re.DOTALL)

    assert len(page) < 160_000
    assert not re.search(r"\b(src|href)=\"(?!https://shadowtime\.invalid/)", around)
    assert "url(" not in code.styles(gantt.STYLES, with_fonts=False).replace('url("data:', "")


def test_the_frame_holds_the_page_escaped():
    shown = SCHEDULE.gantt(height=400)
    source = re.search(r'srcdoc="([^"]*)"', shown._repr_html_())

    assert html.unescape(source[1]) == shown.html and "height: 400px" in shown._repr_html_()


def test_a_name_cannot_become_markup():
    named = SCHEDULE.workload.with_(name="</title><script>alert(1)</script>")

    assert "<script>alert" not in st.simulate(named, "easy").gantt().html


def test_too_many_rectangles_are_refused_and_a_window_is_taken(monkeypatch):
    monkeypatch.setattr(gantt, "MOST_RECTANGLES", 400)
    with pytest.raises(InvalidParameter, match="one page holds at most 400 of each: name a window by start and end"):
        SCHEDULE.gantt()
    with pytest.raises(InvalidParameter, match="has no length"):
        SCHEDULE.gantt(start=5.0, end=5.0)

    assert len(SCHEDULE.gantt(end=float(SCHEDULE.jobs["end"].max()) / 4).html) > 0
