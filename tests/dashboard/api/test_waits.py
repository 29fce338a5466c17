"""GET /api/waits and /api/runs/<id>/busy: the shape that is described, and a sentence for each wrong question."""

from __future__ import annotations

import csv
import io

import pytest

from tests.dashboard.api.test_openapi import fits
from tests.dashboard.waits_log import log_of_slurm


@pytest.fixture(scope="module")
def pair(site):
    workload = site.upload(log_of_slurm(), "jobs.txt").json["id"]
    runs = []
    for name in ("easy", "fcfs"):
        question = {"workload": workload, "algorithm": name, "platform": {"processors": 16}}
        runs.append(site.client.post("/api/runs", json=question).json["id"])
        site.finish(runs[-1])
    return runs


@pytest.mark.parametrize("by", ["user", "account", "partition", "size", "hour", "weekday"])
def test_the_answer_has_the_shape_that_is_described(site, pair, by):
    document = site.client.get("/api/openapi.json").json
    for runs in (pair[:1], pair):
        answer = site.client.get(f"/api/waits?runs={','.join(runs)}&by={by}").json
        assert fits(answer, document["components"]["schemas"]["Waits"], document), answer
        assert [one["id"] for one in answer["runs"]] == runs and answer["by"] == by
        assert sum(group["jobs"] for group in answer["groups"]) == 60
        assert sum(group["share"] for group in answer["groups"]) == pytest.approx(1)


def test_groups_of_little_work_are_summed_up(site, pair):
    answer = site.client.get(f"/api/waits?runs={pair[0]}&by=user&most=2").json

    assert [group["group"] for group in answer["groups"]][2:] == ["31 others"]
    assert sum(group["waits"]["simulated"]["jobs"] for group in answer["groups"]) == 60


def test_csv_has_no_formula_and_is_that_of_the_json(site, pair):
    answer = site.client.get(f"/api/waits.csv?runs={pair[0]}&by=user")
    rows = list(csv.DictReader(io.StringIO(answer.text)))
    known = site.client.get(f"/api/waits?runs={pair[0]}&by=user").json["groups"]

    assert answer.content_type.startswith("text/csv")
    assert f"{pair[0]}-waits-by-user.csv" in answer.headers["Content-Disposition"]
    assert "'=1+1" in [row["user"] for row in rows]
    assert [float(row["mean_simulated"]) for row in rows] == [one["waits"]["simulated"]["mean"] for one in known]


@pytest.mark.parametrize("of", ["recorded", "simulated"])
def test_maps_have_the_shape_that_is_described(site, pair, of):
    document = site.client.get("/api/openapi.json").json
    answer = site.client.get(f"/api/runs/{pair[0]}/busy?of={of}").json

    assert fits(answer, document["components"]["schemas"]["Busy"], document), answer
    assert len(answer["hours"]) == 24 and len(answer["stops"]) == 1


@pytest.mark.parametrize(
    ("path", "status", "sentence"),
    [
        ("/api/waits", 400, "runs must name 1 to 6 different runs, but it names 0."),
        ("/api/waits?runs=no", 400, "'no', which is no id of a run"),
        ("/api/waits?runs={0}&by=", 400, "by = '', but it must be one of user"),
        ("/api/waits?runs={0}&by=moon", 400, "by = 'moon', but it must be one of user"),
        ("/api/waits?runs={0}&most=few", 400, "most = 'few', but it must be a whole number"),
        ("/api/waits?runs=0000000000000000", 404, "no run '0000000000000000' is known here"),
        ("/api/waits?runs={0},{2}", 409, "These runs share no job."),
        ("/api/waits?runs={2}&by=user", 400, "These jobs have no user; known: size."),
        ("/api/waits?runs={3}", 409, "only finished runs have waits"),
        ("/api/runs/{0}/busy?of=moon", 400, "of = 'moon', but it must be simulated or recorded."),
        ("/api/runs/{2}/busy?of=recorded", 400, "no recorded starts"),
        ("/api/runs/{3}/busy", 409, "only finished runs have waits"),
        ("/api/compare", 400, "runs must name 2 to 6 different runs, but it names 0."),
        ("/api/compare?runs={0}", 400, "it names 1"),
        ("/api/compare?runs={0},{0}", 400, "it names 1"),
        ("/api/compare?runs={0},no", 400, "'no', which is no id of a run"),
        ("/api/compare?runs={0},{1}&baseline=0000000000000000", 400, "it must be one of the runs"),
        ("/api/compare?runs={0},{1}&of={0}", 400, "another run than the baseline"),
        ("/api/compare?runs={0},{1}&align=rows", 400, "it must be id or left out"),
        ("/api/compare?runs={0},0000000000000000", 404, "no run '0000000000000000' is known here"),
        ("/api/runs/{0}/export?", 400, "format must be given"),
        ("/api/runs/{0}/export?format=xlsx", 400, "known: csv, parquet, perfetto"),
        ("/api/runs/{0}/export?format=csv&table=users", 400, "known: jobs, segments, events, series"),
        ("/api/runs/{0}/export?format=perfetto&from=now", 400, "must be a number of seconds"),
        ("/api/runs/{0}/export?format=perfetto&from=2&to=1", 400, "must be before"),
        ("/api/runs/{0}/export?format=csv&from=1", 400, "a window is for perfetto"),
        ("/api/runs/0000000000000000/export?format=csv", 404, "no run '0000000000000000' is known here"),
    ],
)
def test_wrong_questions_get_a_sentence(site, pair, finished, path, status, sentence):
    queued = site.ask(algorithm="easy", parameters={"extra": "first"}).json["id"]
    answer = site.client.get(path.format(*pair, finished, queued))

    assert (answer.status_code, sentence in answer.json["error"]) == (status, True), answer.json
