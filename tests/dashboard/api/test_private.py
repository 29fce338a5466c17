"""Private runs over HTTP: who may see, list, find, compare, export, change them, and what asking reveals."""

from __future__ import annotations

import json

import pytest

from shadowtime.dashboard.access import guard
from shadowtime.workers.store.base import Runs, VisibleRuns
from tests.dashboard.api.named import as_ben, asked_of, callback, make, named_site

TOKEN = {"Authorization": "Bearer se cret"}


@pytest.fixture(scope="module")
def public(named):
    """The same question, asked for all."""
    return named.finished_run()


def test_its_id_is_not_that_of_the_question(named, run, public):
    assert run != public
    for visitor in (named.client.get(f"/api/runs/{run}"), as_ben(named, f"/api/runs/{public}")):
        assert visitor.status_code == 200


def test_asking_the_same_question_reveals_nothing(named, run, tmp_path):
    other = named_site(tmp_path)
    question = {"algorithm": "easy", "parameters": {"extra": "first"}}
    named.ask(private=True, **question)
    received = [
        as_ben(site, "/api/runs", "POST", json={"workload": site.workload(), **question, **more})
        for site in (named, other)
        for more in ({}, {"private": True})
    ]
    other.close()

    assert [answer.status_code for answer in received] == [202] * 4, "as where no one ever asked"
    assert received[0].json == received[2].json
    preview = {"workload": named.workload(), "algorithms": [{"algorithm": "easy", "parameters": {"extra": "first"}}]}
    assert (
        as_ben(named, "/api/preview", "POST", json={**preview, "bounds": False}).json["runs"][0]["id"]
        == received[0].json["id"]
    )


def test_the_owner_asks_again_and_finds_it(named, run):
    again = named.ask(private=True)

    assert (again.status_code, again.json["id"]) == (200, run)


def test_it_is_told_to_be_private_and_not_whose(named, run, public):
    received = {one: named.client.get(f"/api/runs/{one}") for one in (run, public)}

    assert [received[run].json["private"], received[public].json["private"]] == [True, False]
    assert "owner" not in received[run].json and "anna" not in received[run].text
    assert "salt" not in received[public].json["spec"]


def test_no_route_knows_it_for_anybody_else(named, run):
    known = []
    for method, path in asked_of(named.server, run):
        never = path.replace(run, "0" * 16)
        answer, unknown = as_ben(named, path, method), as_ben(named, never, method)
        if answer.status_code != unknown.status_code or answer.text.replace(run, "0" * 16) != unknown.text:
            known.append(f"{method} {path}: {answer.status_code}")

    assert known == []
    assert named.store.runs.get(run).status.is_finished


def test_every_route_knows_it_for_its_owner(named, run):
    reading = [path for method, path in asked_of(named.server, run) if method == "GET"]
    queries = {"export": "format=spec", "instant": "at=0", "point": "at=0&lane=0"}
    queries |= dict.fromkeys(("life", "allotments", "priority"), "job=1")
    answers = {path: named.client.get(f"{path}?{queries.get(path.rpartition('/')[2], '')}") for path in reading}
    unknown = [path for path, answer in answers.items() if answer.status_code == 404]

    assert {path.rpartition("/")[2] for path in unknown} == {"site", "allotments", "priority"}, "what EASY has not"
    assert {answer.headers["Cache-Control"] for answer in answers.values()} == {"no-store"}


@pytest.mark.parametrize("query", ["", "?q=easy", "?status=finished", "?algorithm=easy", "?limit=200"])
def test_listings_leave_it_out(named, run, public, query):
    theirs = [one["id"] for one in as_ben(named, f"/api/runs{query}").json["runs"]]
    own = [one["id"] for one in named.client.get(f"/api/runs{query}").json["runs"]]

    assert run in own and public in own
    assert run not in theirs and public in theirs


def test_naming_it_does_not_list_it(named, run, public):
    assert [one["id"] for one in as_ben(named, f"/api/runs?ids={run},{public}").json["runs"]] == [public]
    assert as_ben(named, f"/api/runs?q={run}").json["runs"] == []


def test_nobody_else_compares_pictures_or_links_it(named, run, public):
    for path in (
        f"/api/compare?runs={run},{public}",
        f"/api/compare/jobs.csv?runs={public},{run}",
        f"/api/waits?runs={run}",
        f"/api/waits.csv?runs={public},{run}",
        f"/api/runs/{run}/busy",
        f"/api/picture.png?runs={run}",
    ):
        assert as_ben(named, path).status_code == 404
    assert as_ben(named, "/api/links", "POST", json={"target": f"/runs/{run}"}).status_code == 404
    own = named.client.get(f"/api/compare?runs={public},{run}")
    assert own.status_code == 200


def test_live_news_do_not_tell_of_it(named, run, public):
    hub = named.server.extensions["shadowtime"].hub
    hub.say(True)
    hub._listen = None

    def heard(client_headers):
        answer = named.client.get(f"/api/live?runs={run},{public}", environ_overrides=client_headers, buffered=False)
        text = ""
        for piece in answer.response:
            text += piece.decode()
            if public in text and ("event: run" in text):
                break
        answer.close()
        return text

    assert run not in heard({"HTTP_X_FORWARDED_USER": "ben"})


def test_pages_do_not_tell_of_it(named, run):
    for path in (
        "/runs",
        f"/runs/{run}",
        f"/compare?runs={run}",
        f"/waits?runs={run}",
        "/",
        f"/workloads/{named.workload()}",
    ):
        assert run not in as_ben(named, path).text.replace(path, "")
    assert "of runs" not in as_ben(named, f"/runs/{run}").text
    page = as_ben(named, "/_dash-update-component", "POST", json=callback(f"/runs/{run}"))
    assert "Run not found" in page.text and "EASY" not in page.text
    own = named.client.post("/_dash-update-component", json=callback(f"/runs/{run}"))
    assert "EASY" in own.text


def test_a_viewer_has_private_runs_of_nobody(named, run):
    assert named.client.get(f"/api/runs/{run}", environ_overrides={"HTTP_X_FORWARDED_USER": "carl"}).status_code == 404


def test_without_anybody_to_be_told_apart_a_private_run_is_refused(tmp_path):
    made = make(tmp_path)
    refused = made.ask(private=True)

    assert refused.status_code == 400
    assert "SHADOWTIME_TOKEN" in refused.json["error"]
    assert made.client.get("/api/runs").json["runs"] == []
    made.close()


def test_with_a_token_private_runs_belong_to_those_who_know_it(tmp_path):
    made = make(tmp_path, token="se cret")
    made.client.environ_base["HTTP_AUTHORIZATION"] = TOKEN["Authorization"]
    run = made.ask(private=True).json["id"]
    anybody = made.server.test_client()

    assert made.client.get(f"/api/runs/{run}").status_code == 200
    assert anybody.get(f"/api/runs/{run}").status_code == 404
    assert anybody.get("/api/runs").json["runs"] == []
    made.close()


def test_a_sweep_is_never_private(named):
    refused = named.client.post(
        "/api/sweeps", json={"workloads": ["uniform:jobs=5"], "algorithms": ["easy"], "private": True}
    )

    assert refused.status_code == 400
    assert "cannot be private" in refused.json["error"]


def test_what_the_guard_does_not_name_is_not_there(named):
    promised, visible, offered = (
        {name for name in dir(runs) if not name.startswith("_")}
        for runs in (Runs, VisibleRuns, guard.Guarded(named.store).runs)
    )

    assert offered == visible <= promised
    workers_own = (
        "begin cancelled fail finish is_cancel_requested keep leases renew report requeue spool verify write_live"
    )
    assert promised - offered == {*workers_own.split(), "write_live"}


def test_nothing_in_an_exported_question_says_whose_it_is(named, run):
    said = json.loads(named.client.get(f"/api/runs/{run}/spec.json").data)

    assert set(said) >= {"salt", "algorithm"} and "anna" not in json.dumps(said)


def test_a_preview_finds_ones_own_private_runs_alone(named, run):
    question = {"workload": named.workload(), "algorithms": ["easy"], "bounds": False, "private": True}
    own = named.client.post("/api/preview", json=question).json["runs"][0]
    theirs = as_ben(named, "/api/preview", "POST", json=question).json["runs"][0]

    assert (own["id"], own["status"]) == (run, "finished")
    assert theirs["id"] != run and theirs["status"] is None
    assert as_ben(named, "/api/preview", "POST", json={**question, "owner": "user:anna"}).status_code == 400
