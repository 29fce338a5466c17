"""Illustrations of the MEASY paper show what the algorithms here do on its small examples."""

from __future__ import annotations

import pytest

from shadowtime.dashboard.papers import PAGES
from shadowtime.dashboard.papers.measy_sketches import EDGE, ILLUSTRATIONS, drawn
from shadowtime.workers.papers.measy_examples import FIGURE_1, FIGURE_5, FOUR_WAYS, run


def test_blocks_are_the_segments_of_the_schedule():
    sketch = drawn(FIGURE_1, ["keasy"])
    segments = run(FIGURE_1, "keasy").segments
    area = sum(block.end - block.start for block in sketch.blocks if block.hatched)
    behind = segments["tier"] == 1
    lanes = segments["last"] - segments["first"] + 1

    assert sketch.lanes == ["P1", "P2", "P3", "P4", "P5"]
    assert area == pytest.approx(((segments["end"] - segments["start"]) * lanes)[behind].sum())
    assert {(block.lane, block.start, block.end) for block in sketch.blocks if block.label.endswith("killed")} == {
        (3, 0.0, 5.0), (4, 5.0, 11.0),
    }  # fmt: skip
    assert {(block.low, block.high) for block in sketch.blocks} == {(0.0, EDGE), (EDGE, 1.0)}


def test_algorithms_stand_below_each_other():
    sketch = drawn(FOUR_WAYS, ["easy", "measy"])

    assert sketch.lanes == ["EASY 1", "EASY 2", "EASY 3", "", "MEASY 1", "MEASY 2", "MEASY 3"]
    assert {block.lane for block in sketch.blocks} == {0, 1, 2, 4, 5, 6}
    assert [block.lane for block in sketch.blocks if block.label == "4 moves"] == [4, 5]


def test_the_reservation_is_marked():
    assert drawn(FIGURE_5, ["reasy"], 2).marks == [(10.0, "reserved for job 3")]


def test_figures_1_to_5_are_drawn_in_both_themes():
    figures = [one.figure for one in ILLUSTRATIONS if one.figure]

    assert figures == ["Figure 1(a)", "Figure 1(b)", *(f"Figure {number}" for number in range(2, 6))]
    assert PAGES["measy"].illustrations == ILLUSTRATIONS
    for one in ILLUSTRATIONS:
        assert all(one.draw().svg(theme).startswith("<svg") for theme in ("light", "dark"))
