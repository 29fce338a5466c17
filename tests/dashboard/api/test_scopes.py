"""What scopes and the end of access mean beside the routes: pages, frames, links, sessions and open streams."""

from __future__ import annotations

import pytest

from shadowtime.dashboard.api import live, notices
from shadowtime.dashboard.api.hub import Message
from shadowtime.workers.people import SCOPES
from tests.dashboard.api.named import callback, make

ORIGIN = "https://wiki.example"


@pytest.fixture
def site(tmp_path):
    with make(tmp_path, token="secret of all", embed_origins=(ORIGIN,), notice_secret="key") as made:
        yield made


def by(site, *scopes, person="anna", groups=()):
    """Return the header with a token of a person that has these scopes, and the id of the token."""
    secret, token = site.store.tokens.create(person, scopes, groups)
    return {"Authorization": f"Bearer {secret}"}, token.id


def queued(site, **question):
    """Queue a run as Anna, who is in a group."""
    header, _ = by(site, *SCOPES, groups=("hpc",))
    workload = site.upload(headers=header).json["id"]
    asked = {"workload": workload, "algorithm": "easy", **question}
    return site.client.post("/api/runs", json=asked, headers=header).json["id"]


def test_pages_show_nothing_that_the_scopes_do_not_open(site):
    run = queued(site, private=True)
    site.finish(run)
    other = queued(site, private=True, seed=2)
    site.finish(other)

    for scopes, is_shown in ((("submit",), False), (("manage", "submit"), False), (("read",), True)):
        header, _ = by(site, *scopes)
        for path in (f"/runs/{run}", f"/compare?runs={run},{other}"):
            page = site.client.get(path, headers=header)
            assert page.status_code == 200
            assert ('id="first-view"' in page.text and "st-viewer" in page.text) == is_shown, (path, scopes)


def test_a_link_to_a_private_run_needs_the_scope_to_read_it(site):
    private, public = queued(site, private=True), queued(site, seed=2)
    header, _ = by(site, "submit")

    refused = site.client.post("/api/links", json={"target": f"/runs/{private}"}, headers=header)

    assert refused.status_code == 403 and "needs the scope read" in refused.json["error"]
    assert site.client.post("/api/links", json={"target": f"/runs/{public}"}, headers=header).status_code == 201
    header, _ = by(site, "submit", "read")
    assert site.client.post("/api/links", json={"target": f"/runs/{private}"}, headers=header).status_code == 201


def test_a_token_that_may_not_read_is_answered_nothing_of_a_private_run(site):
    run, waiting = queued(site, private=True), queued(site, private=True, seed=2)
    full, _ = by(site, *SCOPES)
    code = site.client.post("/api/links", json={"target": f"/runs/{run}"}, headers=full).json["code"]
    site.client.patch(f"/api/runs/{run}", json={"title": "mine"}, headers=full)
    site.finish(run)

    header, _ = by(site, "submit", "manage")
    marked = site.client.patch(f"/api/runs/{run}", json={}, headers=header)
    assert marked.json == {"id": run, "url": f"/runs/{run}", "status": "finished"}
    hook = {"address": "https://hooks.example/a"}
    for path, asked in ((f"/api/links/{code}/rerun", None), (f"/api/runs/{waiting}/notices", hook)):
        refused = site.client.post(path, json=asked, headers=header)
        assert refused.status_code == 403 and "needs the scope read" in refused.json["error"], path
        assert site.client.post(path, json=asked, headers=full).status_code in (201, 202), path
    taken_back = site.client.post(f"/api/runs/{waiting}/cancel", headers=header)
    assert taken_back.json == {"id": waiting, "url": f"/runs/{waiting}", "status": "cancelled"}
    assert "tags" in site.client.patch(f"/api/runs/{run}", json={}, headers=full).json


def test_a_session_ends_no_others_that_its_token_could_not_end(site):
    browsers = []
    for scopes in (("read",), SCOPES):
        header, _ = by(site, *scopes)
        browsers.append(site.server.test_client())
        browsers[-1].post("/api/session", json={"token": header["Authorization"].removeprefix("Bearer ")})
    reader, manager = browsers
    sessions = {one["current"]: one["id"] for one in reader.get("/api/sessions").json["sessions"]}

    for path in ("/api/sessions", f"/api/sessions/{sessions[False]}"):
        refused = reader.delete(path)
        assert (refused.status_code, refused.json["error"]) == (
            403, "This needs the scope manage, which this session does not have."
        )  # fmt: skip
    assert reader.delete(f"/api/sessions/{sessions[True]}").status_code == 204, "its own"
    assert manager.delete("/api/sessions").status_code == 204


def test_a_token_that_may_only_read_is_not_asked_for_as_if_there_were_none(site):
    header, _ = by(site, "read")

    def page(**more):
        return site.client.post("/_dash-update-component", json=callback("/experiments/new"), **more).text

    assert "enter a token" in page() and "enter another token" not in page()
    assert "enter another token" in page(headers=header) and "enter a token" not in page(headers=header)


def test_metrics_count_private_runs_whoever_asks(site):
    queued(site, private=True)
    queued(site, group="hpc", seed=2)

    assert 'shadowtime_runs{state="queued"} 2.0' in site.client.get("/metrics").text


@pytest.mark.parametrize("question", [{"private": True}, {"group": "hpc"}])
def test_no_private_run_stands_in_a_frame(site, question):
    run, public = queued(site, **question), queued(site, seed=2)
    header, _ = by(site, *SCOPES, groups=("hpc",))
    link = site.client.post("/api/links", json={"target": f"/runs/{run}"}, headers=header).json

    def framers(path, **headers):
        policy = site.client.get(path, headers=headers).headers["Content-Security-Policy"]
        return policy.partition("frame-ancestors ")[2].partition(";")[0]

    assert framers(f"/runs/{public}?embed=1") == ORIGIN
    for path in (f"/runs/{run}?embed=1", f"/compare?runs={public},{run}&embed=1&show=metrics"):
        assert framers(path, **header) == "'none'", path
    assert framers(f"/runs/{run}?embed=1&link={link['code']}") == "'none'"


@pytest.mark.parametrize("how", ["token", "session", "ended"])
def test_an_open_stream_ends_with_what_opened_it(site, monkeypatch, how):
    monkeypatch.setattr(live, "BEAT", 0.05)
    hub = site.server.extensions["shadowtime"].hub
    hub.say(True)
    hub._listen = None
    run = queued(site, private=True)
    header, token = by(site, "read")
    client = site.server.test_client()
    if how != "token":
        client.post("/api/session", json={"token": header["Authorization"].removeprefix("Bearer ")})
        header = {}
    answer = client.get(f"/api/live?runs={run}", headers=header, buffered=False)
    pieces = iter(answer.response)

    def heard(serial):
        """Whether news of the run comes before three beats."""
        status = site.store.runs.get(run).status.but(error=f"{serial}")
        hub.publish(Message(f"1000-{serial}", {"id": run, **status.as_dict()}))
        text, beats = "", 0
        while beats < 3:
            piece = next(pieces).decode()
            text, beats = text + piece, beats + ("event: queue" in piece)
        return f'"error":"{serial}"' in text.replace(" ", "")

    assert heard(1)
    if how == "ended":
        client.delete("/api/session")
    else:
        site.store.tokens.revoke(token)
    next(pieces), next(pieces)  # a beat later
    heard(2)
    assert not heard(3)
    answer.close()


def test_addresses_of_this_site_are_those_at_a_trusted_proxy(tmp_path):
    outside = {"X-Forwarded-Proto": "https", "X-Forwarded-Host": "lab.example"}
    for proxies, origin in ((("127.0.0.1",), "https://lab.example"), ((), "http://localhost")):
        with make(tmp_path / origin[:5], proxies=proxies) as made:
            run = made.finished_run()
            page = made.client.get(f"/runs/{run}", headers=outside).text
            assert f'property="og:url" content="{origin}/runs/{run}"' in page
            assert f'property="og:image" content="{origin}/api/picture.png' in page
            assert made.client.get("/docs", headers=outside).headers["Location"] == "/docs/"
            with made.server.test_request_context(headers=outside, environ_base={"REMOTE_ADDR": "127.0.0.1"}):
                assert notices._site() == origin
