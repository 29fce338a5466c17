"""Runs of a group over HTTP: its members own them together, for all others they are not there."""

from __future__ import annotations

import re

import pytest

from shadowtime.workers import people
from tests.dashboard.api.named import NAMED, callback, make
from tests.dashboard.test_doors import SAMPLE

NEVER = "0" * 16
PEOPLE = {"anna": "hpc, site/ops", "cleo": "hpc", "ben": "physics,hp", "dora": ""}
SETTINGS = {**NAMED, "editors": ("anna", "ben", "cleo"), "groups_header": "X-Forwarded-Groups"}
QUERY = "runs={0}&run={0}&of={0}&baseline={0}&ids={0}&q={0}&from=0&workload=x&at=0&job=1&lane=0&format=spec"


def ask(site, person, path, method="GET", **more):
    """What a person is answered, who the proxy says is in these groups."""
    said = {"HTTP_X_FORWARDED_USER": person, "HTTP_X_FORWARDED_GROUPS": PEOPLE[person]}
    return site.client.open(path, method=method, environ_overrides=said, **more)


@pytest.fixture(scope="module")
def grouped(tmp_path_factory):
    with make(tmp_path_factory.mktemp("groups"), **SETTINGS) as made:
        made.client.environ_base |= {"HTTP_X_FORWARDED_USER": "anna", "HTTP_X_FORWARDED_GROUPS": PEOPLE["anna"]}
        yield made


@pytest.fixture(scope="module")
def run(grouped):
    """A finished run that Anna asked for the group hpc."""
    return grouped.finished_run(group="hpc")


def routes(server, run, method):
    """Every path of the site with a run in all places that can hold one, also of the query."""
    for rule in server.url_map.iter_rules():
        if method in rule.methods and rule.rule not in ("/api/live", "/api/example"):
            places = {**SAMPLE, "run_id": run, "code": run, "path": f"runs/{run}"}
            path = re.sub(r"<(?:\w+:)?(\w+)>", lambda place: places.get(place[1], "0123456789abcdef"), rule.rule)  # noqa: B023
            yield f"{path}?{QUERY.format(run)}"


@pytest.fixture(scope="module")
def public(grouped):
    """A finished run of everybody."""
    return grouped.finished_run(parameters={"extra": "first"})


def said(answer, path, run):
    """What an answer says of a run; of a page, which holds a script of chance, and of counters, how often it names it
    beside the address."""
    if answer.mimetype in ("text/html", "text/plain"):
        return answer.text.replace(path.partition("?")[0], "").count(run), "EASY" in answer.text
    return answer.data.replace(run.encode(), b"RUN")


@pytest.mark.parametrize("person", ["ben", "dora"])
def test_no_route_knows_it_outside_of_the_group(grouped, run, person):
    known = []
    for method in ("GET", "DELETE", "PATCH", "POST"):
        for path in routes(grouped.server, run, method):
            answer = ask(grouped, person, path, method)
            never = ask(grouped, person, path.replace(run, NEVER), method)
            if answer.status_code != never.status_code or said(answer, path, run) != said(never, path, NEVER):
                known.append(f"{method} {path}: {answer.status_code}, {never.status_code}")

    assert known == []
    assert grouped.store.runs.get(run).status.is_finished


def test_every_route_knows_it_for_each_member(grouped, run, public):
    differing = []
    for path in routes(grouped.server, run, "GET"):
        anna, cleo = (ask(grouped, person, path) for person in ("anna", "cleo"))
        if "run_id" in path or f"/{run}" in path:
            if anna.status_code != cleo.status_code:
                differing.append(path)
            is_kept = "no-store" not in anna.headers.get("Cache-Control", "")
            assert anna.status_code >= 400 or not is_kept or anna.mimetype == "text/html", path

    assert differing == []
    rows, several = ("", "/jobs", "/spec.json"), ("compare", "waits", "picture.png")
    for path in (*(f"/api/runs/{run}{row}" for row in rows), *(f"/api/{one}?runs={run},{public}" for one in several)):
        assert ask(grouped, "cleo", path).status_code == 200, path


@pytest.mark.parametrize("query", ["", "?q=easy", "?status=finished", "?algorithm=easy", "?ids={run}", "?sort=jobs"])
def test_listings_hold_it_for_members_alone(grouped, run, query):
    def listed(person):
        found = ask(grouped, person, f"/api/runs{query.format(run=run)}").json["runs"]
        return {one["id"]: (one["private"], one["group"]) for one in found}

    assert listed("anna")[run] == listed("cleo")[run] == (True, "hpc")
    assert run not in listed("ben") and run not in listed("dora")


@pytest.mark.parametrize("path", ["/runs", "/runs/{run}", "/compare?runs={run},{run}", "/waits?runs={run}"])
def test_pages_show_it_to_members_alone(grouped, run, path):
    address, _, query = path.format(run=run).partition("?")
    asked = callback(address, f"?{query}" if query else "")
    shown = {name: ask(grouped, name, "/_dash-update-component", "POST", json=asked).text for name in PEOPLE}

    assert "EASY" in shown["anna"] and "EASY" in shown["cleo"]
    for name in ("ben", "dora"):
        assert "EASY" not in shown[name].replace("EASY backfilling", "") or path == "/runs"
        assert f'"{run}"' not in shown[name] or "not found" in shown[name]


def test_live_news_reach_members_alone(grouped, run, public):
    hub = grouped.server.extensions["shadowtime"].hub
    hub.say(True)
    hub._listen = None

    def heard(person):
        answer = ask(grouped, person, f"/api/live?runs={run},{public}", buffered=False)
        text = ""
        for piece in answer.response:
            text += piece.decode()
            if public in text and (person == "ben" or run in text):
                break
        answer.close()
        return text

    assert run not in heard("ben")
    assert run in heard("cleo")


def test_the_same_question_of_another_member_is_found(grouped, run):
    question = {"workload": grouped.workload(), "algorithm": "easy", "group": "hpc"}
    again = ask(grouped, "cleo", "/api/runs", "POST", json=question)
    assert (again.status_code, again.json["id"]) == (200, run)
    seen = {"workload": question["workload"], "algorithms": ["easy"], "bounds": False, "group": "hpc"}
    assert ask(grouped, "cleo", "/api/preview", "POST", json=seen).json["runs"][0]["status"] == "finished"
    own, public = (
        ask(grouped, "ben", "/api/runs", "POST", json={**question, "group": None, "private": private}).json["id"]
        for private in (True, False)
    )
    assert len({run, own, public}) == 3


@pytest.mark.parametrize(
    ("more", "status"), [({"group": "hpc"}, 403), ({"group": "nope"}, 403), ({"group": 7}, 403), ({"group": ""}, 403),
                         ({"group": "hpc", "private": False}, 400)]
)  # fmt: skip
def test_nobody_asks_for_a_group_of_others(grouped, more, status):
    seen = {"workload": grouped.workload(), "bounds": False, **more}
    answers = [
        ask(grouped, "ben", "/api/runs", "POST", json={"workload": seen["workload"], "algorithm": "easy", **more}),
        ask(grouped, "ben", "/api/preview", "POST", json={**seen, "algorithms": ["easy"]}),
    ]

    assert [answer.status_code for answer in answers] == [status, status]


def test_a_sweep_is_of_no_group(grouped):
    sweep = {"workloads": ["uniform:jobs=5"], "algorithms": ["easy"], "group": "hpc"}
    refused = ask(grouped, "anna", "/api/sweeps", "POST", json=sweep)

    assert refused.status_code == 400 and "cannot be private" in refused.json["error"]


def test_a_member_marks_links_and_deletes_it(grouped):
    one = grouped.finished_run(group="hpc", seed=5)
    assert ask(grouped, "cleo", f"/api/runs/{one}", "PATCH", json={"title": "ours"}).status_code == 200
    assert ask(grouped, "ben", "/api/links", "POST", json={"target": f"/runs/{one}"}).status_code == 404
    link = ask(grouped, "cleo", "/api/links", "POST", json={"target": f"/runs/{one}"}).json
    assert link["private"]
    assert ask(grouped, "ben", f"/api/runs/{one}").status_code == 404
    assert ask(grouped, "ben", f"/api/runs/{one}?link={link['code']}").status_code == 200
    assert ask(grouped, "ben", f"/api/runs/{one}?link={link['code']}", "DELETE").status_code == 403
    again = ask(grouped, "cleo", f"/api/links/{link['code']}/rerun", "POST")
    assert again.status_code == 202
    assert ask(grouped, "cleo", f"/api/runs/{one}", "DELETE").status_code == 204


def test_the_group_takes_back_a_link_of_a_member_who_left(grouped, monkeypatch):
    one = grouped.finished_run(group="hpc", seed=6)
    link = ask(grouped, "cleo", "/api/links", "POST", json={"target": f"/runs/{one}"}).json
    path = f"/api/links/{link['code']}"
    monkeypatch.setitem(PEOPLE, "cleo", "hpc2")

    def codes(person):
        return [found["code"] for found in ask(grouped, person, "/api/links").json["links"]]

    refused = ask(grouped, "cleo", f"{path}/rerun", "POST")
    assert refused.status_code == 403 and "a link lets you read it" in refused.json["error"]
    assert link["code"] in codes("anna") and link["code"] not in codes("ben")
    assert ask(grouped, "ben", path, "DELETE").status_code == 403
    assert ask(grouped, "anna", path, "DELETE").status_code == 204
    assert ask(grouped, "cleo", f"/api/runs/{one}?link={link['code']}").status_code == 404


def test_who_left_the_group_asks_for_none_of_its_runs_by_a_link(grouped, monkeypatch):
    one = grouped.finished_run(group="hpc", seed=7)
    links = {
        who: ask(grouped, who, "/api/links", "POST", json={"target": f"/runs/{one}"}).json for who in ("anna", "cleo")
    }
    digest = grouped.store.runs.get(one).digest
    ask(grouped, "anna", f"/api/runs/{one}", "DELETE")
    monkeypatch.setitem(PEOPLE, "cleo", "")

    assert ask(grouped, "cleo", f"/api/links/{links['cleo']['code']}/rerun", "POST").status_code == 403
    assert ask(grouped, "anna", f"/api/links/{links['anna']['code']}/rerun", "POST").status_code == 202
    assert grouped.store.runs.get(digest).status.owner == "group:hpc"


def test_who_leaves_the_group_sees_it_no_more(grouped, run, monkeypatch):
    monkeypatch.setitem(PEOPLE, "cleo", "hpc2")

    assert ask(grouped, "cleo", f"/api/runs/{run}").status_code == 404


def test_groups_count_from_a_trusted_proxy_alone(grouped, run):
    said = {"HTTP_X_FORWARDED_USER": "anna", "HTTP_X_FORWARDED_GROUPS": "hpc", "REMOTE_ADDR": "192.0.2.9"}

    assert grouped.client.get(f"/api/runs/{run}", environ_overrides=said).status_code == 404
    me = grouped.client.get("/api/me", environ_overrides=said).json
    assert me["groups"] == []


def test_a_token_brings_its_groups(tmp_path):
    with make(tmp_path, token="se cret") as made:
        texts = {
            person: made.store.tokens.create(person, people.SCOPES, groups)[0]
            for person, groups in (("anna", ["hpc"]), ("cleo", ["hpc"]), ("ben", ["other"]))
        }

        def by(person):
            return {"Authorization": f"Bearer {texts[person]}"}

        workload = made.upload(headers=by("anna")).json["id"]
        question = {"workload": workload, "algorithm": "easy", "group": "hpc"}
        run = made.client.post("/api/runs", json=question, headers=by("anna")).json["id"]
        seen = {person: made.client.get(f"/api/runs/{run}", headers=by(person)).status_code for person in texts}
        assert seen == {"anna": 200, "cleo": 200, "ben": 404}
        browser = made.server.test_client()
        browser.post("/api/session", json={"token": texts["cleo"]})
        assert browser.get(f"/api/runs/{run}").status_code == 200
