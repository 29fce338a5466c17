"""GET /api/runs/<id>/priority: a job of a small site, hand-checked against the tables of its run; each refusal."""

from __future__ import annotations

import numpy as np
import pytest

from shadowtime.dashboard.api.viewer_schemas import SCHEMAS
from shadowtime.dashboard.intake.priority import nodes_of
from shadowtime.engine.families.rigid.policies.slurm.history import FACTORS
from tests.dashboard.api.test_openapi import fits
from tests.dashboard.slurm_log import archive


@pytest.fixture(scope="module")
def workload(site) -> str:
    return site.upload(archive(), "site.tar").json["id"]


@pytest.fixture(scope="module")
def run(site, workload) -> str:
    return site.finished_run(workload=workload, algorithm="slurm")


@pytest.fixture(scope="module")
def jobs(site, run):
    return site.store.runs.get(run).table("jobs")


@pytest.fixture(scope="module")
def longest(jobs) -> int:
    """Row of the job that waited longest."""
    return int(np.argmax(jobs["start"] - jobs["release"]))


@pytest.fixture(scope="module")
def answer(site, run, jobs, longest):
    found = site.client.get(f"/api/runs/{run}/priority?job={jobs['job_id'][longest]}")
    assert found.status_code == 200
    return found.json


def test_factors_stand_over_the_wait(answer, jobs, longest):
    time, priority = np.array(answer["time"]), np.array(answer["priority"])

    assert answer["submit"] == jobs["release"][longest] and answer["start"] == jobs["start"][longest]
    assert time[0] == jobs["release"][longest] and (np.diff(time) > 0).all() and time[-1] < answer["start"]
    assert set(np.diff(time)[1:]) == {60.0}, "PriorityCalcPeriod"
    total = sum(np.array(answer[name]) for name in (*FACTORS, "other", "nice"))
    assert priority.tolist() == np.floor(total).tolist()
    age = np.array(answer["age"])
    assert age[0] == 0 and age[-1] == pytest.approx(1000 * (time[-1] - time[0]) / 10_800)


def test_the_answer_has_the_shape_that_is_described(answer):
    assert fits(answer, SCHEMAS["Priority"], {})
    assert answer.keys() <= SCHEMAS["Priority"]["properties"].keys()


def test_what_was_recorded_and_expected_is_there(answer, jobs, longest):
    known = [at for at in answer["expected"] if at is not None]

    assert answer["recorded_start"] > answer["submit"]
    assert known and min(known) >= answer["submit"]
    assert min(answer["before"]) >= 0 and answer["before"][-1] == 0, "it starts next"


def test_jobs_that_held_its_nodes(answer, site, run, jobs, longest):
    """Against a search through all rectangles, lane by lane; a node has two lanes."""
    segments = site.store.runs.get(run).table("segments")
    lanes = {
        row: {lane // 2 for s in np.flatnonzero(segments["job"] == row) for lane in
              range(segments["first"][s], segments["last"][s] + 1)}
        for row in range(len(jobs["job_id"]))
    }  # fmt: skip
    there = {
        int(jobs["job_id"][row]): float(jobs["end"][row])
        for row in lanes
        if row != longest and lanes[row] & lanes[longest]
        and jobs["end"][row] > answer["submit"] and jobs["start"][row] < answer["start"]
    }  # fmt: skip

    assert answer["nodes"] == [f"n{node + 1}" for node in sorted(lanes[longest])]
    assert {one["job"]: one["until"] for one in answer["held_by"]} == there
    assert answer["held_by_all"] == len(there) > 2
    until = [one["until"] for one in answer["held_by"]]
    assert until == sorted(until, reverse=True) and answer["held_by"][0]["user"] in ("ann", "bob", "eve")
    assert answer["held_by"][0]["account"] == "physics" and {one["at_submission"] for one in answer["held_by"]} == {
        True, False,
    }  # fmt: skip


def test_refusals(site, run, workload, finished, jobs):
    at_once = int(jobs["job_id"][np.argmin(jobs["start"] - jobs["release"])])
    queued = site.ask(workload=workload, algorithm="slurm", seed=3).json["id"]
    for path, status, says in (
        (f"{run}/priority?job=99", 404, "There is no job 99 in this run."),
        (f"{run}/priority?job=x", 400, "job = 'x', but it must be a whole number."),
        (f"{run}/priority", 400, "job = ''"),
        (f"{finished}/priority?job=1", 404, "this run has another algorithm"),
        (f"{queued}/priority?job=1", 409, "only finished runs have priorities"),
        ("0000000000000000/priority?job=1", 404, ""),
    ):
        found = site.client.get(f"/api/runs/{path}")
        assert found.status_code == status and says in found.json["error"], path
    if jobs["start"][jobs["job_id"] == at_once] == jobs["release"][jobs["job_id"] == at_once]:
        found = site.client.get(f"/api/runs/{run}/priority?job={at_once}")
        assert found.status_code == 400 and "did not wait" in found.json["error"]


def test_pairs_of_jobs_and_nodes():
    """Nodes of 2, 1 and 3 lanes: a rectangle over two nodes, and two on one."""
    segments = {"job": np.array([1, 0, 0]), "first": np.array([1, 3, 5]), "last": np.array([2, 3, 5])}
    job, node = nodes_of(segments, np.array([0, 2, 3, 6]))

    assert list(zip(job.tolist(), node.tolist(), strict=True)) == [(0, 2), (1, 0), (1, 1)]
