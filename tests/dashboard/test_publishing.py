"""Files for authors: figures for print, tables, the reference, the methods, and illustrations."""

from __future__ import annotations

import csv
import io
import re
from xml.etree import ElementTree

import pytest

from shadowtime.dashboard.figures.drawing import AGAINST, DOTS, FORMATS, Drawing, Line, Panel
from shadowtime.dashboard.figures.publication import publish
from shadowtime.dashboard.figures.sketch import COLOURS, Block, Box, BoxSketch, GraphSketch, ScheduleSketch
from shadowtime.dashboard.papers import PAGES
from shadowtime.dashboard.papers.publishing import makers, table_csv, table_latex
from shadowtime.workers.papers.kept import shipped
from tests.whole import whole_or

TABLE = {
    "title": "Gain & loss_1",
    "unit": "%",
    "columns": ["A", "B"],
    "rows": [("load 0.5", [1.5, None]), ("load 0.9", [1234.5, 2.0])],
    "low": [[1.0, None], [1000.0, 1.0]],
    "high": [[2.0, None], [1500.0, 3.0]],
}
LINE = Line("ours", [1.0, 20.0], [0.5, 10.0], [2.0, 30.0])
DRAWINGS = [
    Drawing("Lines", [Panel("p", ["1", "2"], [LINE], [5.0])], "seconds; mean", axis="load", is_log=True),
    Drawing("Dots", [Panel("p", ["a", "b"], [Line("ours", [1.0, None])], [2.0, 3.0])], kind=DOTS),
    Drawing("Alone", [Panel("p", ["a", "b"], [Line("ours", [1.0, None])])], kind=DOTS),
    Drawing("Both", [Panel("p", ["a", "b"], [Line("ours", [1.0, 4.0])], [2.0, 3.0])], kind=AGAINST),
]


@pytest.mark.parametrize("drawing", DRAWINGS, ids=lambda drawing: drawing.title)
@pytest.mark.parametrize("form", FORMATS)
def test_a_figure_is_the_same_file_each_time_with_its_fonts_inside(drawing, form):
    made = publish(drawing, form)

    assert made == publish(drawing, form)
    if form == "pdf":
        assert made.startswith(b"%PDF") and b"/FontFile2" in made and b"DejaVuSans" in made
    else:
        root = ElementTree.fromstring(made)
        assert not list(root.iter("{http://www.w3.org/2000/svg}text")), "letters are outlines"


def test_one_panel_is_as_wide_as_a_column_and_more_as_both():
    wide = Drawing("Two", [*DRAWINGS[0].panels, *DRAWINGS[0].panels])
    roots = [ElementTree.fromstring(publish(drawing, "svg")) for drawing in (DRAWINGS[0], wide)]
    widths = [float(root.get("width").removesuffix("pt")) for root in roots]

    assert widths == [pytest.approx(3.35 * 72), pytest.approx(7.0 * 72)]


def test_a_table_as_csv_has_the_ends_of_its_intervals():
    rows = list(csv.reader(io.StringIO(table_csv(TABLE))))

    assert rows[0] == ["", "A", "A, low", "A, high", "B", "B, low", "B, high"]
    assert rows[1] == ["load 0.5", "1.5", "1.0", "2.0", "", "", ""]


def test_a_table_as_latex_is_escaped():
    text = table_latex(TABLE)

    assert r"\caption{Gain \& loss\_1, in \%}" in text and r"load 0.5 & 1.50 & -- \\" in text
    assert text.count(r"\toprule") == text.count(r"\bottomrule") == 1


@pytest.mark.parametrize("name", PAGES)
def test_every_paper_has_files_for_authors(name):
    result = shipped(name, "full") or shipped(name, "quick")
    made = makers(PAGES[name], result, PAGES[name].drawings(result["studies"]))

    assert result["engine_version"] in made["methods.txt"]().decode()
    assert all(content() for file, content in made.items() if file.endswith((".csv", ".tex", ".bib")))
    assert len([file for file in made if file.endswith(".pdf")]) == len(PAGES[name].drawings(result["studies"]))


@pytest.mark.parametrize(("scale", "form"), [("quick", ".svg"), ("full", ".pdf")])
@pytest.mark.parametrize("name", PAGES)
def test_every_figure_of_every_paper_is_a_file(name, scale, form):
    """Half of the figures at one scale and the others at the other one; all at both in `make soak`."""
    result = shipped(name, scale) or shipped(name, "quick")
    made = makers(PAGES[name], result, PAGES[name].drawings(result["studies"]))
    begins = {".svg": b"<?xml", ".pdf": b"%PDF"}[form]

    drawn = [content for file, content in made.items() if file.endswith(form)]
    assert all(content().startswith(begins) for content in drawn[scale == "full" :: whole_or(1, 2)])


@pytest.mark.parametrize("theme", COLOURS)
def test_sketches_are_well_formed_and_show_their_labels(theme):
    schedule = ScheduleSketch(["node 1"], [Block(0, 0.0, 10.0, "J<1>"), Block(0, 10.0, 20.0, "J2", 1, 0.0, 0.5, True)])
    graph = GraphSketch([(0.0, 0.5, "a", 0), (1.0, 0.5, "b", 1)], [(0, 1, "3")])

    boxes = BoxSketch([Box(0, 0, "Site", ["a < b"]), Box(1, 1, "Job", [])], [(0, 1)])

    for sketch, labels in (
        (schedule, {"J<1>", "node 1"}),
        (graph, {"a", "b", "3"}),
        (boxes, {"Site", "a < b", "Job"}),
    ):
        texts = {one.text for one in ElementTree.fromstring(sketch.svg(theme)).iter("{http://www.w3.org/2000/svg}text")}
        assert labels <= texts


def test_an_arrow_between_boxes_goes_from_edge_to_edge():
    svg = BoxSketch([Box(0, 0, "a", []), Box(1, 0, "b", [])], [(0, 1)]).svg("light")
    boxes = [one.attrib for one in ElementTree.fromstring(svg).iter("{http://www.w3.org/2000/svg}rect")][1:]
    (line,) = re.findall(r'd="M([\d.]+) ([\d.]+)L([\d.]+) ([\d.]+)"', svg)
    start, _, end, _ = map(float, line)

    assert start == pytest.approx(float(boxes[0]["x"]) + float(boxes[0]["width"]), abs=0.2)
    assert end == pytest.approx(float(boxes[1]["x"]), abs=0.2)
