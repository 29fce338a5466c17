"""Sweeps by HTTP: asked, followed, looked at, taken elsewhere."""

from __future__ import annotations

import csv
import io
import json

import pytest

from shadowtime.workers.sweeps.batch import Piece
from shadowtime.workers.sweeps.feed import Feed
from tests.dashboard.api.test_openapi import fits
from tests.workers.sweeps.samples import execute

QUESTION = {
    "name": "small",
    "workloads": ["uniform:jobs=20"],
    "seeds": [1, 2, 3, 4, 5, 6],
    "loads": [0.5, 0.9],
    "algorithms": ["easy", "fcfs"],
    "variants": [{"algorithm": "easy", "parameters": {"extra": ["first"]}}],
}


def ask(site, **values):
    return site.client.post("/api/sweeps", json={**QUESTION, **values})


def work(site, sweep_id, most=10_000):
    """What workers do, without any."""
    here = site.server.extensions["shadowtime"]
    sweep = site.store.sweeps.get(sweep_id)
    for batch in range(min(most, -(-len(sweep.spec) // sweep.status.batch))):
        execute(Piece(sweep.digest, batch), here.settings, site.store)


@pytest.fixture(scope="module")
def swept(site):
    """Id of a sweep that is through."""
    sweep_id = ask(site).json["id"]
    work(site, sweep_id)
    feed = Feed(site.store, None)
    feed._due_batches(site.store.sweeps.get(sweep_id))
    return sweep_id


@pytest.fixture(scope="module")
def document(site):
    return site.client.get("/api/openapi.json").json


def test_a_sweep_is_accepted_and_found_again(site):
    first, again = ask(site, seeds=[7]), ask(site, seeds=[7], name="another name")

    assert (first.status_code, again.status_code) == (202, 200)
    assert (
        first.json == again.json == {"id": first.json["id"], "url": f"/experiments/{first.json['id']}", "runs_total": 6}
    )
    assert len(first.json["id"]) == 16


def test_toml_and_json_ask_the_same(site):
    toml = """
        workloads = ["uniform:jobs=20"]
        seeds = [7]
        loads = [0.5, 0.9]
        algorithms = ["easy", "fcfs"]
        [[variants]]
        algorithm = "easy"
        parameters = { extra = "first" }
    """
    answer = site.client.post("/api/sweeps", data=toml, content_type="application/toml")

    assert answer.json["id"] == ask(site, seeds=[7]).json["id"]


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        ({"workloads": ["nothing"]}, "workloads[0]: there is no workload 'nothing' here"),
        ({"algorithms": ["eazy"]}, "unknown algorithm 'eazy'; known: "),
        ({"speed": 1}, "unknown key 'speed'; known: name, workloads"),
        ({"seeds": list(range(20_000)), "loads": [0.5, 0.6]}, "has 120,000 runs; 100,000 is the most here"),
    ],
)
def test_a_wrong_sweep_is_one_sentence(site, change, sentence):
    answer = ask(site, **change)

    assert answer.status_code == 400 and sentence in answer.json["error"]


def test_a_workload_that_is_not_stored_is_not_found(site):
    assert ask(site, workloads=["0" * 16]).status_code == 404


def test_what_is_no_toml_is_one_sentence(site):
    answer = site.client.post("/api/sweeps", data="workloads = [", content_type="application/toml")

    assert answer.status_code == 400 and answer.json["error"].startswith("the sweep is not TOML: ")


def test_before_it_is_asked_it_says_what_it_would_be(site, document):
    reply = site.client.post("/api/sweeps/preview", json={**QUESTION, "seeds": [90, 91]}).json

    assert (reply["runs_total"], reply["points_total"], reply["status"]) == (12, 6, None)
    assert reply["seconds"] > 0 and "seeds = [90, 91]" in reply["toml"]
    assert site.client.get(f"/api/sweeps/{reply['id']}").status_code == 404
    assert fits(reply, document["components"]["schemas"]["SweepPreview"], document)


def test_a_sweep_says_how_it_stands_while_it_goes_on(site):
    sweep_id = ask(site, seeds=list(range(40))).json["id"]
    before = site.client.get(f"/api/sweeps/{sweep_id}").json
    work(site, sweep_id, most=2)
    reply = site.client.get(f"/api/sweeps/{sweep_id}?metrics=mean_flow").json

    assert (before["status"], before["progress"]["fraction"]) == ("running", 0.0)
    assert before["points"][0]["metrics"] == {} and before["points"][0]["pending"] == 40
    assert 0 < reply["finished"] < reply["runs_total"] == 240
    assert reply["progress"]["fraction"] == pytest.approx(reply["finished"] / 240)
    assert reply["progress"]["seconds_left"] > 0
    assert list(reply["points"][0]["metrics"]) == ["mean_flow"]
    assert reply["points"][0]["n"] + reply["points"][0]["pending"] == 40


@pytest.mark.parametrize(
    ("path", "schema"),
    [
        ("", "SweepInFull"),
        ("/pairs?metric=mean_flow&a=0&b=fcfs", "SweepPairs"),
        ("/ranking?metric=mean_flow", "SweepRanking"),
        ("/precision?metric=mean_flow", "SweepPrecision"),
    ],
)
def test_answers_have_the_shape_that_is_described(site, swept, document, path, schema):
    answer = site.client.get(f"/api/sweeps/{swept}{path}")

    assert answer.status_code == 200, answer.json
    assert fits(answer.json, document["components"]["schemas"][schema], document), answer.json


def test_what_is_wrong_is_said_where_no_points_are_asked_for_too(site, swept):
    for wrong in ("points=0&level=null", "points=0&metrics=nothing", "points=null"):
        assert site.client.get(f"/api/sweeps/{swept}?{wrong}").status_code == 400


def test_points_have_samples_and_intervals(site, swept):
    reply = site.client.get(f"/api/sweeps/{swept}/points?metrics=mean_flow&level=0.9").json
    point = reply["points"][0]

    assert (len(reply["points"]), point["n"], point["warnings"]) == (6, 6, [])
    assert point["metrics"]["mean_flow"]["low"] < point["metrics"]["mean_flow"]["mean"]
    assert point["metrics"]["mean_flow"]["mean_of_ratios"] >= 1
    assert point["place"] == {"workload": 0, "load": 0, "variant": 0}


def test_runs_are_paged_and_lead_to_their_pages(site, swept):
    first = site.client.get(f"/api/sweeps/{swept}/runs?limit=20").json
    rest = site.client.get(f"/api/sweeps/{swept}/runs?limit=20&after={first['next']}").json
    of_point = site.client.get(f"/api/sweeps/{swept}/runs?load=1&variant=2&status=finished").json
    run = first["runs"][0]

    assert (len(first["runs"]), len(rest["runs"]), rest["next"], first["total"]) == (20, 16, None, 36)
    assert {(row["load"], row["parameters"]["extra"]) for row in of_point["runs"]} == {(0.9, "first")}
    assert of_point["total"] == 6
    assert run["url"] == f"/runs/{run['run']}"
    assert site.client.get(f"/api/runs/{run['run']}").json["summary"]["metrics"] == run["metrics"]
    for wrong in ("status=lost", "load=2", "limit=0"):
        assert site.client.get(f"/api/sweeps/{swept}/runs?{wrong}").status_code == 400


def test_variants_are_compared_on_the_same_instances(site, swept):
    reply = site.client.get(f"/api/sweeps/{swept}/pairs?metric=mean_wait&a=easy&b=fcfs").json
    ranked = site.client.get(f"/api/sweeps/{swept}/ranking?metric=mean_wait&load=1").json

    assert reply["all"]["n"] == 12 and [point["n"] for point in reply["points"]] == [6, 6]
    assert reply["all"]["blocks"] == 6 == reply["all"]["smaller"] + reply["all"]["larger"] + reply["all"]["equal"]
    assert reply["all"]["smallest_p"] == 2**-5 and reply["points"][0]["smallest_p"] == 2**-4
    assert reply["all"]["p"] >= 2**-5 and reply["all"]["sign_p"] >= 2**-5
    assert "7 blocks are needed for 5%" in reply["points"][0]["warnings"][0], "Holm over two loads"
    assert -1 <= reply["all"]["rank_biserial_low"] <= reply["all"]["rank_biserial"] <= 0
    whole = site.client.get(f"/api/sweeps/{swept}/ranking?metric=mean_wait").json
    assert (whole["blocks"], whole["instances"]) == (6, 12) and whole["critical_difference"] > 1
    assert reply["all"]["log_ratio"] < 0 and reply["all"]["ratio"] < 1
    assert ranked["instances"] == 6 and ranked["load"] == 0.9
    assert [one["place"] for one in ranked["ranking"]] == [1, 2, 3]
    assert ranked["ranking"][0]["mean_rank"] <= ranked["ranking"][1]["mean_rank"]
    wrong = site.client.get(f"/api/sweeps/{swept}/pairs?metric=mean_wait&a=easy&b=slow")
    assert (
        "b = 'slow', but it must be one of the variants: 0 (easy), 1 (fcfs), 2 (easy extra=first)"
        in wrong.json["error"]
    )
    assert site.client.get(f"/api/sweeps/{swept}/ranking?metric=speed").status_code in (400, 404)
    assert site.client.get(f"/api/sweeps/{swept}/ranking").status_code == 400


def test_a_sweep_is_extended_by_the_seeds_that_it_needs(site, swept, document):
    goal = {"metric": "mean_flow", "until_width": 0.001, "budget": 9}
    reply = site.client.get(f"/api/sweeps/{swept}/precision", query_string=goal).json
    answer = site.client.post(f"/api/sweeps/{swept}/extend", json=goal)
    further = site.client.get(f"/api/sweeps/{answer.json['id']}").json

    assert (reply["state"], reply["blocks"], reply["seeds"], reply["next_seeds"]) == ("continue", 6, 6, 9)
    assert answer.status_code == 202 and answer.json["precision"] == reply
    assert fits(answer.json, document["components"]["schemas"]["SweepExtended"], document)
    assert further["question"]["seeds"] == [1, 2, 3, 4, 5, 6, 7, 8, 9]
    assert site.client.post(f"/api/sweeps/{answer.json['id']}/extend", json=goal).status_code == 409, "it still runs"
    work(site, answer.json["id"])
    Feed(site.store, None)._due_batches(site.store.sweeps.get(answer.json["id"]))
    spent = site.client.post(f"/api/sweeps/{answer.json['id']}/extend", json=goal)
    assert spent.status_code == 409 and "the budget is spent" in spent.json["error"]
    assert site.client.delete(f"/api/sweeps/{answer.json['id']}").status_code == 204


@pytest.mark.parametrize(
    "query", ["", "metric=speed", "metric=mean_flow&until_width=x", "metric=mean_flow&until_width=0",
              "metric=mean_flow&until_width=nan", "metric=mean_flow&budget=0", "metric=mean_flow&budget=1e999"]
)  # fmt: skip
def test_a_wrong_goal_is_one_sentence(site, swept, query):
    answer = site.client.get(f"/api/sweeps/{swept}/precision?{query}")

    assert answer.status_code in (400, 404) and answer.json["error"]


def test_tables_are_exported(site, swept):
    runs = list(csv.DictReader(io.StringIO(site.client.get(f"/api/sweeps/{swept}/runs.csv").text)))
    points = list(csv.DictReader(io.StringIO(site.client.get(f"/api/sweeps/{swept}/points.csv").text)))
    import pyarrow.parquet

    parquet = pyarrow.parquet.read_table(io.BytesIO(site.client.get(f"/api/sweeps/{swept}/runs.parquet").data))

    assert len(runs) == parquet.num_rows == 36 and len(points) == 6
    assert [float(row["mean_flow"]) for row in runs] == parquet["mean_flow"].to_pylist()
    assert site.client.get(f"/api/sweeps/{swept}/points.parquet").data[:4] == b"PAR1"


def test_a_sweep_taken_elsewhere_gives_the_same_numbers(site, swept, tmp_path, capsys):
    """Its file, run by the command line of a machine that knows nothing of this store."""
    from shadowtime.dashboard.cli import main

    path = tmp_path / "elsewhere.toml"
    path.write_bytes(site.client.get(f"/api/sweeps/{swept}.toml").data)
    assert main(["sweep", str(path), "--json"]) == 0
    there = json.loads(capsys.readouterr().out)
    here = site.client.get(f"/api/sweeps/{swept}/runs?limit=1000").json["runs"]

    assert there["sweep"] == swept and there["name"] == "small"
    assert [(run["run"], run["metrics"], run["bounds"]) for run in there["runs"]] == [
        (run["run"], run["metrics"], run["bounds"]) for run in here
    ]
    assert there["points"] == site.client.get(f"/api/sweeps/{swept}/points").json["points"]


def test_a_file_is_taken_along_by_its_name_and_digest(site, tmp_path, monkeypatch, capsys):
    from shadowtime.dashboard.cli import main
    from tests.conftest import FOUR_SWF

    sweep_id = ask(site, workloads=[site.workload()], seeds=[0], loads=None, variants=[]).json["id"]
    toml = site.client.get(f"/api/sweeps/{sweep_id}.toml").text
    (tmp_path / "sweep.toml").write_text(toml)
    (tmp_path / "four.swf").write_text(FOUR_SWF)
    monkeypatch.setenv("SHADOWTIME_STORE", str(tmp_path / "none"))

    assert 'workloads = ["four.swf"]' in toml and '"four.swf" = "7551e48cece1b8a0' in toml
    assert main(["sweep", str(tmp_path / "sweep.toml"), "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["sweep"] == sweep_id
    assert site.client.post("/api/sweeps", data=toml, content_type="application/toml").json["id"] == sweep_id
    (tmp_path / "four.swf").write_text(FOUR_SWF.replace("1000", "2000"))
    assert main(["sweep", str(tmp_path / "sweep.toml")]) == 2
    assert "is not the file that the sweep was made from" in capsys.readouterr().err


def test_acts_that_do_not_fit_are_conflicts(site):
    sweep_id = ask(site, seeds=[77]).json["id"]
    post = site.client.post

    assert post(f"/api/sweeps/{sweep_id}/resume").status_code == 409
    assert post(f"/api/sweeps/{sweep_id}/retry").status_code == 409
    assert site.client.delete(f"/api/sweeps/{sweep_id}").status_code == 409
    assert post(f"/api/sweeps/{sweep_id}/pause").json["status"] == "paused"
    assert post(f"/api/sweeps/{sweep_id}/resume").json["status"] == "running"
    assert post(f"/api/sweeps/{sweep_id}/cancel").json["status"] == "cancelled"
    assert post(f"/api/sweeps/{sweep_id}/pause").status_code == 409
    assert site.client.delete(f"/api/sweeps/{sweep_id}").status_code == 204
    assert site.client.get(f"/api/sweeps/{sweep_id}").status_code == 404


def test_sweeps_are_listed_page_by_page(site, swept):
    first = site.client.get("/api/sweeps?limit=1").json
    second = site.client.get("/api/sweeps", query_string={"limit": 1, "after": first["next"]}).json
    finished = site.client.get("/api/sweeps?status=finished&q=small").json["sweeps"]

    assert first["sweeps"][0]["id"] != second["sweeps"][0]["id"]
    whole = site.client.get(f"/api/sweeps/{swept}").json
    assert [one["id"] for one in finished] == [swept]
    assert finished == [{name: whole[name] for name in finished[0]}] and finished[0]["finished"] == 36
    assert site.client.get("/api/sweeps?status=lost").status_code == 400
    assert site.client.get("/api/sweeps?after=zzz").json["error"].startswith("after = 'zzz', but it must be the `next`")


def test_a_sweep_of_too_much_work_is_refused_with_its_forecast(site):
    most = {"workloads": ["uniform:jobs=2000000"], "seeds": list(range(1700))}
    for address in ("/api/sweeps", "/api/sweeps/preview"):
        refused = site.client.post(address, json={**QUESTION, **most})
        assert refused.status_code == 400
        assert "10,200 runs of 20,400,000,000 jobs together, about 45 hours of one core" in refused.json["error"]
        assert "10,000,000,000 jobs are the most here (SHADOWTIME_SWEEP_JOBS)" in refused.json["error"]
    fewer = site.client.post("/api/sweeps/preview", json={**QUESTION, **most, "seeds": list(range(800))})
    assert fewer.status_code == 200
