"""Ratio plots: a panel a family, an average with its extremes."""

from __future__ import annotations

from xml.etree import ElementTree

from shadowtime.workers.papers.ratio_plots import ratio_plots
from shadowtime.workers.papers.report import Figure, Report

SVG = "{http://www.w3.org/2000/svg}"


def family(name: str, what: str) -> Figure:
    rows = [("n = 25", [2.0, 8.0]), ("n = 50", [2.2, 15.0])]
    return Figure(f"{name}: {what}, ratio of sums", "", ["A & B", "C"], rows, [[1.5, 7.0]] * 2, [[2.5, 20.0]] * 2)


def test_a_picture_a_criterion_and_a_panel_a_family():
    whats = ("makespan over the dual bound", "weighted completion over the program")
    figures = [family(name, what) for name in ("Weak", "High") for what in whats]
    plain = Figure("Something else", "", ["A"], [("n = 25", [1.0])])
    made = ratio_plots(Report("demt", "", "", "quick", [], [], [*figures, plain], 1.0))

    assert list(made) == ["demt-makespan-over-the-dual-bound.svg", "demt-weighted-completion-over-the-program.svg"]
    drawn = ElementTree.fromstring(made["demt-makespan-over-the-dual-bound.svg"])
    said = [text.text for text in drawn.iter(f"{SVG}text")]
    assert said.count("Weak") == said.count("High") == said.count("A & B") == 1
    assert said.count("n = 25") == 2
    paths = [path.get("class") for path in drawn.iter(f"{SVG}path")]
    assert paths.count("w c0") == 4 and paths.count("l c0") == 3  # one of the three is the legend's
    assert len(list(drawn.iter(f"{SVG}circle"))) == 8


def test_the_average_stands_between_the_extremes():
    text = ratio_plots(Report("demt", "", "", "quick", [], [], [family("Weak", "makespan")], 1.0))["demt-makespan.svg"]
    drawn = ElementTree.fromstring(text)
    first = next(path for path in drawn.iter(f"{SVG}path") if path.get("class") == "w c0")
    place, ends = first.get("d").removeprefix("M").split(" ")
    low, high = (float(value) for value in ends.split("V"))
    circle = next(drawn.iter(f"{SVG}circle"))

    assert circle.get("cx") == place
    assert high < float(circle.get("cy")) < low
