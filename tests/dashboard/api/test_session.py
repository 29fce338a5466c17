"""Who one is here, and how a browser shows the token."""

from __future__ import annotations

import pytest

from shadowtime.workers.people import SCOPES
from tests.dashboard.api.conftest import make_site

SECRET = "se; cret=ü"


@pytest.fixture
def guarded(tmp_path):
    return make_site(tmp_path, token=SECRET)


def test_the_token_is_shown_once_and_kept_where_no_script_reads_it(guarded):
    before = guarded.client.get("/api/me").json
    entered = guarded.client.post("/api/session", json={"token": SECRET})
    after = guarded.client.get("/api/me").json
    cookie = entered.headers["Set-Cookie"]

    assert (before["role"], entered.status_code, after["role"]) == ("viewer", 200, "editor")
    assert (before["private"], after["private"], after["access"]) == (False, True, "token")
    assert "HttpOnly" in cookie and "SameSite=Lax" in cookie and "Path=/" in cookie and SECRET not in cookie
    assert cookie.startswith(f"shadowtime-{guarded.store.identity}=")
    assert guarded.client.delete("/api/runs/0123456789abcdef").status_code == 404


def test_who_leaves_is_a_viewer_again_also_with_a_copy_of_the_cookie(guarded):
    copy = guarded.server.test_client()
    guarded.client.post("/api/session", json={"token": SECRET})
    name = f"shadowtime-{guarded.store.identity}"
    copy.set_cookie(name, guarded.client.get_cookie(name).value)
    assert copy.get("/api/me").json["role"] == "editor"
    left = guarded.client.delete("/api/session")

    assert left.status_code == 204
    assert guarded.client.get("/api/me").json["role"] == copy.get("/api/me").json["role"] == "viewer"


def test_over_tls_the_cookie_is_bound_to_the_host(tmp_path):
    with make_site(tmp_path, token=SECRET, proxies=("127.0.0.1",)) as made:
        tls = {"base_url": "https://localhost", "headers": {"X-Forwarded-Proto": "https"}}
        name = f"__Host-shadowtime-{made.store.identity}"
        cookie = made.client.post("/api/session", json={"token": SECRET}, **tls).headers["Set-Cookie"]
        assert cookie.startswith(f"{name}=") and "Secure" in cookie and "Domain" not in cookie
        by_proxy = made.client.post("/api/session", json={"token": SECRET}, headers=tls["headers"])
        assert by_proxy.headers["Set-Cookie"].startswith(f"{name}=")
        other = {"REMOTE_ADDR": "192.0.2.1"}
        stranger = made.client.post("/api/session", json={"token": SECRET}, headers=tls["headers"], environ_base=other)
        assert stranger.headers["Set-Cookie"].startswith("shadowtime-")

        plain = made.server.test_client()
        plain.set_cookie(name.removeprefix("__Host-"), cookie.partition("=")[2].partition(";")[0])
        assert plain.get("/api/me", **tls).json["role"] == "viewer", "a name that any site of the host could set"


def test_a_cookie_of_another_laboratory_or_of_the_token_itself_opens_nothing(guarded, tmp_path):
    with make_site(tmp_path / "other", token=SECRET) as other:
        other.client.post("/api/session", json={"token": SECRET})
        value = other.client.get_cookie(f"shadowtime-{other.store.identity}").value
    for name, content in (
        (f"shadowtime-{other.store.identity}", value),
        (f"shadowtime-{guarded.store.identity}", value),
        (f"shadowtime-{guarded.store.identity}", SECRET),
        ("shadowtime-token", SECRET),
    ):
        browser = guarded.server.test_client()
        browser.set_cookie(name, content)
        assert browser.get("/api/me").json["role"] == "viewer"


def test_sessions_end_when_the_token_of_the_settings_changes(tmp_path):
    with make_site(tmp_path, token=SECRET) as made:
        made.client.post("/api/session", json={"token": SECRET})
        name = f"shadowtime-{made.store.identity}"
        value = made.client.get_cookie(name).value
    with make_site(tmp_path, token="another") as changed:
        changed.client.set_cookie(name, value)
        assert changed.client.get("/api/me").json["role"] == "viewer"
    with make_site(tmp_path, token=SECRET) as again:
        again.client.set_cookie(name, value)
        assert again.client.get("/api/me").json["role"] == "editor"


def test_a_token_of_a_person_names_them_until_it_is_revoked(guarded):
    secret, token = guarded.store.tokens.create("anna", SCOPES, ["physics"])
    script = {"Authorization": f"Bearer {secret}"}
    assert guarded.client.get("/api/me", headers=script).json == {
        "name": "anna", "role": "editor", "access": "token", "private": True, "scopes": list(SCOPES),
        "groups": ["physics"],
    }  # fmt: skip
    guarded.client.post("/api/session", json={"token": secret})
    assert guarded.client.get("/api/me").json["name"] == "anna"

    guarded.store.tokens.revoke(token.id)
    assert guarded.client.get("/api/me").json["role"] == "viewer", "its sessions end with it"
    assert guarded.client.get("/api/me", headers=script).json["name"] == ""
    assert guarded.client.delete("/api/runs/0123456789abcdef", headers=script).status_code == 401


@pytest.mark.parametrize(
    ("scopes", "codes"),
    [
        (("read",), {"GET": 404, "POST": 403, "DELETE": 403}),
        (("submit",), {"GET": 403, "POST": 400, "DELETE": 403}),
        (("manage",), {"GET": 403, "POST": 403, "DELETE": 404}),
    ],
)
def test_a_token_does_what_its_scopes_say(guarded, scopes, codes):
    secret, _ = guarded.store.tokens.create("anna", scopes)
    headers = {"Authorization": f"Bearer {secret}"}
    run = "/api/runs/0123456789abcdef"
    answers = {
        "GET": guarded.client.get(run, headers=headers),
        "POST": guarded.client.post("/api/runs", json={}, headers=headers),
        "DELETE": guarded.client.delete(run, headers=headers),
    }
    assert {method: answer.status_code for method, answer in answers.items()} == codes
    needs = {"GET": "read", "POST": "submit", "DELETE": "manage"}
    for method, answer in answers.items():
        if answer.status_code == 403:
            assert answer.json["error"] == f"This needs the scope {needs[method]}, but this token has only {scopes[0]}."
    entered = guarded.client.post("/api/session", json={"token": secret})
    assert entered.status_code == (200 if "read" in scopes else 403)


def test_a_person_signs_out_their_own_browsers_alone(guarded):
    browsers = {}
    for name in ("anna", "anna", "ben"):
        secret, _ = guarded.store.tokens.create(name, SCOPES)
        browser = guarded.server.test_client()
        browser.post("/api/session", json={"token": secret}, headers={"User-Agent": "Firefox/130 on Linux"})
        browsers.setdefault(name, []).append(browser)
    here, there = browsers["anna"]
    listed = here.get("/api/sessions").json
    assert [one["current"] for one in listed["sessions"]] == [False, True] and len(listed["tokens"]) == 2
    assert listed["sessions"][0]["agent"] == "Firefox/130 on Linux"

    far = listed["sessions"][0]["id"]
    assert browsers["ben"][0].delete(f"/api/sessions/{far}").status_code == 404
    assert guarded.client.delete(f"/api/sessions/{far}").status_code == 404
    assert here.delete(f"/api/sessions/{far}").status_code == 204
    assert [one.get("/api/me").json["name"] for one in (here, there)] == ["anna", ""]
    assert here.delete("/api/sessions").status_code == 204
    assert [one.get("/api/me").json["name"] for one in (here, browsers["ben"][0])] == ["", "ben"]


def test_tokens_of_persons_are_guessed_no_faster(tmp_path):
    with make_site(tmp_path) as made:  # open to all: only what is meant as a token is counted
        right = made.store.tokens.create("anna", ["read"])[0]
        for n in range(11):
            made.client.get("/api/me", headers={"Authorization": f"Bearer of-a-proxy-{n}"})
        assert made.client.get("/api/me", headers={"Authorization": f"Bearer {right}"}).json["name"] == "anna"
        wrong = [made.client.get("/api/me", headers={"Authorization": f"Bearer st_{n}"}) for n in range(11)]
        assert [answer.status_code for answer in wrong] == [200] * 10 + [429]


def test_a_site_may_require_tokens_of_persons(tmp_path):
    with make_site(tmp_path, require_token=True) as made:
        secret, _ = made.store.tokens.create("anna", ["read", "submit"])
        assert made.client.post("/api/runs", json={}).status_code == 401
        assert made.client.post("/api/runs", json={}, headers={"Authorization": f"Bearer {secret}"}).status_code == 400


def test_another_token_is_none_and_tries_are_few(guarded):
    answers = [guarded.client.post("/api/session", json={"token": f"{n}"}) for n in range(12)]

    assert [answer.status_code for answer in answers] == [401] * 10 + [429] * 2
    assert "Set-Cookie" not in answers[0].headers
    assert answers[-1].headers["Retry-After"]


def test_without_a_token_there_is_none_to_show(tmp_path):
    made = make_site(tmp_path)

    assert made.client.post("/api/session", json={"token": "x"}).status_code == 409
    assert made.client.get("/api/me").json == {
        "name": "", "role": "editor", "access": "open", "private": False, "scopes": list(SCOPES), "groups": [],
    }  # fmt: skip


def test_a_proxy_says_who_one_is(tmp_path):
    made = make_site(tmp_path, user_header="X-Forwarded-User", proxies=("127.0.0.1",), editors=("anna",))
    people = [made.client.get("/api/me", headers={"X-Forwarded-User": name}).json for name in ("anna", "carl")]

    assert [(one["name"], one["role"], one["private"]) for one in people] == [
        ("anna", "editor", True),
        ("carl", "viewer", False),
    ]


def test_tokens_are_guessed_no_faster_by_header_than_by_the_form(tmp_path):
    guarded = make_site(tmp_path, token="plain")
    right = {"Authorization": "Bearer plain"}
    assert guarded.client.get("/api/me", headers=right).json["role"] == "editor"
    wrong = [guarded.client.get("/api/me", headers={"Authorization": f"Bearer {n}"}) for n in range(12)]
    assert [answer.status_code for answer in wrong] == [200] * 10 + [429] * 2
    assert wrong[-1].headers["Retry-After"]
    assert guarded.client.get("/api/me", headers=right).status_code == 429  # nothing tells which one is right
    elsewhere = {"REMOTE_ADDR": "127.0.0.9"}
    assert guarded.client.get("/api/me", headers=right, environ_base=elsewhere).json["role"] == "editor"


def test_a_browser_whose_session_ended_reads_on_and_counts_as_no_guess(guarded):
    for n in range(11):
        guarded.client.set_cookie(f"shadowtime-{guarded.store.identity}", f"{n:043}")
        assert guarded.client.get("/api/me").json["role"] == "viewer"
    entered = guarded.client.post("/api/session", json={"token": SECRET})
    assert (entered.status_code, guarded.client.get("/api/me").json["role"]) == (200, "editor")


def test_right_tokens_are_never_too_many(tmp_path):
    guarded = make_site(tmp_path, token="plain")
    right = {"Authorization": "Bearer plain"}
    roles = {guarded.client.get("/api/me", headers=right).json["role"] for _ in range(30)}
    assert roles == {"editor"}
