"""A run's own floor of the bounded stretch reaches the viewer, in every state of the run."""

from __future__ import annotations

import json

import numpy as np
import pytest

from shadowtime.dashboard.viewer.windows import Windows
from tests.conftest import three_with_tau


@pytest.fixture
def run_id(site):
    workload = site.upload(json.dumps(three_with_tau(100.0)), "three.json").json["id"]
    return site.ask(workload=workload, algorithm="easy").json["id"]


def test_the_view_carries_the_floor_before_and_after_the_end(site, run_id):
    before = site.client.get(f"/api/runs/{run_id}/view").json
    site.finish(run_id)
    after = site.client.get(f"/api/runs/{run_id}/view").json
    summary = site.client.get(f"/api/runs/{run_id}").json["summary"]

    assert before["tau"] == after["tau"] == summary["tau"] == 100.0
    assert summary["metrics"]["max_bounded_stretch"] == 1.0


@pytest.mark.parametrize(("tau", "classes"), [(100.0, [0, 0, 0]), (10.0, [0, 1, 1])])
def test_windows_colour_by_the_stretch_of_the_run(tau, classes):
    jobs = {"release": np.zeros(3), "runtime": np.full(3, 10.0), "end": np.array([10.0, 20.0, 30.0])}
    windows = Windows(jobs, {}, {}, {}, 1, (0.0, 30.0), tau)

    assert windows.classes("stretch", (1.5, 100.0)).tolist() == classes
