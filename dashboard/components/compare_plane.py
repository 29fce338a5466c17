"""Runs on one moldable workload by what they are for: makespan and weighted completion at the same time."""

from __future__ import annotations

from typing import Any

from dash import html

from shadowtime.dashboard.components.chart import as_table, chart, plain
from shadowtime.dashboard.components.compare_panels import line_styles
from shadowtime.dashboard.components.compare_view import Compared
from shadowtime.dashboard.components.results import ratio_of
from shadowtime.dashboard.components.run_panels import section_title
from shadowtime.dashboard.figures import plane
from shadowtime.dashboard.look import words
from shadowtime.engine.families.moldable.workload import KIND

HEIGHT = 300
TITLE = "Makespan and weighted completion"
NOTE = "at most × optimal, log axes; weighted completion upwards"


def points(found: Compared) -> list[plane.Point]:
    """The finished runs; none where the jobs are not the same moldable ones."""
    if found.asked.align or any(one.asked["kind"] != KIND for one in found.runs):
        return []
    chosen = line_styles(found)
    made = []
    for one in found.runs:
        figures = one.figures() if one.is_finished else ({}, {})
        makespan, minsum = (ratio_of(name, *figures) for name in ("makespan", "weighted_completion"))
        if makespan is not None and minsum is not None:
            made.append(plane.Point(found.name(one), chosen[one.run.id], makespan, minsum))
    return made


def panel(found: Compared) -> list[Any]:
    """The plane in a place of its own, which stays empty until a run has ended, and for jobs of other kinds."""
    return [html.Div(content(found), id="compare-plane-panel", className="st-plane")]


def content(found: Compared) -> list[Any]:
    """The plane of the runs that have ended by now."""
    made = points(found)
    if not made:
        return []
    rows = [(point.name, words.ratio(point.makespan), words.ratio(point.minsum)) for point in made]
    return [
        section_title(TITLE, NOTE, define="at_most"),
        chart("compare-plane", plain(plane.figure(made)), f"{TITLE}: a point a run", HEIGHT),
        as_table(["Run", "Makespan", "Weighted completion"], rows),
    ]
