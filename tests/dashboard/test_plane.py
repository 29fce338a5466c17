"""The bi-criteria plane of a comparison: a point a run, where the jobs are moldable and the same."""

from __future__ import annotations

import numpy as np
import pytest

from shadowtime.dashboard.components import compare_plane
from shadowtime.dashboard.components.compare_view import compared
from shadowtime.dashboard.figures import plane
from shadowtime.dashboard.figures.lines import STYLES
from shadowtime.dashboard.sharing.urls import Comparison


@pytest.fixture
def both(lab, finish) -> tuple[str, str]:
    """Gang and Sequential on twelve moldable jobs."""
    workload = lab.store.workloads.generate("moldable", {"jobs": 12, "processors": 8}, 1)[0].id
    return finish(workload, "gang").id, finish(workload, "sequential").id


def test_each_run_stands_where_its_ratios_are(lab, both):
    found = compared(lab, Comparison(runs=both))
    gang, sequential = compare_plane.points(found)
    values, bounds = found.runs[0].figures()

    assert (gang.name, sequential.name) == ("Gang", "Sequential")
    assert gang.makespan == values["makespan"] / bounds["makespan"] >= 1
    assert gang.minsum == values["weighted_completion"] / bounds["weighted_completion"] >= 1
    assert len(compare_plane.content(found)) == 3


def test_a_run_has_its_place_once_it_has_ended(lab, both, ask):
    workload = lab.store.workloads.generate("moldable", {"jobs": 12, "processors": 8}, 1)[0].id
    found = compared(lab, Comparison(runs=(both[0], ask(workload, "list-saf").id)))

    assert [point.name for point in compare_plane.points(found)] == ["Gang"]


def test_rigid_jobs_have_no_plane(lab, four, finish):
    found = compared(lab, Comparison(runs=(finish(four, "fcfs").id, finish(four, "easy").id)))

    assert compare_plane.content(found) == []


def test_points_are_drawn_from_the_best_possible_on():
    points = [plane.Point("A", STYLES[0], 1.0, 10.0), plane.Point("B", STYLES[1], 100.0, 1.0)]
    drawn = plane.figure(points)

    assert [(one.x[0], one.y[0]) for one in drawn.data] == [(0.0, 1.0), (2.0, 0.0)]
    assert drawn.layout.xaxis.range[0] < 0 < 2 < drawn.layout.xaxis.range[1]
    assert drawn.layout.xaxis.ticktext[0] == "×1"


def test_names_of_near_points_do_not_cover_each_other():
    placed = plane.names_at(np.full(4, 0.3), np.array([0.5, 0.51, 0.5, 0.9]), [8] * 4)

    assert placed[3] == (0.9, False)
    assert len(set(placed)) == 4


def test_a_name_stands_on_the_side_that_has_room():
    placed = plane.names_at(np.array([0.1, 0.95]), np.array([0.5, 0.5]), [12, 12])

    assert placed == [(0.5, False), (0.5, True)]
