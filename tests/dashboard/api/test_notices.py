"""Notices as a visitor asks for them, and as no one else sees them."""

from __future__ import annotations

import pytest

from tests.dashboard.api.named import NAMED, as_ben, make

ON = {"notice_secret": "key", "notice_smtp": "smtp://mail.example", "notice_from": "lab@here.example"}
HOOK = {"address": "https://hooks.example/a"}


@pytest.fixture(scope="module")
def named(tmp_path_factory):
    with make(tmp_path_factory.mktemp("named"), max_notices=4, **ON, **NAMED) as made:
        made.client.environ_base["HTTP_X_FORWARDED_USER"] = "anna"
        yield made


@pytest.fixture
def queued(named):
    """Id of a run that waits."""
    run = named.ask(seed=7).json["id"]
    yield run
    named.client.post(f"/api/runs/{run}/cancel")
    named.client.delete(f"/api/runs/{run}")


def test_a_notice_is_asked_for_listed_and_withdrawn(named, queued):
    path = f"/api/runs/{queued}/notices"
    assert named.client.get(path).json == {"notices": [], "webhooks": True, "mail": True}
    made = named.client.post(path, json=HOOK, headers={"Origin": "https://localhost"})
    assert made.status_code == 201
    assert (made.json["address"], made.json["state"], made.json["tries"], made.json["due"]) == (
        HOOK["address"], "waiting", 0, None,
    )  # fmt: skip
    assert named.client.post(path, json=HOOK).status_code == 200, "the same again"
    listed = named.client.get(path)
    assert listed.json["notices"] == [made.json] and listed.headers["Cache-Control"] == "no-store"
    (kept,) = named.store.notices.of(named.store.runs.get(queued).digest, "user:anna")
    assert kept.link == f"https://localhost/runs/{queued}", "as the browser reached this site"

    assert as_ben(named, path).json["notices"] == []
    assert as_ben(named, f"/api/notices/{made.json['code']}", "DELETE").status_code == 404
    assert named.client.delete(f"/api/notices/{made.json['code']}").status_code == 204
    assert named.client.get(path).json["notices"] == []


def test_refusals_are_one_sentence(named, queued):
    path = f"/api/runs/{queued}/notices"
    for sent, said in (
        ({}, "address must be given."),
        ({"address": "ada"}, "address = 'ada', but it must be https://... or an e-mail address"),
        ({"address": "https://10.0.0.1"}, "10.0.0.1 is private to a network"),
        ({"address": 1}, "address must be a text"),
        ({**HOOK, "more": 1}, "unknown key 'more'"),
    ):
        answer = named.client.post(path, json=sent)
        assert answer.status_code == 400 and said in answer.json["error"]
    assert named.client.post("/api/runs/0123456789abcdef/notices", json=HOOK).status_code == 404
    assert as_ben(named, path, "POST", json=HOOK).status_code == 201, "all who may change a run"
    reader = {"HTTP_X_FORWARDED_USER": "carl"}
    assert named.client.post(path, json=HOOK, environ_overrides=reader).status_code == 403


def test_a_private_run_has_notices_of_its_owner_alone(named):
    run = named.ask(private=True).json["id"]
    path = f"/api/runs/{run}/notices"

    assert as_ben(named, path).status_code == 404
    assert as_ben(named, path, "POST", json=HOOK).status_code == 404
    assert named.client.post(path, json=HOOK).status_code == 201
    named.client.post(f"/api/runs/{run}/cancel")
    late = named.client.post(path, json={"address": "ada@site.example"})
    assert late.status_code == 409 and "is cancelled; notices are sent when one ends" in late.json["error"]
    assert len(named.client.get(path).json["notices"]) == 1


def test_a_sweep_has_notices_too(named):
    asked = {"workloads": [named.workload()], "algorithms": ["easy"], "seeds": [1]}
    sweep = named.client.post("/api/sweeps", json=asked).json["id"]
    path = f"/api/sweeps/{sweep}/notices"

    made = named.client.post(path, json={"address": "ada@site.example"})
    assert made.status_code == 201
    assert named.client.get(path).json["notices"] == [made.json]
    named.client.post(f"/api/sweeps/{sweep}/cancel")
    assert named.client.post(path, json=HOOK).status_code == 409


@pytest.mark.parametrize(
    ("host", "more", "link"),
    [("evil.example", {}, ""), ("localhost:8050", {}, "http://localhost:8050"),
     ("lab.example", {"hosts": ("lab.example",)}, "http://lab.example"),
     ("lab.example", {"proxies": ("127.0.0.1",)}, "http://lab.example")],
)  # fmt: skip
def test_mail_leads_to_no_host_that_its_asker_chose(tmp_path, host, more, link):
    with make(tmp_path, **{"hosts": (), **ON, **more}) as made:
        asked = {"workloads": ["uniform:jobs=5"], "algorithms": ["easy"], "seeds": [1]}
        sweep = made.client.post("/api/sweeps", json=asked, headers={"Host": host}).json["id"]
        for address in ("ada@site.example", HOOK["address"]):
            sent = {"json": {"address": address}, "headers": {"Host": host}}
            assert made.client.post(f"/api/sweeps/{sweep}/notices", **sent).status_code == 201
        found = made.store.notices.of(made.store.sweeps.get(sweep).digest, "127.0.0.1")
        hook, mail = sorted(found, key=lambda one: "@" in one.address)

    assert mail.link == (f"{link}/experiments/{sweep}" if link else "")
    assert hook.link == f"http://{host}/experiments/{sweep}", "a webhook reaches who asked for it"


def test_a_person_asks_for_a_limited_number(named, queued):
    path = f"/api/runs/{queued}/notices"
    codes = {named.client.post(path, json={"address": f"https://hooks.example/{n}"}).status_code for n in range(5)}
    assert codes == {201, 429}


def test_a_server_that_sends_none_says_so(tmp_path):
    with make(tmp_path) as made:
        path = f"/api/runs/{made.ask().json['id']}/notices"
        assert made.client.get(path).json == {"notices": [], "webhooks": False, "mail": False}
        answer = made.client.post(path, json=HOOK)
        assert answer.status_code == 400
        assert answer.json["error"] == "this server sends no webhooks: SHADOWTIME_NOTICE_SECRET is not set"
