"""What a job of a moldable run would take on other numbers of processors."""

from __future__ import annotations

import json

import pytest

from shadowtime.dashboard.api.viewer_schemas import SCHEMAS
from shadowtime.dashboard.viewer.curves import MOST_POINTS, curve
from shadowtime.engine.families.moldable.workload import read
from tests.dashboard.api.test_openapi import fits

TWO = {"schema": "golden-demt-1", "m": 4, "p": [[8, 5, 4, 4], [3, 2]], "w": [1, 2.5], "ids": [7, 9]}


@pytest.fixture
def run(site) -> str:
    workload = site.upload(json.dumps(TWO), "two.json").json["id"]
    return site.ask(workload=workload, algorithm="gang").json["id"]


def test_the_time_of_a_job_by_its_allotment(site, run):
    path = f"/api/runs/{run}/allotments"

    assert site.client.get(f"{path}?job=7").json == {"job": 7, "processors": [1, 2, 3, 4], "times": [8, 5, 4, 4]}
    assert site.client.get(f"{path}?job=9").json["times"] == [3, 2, 2, 2]
    assert fits(site.client.get(f"{path}?job=7").json, SCHEMAS["Allotments"], {})


@pytest.mark.parametrize(("asked", "status"), [("job=8", 404), ("job=x", 400), ("", 400)])
def test_only_of_jobs_that_there_are(site, run, asked, status):
    assert site.client.get(f"/api/runs/{run}/allotments?{asked}").status_code == status


def test_rigid_jobs_have_no_choice(site, finished):
    answer = site.client.get(f"/api/runs/{finished}/allotments?job=1")

    assert answer.status_code == 404
    assert "one size" in answer.json["error"]


def test_of_a_wide_machine_some_allotments_stand_for_all():
    found = curve(read({**TWO, "m": 100_000}), 100_000, 0)

    assert len(found["processors"]) <= MOST_POINTS
    assert (found["processors"][0], found["processors"][-1]) == (1, 100_000)
    assert found["times"][:4] == [8, 5, 4, 4]
