"""The illustrations of fractional scheduling are what the engine computes on their jobs."""

from __future__ import annotations

from xml.etree import ElementTree

import numpy as np
import pytest

from shadowtime.dashboard.papers import dfrs_pictures as pictures
from shadowtime.engine import Workload, simulate
from shadowtime.engine.workload.job import job_table


def schedule(jobs, nodes, slug):
    release, tasks, need, memory, runtime = (np.array(column) for column in zip(*jobs, strict=True))
    table = job_table(release, runtime, tasks, cpu_need=need, memory=memory)
    return simulate(Workload("fractional", "drawn", table, machine={"nodes": nodes}), slug)


@pytest.mark.parametrize(
    ("jobs", "nodes", "slug", "drawn"),
    [
        (pictures.SHARING, 2, "easy", pictures.EASY_SHARING),
        (pictures.SHARING, 2, "greedypm*/opt=min", pictures.GREEDY_SHARING),
        (pictures.PAUSING, 1, "greedyp*/opt=min", pictures.PAUSED),
    ],
)
def test_the_schedules_are_those_of_the_engine(jobs, nodes, slug, drawn):
    found = schedule(jobs, nodes, slug).segments
    names = ("job", "first", "last", "start", "end", "share", "kind")
    rows = sorted(zip(*(found[name].tolist() for name in names), strict=True), key=lambda row: (row[3], row[0]))

    assert rows == [pytest.approx(row) for row in drawn]


def test_demand_and_useful_cpu_are_those_of_the_engine():
    series = schedule(pictures.PAUSING, 1, "greedyp*/opt=min").series

    assert series["time"].tolist() == list(pictures.IDLE_TIMES)
    assert series["demand"].tolist()[:-1] == list(pictures.DEMAND)
    assert series["utilization"].tolist()[:-1] == list(pictures.USEFUL)


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("one", pictures.ILLUSTRATIONS, ids=lambda one: one.key)
def test_each_illustration_is_a_picture(one, theme):
    root = ElementTree.fromstring(one.draw().svg(theme))

    assert root.tag.endswith("svg") and len(list(root.iter())) > 8
