"""What an older version stored, by today's pages and routes: shown, linked to, and asked again."""

from __future__ import annotations

import json

import pytest

from shadowtime.dashboard.sharing import exporting
from tests.dashboard.api.named import callback, make
from tests.workers.store import kept

TABLES = ("jobs", "segments", "events", "series")
PIECES = ("window?whole=1", "instant?at=50", "point?at=50&lane=0&tier=0&near=1000")


@pytest.fixture(scope="module", params=kept.ARCHIVES, ids=kept.version_of)
def site(request, tmp_path_factory):
    made = make(kept.unpack(request.param, tmp_path_factory.mktemp("kept")), max_uploads=0)
    yield made
    made.close()


def page(site, address):
    """Name and content of the page at an address of this site."""
    path, _, query = address.partition("?")
    answer = site.client.post("/_dash-update-component", json=callback(path, f"?{query}" if query else ""))
    assert answer.status_code == 200, address
    response = json.loads(answer.text)["response"]
    return response["page-name"]["data"], json.dumps(response["page"]["children"])


def finished(site):
    return site.store.runs.list(status=["finished"], limit=100).rows


def test_every_run_has_its_page(site):
    for run in site.store.runs.list(limit=100).rows:
        name, text = page(site, f"/runs/{run.id}")
        assert name == "run" and f'"run": "{run.id}"' in text


def test_lists_workloads_and_comparisons_have_their_pages(site):
    everything = page(site, "/runs")[1]
    assert all(run.id in everything for run in finished(site)[:10])
    for entry in site.store.workloads.list(limit=100).rows:
        assert page(site, f"/workloads/{entry.id}")[0] == "workload"
        assert page(site, f"/?workload={entry.id}")[0] == "new"
    by_workload = {}
    for run in finished(site):
        by_workload.setdefault(json.dumps([run.spec.workload, run.spec.conversions]), []).append(run.id)
    compared = [runs for runs in by_workload.values() if len(runs) > 1]
    assert compared
    for runs in compared:
        assert page(site, f"/compare?runs={','.join(runs[:6])}")[0] == "compare"
        assert site.client.get("/api/compare", query_string={"runs": ",".join(runs[:6])}).status_code == 200


def test_every_table_and_every_piece_of_a_run_is_sent(site):
    for run in finished(site):
        at = f"/api/runs/{run.id}"
        reply = site.client.get(at).json
        assert reply["status"] == "finished" and reply["summary"]["metrics"] == run.summary["metrics"]
        job = str(run.table("jobs")["job_id"][0])
        routes = [*TABLES, *(f"{table}.csv" for table in TABLES), "view", "rates", "bands", "summary.json", "spec.json"]
        for piece in [*routes, *PIECES, f"life?job={job}"]:
            assert site.client.get(f"{at}/{piece}").status_code == 200, piece
        for name, form in exporting.FORMS.items():
            table = {"table": "jobs"} if form.of_table else {}
            answer = site.client.get(f"{at}/export", query_string={"format": name, **table})
            assert answer.status_code == 200 and answer.data, name


def test_links_open_what_they_opened(site):
    for code, link in kept.links(site.store.path).items():
        answer = site.client.get(f"/s/{code}")
        if link["title"] == "A run that was deleted":
            name, text = page(site, f"/s/{code}")
            assert answer.status_code == 200 and name == "unknown" and "Run again" in text
        else:
            path, _, view = link["target"].partition("?")
            assert answer.status_code == 302
            assert answer.location.startswith(f"{path}?link={code}") and answer.location.endswith(view)
            assert page(site, answer.location)[0] in ("run", "compare")


def test_a_deleted_run_still_says_what_it_asked(site):
    for path in (site.store.path / "deleted").glob("*.json"):
        name, text = page(site, f"/runs/{path.stem[:16]}")
        assert name == "unknown" and "You can run it again" in text and "Run again" in text


def test_sweeps_have_their_pages_and_figures(site):
    for sweep in site.store.sweeps.list():
        name, text = page(site, f"/experiments/{sweep.id}")
        reply = site.client.get(f"/api/sweeps/{sweep.id}").json
        assert name == "experiment" and sweep.status.name in text
        assert all(point["n"] == 2 for point in reply["points"])
        flow = "metric=mean_flow"
        for more in (
            ".toml",
            "/points",
            "/points.csv",
            "/runs",
            "/runs.csv",
            f"/ranking?{flow}",
            f"/pairs?a=0&b=1&{flow}",
        ):
            assert site.client.get(f"/api/sweeps/{sweep.id}{more}").status_code == 200, more


def again(site, spec):
    """What the button "Run again" does, in `assets/pages/frame/acts.js`."""
    rest = {name: value for name, value in json.loads(spec).items() if name not in ("engine_version", "workload")}
    source = json.loads(spec)["workload"]
    if "generator" in source:
        rest["workload"] = site.client.post("/api/workloads", json=source).json["id"]
    else:
        rest["workload"] = source["digest"] + (f"#{source['case']}" if source["case"] else "")
    return site.client.post("/api/runs", json=rest)


def test_every_question_can_be_asked_again(site):
    """Of today's engine it is another run; a schedule of rigid jobs is the same."""
    questions = [run.spec.json for run in site.store.runs.list(limit=100).rows]
    for spec in questions:
        answer = again(site, spec)
        assert answer.status_code in (200, 202), (answer.json, spec)
        run = answer.json["id"]
        assert site.client.get(f"/api/runs/{run}").json["spec"]["algorithm"] == json.loads(spec)["algorithm"]


@pytest.mark.parametrize("algorithm", ["fcfs", "easy"])
def test_asked_again_rigid_jobs_give_the_same_figures(site, algorithm):
    old = next(run for run in finished(site) if run.spec.algorithm == algorithm and "digest" in run.spec.workload)
    run_id = again(site, old.spec.json).json["id"]
    if site.store.runs.get(run_id).status.status == "queued":
        site.finish(run_id)
    new = site.store.runs.get(run_id)

    assert new.spec.engine_version != old.spec.engine_version
    assert {name: new.summary["metrics"][name] for name in old.summary["metrics"]} == old.summary["metrics"]
