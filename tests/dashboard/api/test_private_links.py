"""Links to private runs: who may make them, what they open and for whom, and that they can be taken back."""

from __future__ import annotations

import pytest

from tests.dashboard.api.named import as_ben, asked_of, callback, named_site


@pytest.fixture
def named(tmp_path):
    with named_site(tmp_path) as made:
        yield made


@pytest.fixture
def run(named):
    return named.finished_run(private=True)


@pytest.fixture
def link(named, run):
    """What Anna gives away."""
    return named.client.post("/api/links", json={"target": f"/runs/{run}?v=1&from=0&to=9", "title": "Mine"}).json


def test_a_link_opens_a_private_run_to_whoever_has_it(named, run, link):
    guest = named.server.test_client()
    before = guest.get(f"/api/runs/{run}").status_code
    led = guest.get(link["url"])
    page = guest.get(led.headers["Location"])

    assert (before, led.status_code, page.status_code) == (404, 302, 200)
    assert link["private"] and len(link["code"]) == 26
    assert guest.get(f"/api/runs/{run}").json["status"] == "finished"
    assert guest.get(f"/api/runs/{run}/segments").status_code == 200
    assert guest.get(f"/api/picture.png?runs={run}").status_code == 200
    assert "EASY" in guest.post("/_dash-update-component", json=callback(f"/runs/{run}")).text


def test_the_whole_address_opens_it_too(named, run, link):
    guest = named.server.test_client()
    guest.get(f"/runs/{run}?link={link['code']}&v=1")

    assert guest.get(f"/api/runs/{run}").status_code == 200


def test_a_script_names_the_link_each_time(named, run, link):
    guest = named.server.test_client(use_cookies=False)

    assert guest.get(f"/api/runs/{run}/jobs.csv?link={link['code']}").status_code == 200
    assert guest.get(f"/api/runs/{run}/jobs.csv").status_code == 404


def test_the_cookie_is_kept_from_scripts_and_other_sites(named, link):
    cookie = named.server.test_client().get(link["url"]).headers["Set-Cookie"]

    assert "HttpOnly" in cookie and "SameSite=Lax" in cookie and "Secure" not in cookie
    behind_tls = named.server.test_client().get(link["url"], base_url="https://localhost").headers["Set-Cookie"]
    assert "Secure" in behind_tls


def test_it_opens_that_run_alone_and_lists_none(named, run, link):
    other = named.ask(private=True, algorithm="fcfs").json["id"]
    guest = named.server.test_client()
    guest.get(link["url"])

    assert guest.get(f"/api/runs/{other}").status_code == 404
    assert guest.get("/api/runs").json["runs"] == []


def test_it_opens_it_to_be_read_alone(named, run, link):
    for method, path in asked_of(named.server, run):
        if method != "GET":
            refused = as_ben(named, f"{path}?link={link['code']}", method)
            assert (method, path, refused.status_code) == (method, path, 403)
    assert as_ben(named, f"/api/links/{link['code']}/rerun", "POST").status_code == 403
    again = as_ben(named, f"/api/links?link={link['code']}", "POST", json={"target": f"/runs/{run}"})
    assert again.status_code == 403, "who was given a link does not give it on in their own name"
    assert named.client.get(f"/api/runs/{run}").status_code == 200


def test_a_revoked_link_opens_nothing_any_more_also_to_who_came_by_it(named, run, link):
    guest = named.server.test_client()
    guest.get(link["url"])
    opened = guest.get(f"/api/runs/{run}").status_code
    gone = named.client.delete(f"/api/links/{link['code']}")

    assert (opened, gone.status_code) == (200, 204)
    assert guest.get(f"/api/runs/{run}").status_code == 404
    assert guest.get(link["url"]).status_code == 404
    assert guest.get(f"/api/links/{link['code']}").status_code == 404
    assert named.client.get(f"/api/runs/{run}").status_code == 200, "its owner needs no link"


def test_a_new_link_does_not_open_the_old_one(named, run, link):
    named.client.delete(f"/api/links/{link['code']}")
    fresh = named.client.post("/api/links", json={"target": link["target"], "title": "Mine"}).json

    assert fresh["code"] != link["code"]
    assert named.server.test_client().get(link["url"]).status_code == 404


def test_only_who_made_a_link_revokes_it_and_finds_it_listed(named, run, link):
    refused = as_ben(named, f"/api/links/{link['code']}", "DELETE")
    theirs = as_ben(named, "/api/links").json["links"]
    nobodys = named.client.get("/api/links", environ_overrides={"HTTP_X_FORWARDED_USER": ""}).json["links"]

    assert refused.status_code == 403
    assert [one["code"] for one in named.client.get("/api/links").json["links"]] == [link["code"]]
    assert theirs == nobodys == []


def test_with_a_deleted_run_its_link_is_gone(named, run, link):
    guest = named.server.test_client()
    guest.get(link["url"])
    named.client.delete(f"/api/runs/{run}")

    assert guest.get(link["url"]).status_code == 404
    assert "four" not in guest.get(link["url"]).text
    (mine,) = named.client.get("/api/links").json["links"]
    assert mine["runs"][0]["status"] == "deleted"


def test_a_link_to_compared_runs_opens_all_of_them(named, run):
    other = named.ask(private=True, algorithm="fcfs").json["id"]
    named.finish(other)
    link = named.client.post("/api/links", json={"target": f"/compare?runs={run},{other}"}).json
    guest = named.server.test_client()
    guest.get(link["url"])

    assert guest.get(f"/api/compare?runs={run},{other}").status_code == 200


def test_a_link_to_waits_of_runs_opens_them(named, run):
    link = named.client.post("/api/links", json={"target": f"/waits?runs={run}&by=size"}).json
    guest = named.server.test_client()
    assert guest.get(f"/api/waits?runs={run}").status_code == 404
    guest.get(link["url"])

    assert link["private"] and guest.get(f"/api/waits?runs={run}").status_code == 200


def test_a_private_run_has_no_preview_elsewhere(named, run, link):
    page = named.server.test_client().get(link["url"], follow_redirects=True)

    assert page.status_code == 200
    assert "og:title" not in page.text and "Mine" not in page.text


def test_its_owner_computes_it_again(named, run, link):
    assert named.client.post(f"/api/links/{link['code']}/rerun").status_code == 202
    assert named.client.get(f"/api/links/{link['code']}/rerun").json["runs"][0]["status"] == "queued"


def test_a_public_link_is_what_it_was(named):
    public = named.ask().json["id"]
    link = named.client.post("/api/links", json={"target": f"/runs/{public}"}).json
    answer = named.server.test_client().get(link["url"])

    assert (link["private"], len(link["code"]), answer.status_code) == (False, 8, 302)
    assert "Set-Cookie" not in answer.headers
