"""GET /api/compare: the figures of the page, and one sentence for each way to ask it wrongly."""

from __future__ import annotations

import csv
import io

import pytest

from tests.dashboard.api.test_openapi import fits


@pytest.fixture(scope="module")
def pair(site, finished):
    other = site.ask(algorithm="fcfs").json["id"]
    site.finish(other)
    return other, finished


def test_runs_are_held_against_a_baseline(site, pair):
    fcfs, easy = pair
    answer = site.client.get(f"/api/compare?runs={fcfs},{easy}").json

    assert answer["baseline"] == fcfs and [one["name"] for one in answer["runs"]] == ["FCFS", "EASY"]
    assert answer["best"]["mean_flow"] == [easy]
    (against,) = answer["pairs"]
    assert (against["run"], against["sooner"], against["same"], against["later"]) == (easy, 1, 3, 0)
    assert against["gained"][0]["job_id"] == 4 and against["gained"][0]["difference"] == 3 - 110
    assert site.client.get(f"/api/compare?runs={fcfs},{easy}&baseline={easy}").json["pairs"][0]["later"] == 1


def test_a_run_is_not_the_best_by_the_jobs_that_it_rejects(site, pair):
    fcfs, _ = pair
    few = site.ask(platform={"processors": 8}).json["id"]
    site.finish(few)
    answer = site.client.get(f"/api/compare?runs={fcfs},{few}").json

    assert [one["ended"] for one in answer["runs"]] == [4, 3]
    assert answer["best"] == {"rejected": [fcfs]}


def test_the_answer_has_the_shape_that_is_described(site, pair):
    document = site.client.get("/api/openapi.json").json
    answer = site.client.get("/api/compare?runs=" + ",".join(pair)).json

    assert fits(answer, document["components"]["schemas"]["Compared"], document), answer


def test_jobs_stand_beside_each_other_as_csv(site, pair):
    answer = site.client.get("/api/compare/jobs.csv?runs=" + ",".join(pair))
    rows = list(csv.DictReader(io.StringIO(answer.text)))

    assert answer.content_type.startswith("text/csv")
    assert [float(row["difference"]) for row in rows] == [0, 0, 0, -107]
    assert (rows[3]["start_baseline"], rows[3]["start_run"]) == ("110.0", "3.0")


def test_jobs_beside_each_other_are_not_sent_again(site, pair):
    address = f"/api/compare/jobs.csv?runs={','.join(pair)}"
    first = site.client.get(address)
    again = site.client.get(address, headers={"If-None-Match": first.headers["ETag"]})
    other = site.client.get(
        f"{address}&baseline={pair[1]}&of={pair[0]}", headers={"If-None-Match": first.headers["ETag"]}
    )

    assert (again.status_code, again.data) == (304, b"")
    assert other.status_code == 200 and other.data != first.data


def test_different_jobs_are_refused_unless_they_are_aligned(site, pair):
    swf = "; MaxProcs: 10\n1 0 -1 5 6 -1 -1 6 100 -1 1 -1 -1 -1 -1 -1 -1 -1\n"
    strange = site.client.post(
        "/api/runs", json={"workload": site.upload(swf, "one.swf").json["id"], "algorithm": "easy"}
    ).json["id"]
    site.finish(strange)
    refused = site.client.get(f"/api/compare?runs={pair[0]},{strange}")
    aligned = site.client.get(f"/api/compare?runs={pair[0]},{strange}&align=id")

    assert refused.status_code == 409 and "These runs share no job." in refused.json["error"]
    assert aligned.json["pairs"][0]["jobs"] == 1


def test_an_id_of_several_jobs_aligns_nothing_and_that_is_said(site, pair):
    line = "{} 0 -1 5 6 -1 -1 6 100 -1 1 -1 -1 -1 -1 -1 -1 -1\n"
    swf = "; MaxProcs: 10\n" + "".join(map(line.format, (1, 3, 2, 3, 2, 3)))
    double = site.finished_run(workload=site.upload(swf, "double.swf").json["id"])
    for address in ("/api/compare", "/api/compare/jobs.csv", "/api/compare/report.html"):
        refused = site.client.get(f"{address}?runs={pair[0]},{double}&align=id")
        assert refused.status_code == 409
        assert f"Job id 3 of run {double} stands for 3 jobs" in refused.json["error"]


def test_only_finished_runs_are_exported(site, pair):
    queued = site.ask(algorithm="easy", parameters={"extra": "first"}).json["id"]
    answer = site.client.get(f"/api/compare/jobs.csv?runs={pair[0]},{queued}")

    assert answer.status_code == 409 and "only finished runs can be exported" in answer.json["error"]
    assert site.client.get(f"/api/compare?runs={pair[0]},{queued}").json["pairs"][0]["jobs"] == 0
