"""The page of DEMT: its plane of two criteria, intervals of rows of dots, and its illustrations."""

from __future__ import annotations

import xml.etree.ElementTree as ET
from itertools import pairwise

import numpy as np
import pytest

from shadowtime.dashboard.figures import small_multiples
from shadowtime.dashboard.figures.drawing import DOTS, PLANE, Drawing, Line, Panel, front
from shadowtime.dashboard.figures.publication import publish
from shadowtime.dashboard.papers import demt, demt_pictures
from shadowtime.workers.papers.kept import shipped

NAMES = ["A", "B", "C", "D"]
MINE, OTHERS = Line("mine", [3.0, 2.0, None, None], style=0), Line("rivals", [None, None, 2.5, 4.0], style=2)
PANEL = Panel("Both", NAMES, [MINE, OTHERS], [1.1, 2.0, 2.0, 1.5], "makespan")
PLANES = Drawing("Both criteria", [PANEL], "minsum; mean", axis="makespan", kind=PLANE, is_log=True)


def test_the_front_is_what_no_other_beats_in_both_criteria():
    assert front(PANEL) == [(1.1, 3.0), (2.0, 2.0)]


def test_a_plane_names_its_points_and_holds_them_all():
    (figure,) = small_multiples.figures(PLANES)

    assert [note.text for note in figure.layout.annotations] == ["A", "B", "C", "D"]
    points = [(10 ** data.x[0], 10 ** data.y[0]) for data in figure.data if data.mode == "markers"]
    assert points == [pytest.approx(at) for at in ((1.1, 3.0), (2.0, 2.0), (2.0, 2.5), (1.5, 4.0))]
    for axis, least, most in ((figure.layout.xaxis, 1.1, 2.0), (figure.layout.yaxis, 2.0, 4.0)):
        assert 0 <= axis.range[0] < np.log10(least) and np.log10(most) < axis.range[1]
        assert len(axis.tickvals) >= 3 and axis.range[0] <= min(axis.tickvals) <= max(axis.tickvals) <= axis.range[1]


def test_a_plane_leaves_out_points_that_lack_a_criterion_and_whiskers_that_lack_an_end():
    line = Line("mine", [3.0, 2.0, 2.5], [2.5, 1.5, None], [3.5, 2.5, 3.0])
    panel = Panel("Both", NAMES[:3], [line], [1.1, None, 2.0], "makespan")
    (figure,) = small_multiples.figures(Drawing("Both criteria", [panel], kind=PLANE, is_log=True))

    assert [note.text for note in figure.layout.annotations] == ["A", "C"]
    assert len([data for data in figure.data if data.mode == "lines"]) == 2  # the front, and a whisker


@pytest.mark.parametrize("form", ["svg", "pdf"])
def test_a_plane_is_drawn_for_print(form):
    assert (
        publish(PLANES, form)
        == publish(PLANES, form)
        != publish(Drawing("Both criteria", [Panel("Both", NAMES, [MINE], PANEL.paper)], kind=PLANE, is_log=True), form)
    )


def test_rows_of_dots_show_intervals_and_one_level_for_all():
    line = Line("ours", [0.5, 2.0], [0.4, 1.5], [0.6, 3.0])
    drawing = Drawing("Ratios", [Panel("P", ["a", "b"], [line], [1.0], "equal")], kind=DOTS, is_log=True)
    (figure,) = small_multiples.figures(drawing)
    (whiskers,) = [data for data in figure.data if data.mode == "lines"]

    assert 10 ** np.array(whiskers.x, float) == pytest.approx([0.4, 0.6, np.nan, 1.5, 3.0, np.nan], nan_ok=True)
    assert whiskers.y == (0, 0, None, 1, 1, None)
    assert list(figure.data[1].x) == [0.0, 0.0]
    assert publish(drawing, "svg")


@pytest.mark.parametrize("picture", demt_pictures.ILLUSTRATIONS, ids=lambda one: one.key)
@pytest.mark.parametrize("theme", ["light", "dark"])
def test_illustrations_are_drawn_for_both_themes(picture, theme):
    assert ET.fromstring(picture.draw().svg(theme)).tag.endswith("svg")


def test_batches_of_the_picture_begin_where_its_marks_are():
    drawn = demt_pictures.batches()
    marks = [at for at, _ in drawn.marks]
    labels = {block.label for block in drawn.blocks} - {""}

    doublings = [np.log2(b / a) for a, b in pairwise(marks)]  # batches without a job are not drawn

    assert len(marks) >= 3 and doublings == pytest.approx(np.round(doublings)) and min(doublings) >= 1
    assert labels == {str(job) for job in range(1, demt_pictures.JOBS + 1)}
    assert max(block.end for block in demt_pictures.compacted().blocks) <= max(block.end for block in drawn.blocks)


def test_every_figure_of_the_paper_leads_to_a_drawing_or_an_illustration():
    studies = shipped("demt", "quick")["studies"]
    keys = {drawing.key for drawing in demt.PAGE.drawings(studies)} | {one.key for one in demt.PAGE.illustrations}

    for one in studies[0]["counterparts"]:
        assert one["ours"] and set(one["ours"]) <= keys, one["figure"]


def test_points_left_out_of_the_plane_are_named():
    (drawing,) = [one for one in demt.drawings(shipped("demt", "quick")["studies"]) if one.kind == PLANE]

    assert "Gang (weakly parallel)" in drawing.said
    assert all("Gang" not in panel.points for panel in drawing.panels if panel.title == "Weakly parallel")
    assert all({"DEMT", "DEMT by makespan", "DEMT by product"} <= set(panel.points) for panel in drawing.panels)
